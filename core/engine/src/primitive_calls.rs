//! The calls of primitives. Made by `python -m tilewright.tools.reports.primitives core`;
//! changes here are lost.

use crate::arena::{listed, place};
use crate::game::{Game, Ins, Seats, WINDOW};
use crate::instructions::number;
use crate::primitive_table::shared;
use crate::primitives::{self, Playing};
use crate::state::{Fault, State};

/// Carry out the instruction of a primitive.
#[allow(clippy::too_many_lines, clippy::many_single_char_names)]
#[inline(always)]
pub fn execute<const OP: u8>(
    game: &Game,
    seats: &Seats,
    state: &mut State,
    arena: &mut Vec<i64>,
    w: &mut [i64; WINDOW],
    ins: &Ins,
) -> Result<(), Fault> {
    let (a, b, c) = (ins.a as usize, ins.b as usize, ins.c as usize);
    let mut m = Playing { game, seats, state };
    match OP {
        number::FIG_KIND => w[a] = primitives::fig_kind(&mut m, w[b])?,
        number::FIG_OWNER => w[a] = primitives::fig_owner(&mut m, w[b])?,
        number::FIG_AT => w[a] = primitives::fig_at(&mut m, w[b], ins.k)?,
        number::FIG_FACING => w[a] = primitives::fig_facing(&mut m, w[b])?,
        number::FIG_COMPANION => w[a] = primitives::fig_companion(&mut m, w[b])?,
        number::TILE_CELL => w[a] = primitives::tile_cell(&mut m, w[b])?,
        number::TILE_PIECE => w[a] = primitives::tile_piece(&mut m, w[b])?,
        number::SEGS_TILE => w[a] = listed(arena, 1, |out| primitives::segs_tile(&mut m, w[b], out))?,
        number::TILE_FEATURES => w[a] = listed(arena, 1, |out| primitives::tile_features(&mut m, w[b], out))?,
        number::TILE_FIGS => w[a] = listed(arena, 1, |out| primitives::tile_figs(&mut m, w[b], out))?,
        number::CELL_TILE => w[a] = primitives::cell_tile(&mut m, w[b])?,
        number::CELL_FIGS => w[a] = listed(arena, 1, |out| primitives::cell_figs(&mut m, w[b], out))?,
        number::NUMBER1 => w[a] = match ins.k { shared::DISTANCE => primitives::distance(&mut m, w[b]), shared::STACK_TOP => primitives::stack_top(&mut m, w[b]), shared::FURTHEST => primitives::furthest(&mut m, w[b]), shared::HAS_FREE_SIDE => primitives::has_free_side(&mut m, w[b]), _ => Err(Fault::Broken) }?,
        number::SEG_FEATURE => w[a] = primitives::seg_feature(&mut m, w[b])?,
        number::SEG_KIND => w[a] = primitives::seg_kind(&mut m, w[b])?,
        number::SEG_FIGS => w[a] = listed(arena, 1, |out| primitives::seg_figs(&mut m, w[b], out))?,
        number::SEG_LIST => w[a] = listed(arena, 1, |out| primitives::seg_list(&mut m, w[b], ins.c, out))?,
        number::B_KIND => w[a] = primitives::b_kind(&mut m, w[b])?,
        number::B_TILES => w[a] = listed(arena, 1, |out| primitives::b_tiles(&mut m, w[b], out))?,
        number::B_FIGS => w[a] = listed(arena, 1, |out| primitives::b_figs(&mut m, w[b], out))?,
        number::B_BORDERED => w[a] = listed(arena, 1, |out| primitives::b_bordered(&mut m, w[b], out))?,
        number::B_COMPLETE => w[a] = primitives::b_complete(&mut m, w[b])?,
        number::B_OPEN => w[a] = primitives::b_open(&mut m, w[b])?,
        number::LIST1 => w[a] = listed(arena, 1, |out| match ins.k { shared::OPEN_CELLS => primitives::open_cells(&mut m, w[b], out), _ => Err(Fault::Broken) })?,
        number::B_FILLED => w[a] = primitives::b_filled(&mut m, w[b])?,
        number::POINTS => w[a] = primitives::points(&mut m, w[b])?,
        number::FIGS_READY => w[a] = listed(arena, 1, |out| primitives::figs_ready(&mut m, w[b], out))?,
        number::PIECE_KINDS => w[a] = listed(arena, 1, |out| primitives::piece_kinds(&mut m, w[b], out))?,
        number::ACTIVE => w[a] = primitives::active(&mut m)?,
        number::TURN => w[a] = primitives::turn(&mut m)?,
        number::PLAYERS => w[a] = listed(arena, 1, |out| primitives::players(&mut m, out))?,
        number::B_ROOTS => w[a] = listed(arena, 1, |out| primitives::b_roots(&mut m, out))?,
        number::B_COMPLETED => w[a] = listed(arena, 1, |out| primitives::b_completed(&mut m, out))?,
        number::MAX => w[a] = primitives::max(&mut m, w[b], w[c])?,
        number::MIN => w[a] = primitives::min(&mut m, w[b], w[c])?,
        number::CELL_NEIGHBOURS => w[a] = listed(arena, 1, |out| primitives::cell_neighbours(&mut m, w[b], out))?,
        number::CELL_AROUND => w[a] = listed(arena, 1, |out| primitives::cell_around(&mut m, w[b], out))?,
        number::CELL_LINE => w[a] = listed(arena, 1, |out| primitives::cell_line(&mut m, w[b], w[c], out))?,
        number::CELL_NEIGHBOUR => w[a] = primitives::cell_neighbour(&mut m, w[b], w[c])?,
        number::NUMBER2 => w[a] = match ins.k { shared::BEYOND => primitives::beyond(&mut m, w[b], w[c]), shared::CELL_AWAY => primitives::cell_away(&mut m, w[b], w[c]), shared::CAN_LIE => primitives::can_lie(&mut m, w[b], w[c]), shared::AHEAD => primitives::ahead(&mut m, w[b], w[c]), shared::IN_STACK => primitives::in_stack(&mut m, w[b], w[c]), _ => Err(Fault::Broken) }?,
        number::CELL_AT => w[a] = primitives::cell_at(&mut m, w[b], w[c])?,
        number::CELLS_TO => w[a] = listed(arena, 1, |out| primitives::cells_to(&mut m, w[b], w[c], out))?,
        number::NEXTP => w[a] = primitives::nextp(&mut m, w[b])?,
        number::PLAYERSFROM => w[a] = listed(arena, 1, |out| primitives::playersfrom(&mut m, w[b], out))?,
        number::SEGS_TILES => w[a] = listed(arena, 1, |out| primitives::segs_tiles(&mut m, place(out, w[b])?, out))?,
        number::COVERS => w[a] = listed(arena, 1, |out| primitives::covers(&mut m, w[b], w[c], ins.k, out))?,
        number::RANGE => w[a] = listed(arena, 1, |out| primitives::range(&mut m, w[b], w[c], out))?,
        number::FIG_INROLE => w[a] = primitives::fig_inrole(&mut m, w[b], w[c])?,
        number::FIGS_ROLE => w[a] = listed(arena, 1, |out| primitives::figs_role(&mut m, place(out, w[b])?, w[c], out))?,
        number::SEGS_KIND => w[a] = listed(arena, 1, |out| primitives::segs_kind(&mut m, place(out, w[b])?, w[c], out))?,
        number::TAKE => primitives::take(&mut m, w[a], w[b])?,
        number::PUT => primitives::put(&mut m, w[a], w[b])?,
        number::MOVEALL => primitives::moveall(&mut m, w[a], w[b])?,
        number::CHANGE_BOARD => primitives::change_board(&mut m, w[a], w[b], ins.k)?,
        number::TOSEGMENT => primitives::tosegment(&mut m, w[a], w[b])?,
        number::TOTILE => primitives::totile(&mut m, w[a], w[b])?,
        number::BESIDE => primitives::beside(&mut m, w[a], w[b])?,
        number::HOME => primitives::home(&mut m, w[a])?,
        number::HAND => primitives::hand(&mut m, w[a], w[b])?,
        number::ATTACH => primitives::attach(&mut m, w[a], w[b])?,
        number::FACE => primitives::face(&mut m, w[a], w[b])?,
        number::GIVE => primitives::give(&mut m, w[a], w[b])?,
        number::SPENDT => primitives::spendt(&mut m, w[a], w[b])?,
        number::AWARD => primitives::award(&mut m, w[a], w[b])?,
        _ => return Err(Fault::Broken),
    }
    Ok(())
}

//! The instructions of primitives. Made by `python -m tilewright.tools.reports.primitives core`;
//! changes here are lost.

/// The constants of the functions that share an instruction.
#[allow(missing_docs)]
pub mod shared {
    pub const DISTANCE: i32 = 0;
    pub const STACK_TOP: i32 = 1;
    pub const FURTHEST: i32 = 2;
    pub const HAS_FREE_SIDE: i32 = 3;
    pub const OPEN_CELLS: i32 = 0;
    pub const BEYOND: i32 = 0;
    pub const CELL_AWAY: i32 = 1;
    pub const CAN_LIE: i32 = 2;
    pub const AHEAD: i32 = 3;
    pub const IN_STACK: i32 = 4;
}

/// Define instructions: some, those of primitives, and the others.
macro_rules! with_primitives {
    ($define:ident { $($before:tt)* } { $($after:tt)* }) => {
        $define! {
            $($before)*
            FIG_KIND "Ii--",
            FIG_OWNER "Ii--",
            FIG_AT "Ii-k",
            FIG_FACING "Ii--",
            FIG_COMPANION "Ii--",
            TILE_CELL "Ii--",
            TILE_PIECE "Ii--",
            SEGS_TILE "Si--",
            TILE_FEATURES "Si--",
            TILE_FIGS "Si--",
            CELL_TILE "Ii--",
            CELL_FIGS "Si--",
            NUMBER1 "Ii-k",
            SEG_FEATURE "Ii--",
            SEG_KIND "Ii--",
            SEG_FIGS "Si--",
            SEG_LIST "Sin-",
            B_KIND "Ii--",
            B_TILES "Si--",
            B_FIGS "Si--",
            B_BORDERED "Si--",
            B_COMPLETE "Ii--",
            B_OPEN "Ii--",
            LIST1 "Si-k",
            B_FILLED "Ii--",
            POINTS "Ii--",
            FIGS_READY "Si--",
            PIECE_KINDS "Si--",
            ACTIVE "I---",
            TURN "I---",
            PLAYERS "S---",
            B_ROOTS "S---",
            B_COMPLETED "S---",
            MAX "Iii-",
            MIN "Iii-",
            CELL_NEIGHBOURS "Si--",
            CELL_AROUND "Si--",
            CELL_LINE "Sii-",
            CELL_NEIGHBOUR "Iii-",
            NUMBER2 "Iiik",
            CELL_AT "Iii-",
            CELLS_TO "Sii-",
            NEXTP "Ii--",
            PLAYERSFROM "Si--",
            SEGS_TILES "Ss--",
            COVERS "Siik",
            RANGE "Sii-",
            FIG_INROLE "Iii-",
            FIGS_ROLE "Ssi-",
            SEGS_KIND "Ssi-",
            TAKE "ii--",
            PUT "ii--",
            MOVEALL "ii--",
            CHANGE_BOARD "ii-k",
            TOSEGMENT "ii--",
            TOTILE "ii--",
            BESIDE "ii--",
            HOME "i---",
            HAND "ii--",
            ATTACH "ii--",
            FACE "ii--",
            GIVE "ii--",
            SPENDT "ii--",
            AWARD "ii--",
            $($after)*
        }
    };
}
pub(crate) use with_primitives;

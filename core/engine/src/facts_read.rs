//! What a function of bytecode reads of a match, with all functions that it calls.

use crate::game::{Game, Ins};
use crate::instructions::Op;
use crate::queries::OF_FEATURES;

/// The sizes of features, with their kinds, figures and whether they are complete.
const FEATURES: u16 = 1;
/// The open ends of features.
pub const ENDS: u16 = 2;
/// The filled cells around features.
pub const FILLED: u16 = 4;
/// The attributes of features.
pub const NUMBERS: u16 = 8;
/// The features that others border.
pub const BESIDE: u16 = 16;
/// The tokens of players.
pub const TOKENS: u16 = 32;
/// Where figures are, and where they face.
pub const PLACES: u16 = 64;
/// Which figures are attached to which.
pub const COMPANIONS: u16 = 128;
/// Everything, and also what has no bit of its own.
const ALL: u16 = u16::MAX;

/// The union of what the instructions of a function read.
pub fn facts_read(game: &Game, function: usize) -> u16 {
    let (mut found, mut reached) = (0, vec![function]);
    let mut next = 0;
    while let Some(&number) = reached.get(next) {
        next += 1;
        let function = &game.functions[number];
        for ins in &game.code[function.start..function.end] {
            found |= read_by(ins);
            let called = ins.k as usize;
            if ins.op == Op::CALL && !reached.contains(&called) {
                reached.push(called);
            }
        }
    }
    found
}

/// An instruction that is not named here counts as one that reads everything.
fn read_by(ins: &Ins) -> u16 {
    match ins.op {
        Op::B_OPEN => ENDS,
        Op::B_FILLED => FILLED,
        Op::B_ATTR => NUMBERS,
        Op::B_BORDERED => BESIDE,
        Op::HOLDS | Op::TOKENS_AT => TOKENS,
        Op::B_KIND
        | Op::B_SIZE
        | Op::B_FIGS
        | Op::B_HASFIGS
        | Op::B_FIGSP
        | Op::B_COMPLETE
        | Op::JFIGS
        | Op::JNFIGS
        | Op::JKIND
        | Op::JNKIND
        | Op::NOTE => FEATURES,
        Op::PASSING if ins.c >= OF_FEATURES => FEATURES,
        Op::FIG_SPOT | Op::FIG_FACING | Op::FIG_AT | Op::FIG_INROLE | Op::FIGS_ROLE => PLACES,
        Op::OF_FIGURE if ins.c > 0 => PLACES,
        Op::FIG_COMPANION | Op::OF_FIGURE | Op::JCOMPANION | Op::JNCOMPANION => COMPANIONS,
        // of figures, what never changes
        Op::FIG_KIND
        | Op::FIG_OWNER
        | Op::FIG_TRAIT
        | Op::JTRAIT
        | Op::JNTRAIT
        | Op::ROLE
        | Op::KIND_ROLE
        | Op::JROLE
        | Op::JNROLE
        | Op::KEEP_PLAYER
        | Op::KEEP_KIND
        | Op::KEEP_TRAIT
        | Op::KEEP_FIGS
        | Op::TOKEN_TRAIT
        | Op::NPLAYERS
        | Op::PLAYERS
        | Op::NEXTP
        | Op::PLAYERSFROM => 0,
        // numbers, jumps and lists; points that are added, and steps that are counted
        Op::NOP
        | Op::LDI
        | Op::LDC
        | Op::MOV
        | Op::MOVL
        | Op::MOVN
        | Op::ADD
        | Op::SUB
        | Op::MUL
        | Op::AND
        | Op::ADDI
        | Op::MULI
        | Op::ANDI
        | Op::SHRI
        | Op::QUO
        | Op::REM
        | Op::MIN
        | Op::MAX
        | Op::BOUNDED
        | Op::ROUNDS
        | Op::EQI
        | Op::NEI
        | Op::LTI
        | Op::GEI
        | Op::EQP
        | Op::ISMISS
        | Op::JMP
        | Op::JT
        | Op::JF
        | Op::JEQ
        | Op::JNE
        | Op::JLT
        | Op::JLE
        | Op::JEQI
        | Op::JNEI
        | Op::JLTI
        | Op::JGEI
        | Op::JTEST
        | Op::JNTEST
        | Op::JNONE
        | Op::JSOME
        | Op::JIN
        | Op::JNIN
        | Op::JEMPTY
        | Op::JFULL
        | Op::CALL
        | Op::RET
        | Op::RETI
        | Op::LNEW
        | Op::LNONE
        | Op::LOOKUP
        | Op::LAPP
        | Op::LAPP1
        | Op::LLEN
        | Op::LGET
        | Op::LLAST
        | Op::LFIRST
        | Op::LCONST
        | Op::FOREACH
        | Op::FOREACH1
        | Op::NEXT
        | Op::NEXT1
        | Op::NEXT3
        | Op::FORTO
        | Op::NEXTTO
        | Op::LIN
        | Op::LEQ
        | Op::LDIST
        | Op::LCAT
        | Op::LTAKE
        | Op::MOST
        | Op::WITHONE
        | Op::SORTU
        | Op::SADD
        | Op::SDEL
        | Op::SFIRSTN
        | Op::SAND
        | Op::RANGE
        | Op::PICKL
        | Op::STOWL
        | Op::AWARD
        | Op::NOTED
        | Op::MEASURE
        | Op::METER
        | Op::METERN
        | Op::STEPS => 0,
        _ => ALL,
    }
}

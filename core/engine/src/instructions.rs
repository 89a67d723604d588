//! The instructions: one list for the interpreter, the verifier and the compiler of bytecode. Those of
//! primitives come from their table (`primitive_table.rs`).
//!
//! An instruction has eight bytes: its number, three registers or small numbers `a`, `b`, `c`, and a
//! number `k` of 32 bits. A register holds an integer or a list for the whole of a function; a value
//! of n parts, such as a placement (cell, layout), takes n registers in a row. `None` is [`NONE`],
//! and the result of an amendment that does not apply is [`MISSING`]; both also stand in registers of
//! lists. A list has elements of a fixed number of parts; a set of figures or tiles is an ascending
//! list without equal members.
//!
//! The text after the name gives the roles of `a`, `b`, `c`, `k` for the verifier:
//! `i` reads an integer, `I` writes one; `l` reads a list, `L` writes one, both with elements of any
//! number of parts; `s` and `S` the same with elements of one part; `n` a small number; `-` unused;
//! `j` a target in the same function, `f` a function, `c` a constant, `q` a list of constants, `k` a
//! number. `*` is checked by a rule of its own in `verify.rs`; after it are the names of the operands
//! that are registers, of one or the first of several.

use crate::primitive_table::with_primitives;

/// How a decision is made: bits of `k` beside the site.
pub mod decision {
    /// The site.
    pub const SITE: i32 = (1 << 21) - 1;
    /// The active player chooses, whatever `b` is.
    pub const BY_ACTIVE: i32 = 1 << 21;
    /// The decision may not be passed, or may be. With neither of both, MAYPASS has set it.
    pub const NO_PASS: i32 = 1 << 22;
    pub const MAY_PASS: i32 = 1 << 23;
}

/// The value `None` of the rules.
pub const NONE: i64 = i64::MIN;
/// The result of a conditional amendment whose condition is false.
pub const MISSING: i64 = i64::MIN + 1;

/// A truth value as a number.
#[inline(always)]
pub fn truth(holds: bool) -> i64 {
    i64::from(holds)
}

macro_rules! instructions {
    ($($name:ident $roles:literal,)*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(u8)]
        pub enum Op { $($name,)* }
        /// The numbers of all instructions.
        #[allow(missing_docs)]
        pub mod number {
            $(pub const $name: u8 = super::Op::$name as u8;)*
        }
        /// All instructions with their roles, by number.
        pub const ALL: &[(Op, &str, &str)] = &[$((Op::$name, stringify!($name), $roles),)*];
    };
}

with_primitives! { instructions {
    NOP "----",
} {
    // ---- numbers
    LDI "I--k",        // a = k
    LDC "I--c",        // a = constants[k]
    MOV "Ii--",
    MOVL "*ab",          // a = b, lists with elements of c parts
    MOVN "*ab",          // c registers from a on = registers from b on, of equal types
    ADD "Iii-", SUB "Iii-", MUL "Iii-", AND "Iii-",
    ADDI "Ii-k", MULI "Ii-k", ANDI "Ii-k", SHRI "Ii-k",
    QUO "Iii-", REM "Iii-",
    BOUNDED "Ii--",    // a = b; fault beyond 10^12
    ROUNDS "Ii--",     // a = b; fault above 10,000
    EQI "Ii-k", NEI "Ii-k", LTI "Ii-k", GEI "Ii-k",
    EQP "Iii-",        // equal and not None
     ISMISS "*ab", // ISMISS: a (integer) = register b (integer or list) is MISSING
    // ---- jumps: k is the number of an instruction in the whole code
    JMP "---j", JT "i--j", JF "i--j", JEQ "ii-j", JNE "ii-j", JLT "ii-j", JLE "ii-j",
    JEQI "in-j", JNEI "in-j",   // with b as a number from 0 to 255
    JLTI "in-j", JGEI "in-j",
    JTEST "in-j", JNTEST "in-j", // whether a and the mask b have a common bit
    JNONE "*a", JSOME "*a",       // whether a (integer or list) is None
    JNSYMBOL "in-j",            // whether piece a has no symbol of the mask b
    JFIGS "i--j", JNFIGS "i--j", // whether figures are on feature a
    JKIND "in-j", JNKIND "in-j", // whether feature a is of kind b (a number)
    JROLE "in-j", JNROLE "in-j", // whether kind of figure b (a number) has a role on kind of feature a
    JTRAIT "in-j", JNTRAIT "in-j", // whether figure a has trait b (a number)
    JIN "is-j", JNIN "is-j",    // whether a is in list b
    JCOMPANION "i--j", JNCOMPANION "i--j", // whether a figure is attached to figure a
    JEMPTY "l--j", JFULL "l--j",
    CALL "*ab",          // registers from a on = function k (registers from b on)
    // ---- lists. k: the parts of an element, where it is not fixed
    LNEW "L---",       // a = a new empty list
    LNONE "L--k",      // a = None (k 0) or MISSING (k 1), in the place of a list
    LOOKUP "Iinq",     // a = element number b of constant list k, or that of the kind of figure b when c is 1;
                       // fault outside
    LAPP "*ab",          // append the element in the c registers from b on to the list a
    LLEN "Il--",
    LGET "*abc",          // k registers from a on = element number c (a register) of b; fault outside
    LLAST "*ab",         // k registers from a on = the last element of b, or None
    LFIRST "*ab",        // k registers from a on = the first element of b, or None
    LCONST "S--q",
    FOREACH "*abc",       // a: cursor, b: list, c: first register of the element, k: parts << 24 | target
                       // begin a loop: jump to the target if there is no element, else load the
                       // first, and a = 1
    NEXT "*abc",          // the same operands at the end of a loop: while there are more elements, load
                       // element number a, add 1 to a, and jump
    // made of others when a game is loaded, for elements of one part or three; never in an image
    FOREACH1 "*abc", NEXT1 "*abc", NEXT3 "*abc", LAPP1 "*ab",
    AWAIT "innj",      // for JF, FWAIT and RETI 1 in a row: jump if a is 0, else wait at block b + 256 * c
                       // and return 1
    FORTO "Ii-j",      // a = 1; jump if b is less than 1
    NEXTTO "ii-j",     // if a < b add 1 to a and jump
    OFFERLIST "*ac",     // offer the b registers from a on, and after them each element of list c
    LIN "*abc",           // a (integer) = the element in the registers from c on is in b; k: parts
    LEQ "*abc",           // a = lists b and c are equal; k: parts
    LDIST "*ab",         // a = b without repetitions, in order; k: parts
    LCAT "*abc",          // a = b then c; k: parts
    LTAKE "*abc",         // a = the first c (register) elements of b; k: parts
    CYCLE "*abc",         // a = c (register) elements of b, again and again; k: parts; fault above 10,000
    MOST "*ab",          // b: elements (rating, member of k parts); a: the members with the highest rating,
                       // or the lowest when c is 1
    WITHONE "*abc",       // a = b with the element in the registers from c on, unless it is in b; k: parts
    SORTU "Ss--",      // a = the set of the members of b
    SADD "Ssi-", SDEL "Ssi-", // a set with or without c (SDEL also for lists of one part, in order)
    SFIRSTN "Ssi-",    // the lowest c members
    SAND "Sss-",       // members of both sets
    PICKL "*abc",         // a = register number b + (value of register c) among the k list registers from b on
    STOWL "*abc",         // register a + (value of register b) among the k list registers from a on = c
    // ---- features
    B_SIZE "Ii--", B_ATTR "Ii-k",
    B_HASFIGS "Ii--",
    B_FIGSP "Sii-",    // the figures of player c on feature b
    B_FIND "Ii-k",     // a = what feature b is part of now (k 0); tile b (1) or segment b (2), or None
                       // when it was lifted
    CURROOTS "Ss-k",   // B_FIND for each member, without repetitions
    // ---- segments, tiles, cells, pieces
    SEG_COMPLETE "Ii--", SEG_SYMBOLS "Ii--", SEG_NUMBER "Ii-k",
    SEG_TILE_SYMBOLS "Ii--",
    SEGS_OPEN "Ss--",
    SEGS_TILE_OF "Si-k", // the segments of tile b of kind k
    SEGS_OFF "Ssi-",   // the segments of list b that are not on tile c, which may be None
    SEGS_WITHOUT "Sssk", // those of list b that are not on a tile with a symbol of the mask k; with a k below
                       // 0 that holds for tiles of list c alone, and the mask is -1 - k
    PASSING "Ssnk",    // the members of b that pass the test c with k: see `queries::OF_FEATURES`
    SEGS_ROLE "Ssi-",  // those of list b on whose kind kind of figure c has a role
    ON_TILES "*abc",      // a: those elements of b (segment, ...) that are on a tile of list c; k: parts (1 or 3) << 1,
                       // and 1 for those that are on none
    WITHFEATURES "*ab",  // a: elements (segment, feature, kind) for the segments of b
    ROWS "*ab",          // a: those elements of b that k keeps: see `state_reading::RowTest`
    ROWS_FIRST "*ab",    // a, a list of segments, is continued by the segments of the elements of b that k keeps;
                       // with c 1 it begins with them
    ROWS_OWN "*abc",      // a: those elements of b on whose feature are figures of player c that k keeps, as
                       // in KEEP_FIGS
    TILE_SYMBOLS "Ii--",
    TILES "S---",
    TILE_SHAPE "Ii--",
    CELL_TILEIN "Ii--",
    PIECE_SYMBOLS "Ii--", PIECE_COUNT "Ii--",
    PIECE_RESTRICTED "Ii--", // whether a rule restricts the placements of piece b
    PLACES "*ab",        // a: the placements (2 parts) of piece b by its edges alone
    BESIDE_COVER "*abc", // a: the placements (2 parts) of piece b at the ends of cover c, as in `play/library/functions.py`
    CELLS "*abc",         // a: the cells of piece b in the placement in registers c, c + 1
    PRINTS "*abck",        // a: the prints (3 parts) of piece b, placement c, c + 1; k: register of a kind or -1
    JOINED "*abck",        // a: features; operands as PRINTS
    JOINS "*abck",         // a: features; k: first of the three registers of a print
    COMPLETED_BY "*abc",  // a: features; piece b, placement c, c + 1
    PRINT_KIND "Iiik",     // the kind of the segment c of shape b (k 0), or the mask of its symbols (1)
    PRINT_SIDES "Sii-",
    // ---- figures
    FIG_SPOT "Ii--",
    OF_FIGURE "I-nk",  // a: of figure k its companion (c 0), its spot (1), or what FIG_AT finds (2 and more)
    FIG_TRAIT "Ii-k",  // whether figure b has trait k
    ROLE "Ini-",       // whether kind of figure b (a number) has a role on kind of feature c
    KIND_ROLE "Iii-",  // whether kind of figure b has a role on kind of feature c
    FIGS "S-nk",       // a: the figures that k keeps, as in KEEP_FIGS; c: all, on the board or in the supply
    FIGS_PLAYER "Sink", // the same of player b
    KEEP_PLAYER "Ssi-", KEEP_KIND "Ssi-", KEEP_TRAIT "Ssi-",
    KEEP_FIGS "Ss-k",  // those of b of kind k - 1, or with trait -1 - k, or all when k is 0
    TOKEN_TRAIT "Ii-k",
    // ---- players, stacks, memory
    SETACTIVE "i--k",  // player a becomes active (k 0), or the one after a (1), or after the active one (2)
    NPLAYERS "I---",
    HOLDS "Iii-",      // the tokens of kind c that player b has
    TOKENS_AT "Ii--",  // the number at index b of the rows of tokens
    STACK_LEN "Ii--", STACK_SIZE "I--k", STACK_SORTED "Si--",
    MLD "I--k", MST "i--k", // memory slot k, an integer
    MSTI "nn-k",       // memory slot k = a, a number from 0 to 255, or None when b is 1
    MLDL "*a", MSTL "*a",    // a list; c: parts. MSTL with b 1 stores an empty one, whatever a is
    MLDN "*a", MSTN "*a",    // a value of c parts
    KEPT "Iink",       // a = what memory slot k keeps for b; c: a law of `kept`, for features that joined
    KEPT_IN "Ss-k",    // the members of b for which memory slot k keeps a value of its own
    KEEP "iink",       // memory slot k keeps b for a
    // ---- changes
    DRAW "Ii-k",       // from stack b, or from stack k - 1 when k is not 0
    DRAWNEXT "Ii--", DRAWAMONG "Iis-",
    LDRAW "*abc",         // a = at most c (register) random elements of b; k: parts << 24 | stream
    LAY "*abc",           // a: the set of laid tiles; piece b, placement c, c + 1
    RELEASE "i---",
    HASLEFT "I---", BEGINTURN "----",
    ENDGAME "---k",    // with k without the final scoring
    NOTE "iiik",       // a points for player b and feature c or None, of the entry k of the tally
    NOTED "----",      // the award whose items were noted is made
    MEASURE "i--k",    // add a to the measure k of the tally
    // ---- decisions
    SETPIECE "i---",   // the piece of the coming decision
    MAYPASS "---k",    // the coming decision may be passed (1) or not (0)
    // k: a site, with the bits of `decision` on who chooses and whether they may pass
    ASK "*abc",           // a (integer) = player b has to choose from list c; k: parts << 24 | site
    ASKPLACE "Iiik",   // a = player b has to choose a placement of piece c by edges alone; k: site
    ASKNUMBER "*abc",    // a (integer) = player b has to choose a number from register c to c + 1; k: site
    OFFER "---k",      // begin the list of offered actions: elements of k parts
    OFFERADD "*a",      // add the element in the b registers from a on; missing parts are None
    ASKOFFER "Ii-k",   // a = player b has to choose from the offered actions; k: site
    PASSED "I---",
    CHOSEN "*a",        // the c registers from a on = the first parts of the chosen option
    // ---- frames: of the unit that runs, the top one
    FBLOCK "I---",
    FWAIT "---k",      // continue at block k, and forget what was saved
    FSAVE "i---", FSAVEL "*a", // FSAVEL: c: parts
    FREAD "----",      // the next FLOAD loads the first saved value
    FLOAD "I---", FLOADL "*a",
    FPOP "----",
    FSTART "---k",     // push a frame of unit k, empty and at block 0
    // ---- steps
    METER "ln-k",      // count k steps for each element; b: only of a long list, which has a limit
    METERN "i--k",     // count k steps, a times
    STEPS "---k",
    RETI "*",          // return the number k
    // the last number belongs to one that the loop carries out: its table then has no gap at the end
    RET "*a",           // return the registers from a on (as many as the function returns)
} }

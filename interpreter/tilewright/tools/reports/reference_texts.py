"""Texts of the reference pages: tables of the language's words, and introductions.

Words that are declared in `language/builtins` have their texts there.
"""

from __future__ import annotations

from tilewright.rules.model.ruleset import Combine

#: the meaning of each word before `x in a set: ...`
QUANTIFIERS: dict[str, str] = {
    "any": "whether it is true for at least one; false for an empty set",
    "all": "whether it is true for each; true for an empty set",
    "count": "the number of members for which it is true",
    "those": "the members for which it is true, in their order",
    "sum": "the numbers added up",
    "most": "the members with the highest number",
    "least": "the members with the lowest number",
    "collect": "the set of its values for all members, each once",
}

#: the result of operators and words inside expressions
OPERATORS: dict[str, tuple[str, str]] = {
    "div": (
        "a div b",
        "whole division, rounded down: `7 div 2` is 3 and `-7 div 2` is -4; by zero it is 0",
    ),
    "mod": (
        "a mod b",
        "the remainder of `div`: `7 mod 2` and `-7 mod 2` are 1; by zero it is `a` itself, so `b * "
        "(a div b) + a mod b` is always `a`",
    ),
    "of": (
        "SET of OWNER",
        "the members that belong to a player, or are of a kind, a role or a trait",
    ),
    "has": ("x has MARK", "whether a symbol is printed on it, or whether it has a trait"),
    "is": (
        "x is K",
        "whether it is of a kind, in a role, or the same thing; `is not` negates it",
    ),
    "first": (
        "first n of SET",
        "the first `n` members of a set in its order, or all if it has fewer",
    ),
    "..": (
        "a..b",
        "the whole numbers from one to another; its length must be clear before play, except where "
        "a player chooses one of them, as in `choose n in best + 1..99`",
    ),
    "in": ("x in SET", "whether it is a member; `not in` is the opposite"),
    "and": ("a and b", "whether both are true; `b` is evaluated only if `a` is true"),
    "or": ("a or b", "whether one of them is true; `b` is evaluated only if `a` is false"),
    "not": ("not a", "whether it is false; it comes before `and`, and `and` before `or`"),
    "true": ("true", 'a condition that always holds; YAML needs quotes around it: `value: "true"`'),
    "false": (
        "false",
        'a condition that never holds; YAML needs quotes around it: `value: "false"`',
    ),
    "nothing": ("nothing", "the value of what is absent: `f.owner is nothing`"),
    "something": ("x is something", "whether it has a value; `x is nothing` is the opposite"),
    "empty": ("s is empty", "whether a set or a stack has no member"),
}

#: the meaning of each kind of effect, by its rule in the grammar
EFFECTS: dict[str, str] = {
    "let": "names a value for the rest of its block",
    "assign": "gives another value to a memory, to `active` or to a local name",
    "add": "adds a member to a set, or a number to a number, in memory or in a local name",
    "drop": "removes a member from a set in memory",
    "if": "performs the first block if the condition is true, else the second, if there is one",
    "for": "performs a block for each member of a set, in its order",
    "repeat": "performs a block a number of times; the number is evaluated once, at the start",
    "stop": "leaves the innermost `for` or `repeat`, or the rule outside any loop",
    "choose": "lets a player choose a member; with `may` also none; `else` if none was chosen",
    "decide": "lets a player accept or decline; `else` if declined",
    "draw_into": "moves random pieces from one stack into another: some, or all that match",
    "draw": "takes a random piece out of a stack, or finds a random member of a set, one that "
    "matches `where`; with `times` several members of a set",
    "offer": "lets a player perform one of the actions of this step, or none",
    "procedure_call": "performs a procedure: the effects of all its rules",
    "announce": "announces an event: all reactions to it follow at once",
    "end_game": "ends the turns; the final phase follows, unless it ends `at once`",
}

#: how several amendments become one value
COMBINES: dict[Combine, str] = {
    Combine.ONE: "the one amendment that applies; two that can apply at once and give different "
    "values are an error, resolved by `over:` or by conditions; an amendment whose value, or one "
    "branch of it, is its own definition falls back to what it has precedence over; without any "
    "it is `default`",
    Combine.SUM: "the numbers added up",
    Combine.ALL: "true when every amendment is; true when there is none",
    Combine.ANY: "true when some amendment is; false when there is none",
    Combine.MAX: "the greatest number; `default`, or zero, when there is none",
    Combine.MIN: "the least number; `default`, or zero, when there is none",
    Combine.UNION: "the union of the sets of all amendments",
    Combine.ITEMS: "the sum of the numbers, each recorded under its `item`",
    Combine.CHAIN: "the last argument, which each amendment that applies changes in turn; two "
    "whose order matters need `after`",
}

LANGUAGE = """# The effect language

Conditions, values and effects in `rules/*.yaml` are written in a small typed language. It is
total: no recursion, loops only over sets and counted repeats, no fractions, no clock, no chance
except `draw`. Line ends have no meaning. In a text after `|`, which keeps its lines, `#` begins a
comment; elsewhere YAML joins the lines, and `#` is an error. `tilewright explain WORD` prints the
entry of a word on this page.

![Amendments give definitions values, rules carry out effects](../pictures/diagrams/language.svg)

An **expression** has a value and changes nothing; an **effect** changes the game. Every name is
resolved before play: a parameter, a `let`, a value, a memory, a declared kind, symbol, figure or
stack, or one of the names below. An unknown name is an error and never false or zero.

A type is a base, a set of a base (`set of tile`) or an optional one (`figure?`). An optional value
has to be tested before it is used: in `f.owner is something and f.owner is active` the test makes
the second half valid. `x is K` tests for a kind or a role, or whether two things are the same;
`x has S` for a printed symbol or a trait; `figures of active` and `figures of K` are the figures of
a player and of a kind.

**A test holds until an effect may undo it.** After `if f.owner is something { ... }` the block may
use `f.owner` as often as it likes, because an owner never changes. `f.tile` can change:
`return f` takes the figure off its tile, so the test must be repeated after it. [The table of
verbs](#verbs) lists the changes of each effect; calls, `announce`, `offer` and verbs that announce
an event let other rules act, and may change everything but local names. Keep a value that you need
in a local name: `let who = crown.holder`, then test and use `who`.

**`stop` leaves one loop.** In a `for` inside a `for` it leaves the inner one, and the outer
continues with its next member. Outside any loop it leaves the rule.

**Sets have an order**, which `for`, `first`, `those`, `collect` and every choice use. Tiles are in
the order in which they were laid, players in the order of seats, figures in the order of their
numbers (those without an owner, then by seat and kind), features by age, pieces of a stack by kind.
Other sets have the order in which they were written or filled. A set contains each member once; a
stack may contain many copies of a piece.

**Memory can be kept for things.** With `of: tile` in its declaration every tile has a value of its
own: `t.depth` reads it, `set t.depth = 2` and `add 1 to t.depth` change it. It begins as 0, as
false or as nothing. Players, figures, tiles, segments and features can have one. Features join, and
`combine` decides what their values become: `sum`, `max` or `min` of numbers, `any` or `all` of
truths, `first` for the value of the oldest feature. A feature without a given value does not count,
and a value that is set later replaces them all. Two rules that only add to a number need no order.

**Rules decide which figures occupy a feature.** `x is occupied` is true when a figure on the
feature occupies it. Every figure does, unless a rule declares otherwise: `amend: occupies(f)` with
`when: f is spectator` and `value: "false"`. If only the kind, the traits and the owner of a figure
decide, this costs one test of the whole feature, otherwise one test of each figure on it.

**Chance names members of any set.** `draw guest from players` gives one of the players,
`draw n from 1..6` a number, `draw struck from tiles times 3` a set of three different tiles, or of
all where there are fewer. The set stays as it is. Each member is as likely as another, and each is
an entry of the log. Where a set may be empty, the one that is drawn may be nothing, and has to be
tested. Every stack has a stream of chance of its own, named after it, and so has every type: a
rule that draws players changes no draw of tiles, and no draw from a stack.

**Figures can be put away.** `move f to spare` puts a figure beside a stack: it is off the board and
in no supply, for one player as for all, and `return f` brings it back. `p.owned` counts it still,
and `those f in p.owned: f.stack is spare` are those that are away.

**A place can be named.** `cell_away(origin.cell, east.heading, 9)` is a cell, filled or not, and
`placement(p, c, south)` is the piece `p` in this cell with its printed north to the south, which
`lay` takes like one of `placements(p)`. It may be far from all tiles: a second start, or a board
for each player. `can_lie(p, spot)` is true if it can lie there. `spot.cell` and
`north_of(p, spot)` are the cell and the direction of a placement, and `t.north` the direction of a
tile that lies. All tiles are one board: `placements(p)` has the cells beside all of them.
Turns of a piece that look the same are one placement, which `north_of` and `turns` give with the
first direction alone: `spot is placement(p, spot.cell, d)` asks whether a piece lies as it would
with its north at `d`, and `north_of(p, spot) is d` would refuse a symmetric piece.

**Laid tiles can change.** `lift`, `rotate`, `swap` and `replace` take the whole piece of a tile,
also one of several cells, and `turns`, `swaps` and `in_place` say what fits: a piece fills the same
cells before and after. The board is then the one on which only these pieces were laid, in the order
of their age. Before a tile is lifted, replaced or hidden, `cleared(t)` is announced for each tile
of the piece, and then `displaced(f)` for each figure on it. Rules move what they want to keep:
tokens on a tile are memory, so a rule `on: cleared(t)` may add `t.depth` to another tile, or give
it to a player. Figures that no rule moves go home, and memory of a tile that is taken off is lost.

**Tiles can lie face down.** `hide t` turns a tile over, `conceal p at c` lays a piece face down in
an empty cell, and `reveal t to d` turns one up, in a direction of `reveals(t)`. While `t is
hidden`, nothing is on it: it has no segments, symbols or arrows, and belongs to no feature. Its
four edges fit every other edge, so anything may be laid beside it, and what leads to it ends there
and may be complete by that. A figure can stand on it as a whole. The tile keeps its age, its
memory, and that of its segments, which is read again when it is revealed; joins, recasts and covers
on it are gone. Rules can read `t.piece`; players, bots and logs cannot. `hide` and `conceal` are
for pieces of one cell (`count(t.whole) = 1`), and `reveal` shows the first face. A name of a
segment that was hidden since stops the game when it is read: keep its tile instead.

**A feature shows where it ends.** `x.open_cells` are the empty cells that it leads to, and
`s.touching` the segments of other tiles in which a segment continues; `s.sides` that lead to no
tile are open. `d in s.left_halves` is true where the half of side `d` that is to the left, seen
from the middle of the tile, belongs to `s`; two segments beside a third one may share a side. A
left half lies across from a right one, so the segments beyond it are
`those o in s.touching: o.cell is beyond(s.cell, d) and d.opposite in o.right_halves`.

**A stack in order shows how it lies.** `pile.top` is the piece that a draw gives next, and
`in_stack(pile, 3)` the third one, of stacks of items too. `put p into pile` adds a piece under all
others, and `stack p on pile` lays it on top. A stack that is drawn by chance has no order: both
readings are nothing, and both verbs do the same.

**Players can exchange what they have.** `exchange p with q` gives each of the two what the other
has: points, tokens, their own stacks with what lies hidden in them, figures on the board, at home,
put away, or in front of them, and their part of the memory. The seats stay, and so do the turn,
names that a rule has given, memory that is kept for a turn, and the log of points, which lists
awards alone. A figure keeps its owner and gets the place of another one of its kind: on the board
it is as if the colours changed. Memory of a figure goes with its place. Where memory of the game
names one of the two players, or a stack of theirs, it names the other one then.

**Rules can join segments.** `join s to o` makes two segments of one kind parts of one feature,
wherever they lie, and `part s from o` undoes it. `s.joined` are the segments that are joined to
`s`, and `s.stretch` those that are connected to it in print alone. A segment with `loose: 1` in
`tiles.yaml` has an end inside the tile, which is open until a join takes it.

**A feature can become another kind.** `recast x as ruin` makes a feature a ruin, whatever is
printed: `x is ruin`, `s.kind`, roles and definitions see nothing else. Tiles, borders and figures
stay; the numbers printed for the kind before count no more. The feature must have no open ends and
nothing joined to it, and neither kind may wait for the cells around it; otherwise the rule stops
the game.

**Rules can lay covers over tiles.** A symbol with `covers: {over: meadow, edges: track}` may lie
from one side of a tile to the opposite one where both edges are called `meadow`. Both are called
`track` from then on, and a segment of this kind, named like the symbol, joins them; everything
beneath stays whole. `covered(p, slab)` are the pieces that `p` is under the cover `slab`, one for
each way it may lie. They are laid like others, in place of the piece itself. `covers(t, slab)` are
the ways in which it can be laid over a tile that lies already, `north` for north to south and
`east` for across: nothing may lie beyond its ends but what fits every edge. `cover t by slab at d`
lays it there, and `beside_cover(p, t, slab, d)` are the placements of `p` at its ends if it lay
there. Only pieces of one cell with one face can be covered, and each once. The segment of a cover
has the name of the symbol, so no segment of a piece may have it (TW748).

**Rules can keep the actions of a turn.** After a player has taken an action that was offered,
`acted(who, a)` is announced: a rule `on: acted(who, a)` with `do: add a to taken` keeps the actions
in memory of the type `set of action`. `a is wave` compares an action with a name. A later offer at
the same step offers all its actions again; `amend: may_offer(who, a)` can forbid some of them.

**An event follows every gain.** `award` announces `gained(who, n, x)`: the player, the points
(negative for a loss), and the feature that they are for, which may be nothing. A rule that must
know later who got what keeps it in memory. A reaction to `gained` that gives points itself writes
`award 1 to p quietly`, which no event follows; otherwise it would follow itself.

**A chain changes a number.** The amendments of a definition with `combine: chain` are given its
last argument one after another: `n + 2` raises it, `min(n, 9)` limits it, `n div 2` halves it, `0`
refuses it. Their order is that of `after`. Those that only add, only limit the number from one
side, or only divide it by numbers that cannot be negative need none. `item` names a change in the
reasons for points; without it the change has the name of its rule.

**`p.figures` and `figures of p`** are the same: the player's figures on the board. `p.supply` is
the set of figures at home, and `p.owned` all of them.

"""

PRINTED = """A kind of feature may declare `attributes`: numbers that are printed on its segments.
For an attribute `flags`, `s.flags` is the number on a segment, and zero where none is printed.
`x.flags` of a feature is the sum over its segments, unless the attribute has another `combine`.
"""

FORMAT = """# The files of a ruleset

```
RULESET/
  module.yaml        its id, requirements and options
  statements.yaml    the statements of the rulebook; more files in statements/*.yaml
  components.yaml    kinds of features, symbols, figures, tokens, roles, stacks
  tiles.yaml         the tiles as printed
  rules/*.yaml       the rules
  scenarios/*.yaml   the scenarios
  locale/uk.po       its texts in another language, by the English ones
```

A `topics.yaml` beside the folders of editions may contain labels of topics for all of them, and
a folder `locale` there their translations. Only `module.yaml` is required. Names that begin
with a dot, end with `~` or are enclosed in `#` belong to editors and systems and are ignored,
and so are files without `.yaml`, `.yml`, `.json` or `.po` in their name. Every other file is
read or reported.

A ruleset may also be one file, `RULESET.yaml`, with the keys of all of these files: no two kinds of
files have a key in common but `ignore`, which is then about the whole file, as `with` is about all
of its rules. It needs `id` and `kind` at the beginning of a line, has no catalogues, and lies where
its folder would lie.

YAML is read strictly: a key that is given twice, an anchor or an unknown key
is an error, and `on`, `no` and `012` are text. In the tables `[]` after a key means each member
of a list, and `*` a name that the author gives. A scalar is a text, a number or a truth; most
scalars are written in the [effect language](language.md). For
[editors that know schemas](../how-to/editors.md#editors-that-know-only-yaml), a file begins with
the address or the path of its schema:

```yaml
# yaml-language-server: $schema=https://www.schemastore.org/tilewright-rules-1.json
```

The segments of a tile lie at its sides (bold) or at halves of sides, named clockwise from north.
This is the print of a tile; on the board it may be turned:

![A tile with two segments, and around it the names of its sides and halves of \
sides](../pictures/diagrams/tile.svg)

## Numbers in sentences

A statement or a phrase names the numbers of the game instead of writing them. Each game puts its
own number there, in words or digits as the language has it, with the word beside it in its plural
form. So the sentence remains true when somebody changes the value, and in every language.

```yaml
says: A town brings {town.points point | points}, or more when it has a wall.
```

| between braces | is |
| --- | --- |
| `{town.points}` | the number: `six`, or `Six` at the beginning of a sentence; above twelve `13` |
| `{town.points point \\| points}` | the number and the form that goes with it: `one point` |
| `{town.points \\| is \\| are}` | the form alone |
| `{town.points =0 nothing \\| point \\| points}` | the same, with another text for one number |
| `{9*x}`, `{x+1}`, `{x-1}`, `{-x}` | a number made of the value |
| `{x/figures}` | the number in digits |
| `{x/genitive}` | the number in another form of the numerals of the language |

A name is a value with a number, or something that is counted in the box, as in `components:` of
module.yaml: `{figure.peg}`, `{symbol.star}`, `{token.coin}`, `{attribute.flags}`,
`{segment.town}`, `{tiles}` for the tiles of this ruleset and `{tiles.coast}` for those of a stack.
The forms have the order of the plural rule of the language: two in English, three in Polish and
Ukrainian. A missing form is like the one before it. The forms of numerals are in the catalogue of
the language, for example `feminine`, `genitive` and `genitive-feminine` in Ukrainian. YAML needs
quotes around a sentence that begins with a brace.

`check` reports an unknown name (TW790), a value that is not a number (TW791), braces that it does
not understand (TW792) and a translation with other numbers (TW793), and notes a number that is
written although it is a value (TW794).

## Names

A ruleset sees its own names, those of the rulesets that it requires or takes parts of, and those
of the rulesets that these require. A rule, a patch or a whole file sees in addition the names of
the rulesets under its `with`. So no ruleset that a rule does not know can break it by a name: its
stack may have the name of your parameter. A neighbour with a question mark (`after: [other?]`) may
be of any ruleset.

Two rulesets that do not know each other may use one name for their stacks, memory, steps,
definitions, figures, options and everything else. In a game with both each name is followed by
that of its ruleset, `mine of house/a`, also in scenarios, options, saved matches and `why`. Each
of the two goes on writing `mine`. A ruleset that sees both writes the whole name, in heads as in
conditions and effects: `on: step later of house/a`, `count((mine of house/a) of active)`,
`yield_of of house/a(p)`. Traits of figures and tokens and numbers of items are shared: the same
name means the same. Where a name stays as it is, its longer form may be written, too.

## The order of steps and rules

The steps of a phase run one after another, and at each step its rules. The names and the order of
files have no influence, and neither have ids.

Most rules and steps name a **moment**, and no neighbour. `moments` lists those of a phase, a step,
an event or a definition with `combine: chain`, in their order; those of a phase are between its
steps. Rules and steps at an earlier moment go first. A rule without a moment is ordered with
nothing by them:

```yaml
moments:
  step tally:
    - counting: counting
    - gifts: gifts and fines
rules:
  - id: gift.counted
    on: step tally
    moment: gifts
    do: award 1 to active
```

Two at one moment are ordered by a neighbour, where their order matters: `after: [town.counted]` or
`before: [town.counted]`. `after: ["town.counted?"]` counts in games that have this rule, at this
place, and means nothing in others; `check` knows the names of all rulesets, so it still finds a
misspelt one. Where two are ordered by a neighbour, their moments do not count. `order` puts steps
or rules of other rulesets in order.

Two rules at one step, or at two steps, **commute** when the result is the same whichever goes
first: neither changes what the other reads or changes. Rules that only award points commute. Two
rules that both let a player choose do not, nor does one that may end the game with one that changes
anything.

- Two rules at one step, or on one event, that do not commute need an order: moments, or a
  neighbour, directly or by way of other rules (TW721).
- Two steps whose rules do not commute need an order too, directly or by way of other steps (TW765).
  Both diagnostics list the moments that settle it.
- Steps and rules that commute need none, and their places change no result. A step is placed
  directly after the last step under its `after`, or else directly before the first under its
  `before`, or else at the end of its phase, as far as other steps allow it; steps of required
  rulesets are placed first. A name with `?` only orders: no step is placed beside it.

A step of the turn should name a moment, or both `after` and `before`. At the end of the phase
another player is already `active`, so for most rules the place matters, and a step without a place
is an error:

```yaml
steps:
  tip: {phase: turn, label: a tip}
rules:
  - id: tip.given
    on: step tip
    do: award 1 to active
```

```text
error[TW765]: `turn.order` changes `active`, which `tip.given` reads, \
and no order of the steps `pass_turn` and `tip` is declared
```

With `after: [lay_tile]` and `before: [pass_turn]` the tip is given when the tile has been
placed. `tilewright show turn GAME` lists the steps and rules of a game in their order, and the
moments with the rules at each.

"""

ROUNDING = """A rule that goes
beyond them stops the game with an error. Fractions do not exist. Half of `n` is `n div 2`, rounded
down, and `(n + 1) div 2`, rounded up.

"""

LIMITS = """## Limits

No printed game comes near these limits. They keep the check of a ruleset from a stranger fast;
[Security](../../SECURITY.md) has the reasons. `check` reports what is beyond them:

"""

RUNNING_LIMITS = """
A game that goes beyond these stops with an error that names the rule:

"""

DIAGNOSTICS = """# Diagnostics

![Two diagnostics in an editor: a misspelt name, and a patch that expects another \
number](../../pictures/editors/diagnostics.svg)

Every diagnostic has a code and a name, which never change their meaning, and a page with an example
that `check` reports and the same example without the problem. `tilewright explain TW301` and
`tilewright explain unknown-name` print the same. Files of rules use the code. The comment at the
beginning of an example names its file.
"""

#: the subject of codes by the hundred
FAMILIES: dict[str, str] = {
    "1": "the form of YAML",
    "2": "the shape of a file",
    "3": "names",
    "4": "the language of rules and its types",
    "5": "tiles and pieces",
    "6": "statements, rules and scenarios",
    "7": "rulesets in one game",
    "8": "running scenarios",
    "9": "saves and the command line",
}

#: the end of the page of a diagnostic
IGNORING = """
## To ignore it

If it is a warning or a note, give a reason beside its cause or at the top of the file. An error
cannot be ignored. An `ignore` that is no longer needed is a warning itself.

```yaml
ignore: {CODE: the reason}
```
"""

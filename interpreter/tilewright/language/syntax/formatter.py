"""Formats effect text: one effect per line, blocks indented, single spaces.

Words, brackets and comments stay as the author wrote them, except that `not (x is y)` becomes
`x is not y`. Short blocks with one effect may stay on one line, and single empty lines stay. Long
lines are broken at the loosest operator.
"""

from __future__ import annotations

from collections.abc import Callable

from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.text import Code
from tilewright.language.syntax.cst import Phrase, Remark, Word, read_phrase, remarks
from tilewright.language.syntax.parser import Start
from tilewright.language.syntax.pretty import Break, Clause, Doc, Inset, TrailingComment, render

Part = Word | Phrase

_HARD = Break(None)
#: words before which an effect may continue on the next line
_FURTHER = frozenset(("BY", "AS_", "WHERE", "FROM", "INTO", "TIMES", "WITH"))
#: phrases of a word and its operand
_PARTS = ("part", "times", "where")


def layout_of(code: Code, start: Start, reporter: Reporter) -> Callable[[int], list[str]] | None:
    """A function from a width in columns to the lines of a text, or None after an error."""
    phrase = read_phrase(code, start, reporter)
    if phrase is None:
        return None
    phrase = _with_is_not(phrase, remarks(code.text))

    def lines(width: int) -> list[str]:
        return render(_Page(code.text).all(phrase), width)

    return lines


class _Page:
    """Builds the document of one text; each comment is used once, in order."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.remarks = [*reversed(remarks(text))]  # the next one is last

    def all(self, phrase: Phrase | Word) -> Doc:
        """The whole text."""
        if isinstance(phrase, Phrase) and phrase.kind == "effects":
            return self.effects(phrase.parts, len(self.text))
        first = _first(phrase).start
        above = [
            part for remark in self.due(first) for part in (TrailingComment(remark.text), _HARD)
        ]
        return Clause((*above, self.part(phrase), *self.rest()))

    # ---- comments

    def due(self, place: int) -> list[Remark]:
        """The unused comments before a place."""
        found = []
        while self.remarks and self.remarks[-1].start < place:
            found.append(self.remarks.pop())
        return found

    def rest(self) -> list[Doc]:
        """The comments after all words."""
        found: list[Doc] = []
        for remark in self.due(len(self.text) + 1):
            found += [_HARD, TrailingComment(remark.text)] if remark.is_alone else [_beside(remark)]
        return found

    def word(self, word: Word) -> Doc:
        """A word, after the comments directly before it."""
        found = self.gap(word, None)
        text = " ".join(word.text.split())  # a word such as `at once` may be broken over lines
        return Clause((*found, text)) if found else text

    def gap(self, word: Word, otherwise: Break | None) -> list[Doc]:
        """The comments before a word and a new line; `otherwise` when there are none."""
        found: list[Doc] = []
        for remark in self.due(word.start):
            found += [_HARD, TrailingComment(remark.text)] if remark.is_alone else [_beside(remark)]
        return [*found, _HARD] if found else [] if otherwise is None else [otherwise]

    # ---- effects

    def effects(self, effects: tuple[Word | Phrase, ...], end: int) -> Doc:
        """Effects, each in a line, with the comments up to a place."""
        found: list[Doc] = []
        before = 0
        for number, effect in enumerate(effects):
            words = effect if isinstance(effect, Phrase) else Phrase("", (effect,))
            start = next(words.words()).start
            self.between(found, start, number > 0, before)
            found.append(self.effect(words))
            before = max(word.end for word in words.words())
        self.between(found, end, bool(effects), before, at_end=True)
        return Clause(tuple(found))

    def between(
        self, found: list[Doc], place: int, is_later: bool, before: int, at_end: bool = False
    ) -> None:
        """Comments and line ends between two effects."""
        todo = self.due(place)
        if is_later and todo and not todo[0].is_alone:
            found.append(_beside(todo[0]))
            before = todo[0].start + len(todo[0].text)
            todo = todo[1:]
        for remark in todo:
            if found:
                found.append(self.line_end(before, remark.start))
            found.append(TrailingComment(remark.text))
            before = remark.start + len(remark.text)
        if found and not at_end:
            found.append(self.line_end(before, place))

    def line_end(self, before: int, place: int) -> Break:
        """A new line, and an empty one where the author has one or more."""
        return Break(None, int(self.text.count("\n", before, place) > 1))

    def effect(self, effect: Phrase) -> Doc:
        """One effect. Its header may be broken; its blocks are all in its lines or all below."""
        found: list[Doc] = []
        header: list[Doc] = []
        # a continued header is indented more than the block below it
        further = 4 if any(_is_block(part) for part in effect.parts) else 2
        for part in effect.parts:
            if isinstance(part, Phrase) and _is_block(part):
                header += [" ", self.part(part.parts[0])]
                found += [Clause(tuple(header), further), *self.block(part)]
                header = []
            elif found and not header:  # `else`
                header += [" ", self.part(part)]
            elif found and isinstance(part, Phrase):  # `if` after `else`
                header += [" ", self.effect(part)]
            else:
                self.glue(header, part)
        if header:
            found.append(Clause(tuple(header), further if effect.kind == "verb" else 0))
        return Clause(tuple(found))

    def glue(self, header: list[Doc], part: Word | Phrase) -> None:
        """Add a word or phrase of an effect to those before it."""
        words = part.parts if isinstance(part, Phrase) and part.kind in _PARTS else (part,)
        first = words[0]
        kind = first.kind if isinstance(first, Word) else ""
        if len(words) > 1 or kind in _FURTHER:
            # in a broken header the first of these begins a line, and each other one if needed
            is_first = Break() not in header
            header.append(Break() if is_first else Clause((Break(),)))
        elif header and header[-1] != "(" and kind not in ("LPAR", "RPAR", "COMMA"):
            header.append(" ")
        header += self.spaced(words)

    def block(self, block: Phrase) -> list[Doc]:
        """The content of a block after the opening brace, with the closing brace."""
        opening, *inside, closing = block.parts
        assert isinstance(opening, Word) and isinstance(closing, Word)
        written = self.text[opening.end : closing.start]
        has_remark = bool(self.remarks) and self.remarks[-1].start < closing.start
        if not inside and not has_remark:
            return [self.word(closing)]
        is_short = len(inside) == 1 and "\n" not in written and not has_remark
        edge = Break() if is_short else _HARD
        content = self.effects(tuple(inside), closing.start)
        return [Inset((edge, content)), edge, closing.text]

    # ---- expressions

    def part(self, part: Word | Phrase) -> Doc:
        """A word or an expression."""
        return self.word(part) if isinstance(part, Word) else self.expression(part)

    def expression(self, phrase: Phrase) -> Doc:
        """An expression, by the rule of the grammar."""
        parts = phrase.parts
        match phrase.kind:
            case "attribute" | "name" | "negative" | "variable" | "number" | "truth" | "nothing":
                return Clause(tuple(self.part(part) for part in parts))
            case "or" | "and":
                return self.joined(parts)
            case "quantifier":
                return self.quantifier(phrase)
            case "conditional":
                test, then, otherwise = (parts[n : n + 2] for n in (0, 2, 4))
                rows = [Clause(tuple(self.spaced(row))) for row in (test, then, otherwise)]
                return Clause((rows[0], Break(), rows[1], Break(), rows[2]), 2)
            case "group":
                return Clause(tuple(self.part(part) for part in parts))
            case "call" | "set_of":
                return self.listed(parts)
            case _:
                return Clause(tuple(self.spaced(parts)))

    def spaced(self, parts: tuple[Word | Phrase, ...]) -> list[Doc]:
        """Parts with one space between them."""
        found: list[Doc] = []
        for part in parts:
            found += [" ", self.part(part)] if found else [self.part(part)]
        return found

    def joined(self, parts: tuple[Word | Phrase, ...]) -> Doc:
        """`a and b and c`: in one line, or one of them in a line."""
        found: list[Doc] = [self.part(parts[0])]
        for word, value in zip(parts[1::2], parts[2::2], strict=True):
            found += [*self.gap(_first(word), Break()), self.part(word), " ", self.part(value)]
        return Clause(tuple(found), 2)

    def quantifier(self, phrase: Phrase) -> Doc:
        """`any x in a: any y in b:` in one line if possible, and the body below it."""
        found: list[Doc] = []
        while True:
            *head, colon, body = phrase.parts
            if found:
                found.append(Clause((Break(),)))
            found += [*self.spaced(tuple(head)), self.part(colon)]
            if not isinstance(body, Phrase) or body.kind != "quantifier":
                break
            phrase = body
        return Clause((*found, *self.gap(_first(body), Break()), self.part(body)), 2)

    def listed(self, parts: tuple[Word | Phrase, ...]) -> Doc:
        """Items between brackets."""
        found: list[Doc] = []
        for part in parts:
            if found and found[-1] == ",":
                found += self.gap(_first(part), Break())
            found.append(self.part(part))
        # a single item has already indented its own lines
        return Clause(tuple(found), 2 if Break() in found else 0)


#: relations with a negated form: its name, and the index of its `not`
_NEGATED = {"is": ("is_not", 2), "test": ("test_not", 2), "is_in": ("is_not_in", 1)}


def _with_is_not(part: Part, notes: tuple[Remark, ...]) -> Part:
    """The same phrase with `x is not y` for `not (x is y)`, unless a comment is in between."""
    if isinstance(part, Word):
        return part
    part = Phrase(part.kind, tuple(_with_is_not(inner, notes) for inner in part.parts))
    if part.kind != "negation":
        return part
    words = list(part.words())
    if any(words[0].start < note.start < words[-1].end for note in notes):
        return part
    value = part.parts[1]
    if isinstance(value, Phrase) and value.kind == "group":
        value = value.parts[1]
    if not isinstance(value, Phrase) or value.kind not in _NEGATED:
        return part
    kind, index = _NEGATED[value.kind]
    before = [word for inner in value.parts[:index] for word in _words(inner)]
    word = Word("NOT", "not", before[-1].end, before[-1].end)
    return Phrase(kind, (*value.parts[:index], word, *value.parts[index:]))


def _words(part: Part) -> list[Word]:
    return [part] if isinstance(part, Word) else list(part.words())


def _first(part: Word | Phrase) -> Word:
    return part if isinstance(part, Word) else next(part.words())


def _is_block(part: Word | Phrase) -> bool:
    return isinstance(part, Phrase) and part.kind == "block"


def _beside(remark: Remark) -> TrailingComment:
    return TrailingComment(f"  {remark.text}")

"""Uses functions of earlier programs again, in games that differ in a few rules.

A function depends on its rule, on the tables of its game, and on what its lowering looks up in the
rest of the game: definitions, values, callees, bounds of costs. All look-ups are recorded while it
is lowered, and its code is used again where each of them has the same answer. `linking` keeps the
typed forms of rules in the same way, so most rules of two games are identical objects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import CodeType, FunctionType
from typing import Any, TypeVar

from tilewright.play.compiling.draft import Draft
from tilewright.play.compiling.form import Function
from tilewright.play.sites import Site

#: forms of one function that are kept, and different tables of games
MAX_FORMS, MAX_TABLES = 4, 256

_Answer = TypeVar("_Answer")


@dataclass(slots=True)
class _Form:
    """The functions of one part of a game, what it depends on, and its entries in a draft."""

    subject: object
    first_site: int
    #: by table and name: the answer; by function and argument: the same
    lookups: dict[tuple[str, str], Any] = field(default_factory=dict)
    calls: list[tuple[str, Any, Any]] = field(default_factory=list)
    codes: list[CodeType] = field(default_factory=list)
    forms: list[Function] = field(default_factory=list)
    sites: list[Site] = field(default_factory=list)
    #: a table of the draft, a key, and the entry; functions by their names
    entries: list[tuple[str, Any, Any]] = field(default_factory=list)


class Memo:
    """The functions of earlier programs."""

    def __init__(self) -> None:
        self.tables: list[object] = []
        self.forms: dict[tuple[int, str], list[_Form]] = {}

    def number_of(self, tables: object) -> int:
        """The number of the tables of a game, which decide what names become in its code."""
        if tables not in self.tables:
            if len(self.tables) >= MAX_TABLES:
                self.tables.clear()
                self.forms.clear()
            self.tables.append(tables)
        return self.tables.index(tables)


class Reuse:
    """Fills a draft with the functions of its game: earlier ones, or new ones, which are kept."""

    def __init__(self, draft: Draft, memo: Memo | None, tables: object) -> None:
        self._draft = draft
        self._memo = memo
        self._number = 0 if memo is None else memo.number_of(tables)
        self._answers: dict[str, Callable[[Any], Any]] = {}
        self._form: _Form | None = None

    @property
    def records(self) -> bool:
        """Whether a part is lowered, and its look-ups are recorded."""
        return self._form is not None

    def watched(self, name: str, table: Mapping[str, _Answer]) -> Mapping[str, _Answer]:
        """A table whose look-ups are recorded."""
        if self._memo is None:
            return table
        self._answers[name] = table.get
        return _Watched(name, table, self)

    def asked(self, name: str, answer: Callable[[Any], _Answer]) -> Callable[[Any], _Answer]:
        """A function whose calls are recorded, without what it looks up itself."""
        if self._memo is None:
            return answer

        def recorded(question: Any) -> _Answer:
            form, self._form = self._form, None
            found = answer(question)
            self._form = form
            if isinstance(question, str):
                self.looked_up(name, question, found)
            elif form is not None:
                form.calls.append((name, question, found))
            return found

        self._answers[name] = answer
        return recorded

    def looked_up(self, table: str, name: str, answer: object) -> None:
        """Record a look-up of the part that is lowered now."""
        if self._form is not None:
            self._form.lookups[table, name] = answer

    def part(self, name: str, subject: object, make: Callable[[], None]) -> None:
        """Add a part of the game to the draft; `make` lowers it and depends on its subject."""
        if self._memo is None:
            make()
            return
        forms = self._memo.forms.setdefault((self._number, name), [])
        for form in forms:
            if self._fits(form, subject):
                self._add(form)
                return
        self._form = form = _Form(subject, len(self._draft.sites))
        make()
        self._form = None
        form.sites = self._draft.sites[form.first_site :]
        forms.append(form)
        if len(forms) > MAX_FORMS:
            del forms[1]  # the first is that of the game as it is

    def function(self, function: Callable[..., Any], form: Function) -> None:
        """Add the form of a new function to the draft, and record both."""
        if self._draft.forms is not None:
            self._draft.forms[form.name] = form
        if self._form is not None:
            self._form.codes.append(function.__code__)
            self._form.forms.append(form)

    def enter(self, table: str, key: Any, entry: Any) -> None:
        """Add an entry to a table of the draft."""
        getattr(self._draft, table)[key] = entry
        if self._form is not None:
            self._form.entries.append((table, key, entry))

    def _fits(self, form: _Form, subject: object) -> bool:
        if form.subject != subject or (form.sites and form.first_site != len(self._draft.sites)):
            return False
        answers = self._answers
        for (table, name), answer in form.lookups.items():
            found = answers[table](name)
            if found is not answer and found != answer:
                return False
        return all(answers[name](question) == answer for name, question, answer in form.calls)

    def _add(self, form: _Form) -> None:
        draft = self._draft
        for code in form.codes:
            draft.scope[code.co_name] = FunctionType(code, draft.scope)
        if draft.forms is not None:
            draft.forms.update((each.name, each) for each in form.forms)
        draft.sites += form.sites
        for table, key, entry in form.entries:
            if isinstance(entry, FunctionType):
                entry = draft.scope[entry.__name__]
            getattr(draft, table)[key] = entry


class _Watched(Mapping[str, _Answer]):
    """A table of a game that records its look-ups."""

    def __init__(self, name: str, table: Mapping[str, _Answer], reuse: Reuse) -> None:
        self._name = name
        self._table = table
        self._reuse = reuse

    def __getitem__(self, key: str) -> _Answer:
        self._reuse.looked_up(self._name, key, self._table.get(key))
        return self._table[key]

    def __iter__(self) -> Iterator[str]:
        assert not self._reuse.records, "a part looks at single names only"
        return iter(self._table)

    def __len__(self) -> int:
        return len(self._table)

"""Reads locale/*.po: the texts of a folder in other languages, by the English ones.

An entry without a context translates each label of its text; one whose context is the id of a thing
translates the labels of that thing alone. What a YAML file says in a language itself comes first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from tilewright.source.diagnostics import Reporter
from tilewright.source.yaml.po_tree import CONTEXT_END
from tilewright.source.yaml.tree import YMap, YNode, YText

#: the entries of a catalogue by the key in its tree
Catalogue = Mapping[str, tuple[YText, YText]]
#: the catalogues of a folder by language
Catalogues = Mapping[str, Catalogue]


class Translator:
    """Translates the labels of one file.

    `used` are the entries that it found, each with its language; `gaps` the English texts that only
    some of the catalogues have, with the languages that lack them.
    """

    __slots__ = ("catalogues", "gaps", "used")

    def __init__(self, catalogues: Catalogues) -> None:
        self.catalogues = catalogues
        self.used: set[tuple[str, str]] = set()
        self.gaps: dict[tuple[str, str], None] = {}

    def of(self, english: str, thing: str, own: Collection[str]) -> Iterator[tuple[str, str]]:
        """The translations of a text of the thing with an id, but for the languages `own`."""
        lacking, is_known = [], False
        for language, catalogue in self.catalogues.items():
            if language in own:
                continue
            key = f"{thing}{CONTEXT_END}{english}"
            if key not in catalogue:
                key = english
            if key in catalogue:
                is_known = True
                self.used.add((language, key))
                yield language, catalogue[key][1].value
            else:
                lacking.append(language)
        if is_known:
            self.gaps.update(dict.fromkeys((language, english) for language in lacking))


def read_translations(node: YNode, reporter: Reporter, translator: object = None) -> Catalogue:
    """The entries of a catalogue."""
    if not isinstance(node, YMap):
        return {}
    return {key.value: (key, said) for key, said in node.entries if isinstance(said, YText)}

"""The editor of the studio colours exactly the words of the effect language."""

from __future__ import annotations

import json
import re

from support.effect_words import FILE, KEYS, effect_words
from support.paths import ROOT
from tilewright.language.builtins import GLOBAL, RESERVED, SPOKEN_VERB


def test_the_words_of_the_editor_are_those_of_the_language() -> None:
    assert json.loads(FILE.read_text(encoding="utf-8")) == effect_words(), (
        "write it again: `PYTHONPATH=tests python -m support.effect_words`"
    )


def test_every_word_of_the_language_has_one_kind() -> None:
    words = effect_words()
    coloured = [
        word for kind in ("constants", "keywords", "verbs", "globals") for word in words[kind]
    ]
    assert len(coloured) == len(set(coloured))
    spoken = {word for verb in SPOKEN_VERB for word in verb.split()}
    assert {*RESERVED, *spoken, *GLOBAL} <= set(coloured)


def test_the_keys_of_effects_are_those_of_the_other_editor() -> None:
    path = ROOT / "editors" / "vscode" / "syntaxes" / "injection.tmLanguage.json"
    line = json.loads(path.read_text(encoding="utf-8"))["repository"]["line"]["match"]
    assert all(re.match(line, f"  {key}: x is complete") for key in KEYS)
    assert not re.match(line, "  says: x is complete")

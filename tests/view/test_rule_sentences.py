"""Rules in words: memory and procedures have their labels there, verbs the words of a language."""

from __future__ import annotations

import pytest

from support.played import played, program_of
from tilewright.language.builtin_rules import BUILTIN_DEFINITIONS, BUILTIN_EVENTS
from tilewright.language.builtins import FUNCTIONS
from tilewright.language.locale.words import Words, languages
from tilewright.play.match import Match
from tilewright.rules.model.ruleset import Labels, MemoryDecl
from tilewright.view.match_phrases import kept_lines, memory_label
from tilewright.view.rule_sentences import RuleSpeaker

LOAN = "c2/base+house/loan-once-a-game"
DRAGON = "c2/princess-and-dragon"
EATS = "{} фігурку на плитці, на яку приходить"


def sentence(game: str, rule: str, language: str) -> str:
    """A rule of a game in words."""
    linked = next(each for each in program_of(game).game.rules() if each.rule.head.id == rule)
    return RuleSpeaker(program_of(game).game, language).rule(linked)


@pytest.mark.parametrize(
    ("game", "rule", "language", "said"),
    [
        (LOAN, "loan.taken", "en", "if not (the player in turn is in debt)"),
        (LOAN, "loan.taken", "en", "note that the player in turn is in debt"),
        (LOAN, "loan.taken", "uk", "запам'ятати: у боргу: гравець, що ходить"),
        ("c2/count", "carcassonne.bring", "en", "it is no longer so that a figure has come back"),
        ("c2/tower", "tower.climb.storeys", "pl", "piętra: płytka > 0"),
        (LOAN, "loan.taken", "uk", "нарахувати 10 гравцеві: гравець, що ходить"),
        ("c2/robbers", "robbery.done", "pl", "odesłać do zasobów bez skutków: figura"),
        ("c2/robbers", "robbery.waits_no_longer", "uk", "виконати “поділити здобич”"),
        ("c2/base", "turn.nothing_to_play", "en", "there is no tile in hand"),
        (
            DRAGON,
            "fairy.protection",
            "en",
            "Whether the dragon eats a figure on a tile that it comes",
        ),
        (DRAGON, "fairy.protection", "uk", f"{EATS.format('Чи дракон їсть')}: додатково вимагає: "),
        (
            DRAGON,
            "fairy.protection",
            "pl",
            "Czy smok zjada figurę na płytce, na którą przychodzi: ",
        ),
        (
            DRAGON,
            "dragon.prey",
            "uk",
            f"де фігурка є в меню дракона і {EATS.format('дракон їсть')}",
        ),
        (DRAGON, "dragon.prey", "pl", "gdzie figura jest w menu smoka i smok zjada figurę"),
        ("c2/base", "end.winner", "pl", "Zwycięzcy po zakończeniu gry: to wszystko z gracze"),
        ("c2/base", "figures.role", "uk", "вимагає: фігурка має роль на місцях такого роду"),
        (DRAGON, "fairy.final", "uk", "коли зайнятий об'єкт щойно підрахували"),
        (
            DRAGON,
            "fairy.final",
            "pl",
            "gdy zajęty obszar właśnie podliczono w końcowym punktowaniu",
        ),
    ],
)
def test_a_rule_has_labels_and_words_of_the_language(
    game: str, rule: str, language: str, said: str
) -> None:
    assert said in sentence(game, rule, language)


@pytest.mark.parametrize("language", languages())
def test_everything_of_the_language_itself_has_words_for_rules(language: str) -> None:
    words = Words(language)
    functions = [f.name for f in FUNCTIONS if f"rule.function.{f.name}" not in words]
    rules = [name for name, *_ in (*BUILTIN_DEFINITIONS, *BUILTIN_EVENTS)]
    assert [name for name in (*functions, *rules) if f"rule.purpose.{name}" not in words] == []


def indebted() -> Match:
    """A match in which one player has taken a loan."""
    match = played(LOAN, 0)
    slot = next(n for n, each in enumerate(match.program.game.memory) if each.of == "player")
    match.memory[slot] = ((1, True),)
    return match


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("en", ("in debt", "blue")),
        ("uk", ("у боргу", "синій")),
        ("pl", ("w długach", "niebieski")),
    ],
)
def test_a_truth_that_is_kept_for_a_thing_is_its_label_alone(
    language: str, line: tuple[str, str]
) -> None:
    assert line in kept_lines(indebted(), language)


def test_memory_without_a_label_has_the_words_of_its_id() -> None:
    declared = program_of(LOAN).game.memory[0].declaration
    plain = MemoryDecl("was.hungry_once", "truth", "game", declared.span)
    assert memory_label(plain, "pl") == "was hungry once"
    labelled = MemoryDecl("x", "truth", "game", declared.span, label=Labels((("en", "hungry"),)))
    assert memory_label(labelled, "en") == "hungry"

"""A statement is proved when a change of what carries it out fails one of its own scenarios."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.paths import TRIALS
from support.ruleset_cases import library_of
from tilewright.faces.cli.app import run
from tilewright.rules.reading.library import Library
from tilewright.tools.mutation.run import CannotMutateError
from tilewright.tools.mutation.statement_proofs import StatementProof, Verdict, statement_proofs

#: the shipped rulesets in so many parts, so that several processes share the longest of all tests
PARTS = 4

#: a town is worth three more; the second scenario would hold whatever a town is worth
BOOK = """\
# statements.yaml
statements:
  - {id: town-pays, topic: town, says: a town pays three more}
  - {id: town-is-named, topic: town, says: towns are what pays more}
  - {id: town-is-old, topic: town, says: a town never shrinks}
  - {id: track-is-plain, topic: track, says: a track pays no more}
  - {id: it-is-a-game, topic: rest, says: it is a game, no_rule: everybody knows}
  - {id: caps-are-tiles, topic: rest, says: caps are tiles, carried_by: tiles}
  - {id: it-compares, topic: rest, says: towns pay more than tracks, compares: [town-pays]}
  - {id: it-waits, topic: rest, says: walls are built, awaits: [walls]}
  - {id: it-follows, topic: rest, says: three more are three points, follows_from: [favour.paid]}
# rules/favour.yaml
rules:
  - id: favour.paid
    from: [town-pays, town-is-named, town-is-old]
    amend: favour(x)
    when: x is town
    value: 3
# scenarios/favour.yaml
scenarios:
  - id: a-town-is-paid-three-more
    says: two caps make a town of two tiles, and three points come on top
    players: [red, blue]
    proves: [town-pays, it-follows]
    covers: [favour.paid]
    board: ["cap 0,0 N"]
    figures: {red peg: "0,0/t1"}
    play:
      - draw cap
      - lay 0,1 S
      - pass
      - expect: {points: {red: 7}}
  - id: a-cap-can-be-laid
    says: nothing of this is about what a town pays
    players: [red, blue]
    proves: [town-is-named]
    covers: [favour.paid]
    board: ["cap 0,0 N"]
    play:
      - draw cap
      - lay 0,1 S
      - expect: {figures: {red peg: home}}
""".replace(", says:", ", authority: house-rule, says:")
VERDICTS = {
    "town-pays": Verdict.PROVED,
    "town-is-named": Verdict.WEAK,
    "town-is-old": Verdict.UNPROVED,
    "track-is-plain": Verdict.NOT_APPLICABLE,
    "it-is-a-game": Verdict.NOT_APPLICABLE,
    "caps-are-tiles": Verdict.NOT_APPLICABLE,
    "it-compares": Verdict.NOT_APPLICABLE,
    "it-waits": Verdict.NOT_APPLICABLE,
    "it-follows": Verdict.PROVED,
}
REASONS = {
    "town-is-named": "no mutant of its rules fails `trial/first: a-cap-can-be-laid`",
    "town-is-old": "no scenario proves it",
    "track-is-plain": "no rule names it",
    "it-is-a-game": "no rule carries it out: everybody knows",
    "caps-are-tiles": "tiles carry it, and component lists count them",
    "it-compares": "it only compares other statements",
    "it-waits": "it waits for `walls`",
}


@pytest.fixture
def proofs(tmp_path: Path) -> dict[str, StatementProof]:
    library, ids = library_of(BOOK, tmp_path)
    return {proof.statement: proof for proof in statement_proofs(library, ids)}


def test_a_statement_is_proved_by_a_change_that_fails_its_own_scenario(
    proofs: dict[str, StatementProof],
) -> None:
    assert {name: proof.verdict for name, proof in proofs.items()} == VERDICTS
    assert {n: p.reason for n, p in proofs.items() if p.reason} == REASONS


def test_a_proof_names_the_change_and_the_scenario(proofs: dict[str, StatementProof]) -> None:
    found = proofs["town-pays"]
    assert found.mutant == "favour.paid: rule: favour.paid"
    assert found.scenario == "trial/first: a-town-is-paid-three-more"


def test_the_rule_of_a_required_role_is_changed_too(tmp_path: Path) -> None:
    text = (
        "# statements.yaml\nstatements:\n"
        "  - {id: needs-table, topic: rest, says: it needs a table, carried_by: module}\n"
        "# scenarios/table.yaml\nscenarios:\n"
        "  - id: tiles-alone-are-no-table\n    says: the tiles of the table are not enough\n"
        "    proves: [needs-table]\n    players: [red, blue]\n"
        '    game: [trial/first, "trial/table:tiles"]\n    fails: TW755\n'
        "# rules/first.yaml\nrules:\n  - {id: first.rule, on: paid(x), do: award 1 to active}\n"
    )
    library, ids = library_of(text.replace(", says:", ", authority: house-rule, says:"), tmp_path)
    (proof,) = statement_proofs(library, ids)
    assert (proof.verdict, proof.mutant) == (Verdict.PROVED, "module requires: base -> nothing")


def test_a_ruleset_that_makes_no_game_has_no_proofs(tmp_path: Path) -> None:
    library, ids = library_of(BOOK.replace("x is town", "x is twon"), tmp_path)
    with pytest.raises(CannotMutateError):
        statement_proofs(library, ids)


def test_the_verb_lists_gaps_and_what_the_check_does_not_apply_to(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    library_of(BOOK, tmp_path)
    table = str(TRIALS)
    words = ["mutate", str(tmp_path / "trial" / "first"), "--with", table, "--statements"]
    assert run(words) == 1
    out = capsys.readouterr().out
    assert "statement `town-is-old` is not proved: no scenario proves it" in out
    assert "caps-are-tiles" in out
    assert "2 of 4 statements are proved; 5 not applicable" in out
    assert run([*words, "--format", "json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert {each["statement"]: each["verdict"] for each in data} == VERDICTS


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_the_statements_of_shipped_rulesets_are_proved_by_their_own_scenarios(part: int) -> None:
    library = Library()
    some = sorted(library.ids())[part::PARTS]
    proofs = statement_proofs(library, some)
    assert {p.ruleset for p in proofs} <= set(some)
    assert [f"{p.ruleset} {p.statement}: {p.reason}" for p in proofs if not p.is_good] == []

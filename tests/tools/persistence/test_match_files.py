"""Match files: what they hold, what they carry, and that nothing in them is believed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from support.hostile_saves import MODULE, RULES, SAVES, changed, mutants, sound
from support.marks import slow_unless
from support.paths import ROOT, TESTS
from support.played import MIXES, go_on, played, program_of, reloaded
from tilewright.language.source.diagnostics import Reporter, Severity
from tilewright.play.compiling.compile_game import compile_game
from tilewright.play.match import Match
from tilewright.play.new_match import start_match
from tilewright.play.notation import option_texts
from tilewright.rules.reading.library import Library
from tilewright.tools.persistence import match_file
from tilewright.tools.persistence.match_file import (
    load_match,
    match_text,
    parse_match,
    read_match_file,
    resumed,
    write_match,
)
from tilewright.tools.persistence.match_file import (
    program_of as program_in,
)
from tilewright.tools.workspace.loading import load_game

RESUME = """
import sys
from pathlib import Path
from support.played import go_on
from tilewright.rules.reading.library import Library
from tilewright.language.source.diagnostics import Reporter
from tilewright.tools.persistence.match_file import load_match
match = load_match(Path(sys.argv[1]).read_text(encoding="utf-8"), Library(), Reporter())
print(match.digest())
go_on(match, 1000, "on")
print(match.digest(), match.points)
"""
LIBRARY = Library()


def loaded(text: str, library: Library = LIBRARY) -> tuple[Match | None, Reporter]:
    reporter = Reporter()
    found = load_match(text, library, reporter)
    assert (found is None) == reporter.has_errors
    return found, reporter


def codes(text: str) -> list[str]:
    return [d.code for d in loaded(text)[1].diagnostics]


def house(folder: Path, rules: str = RULES) -> Path:
    """A house rule in a folder."""
    (folder / "rules").mkdir(parents=True, exist_ok=True)
    (folder / "module.yaml").write_text(MODULE, encoding="utf-8")
    (folder / "rules" / "a.yaml").write_text(rules, encoding="utf-8")
    return folder


def at_home(folder: Path) -> Match:
    """A match with the house rule of a folder, some choices after its start."""
    game, reporter = load_game("c2/base+house/trial", library=Library((folder,)))
    assert game is not None, reporter.diagnostics
    match = start_match(compile_game(game), 2, "home")
    go_on(match, 40, "home")
    return match


# ------------------------------------------------------------------ the form


@pytest.mark.parametrize("game", MIXES)
def test_a_loaded_match_is_the_match_that_was_saved(game: str) -> None:
    match = played(game, 0, players=3, seed="save", first=2)
    while match.to_move >= 0:
        twin = reloaded(match)
        assert twin.digest() == match.digest()
        assert option_texts(twin) == option_texts(match)
        assert match_text(twin) == match_text(match)
        go_on(match, 17, "save")
        go_on(twin, 17, "save")
        assert twin.digest() == match.digest()
    assert reloaded(match).is_over


@pytest.mark.parametrize("game", MIXES[2:4])
def test_another_process_goes_on_to_the_same_end(game: str, tmp_path: Path) -> None:
    match = played(game, 60, players=4, seed="far")
    path = tmp_path / "match.json"
    assert write_match(match_text(match), path, Reporter())
    environment = os.environ | {
        "PYTHONHASHSEED": "4711",
        "PYTHONPATH": os.pathsep.join([*sys.path, str(TESTS)]),
    }
    done = subprocess.run(
        [sys.executable, "-c", RESUME, str(path)],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    found = [match.digest()]
    go_on(match, 1000, "on")
    found.append(f"{match.digest()} {match.points}")
    assert done.stdout.splitlines() == found


def test_a_match_file_is_read_by_people() -> None:
    lines = sound().splitlines()
    assert '  "game": "c2/base",' in lines
    assert any(line.startswith('    "red: lay ') for line in lines)
    assert any(line.startswith('    "draw ') for line in lines)
    assert max(len(line) for line in lines) < 200


def test_match_files_keep_to_their_schema(tmp_path: Path) -> None:
    import tilewright as tw

    schema = json.loads((ROOT / "schemas" / "match.schema.json").read_text("utf-8"))
    validator = jsonschema.Draft202012Validator(schema)
    layout = tw.Layout(board=["city1 0,0 N"], points={"blue": 7})
    begun = tw.match("c2/base", layout=layout)
    begun.force_draws("city4_shield")
    for text in (sound(), match_text(at_home(house(tmp_path))), begun.save()):
        validator.validate(json.loads(text))
        assert {*json.loads(text)} <= {*schema["properties"]}


def test_nothing_of_the_position_is_in_a_file() -> None:
    match = played("c2/princess-and-dragon", 75)
    assert {*json.loads(match_text(match))} == {
        "tilewright", "format", "version", "game", "options", "hash", "rulesets", "players",
        "first", "seed", "log",
    }  # fmt: skip
    claims = {"points": [99, 0], "frames": [], "board": [], "digest": "0" * 32, "turn": 9}
    twin, _ = loaded(json.dumps(json.loads(match_text(match)) | claims))
    assert twin is not None and twin.digest() == match.digest()


def test_a_match_that_is_not_what_its_log_comes_to_is_not_written() -> None:
    match = played("c2/base", 9)
    match.points[0] += 100
    with pytest.raises(match_file.LogError, match="cannot be played again"):
        match_text(match)


def test_a_byte_order_mark_is_no_part_of_the_text() -> None:
    assert loaded("\ufeff" + sound())[0] is not None


# ------------------------------------------------------------------ carried rulesets


def test_a_match_carries_its_house_rule_and_opens_without_it(tmp_path: Path) -> None:
    match = at_home(house(tmp_path / "mine"))
    files = json.loads(match_text(match))["rulesets"]["house/trial"]["files"]
    assert files == {"module.yaml": MODULE, "rules/a.yaml": RULES}
    twin, reporter = loaded(match_text(match))
    assert twin is not None and not reporter.diagnostics
    assert twin.digest() == match.digest()
    assert match_text(twin) == match_text(match)


def test_catalogues_are_carried_and_a_change_of_one_is_no_other_ruleset(tmp_path: Path) -> None:
    catalogue = house(tmp_path) / "locale" / "uk.po"
    catalogue.parent.mkdir()
    catalogue.write_text('msgid "A trial"\nmsgstr "Спроба"\n', encoding="utf-8")
    match = at_home(tmp_path)
    text = match_text(match)
    catalogue.write_text('msgid "A trial"\nmsgstr "Дослід"\n', encoding="utf-8")
    twin, reporter = loaded(text, Library((tmp_path,)))
    assert twin is not None and not reporter.diagnostics
    assert twin.program.game.rulesets[-1].module.title.get("uk") == "Спроба"
    assert match_text(twin) == text


@pytest.mark.parametrize(
    "name", ["locale/ukr.po", "locale/uk.yaml", "rules/uk.po", "locale/a/uk.po"]
)
def test_a_catalogue_of_another_name_is_refused(name: str, tmp_path: Path) -> None:
    parts = json.loads(match_text(at_home(house(tmp_path))))
    parts["rulesets"]["house/trial"]["files"][name] = ""
    assert codes(json.dumps(parts)) == ["TW913"]


def test_shipped_rulesets_are_named_and_not_carried(tmp_path: Path) -> None:
    parts = json.loads(match_text(at_home(house(tmp_path))))
    assert "files" not in parts["rulesets"]["c2/base"]
    assert len(parts["rulesets"]["c2/base"]["hash"]) == 32


def test_a_house_rule_that_has_changed_since_is_named_and_the_carried_one_counts(
    tmp_path: Path,
) -> None:
    match = at_home(house(tmp_path))
    text = match_text(match)
    house(tmp_path, RULES.replace("award 1", "award 7"))
    twin, reporter = loaded(text, Library((tmp_path,)))
    assert twin is not None and twin.points == match.points
    (note,) = reporter.diagnostics
    assert (note.code, note.severity) == ("TW914", Severity.WARNING)
    assert "`house/trial`" in note.message and "not as the match carries it" in note.message
    assert match_text(twin) == text


def test_a_carried_ruleset_with_the_id_of_a_shipped_one_counts_for_this_match_alone(
    tmp_path: Path,
) -> None:
    shipped = LIBRARY.folder("c2/base")
    assert shipped is not None
    match, parts = played("c2/base", 9), json.loads(sound())
    files = {
        path.relative_to(shipped).as_posix(): path.read_text("utf-8")
        for path in shipped.rglob("*.yaml")
        if path.parent.name != "scenarios"
    }
    parts["rulesets"]["c2/base"] = {"files": files}
    twin, reporter = loaded(json.dumps(parts))
    assert twin is not None and twin.digest() == match.digest()
    assert [d.code for d in reporter.diagnostics] == ["TW914"]
    assert "another `c2/base` than the shipped one" in reporter.diagnostics[0].message
    assert program_of("c2/base").game.rulesets[0].folder == str(shipped)


def test_places_in_carried_rules_are_named_by_ruleset_and_file(tmp_path: Path) -> None:
    twin, _ = loaded(match_text(at_home(house(tmp_path))))
    assert twin is not None
    rule = next(r for r in twin.program.game.rules() if r.rule.head.id == "trial.tip")
    assert rule.rule.head.span.file == "house/trial/rules/a.yaml"


def test_a_ruleset_that_shares_rules_carries_them(tmp_path: Path) -> None:
    house(tmp_path / "house" / "trial", "rules: []\n")
    module = MODULE + "shares: [shared/tips]\n"
    (tmp_path / "house" / "trial" / "module.yaml").write_text(module, encoding="utf-8")
    shared = tmp_path / "shared" / "tips"
    (shared / "rules").mkdir(parents=True)
    (shared / "module.yaml").write_text(
        "id: shared/tips\nkind: shared\ntitle: {en: Tips}\n", encoding="utf-8"
    )
    (shared / "rules" / "tips.yaml").write_text(RULES, encoding="utf-8")
    match = at_home(tmp_path)
    carried = json.loads(match_text(match))["rulesets"]
    assert {id_ for id_ in carried if "files" in carried[id_]} == {"house/trial", "shared/tips"}
    twin, reporter = loaded(match_text(match))
    assert twin is not None, reporter.diagnostics
    assert twin.digest() == match.digest()


def test_an_error_in_a_carried_rule_is_named_with_its_place(tmp_path: Path) -> None:
    parts = json.loads(match_text(at_home(house(tmp_path))))
    parts["rulesets"]["house/trial"]["files"]["rules/a.yaml"] = "rules: [\n"
    found, reporter = loaded(json.dumps(parts))
    assert found is None
    assert [d.code for d in reporter.diagnostics] == ["TW904"]


def test_rules_that_were_changed_in_the_file_are_refused(tmp_path: Path) -> None:
    text = match_text(at_home(house(tmp_path)))
    found, reporter = loaded(text.replace("award 1", "award 7"))
    assert found is None
    assert [d.code for d in reporter.diagnostics] == ["TW905"]
    assert "`house/trial` has other contents" in reporter.diagnostics[0].hint


# ------------------------------------------------------------------ set-up positions


def test_a_match_that_began_with_a_position_is_read_again() -> None:
    import tilewright as tw

    layout = tw.Layout(
        board=["city1 0,0 N", "road_curve 1,0 W"],
        figures={"red meeple": "0,0/c1"},
        points={"blue": 7},
        active="blue",
        turn=5,
    )
    match = tw.match("c2/base", players=2, seed="there", layout=layout, draws=["city4_shield"])
    for _ in range(5):
        match.choose(0)
    parts = json.loads(match.save())
    assert parts["setup"]["points"] == {"blue": 7}
    assert parts["log"][0] == "steered draw city4_shield"
    twin = tw.resume(match.save())
    assert twin.digest == match.digest
    assert twin.history == match.history
    assert twin.save() == match.save()


def test_draws_that_are_still_to_come_are_kept() -> None:
    import tilewright as tw

    match = tw.match("c2/base", seed=1)
    match.force_draws("city4_shield", "crossroads4")
    twin = tw.resume(match.save())
    for each in (match, twin):
        while "steered draw crossroads4" not in each.save():
            each.choose(0)
    assert twin.digest == match.digest


@pytest.mark.parametrize(
    ("setup", "code"),
    [
        ({"board": ["city1 0,0 N", "city1 0,0 N"]}, "TW801"),
        ({"board": ["nothing 0,0 N"]}, "TW801"),
        ({"board": ["city1"]}, "TW205"),
        ({"figures": {"red meeple": "5,5"}}, "TW801"),
        ({"points": {"red": "many"}}, "TW203"),
        ({"turn": 10**9}, "TW207"),
        ({"play": []}, "TW902"),
        ({"players": ["red"]}, "TW902"),
    ],
)
def test_a_position_is_checked_as_that_of_a_scenario(setup: dict[str, Any], code: str) -> None:
    assert codes(changed(setup=setup))[:1] == [code]


# ------------------------------------------------------------------ damaged files


def test_a_text_that_is_no_json_is_refused_at_its_place() -> None:
    reporter = Reporter()
    assert parse_match('{\n  "a": ]', reporter, "m.json") is None
    (diagnostic,) = reporter.diagnostics
    assert (diagnostic.code, str(diagnostic.span)) == ("TW901", "m.json:2:8")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "TW901"),
        ("[1.5]", "TW901"),
        ("[" * 100_000, "TW901"),
        ("9" * 10_000, "TW901"),
        ("[]", "TW902"),
        ("{}", "TW902"),
        ('{"tilewright": "match"}', "TW903"),
        ('{"tilewright": "save", "format": 1}', "TW903"),
        ('{"tilewright": "match", "format": 3}', "TW902"),
    ],
)
def test_a_text_that_is_no_match_file_is_refused(text: str, code: str) -> None:
    assert codes(text) == [code]


@pytest.mark.parametrize(
    ("parts", "code"),
    [
        ({"format": 4}, "TW903"),
        ({"format": "3"}, "TW903"),
        ({"hash": "0" * 32}, "TW905"),
        ({"game": "c2/bass"}, "TW904"),
        ({"players": "two"}, "TW902"),
        ({"players": 9}, "TW902"),
        ({"first": 2}, "TW902"),
        ({"first": 1}, "TW911"),
        ({"seed": None}, "TW902"),
        ({"seed": "another"}, "TW911"),
        ({"who": ["human"]}, "TW902"),
        ({"next_draws": ["x"]}, "TW911"),
        ({"log": [0, 1]}, "TW902"),
        ({"log": ["red: lay 5,5 N"]}, "TW911"),
    ],
)
def test_a_file_that_was_changed_is_refused(parts: dict[str, Any], code: str) -> None:
    assert codes(changed(**parts)) == [code]


@pytest.mark.parametrize("name", SAVES)
def test_a_hostile_file_ends_in_a_diagnostic_or_is_a_match(name: str, tmp_path: Path) -> None:
    content = SAVES[name]()
    path, reporter = tmp_path / "match.json", Reporter()
    path.write_bytes(
        content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    )
    file = read_match_file(path, reporter)
    program = None if file is None else program_in(file, LIBRARY, reporter)
    match = None if file is None or program is None else resumed(file, program, reporter)
    assert (match is None) == reporter.has_errors


@pytest.mark.parametrize("many", slow_unless(lambda many: many == 200, (200, 5_000)))
@pytest.mark.parametrize("kind", ["shipped rules", "own rules"])
def test_no_mutant_of_a_match_file_is_a_crash(kind: str, many: int, tmp_path: Path) -> None:
    match = at_home(house(tmp_path)) if kind == "own rules" else played(MIXES[4], 60, seed="damage")
    texts = mutants(match_text(match), many, kind)
    known: dict[str, tuple[Any, Reporter]] = {}
    ends = set[str]()
    for text in texts:
        reporter = Reporter()
        file = parse_match(text, reporter)
        found, game = None, Reporter()
        if file is not None:
            key = repr((file.game, file.options, file.hash, file.rulesets, file.carried))
            if key not in known:
                known[key] = (program_in(file, LIBRARY, game), game)
            program, game = known[key]
            found = None if program is None else resumed(file, program, reporter)
        assert (found is None) == (reporter.has_errors or game.has_errors)
        ends |= {d.code for d in (*reporter.diagnostics, *game.diagnostics)}
    assert {"TW901", "TW902", "TW911"} <= ends


def test_a_file_that_can_not_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    path, reporter = tmp_path / "match.json", Reporter()
    assert write_match(sound(), path, reporter)
    kept = path.read_bytes()
    assert not write_match(sound(), tmp_path / "none" / "match.json", reporter)
    assert [d.code for d in reporter.diagnostics] == ["TW907"]
    assert [p.name for p in tmp_path.iterdir()] == ["match.json"]
    assert path.read_bytes() == kept


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    reporter = Reporter()
    assert read_match_file(tmp_path / "none.json", reporter) is None
    assert [d.code for d in reporter.diagnostics] == ["TW901"]


# ------------------------------------------------------------------ older files


def older(match: Match, **parts: Any) -> str:
    """A match in the form of earlier versions: its log has numbers, and a position is beside it."""
    whole = json.loads(match_text(match)) | {
        "tilewright": "save", "format": 2, "log": match.log, "digest": match.digest(),
        "points": [999, 999], "frames": [[0]], "turn": "x",
    }  # fmt: skip
    return json.dumps(whole | parts)


def test_an_older_file_is_played_by_its_log_and_its_position_ignored() -> None:
    match = played("c2/princess-and-dragon", 80)
    twin, _ = loaded(older(match))
    assert twin is not None and twin.digest() == match.digest()


@pytest.mark.parametrize(
    ("parts", "code"),
    [
        ({"hash": "0" * 32}, "TW905"),
        ({"digest": "0" * 32}, "TW911"),
        ({"log": [~0, 999]}, "TW911"),
        ({"log": ["red: pass"]}, "TW902"),
        ({"format": 1}, "TW903"),
    ],
)
def test_an_older_file_that_does_not_fit_is_refused(parts: dict[str, Any], code: str) -> None:
    assert codes(older(played("c2/base", 30), **parts)) == [code]

"""The command line as its users meet it: verbs, exit codes, messages for bad input."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from typer.testing import CliRunner

import tilewright as tw
from support.paths import ROOT
from support.played import played
from tilewright.faces.cli import app as cli
from tilewright.faces.cli.app import app_with, run, whole_app
from tilewright.faces.cli.arguments import rulesets_from
from tilewright.faces.cli.verbs import VERBS
from tilewright.language.source.about import VERSION
from tilewright.play.compiling.bytecode.instructions import NOT_CARRIED
from tilewright.tools.persistence.match_file import match_text

BASE = "c2/base"
GALLERY = ("compare", "--all", "--out")


@pytest.fixture(autouse=True)
def plain_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("TILEWRIGHT_DEBUG", raising=False)


class Page:
    """The output of one run."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]):
    def run_it(*words: str) -> Page:
        code = run(words)
        captured = capsys.readouterr()
        return Page(code, captured.out, captured.err)

    return run_it


@pytest.fixture(autouse=True)
def without_a_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests neither read nor write the user's cache."""
    monkeypatch.setenv("TILEWRIGHT_CACHE", "")


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch, call):
    """A run with lines for its prompts; after the last one the input ends."""

    def run_it(lines: list[str], *words: str) -> Page:
        waiting = iter(lines)

        def amendment(prompt: str = "") -> str:
            try:
                return next(waiting)
            except StopIteration:
                raise EOFError from None

        monkeypatch.setattr("builtins.input", amendment)
        return call(*words)

    return run_it


# ------------------------------------------------------------------ help and wrong use


def test_help_keeps_the_capitals_of_an_abbreviation() -> None:
    page = CliRunner().invoke(whole_app(), ["mutate", "--help"])
    assert "YAML file that lists survivors" in page.output
    assert "mutate only this rule" in page.output


def test_help_names_every_verb() -> None:
    page = CliRunner().invoke(whole_app(), ["--help"])
    assert page.exit_code == 0
    assert all(f" {verb} " in page.output for verb in VERBS)


@pytest.mark.parametrize("verb", VERBS)
def test_the_help_of_a_verb_has_examples(verb: str) -> None:
    page = CliRunner().invoke(whole_app(), [verb, "--help"])
    assert page.exit_code == 0
    _, _, examples = page.output.partition("Examples:")
    assert f"tilewright {verb}" in examples


def test_the_help_of_the_language_server_says_what_to_install() -> None:
    page = CliRunner().invoke(whole_app(), ["lsp", "--help"])
    assert 'pip install "tilewright[lsp]"' in page.output


@pytest.mark.parametrize("verb", VERBS)
def test_a_run_has_the_verb_that_it_wants_and_no_other(verb: str) -> None:
    app = app_with([verb])
    found = [command.name for command in app.registered_commands]
    found += [group.name for group in app.registered_groups]
    assert found == [verb]


def test_no_words_mean_help(call) -> None:
    page = call()
    assert (page.code, "Begin with:" in page.out) == (0, True)


def test_the_version_is_printed_with_the_engine(call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWRIGHT_ENGINE", "python")
    assert (
        call("--version").out == f"tilewright {VERSION}, plain Python: TILEWRIGHT_ENGINE=python\n"
    )


WRONG_USE = [
    (("chek",), "did you mean `check`"),
    (("check", "--formt", "json"), "unknown option `--formt`; did you mean `--format`?"),
    (("check", "--format", "xml"), "`sarif`, `github` or `junit`, not `xml`"),
    (("check", "--fail-on", "eror"), "did you mean `error`?"),
    (("fmt", "c2/bsae"), "unknown ruleset `c2/bsae`; did you mean `c2/base`?"),
    (("check", "+"), "no ruleset is named"),
    (("check", "c2/base+"), "`c2/base+` names nothing behind its last `+`"),
    (("check", "+c2/base"), "names nothing before its first `+`"),
    (("show", "turn", "c2/base++c2/farmers"), "names nothing between two `+`"),
    (("check", "c2/bsae"), "unknown ruleset `c2/bsae`; did you mean `c2/base`?"),
    (("show", "rule", "turn.drw"), "did you mean `turn.draw`?"),
    (("new", "house-rule", "one", "--on", "turn.drw"), "did you mean `turn.draw`?"),
    (("new", "house-rule", "../one", "--on", "turn.draw"), "cannot be the name of a ruleset"),
    (
        ("new", "house-rule", "one", "--on", "turn.draw", "--in", "no-folder"),
        "`no-folder` does not exist",
    ),
    (("new", "house-rule", "one", "--on", "turn.draw", "--for", "c2/bsae"), "did you mean"),
    (("new", "expansion", "Two Words"), "cannot be the name of a ruleset"),
    (("new", "house-rule", "con", "--on", "turn.draw"), "Windows gives this name to a device"),
    (("new", "expansion", "one", "--for", "c2/bsae"), "did you mean `c2/base`?"),
    (("show", "tile", "monastery_rod"), "did you mean `monastery_road`?"),
    (("explain", "TW99999"), "unknown code, word, key or id `TW99999`"),
    (("explain", "unknwon-name"), "did you mean `unknown-name`?"),
    (("show", "turn", BASE, "--option", "sixth_player"), "written `name=value`"),
    (("show", "turn", BASE, "--option", "sixt_player=no"), "did you mean `sixth_player`?"),
    (("show", "turn", BASE, "--option", "sixth_player=on"), "is one of `no`, `yes`, not `on`"),
    (("play", BASE, "--players", "human"), "for 2 to 5 players, not for 1"),
    (("play", BASE, "--players", "human,robot"), "a player of `--players` is `human`"),
    (("play", BASE, "--players", "blue=human,red=greedy"), "expected the seats in this order"),
    (("play", BASE, "--lang", "de"), "`--lang` is `en`, `pl` or `uk`, not `de`"),
    (("trace", "no-such-statement-here"), "nothing can be traced"),
    (("show", "perft", BASE, "--depth", "x"), "`--depth` is a whole number from 1 to 9, not `x`"),
    (("show", "perft", BASE, "--depth", "0"), "from 1 to 9, not `0`; the nearest is 1"),
    (
        ("simulate", BASE, "--games", "0"),
        "`--games` is a whole number from 1 to 1000000000, not `0`",
    ),
    (("simulate", BASE, "--players", "greedy"), "not `greedy`; did you mean `--bots`?"),
    (("simulate", BASE, "--players", "one"), "`--players` is a whole number from 1, not `one`\n"),
    (("simulate", BASE, "--until-ci", "x"), "`--until-ci` is a number, not `x`"),
    (("simulate",), "expected a game, or `--from FOLDER`"),
    (("simulate", BASE, "--from", "."), "leave out games"),
    (("simulate", BASE, "--out", "page.htlm"), "the suffix .html or .json, not `.htlm`"),
    (("show", "tile", "A", "--out", "a.gif"), "the suffix of `a.gif`: .png, .svg, .txt"),
    (("show", "tile", "A", "--out", "a.svg", "--format", "png"), "does not suit `--out a.svg`"),
    (("check", BASE, "--fail-on", "erorr"), "`--fail-on` is `error`, `warning` or `note`"),
    (("compare", "--all"), "needs the folder for its pages"),
    (("compare", BASE, "--play"), "two rulesets or more"),
    (("compare", BASE, BASE, "--only", "river"), "`--only` needs `--all`"),
    (("compare", BASE, BASE, "--seed", "2"), "`--seed` needs `--play`"),
    (("compare", BASE, BASE, "--play", "--brief"), "`--brief` does not suit `--play`"),
    (("compare", "--all", "--out", "g", "--impact", "data"), "`--impact` does not suit `--all`"),
    (("simulate", "--from", ".", "--games", "5"), "`--games` does not suit `--from`"),
    (("why", "game.json", "--not", "pass", "--turn", "1"), "without `--player` and `--turn`"),
    (("show", "turn", BASE, "--lang", "de"), "`--lang` is `en`, `pl` or `uk`, not `de`"),
    (("check", "--with", "c2/rivver"), "unknown ruleset `c2/rivver`; did you mean `c2/river`?"),
    (("new", "expansion", "x", "--with", "c2/rivver"), "unknown ruleset `c2/rivver`"),
    (("test", f"{BASE}?sixth_player=yes"), "rulesets are named here without options"),
    (("trace", "--in", f"{BASE}?sixth_player=yes"), "rulesets are named here without options"),
    (("show", "tile", "A", "--in", f"{BASE}?sixth_player=on"), "`no`, `yes`, not `on`"),
]


@pytest.mark.parametrize(("words", "expected"), WRONG_USE, ids=[" ".join(w) for w, _ in WRONG_USE])
def test_wrong_use_ends_with_2_and_a_sentence(call, words: tuple[str, ...], expected: str) -> None:
    page = call(*words)
    assert (page.code, page.out) == (2, "")
    assert expected in page.err
    assert "Traceback" not in page.err


def test_a_path_that_is_not_there_ends_with_3(call) -> None:
    page = call("check", "./nowhere")
    assert (page.code, page.err) == (3, "tilewright: `./nowhere` does not exist\n")


def test_a_folder_without_rulesets_ends_with_3(call, tmp_path: Path) -> None:
    page = call("check", str(tmp_path))
    assert (page.code, "no `module.yaml` was found" in page.err) == (3, True)


def test_a_file_that_is_no_text_ends_with_3(call, tmp_path: Path) -> None:
    folder = tmp_path / "trial" / "first"
    folder.mkdir(parents=True)
    (folder / "module.yaml").write_bytes(b"id: \xff\xfe")
    assert call("check", str(folder)).code == 3


def test_our_own_fault_ends_with_4_in_one_sentence(call, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("tilewright.faces.cli.arguments.library_for", broken)
    page = call("rulesets")
    assert page.code == 4
    assert "this is a bug in tilewright" in page.err
    assert "TILEWRIGHT_DEBUG=1" in page.err
    assert "Traceback" not in page.err


def test_debug_shows_the_whole_fault(call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWRIGHT_DEBUG", "1")
    monkeypatch.setattr("tilewright.faces.cli.arguments.library_for", lambda _: 1 // 0)
    page = call("rulesets")
    assert (page.code, "Traceback" in page.err) == (4, True)


def test_an_interrupt_is_quiet(call, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tilewright.faces.cli.arguments.library_for", interrupted)
    page = call("rulesets")
    assert (page.code, page.out.strip(), page.err.strip()) == (130, "", "")


def test_an_interrupted_search_prints_what_it_found(call, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("tilewright.tools.witness.find.search", interrupted)
    page = call("compare", BASE, "c3/base", "--play")
    assert (page.code, page.out.splitlines()[-1]) == (
        130,
        "no difference found in 0 games (0 decisions); interrupted",
    )


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("simulate --plots-format ", ["svg", "png"]),
        ("check --format s", ["sarif"]),
        ("why --lang ", ["en", "pl", "uk"]),
    ],
)
def test_the_shell_completes_closed_choices(
    words: str, offered: list[str], monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    typed = f"tilewright {words}"
    monkeypatch.setenv("_TILEWRIGHT_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", str(len(typed.split(" ")) - 1))
    with suppress(SystemExit):
        run(words.split())
    assert capsys.readouterr().out.split() == offered


# ------------------------------------------------------------------ rulesets


def test_rulesets_are_listed(call) -> None:
    page = call("rulesets")
    assert page.code == 0
    assert any(line.startswith("c2/base ") for line in page.out.splitlines())


@pytest.mark.parametrize("columns", ["40", "80"])
def test_rulesets_take_one_line_each_below_their_edition(
    call, monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    lines = [line for line in call("rulesets").out.splitlines() if line]
    editions = [line for line in lines if line.startswith("edition ")]
    assert max(map(len, lines)) <= int(columns)
    assert editions == sorted(set(editions)) and len(editions) > 3
    assert len(lines) - len(editions) == len(json.loads(call("rulesets", "-f", "json").out))


def test_rulesets_for_a_program_are_whole(call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS")
    out = call("rulesets").out
    titles = [each["title"] for each in json.loads(call("rulesets", "-f", "json").out)]
    assert "…" not in out and all(title in out for title in titles)


def test_rulesets_in_full_have_their_needs(call) -> None:
    page = call("rulesets", "--full").out
    assert "\n    expansion; needs base; c2/farmers\n" in page


def test_trace_alone_is_help(call) -> None:
    page = call("trace")
    assert (page.code, page.out.startswith("Usage: tilewright trace")) == (0, True)


@pytest.mark.parametrize(
    "words", [("explain", "turn.draw"), ("show", "rule", "turn.draw", "--in", BASE)]
)
def test_a_shipped_file_is_shown_by_a_short_path(call, words: tuple[str, ...]) -> None:
    page = call(*words)
    assert "c2/base/rules/turn.yaml:" in page.out
    assert str(ROOT) not in page.out


def test_rulesets_are_listed_as_json_in_a_language(call) -> None:
    page = call("rulesets", "-f", "json", "--lang", "uk")
    found = {each["id"]: each for each in json.loads(page.out)}
    assert found[BASE]["title"] == "Каркасон, базова гра"


def test_a_folder_of_ones_own_is_listed(call, own: Path) -> None:
    page = call("rulesets", "--with", str(own))
    assert "trial/longer" in page.out


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A folder with one house rule."""
    folder = tmp_path / "trial" / "longer"
    (folder / "rules").mkdir(parents=True)
    (folder / "module.yaml").write_text(
        "id: trial/longer\nkind: house\nedition: c2\ntitle: six may play\n"
        "provides: [trial-longer]\nrequires: {base: c2/base}\n",
        encoding="utf-8",
    )
    (folder / "rules" / "players.yaml").write_text(
        "patches:\n  - id: trial.six\n    set: players.most\n    to: 6\n    why: a trial\n",
        encoding="utf-8",
    )
    return tmp_path


def test_a_house_rule_is_used_by_folder(call, own: Path) -> None:
    page = call("show", "turn", str(own / "trial" / "longer"))
    assert "c2/base+trial/longer  for 2 to 6 players" in page.out


def test_the_turn_shows_every_place_with_moments_and_the_rules_at_each(call) -> None:
    page = call("show", "turn", "house/roads-pay-at-most+house/ties-share-points")
    at_end = page.out.partition("\nfinal\n")[2]
    assert re.findall(r"· [\w ]+  (\w+)\n +final.scoring", at_end) == ["features"]
    shared, limited = "ties.shared  shared among equals", "roads.at_most  a road pays no more"
    chain = at_end.partition("paid(who: player, x: feature, n: number): number\n")[2]
    assert re.findall(r"· [\w ]+  (\w+)\n +(.+\S)", chain) == [
        ("sharing", shared),
        ("limits", f"{limited}  when x is road"),
    ]


def test_a_house_rule_is_used_by_any_of_its_files(call, own: Path) -> None:
    page = call("show", "ruleset", str(own / "trial" / "longer" / "rules" / "players.yaml"))
    assert "set players.most to 6" in page.out


def test_a_patch_shows_what_it_replaced(call, own: Path) -> None:
    page = call("show", "rule", "players.most", "--in", "c2/base+trial/longer", "--with", str(own))
    assert "trial.six" in page.out


def test_two_folders_with_one_id_are_refused(call, own: Path, tmp_path: Path) -> None:
    copy = tmp_path / "other" / "copy"
    copy.mkdir(parents=True)
    module = (own / "trial" / "longer" / "module.yaml").read_text(encoding="utf-8")
    (copy / "module.yaml").write_text(module, encoding="utf-8")
    first = own / "trial" / "longer"
    for names in (["check"], ["compare", "c2/base"]):
        page = call(*names, str(first), str(copy))
        assert (page.code, "both contain the ruleset `trial/longer`" in page.err) == (2, True)
        assert f"`tilewright diff {first} {copy}` lists what differs" in page.err


# ------------------------------------------------------------------ check, test, trace, explain


def broken_rule(own: Path) -> Path:
    file = own / "trial" / "longer" / "rules" / "players.yaml"
    file.write_text(file.read_text().replace("players.most", "players.mots"), encoding="utf-8")
    return own / "trial" / "longer"


def test_findings_end_with_1_and_underline_the_place(call, own: Path) -> None:
    page = call("check", str(broken_rule(own)))
    assert page.code == 1
    assert "players.mots" in page.out
    assert "^^^" in page.out


def test_what_is_wrong_stands_before_what_is_missing_and_many_gaps_take_a_line(
    call, own: Path
) -> None:
    file = own / "trial" / "longer" / "rules" / "drafts.yaml"
    rule = "  - {{id: draft.r{n}, on: step score_features, do: award {n} to active}}\n"
    text = "".join(rule.format(n=n) for n in range(8)) + rule.format(n=9).replace("award", "awrd")
    file.write_text(f"rules:\n{text}", encoding="utf-8")
    page = call("check", str(own / "trial" / "longer"), "--publish")
    codes = re.findall(r"\[(TW\d+)\]", page.out)
    assert codes[-2:] == ["TW603", "TW604"]
    assert codes.count("TW604") == 1 and "TW420" in codes[:-2]
    assert re.search(r"^TW604: 9 more like it, .*drafts.yaml:\d", page.out, re.M)
    assert page.out.rstrip().endswith("`--full` lists all")
    full = call("check", str(own / "trial" / "longer"), "--full").out
    assert full.count("[TW604]") == 10


@pytest.mark.parametrize("game", [BASE, f"{BASE}+c2/river"])
def test_a_game_is_checked_under_the_options_of_its_text(call, game: str) -> None:
    page = call("check", f"{game}?sixth_player=on")
    assert page.code == 1
    assert "[TW705]" in page.out and "is one of `no`, `yes`, not `on`" in page.out
    assert call("check", f"{game}?sixth_player=yes").code == 0
    assert "did you mean `sixth_player`" in call("check", f"{game}?sixt_player=yes").out


def test_findings_as_json_hold_their_codes(call, own: Path) -> None:
    found = json.loads(call("check", str(broken_rule(own)), "--format", "json").out)
    assert all(each["code"].startswith("TW") for each in found)
    assert found


def test_findings_as_sarif_name_the_tool(call, own: Path) -> None:
    log = json.loads(call("check", str(broken_rule(own)), "--format", "sarif").out)
    assert log["runs"][0]["tool"]["driver"]["name"] == "tilewright"


def test_a_game_that_does_not_link_ends_with_1(call, own: Path) -> None:
    page = call("show", "turn", str(broken_rule(own)))
    assert (page.code, page.out) == (1, "")
    assert "players.mots" in page.err


def test_scenarios_are_played(call) -> None:
    page = call("test", BASE)
    assert "scenarios passed" in page.out
    assert page.code in (0, 1)


def test_a_scenario_nobody_has_written_is_told(call) -> None:
    page = call("test", BASE, "--only", "a-knihgt")
    assert (page.code, page.out) == (2, "")
    assert "no scenario of c2/base has an id that contains `a-knihgt`" in page.err


def test_a_scenario_that_is_nearly_named_is_found(call) -> None:
    page = call("test", BASE, "--only", "a-last-tile-without-a-place-ends-teh-game")
    assert "did you mean `a-last-tile-without-a-place-ends-the-game`?" in page.err


def test_differences_that_no_board_shows_are_places_to_look(call, own: Path) -> None:
    (own / "trial/longer/rules/more.yaml").write_text(
        "rules:\n  - {id: trial.never, amend: points(x), when: x is road and x.size > 90,"
        " item: nothing, value: 1}\n"
    )
    words = ("trace", "--in", BASE, "--unshown", f"{BASE}+{own}")
    page = call(*words)
    assert page.code == 0 and page.out.startswith("rows without a board: ")
    found = {each["row"]: each["sides"] for each in json.loads(call(*words, "-f", "json").out)}
    assert found["amendment:trial.never"] == [[], ["trial.never"]]
    assert call("trace", "--unshown", BASE).code == 2


def test_what_statements_wait_for_is_listed(call) -> None:
    page = call("trace", "--awaiting", "--in", "c2/princess-and-dragon")
    assert page.code == 0
    assert "  int-dragon-cannot-eat-offtile  " in page.out
    assert "\nschool  " in page.out


def test_what_statements_wait_for_is_data_too(call) -> None:
    given = ("trace", "school", "--awaiting", "--in", "c2/princess-and-dragon")
    found = json.loads(call(*given, "--format", "json").out)
    assert [row["name"] for row in found] == ["school"]
    assert found[0]["there"] == []
    assert found[0]["statements"][0]["statement"] == "int-dragon-cannot-eat-offtile"


def test_what_nothing_waits_for_is_told(call) -> None:
    page = call("trace", "schol", "--awaiting")
    assert (page.code, "no statement awaits `schol`; did you mean `school`?" in page.err) == (
        2,
        True,
    )


@pytest.mark.parametrize("columns", [64, 80, 130])
@pytest.mark.parametrize("words", [("rulesets",), ("trace", "--in", "c2/farmers")])
def test_a_page_fits_the_terminal(
    call, monkeypatch: pytest.MonkeyPatch, columns: int, words: tuple[str, ...]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    assert max(map(len, call(*words).out.splitlines())) <= columns


@pytest.mark.parametrize(
    ("word", "advice"),
    [
        ("c2/base", "`tilewright show ruleset c2/base` shows it on a page"),
        ("turn.draw", "`tilewright show rule turn.draw` shows it whole"),
        ("base-draw-one", "`tilewright trace base-draw-one` lists"),
        ("city1_garden", "`tilewright show tile city1_garden` draws it"),
    ],
)
def test_an_explanation_says_where_to_look_on(call, word: str, advice: str) -> None:
    assert advice in call("explain", word).out


def test_a_rule_is_traced_to_its_statements(call) -> None:
    page = call("trace", "turn.draw", "--in", BASE)
    assert (page.code, "base-draw-one" in page.out) == (0, True)


def test_a_trace_tells_what_the_books_leave_open(call, tmp_path: Path) -> None:
    folder = tmp_path / "open"
    folder.mkdir()
    (folder / "module.yaml").write_text(
        "id: trial/open\nkind: house\ntitle: open\nrequires: {base: c2/base}\n"
    )
    (folder / "statements.yaml").write_text(
        "statements:\n  - {id: trial-open, topic: a.b, says: So., authority: official,\n"
        "     carried_by: tiles, questions: [{asks: How many play?, option: sixth_player},\n"
        "     {asks: Who knows?, settled: nobody does}]}\n"
    )
    page = call("trace", "--questions", "--in", folder)
    assert (page.code, page.err) == (0, "")
    for words in ("How many play?", "sixth_player: no", "sixth_player: yes", "settled: nobody"):
        assert words in page.out
    found = json.loads(call("trace", "--questions", "--in", folder, "--format", "json").out)
    assert [text["declared_by"] for text in found] == [BASE, ""]
    assert [each["is_default"] for each in found[0]["readings"]] == [True, False]


def test_a_trace_is_data_too(call) -> None:
    found = json.loads(call("trace", "--in", BASE, "--format", "json").out)
    assert any("turn.draw" in row["carried_out_by"] for row in found)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("TW102", "a key given twice"),
        ("tw102", "reported"),
        ("duplicate-key", "TW102 duplicate-key  a key given twice"),
        ("Unknown-Name", "TW301 unknown-name"),
        ("attach", "put a figure beside another one"),
        ("figure.owner", "its owner"),
        ("sum", "added up"),
        ("div", "rounded down: `7 div 2` is 3 and `-7 div 2` is -4; by zero it is 0"),
        ("mod", "`7 mod 2` and `-7 mod 2` are 1; by zero it is `a` itself"),
        ("quietly", "give points as `award` does, without an event"),
        ("else", "performs the first block if the condition is true"),
        ("stop", "leaves the innermost `for` or `repeat`"),
        ("turn.draw", "rule, on step draw_tile"),
        ("may_play", "definition"),
        ("sixth_player", "option no | yes"),
        ("completes", "components.yaml: features.*.completes"),
        ("rules[].amend", "rules/*.yaml: rules[].amend"),
        ("module.yaml", "module.yaml: requires"),
        ("c2/base", "ruleset: Carcassonne"),
    ],
)
def test_a_word_is_explained(call, word: str, expected: str) -> None:
    page = call("explain", word)
    assert (page.code, expected in page.out) == (0, True)


def test_a_part_that_names_two_topics_is_told_how_to_name_both(call) -> None:
    page = call("check", "c2/traders-and-builders:minus=builder,pig")
    assert page.code == 2
    assert "`minus=builder,pig`: each `minus` takes one name" in page.err
    assert "write `:minus=builder:minus=pig`" in page.err


def test_a_folder_of_several_rulesets_that_make_no_game_is_told_so(call, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / "mine" / name).mkdir(parents=True)
        other = "two" if name == "one" else "one"
        (tmp_path / "mine" / name / "module.yaml").write_text(
            f"id: house/{name}\nkind: house\ntitle: {name}\nrequires: {{base: c2/base}}\n"
            f"conflicts: [house/{other}]\n"
        )
    page = call("play", str(tmp_path / "mine"))
    assert page.code == 2
    assert "contains 2 rulesets, which do not form one game" in page.err
    assert f"name the folder of one of them, such as `{tmp_path / 'mine' / 'one'}`" in page.err


# ------------------------------------------------------------------ show


def test_show_alone_is_help(call) -> None:
    page = call("show")
    assert (page.code, page.err, "Usage: tilewright show" in page.out) == (0, "", True)


@pytest.mark.parametrize("id_", ["may_play", "road.tile_points", "draw_tile", "players.sixth"])
def test_what_is_no_rule_is_proved_through_its_rules(call, id_: str) -> None:
    page = call("show", "rule", id_, "--in", BASE)
    assert "  c2/base: " in page.out.split("proved by")[1]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("show", "turn", BASE), ("може deploy: figures.deploy  розмістити", "для 2–5 гравців")),
        (("show", "ruleset", BASE), ("meeple (підданець)", "highwayman (мандрівник)", "(герби)")),
        (("show", "rule", "city.shields", "--in", BASE), ("назва: герби", "Каркасон, базова гра")),
        (("show", "tile", "city2_corner_shield"), ("у грі: 1", "c1  місто, північ, схід, герб")),
        (("show", "board", BASE, "--turns", "3"), ("червоний", "дорога")),
        (("compare", BASE, "c3/base"), ("Відмінностей немає",)),
        (
            ("compare", "c2/princess-and-dragon", "c3.1/dragon-and-fairy"),
            (
                "гравець, що ходить: повести дракона",
                "принцеса (місто)",
                "дракон (нейтральна, має напрямок",
            ),
        ),
    ],
    ids=lambda value: " ".join(value[:2]),
)
def test_things_are_called_by_their_names_in_a_language(
    call, words: tuple[str, ...], expected: tuple[str, ...]
) -> None:
    out = " ".join(call(*words, "--lang", "uk").out.split())
    assert [text for text in expected if " ".join(text.split()) not in out] == []


def test_a_ruleset_is_shown(call) -> None:
    page = call("show", "ruleset", BASE, "--tiles")
    assert page.code == 0
    assert "turn.draw" in page.out
    assert "monastery_road" in page.out


def test_files_of_one_name_are_shown_with_their_folders(call) -> None:
    page = call("show", "ruleset", "c2/princess-and-dragon")
    headings = [line for line in page.out.splitlines() if line.endswith("/dragon.yaml")]
    assert headings == ["princess-and-dragon/rules/dragon.yaml", "dragon/rules/dragon.yaml"]
    assert "\nrules/princess.yaml\n" in page.out


def test_several_tokens_at_once_are_one_line(call) -> None:
    page = call("play", "c2/messengers", "--players", "red=random,blue=random", "--seed", "kyiv")
    lines = page.out.splitlines()
    assert page.code == 0
    assert [line for line in lines if " gets " in line or " spends " in line] == [
        "blue gets 2 × mile of the messenger",
        "red gets 5 × mile of the messenger",
        "red spends 5 × mile of the messenger",
        "blue spends 2 × mile of the messenger",
    ]


def test_a_bot_of_a_match_file_does_not_think_for_ever(call, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(match_text(played("c2/base", 100), ["mcts:999999999", "random"]), "utf-8")
    page = call("play", str(path), "--quiet")
    assert page.code == 0
    assert "game.json: `mcts:999999999` thinks too long: expected at most 10 seconds" in page.err
    assert "`greedy` plays instead, `--players` chooses others" in page.err
    assert json.loads(path.read_text("utf-8"))["who"] == ["greedy", "random"]


def test_a_source_without_a_publisher_has_no_brackets(call) -> None:
    page = call("show", "ruleset", "house/bet-on-the-next-tile")
    assert "Carcassonne, house rules as commonly played" in page.out and "()" not in page.out


def test_a_ruleset_is_data_too(call) -> None:
    found = json.loads(call("show", "ruleset", BASE, "--format", "json").out)
    assert found["id"] == BASE and found["module"][0]["content"]["year"] == 2014


def test_the_turn_is_shown_in_order(call) -> None:
    out = call("show", "turn", BASE).out
    assert out.index("draw_tile") < out.index("lay_tile") < out.index("deploy_figure")


def test_the_turn_is_shown_in_a_language(call) -> None:
    assert "взяти плитку" in call("show", "turn", BASE, "--lang", "uk").out


def test_a_rule_is_shown_with_its_book(call) -> None:
    out = call("show", "rule", "figures.unoccupied", "--in", BASE).out
    assert "amend: may_deploy(f, s)" in out
    assert "the rulebook says" in out
    assert "* figures.unoccupied" in out


def test_a_rule_goes_through_every_stage(call) -> None:
    out = call("show", "stage", "figures.deploy", "--in", BASE).out
    assert "move f to s" in out
    assert "Verb verb=move" in out
    assert "Attribute attribute=ready: set of figure" in out
    assert "def r_figures__deploy(m, v_f, v_s):" in out


def test_the_last_stage_finds_the_code_of_any_id(call, tmp_path: Path) -> None:
    folder = tmp_path / "trial" / "odd"
    (folder / "rules").mkdir(parents=True)
    module = "id: trial/odd\nkind: expansion\ntitle: odd\nrequires: {base: c2/base}\n"
    (folder / "module.yaml").write_text(module, encoding="utf-8")
    rule = "rules:\n  - id: odd__rule\n    amend: may_deploy(f, s)\n    value: true\n"
    (folder / "rules" / "odd.yaml").write_text(rule, encoding="utf-8")
    out = call("show", "stage", "odd__rule", "--in", f"{BASE}+{folder}").out
    assert "def r_odd__rule_" in out


def test_the_engine_of_a_game_is_shown(call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEWRIGHT_ENGINE", "python")
    page = call("show", "engine", BASE)
    assert page.out.startswith("plain Python: TILEWRIGHT_ENGINE=python\n")
    assert "more than 256 registers" in page.out
    monkeypatch.delenv("TILEWRIGHT_ENGINE")
    found = json.loads(call("show", "engine", BASE, "--format", "json").out)
    assert found["game"] == BASE
    assert found["not_carried"] == list(NOT_CARRIED)
    image = found["image"]
    if found["engine"] == "native":
        assert 0 < image["registers"] <= 256
        assert 8 * image["instructions"] < image["bytes"]
    else:
        assert (image, bool(found["reason"])) == (None, True)


def test_a_tile_is_text(call) -> None:
    page = call("show", "tile", "monastery_road", "--ascii")
    assert (page.code, len(page.out.splitlines())) == (0, 9)
    assert page.out.endswith("m1  monastery\n")


def test_a_tile_is_a_picture(call) -> None:
    assert call("show", "tile", "A", "--in", BASE, "--format", "svg").out.startswith("<svg")


def test_a_tile_that_waits_for_another_ruleset_is_shown_with_it(call) -> None:
    alone = call("show", "tile", "double_lake_hoard", "--in", "c3.1/dragon-and-fairy")
    joined = call("show", "tile", "double_lake_hoard", "--in", "c3.1/dragon-and-fairy+c3/river")
    assert alone.out == joined.out
    assert alone.out.count("■") == 3  # once on each face, once in the legend


def test_a_tile_that_an_option_leaves_out_is_shown_in_a_game_that_has_it(call) -> None:
    pages = [
        call("show", "tile", "cathars_corner", "--in", game, *more)
        for game, more in (("c2/siege", ()), ("c2/base+c2/siege", ("-o", "siege_tiles=besiegers")))
    ]
    assert {page.out for page in pages} == {pages[0].out}
    assert pages[0].out.startswith("cathars_corner  1 in the game  siege_tiles=cathars\n")
    assert "c1  city, north, west, besiegers" in pages[0].out


def test_a_tile_of_an_earlier_edition_is_shown(call) -> None:
    page = call("show", "tile", "river_bend", "--in", "c3/river")
    assert page.out.startswith("river_bend  G  1")


def test_a_board_is_a_picture(call, tmp_path: Path) -> None:
    pytest.importorskip("resvg_py")
    file = tmp_path / "board.png"
    page = call("show", "board", BASE, "--turns", "5", "--format", "png", "--out", str(file))
    assert (page.code, page.out) == (0, "")
    assert file.read_bytes().startswith(b"\x89PNG")


def test_the_same_seed_shows_the_same_board(call) -> None:
    first = call("show", "board", BASE, "--turns", "8", "--seed", "kyiv").out
    assert first == call("show", "board", BASE, "--turns", "8", "--seed", "kyiv").out


def test_a_picture_that_can_not_be_written_ends_with_3(call) -> None:
    page = call("show", "tile", "A", "--in", BASE, "-f", "svg", "--out", "/no/such/folder/a.svg")
    assert (page.code, "cannot write" in page.err) == (3, True)


# ------------------------------------------------------------------ compare


def test_two_editions_are_laid_side_by_side(call) -> None:
    page = call("compare", BASE, "c3/base")
    assert (page.code, "c3/base" in page.out) == (0, True)


def test_a_comparison_is_data_too(call) -> None:
    assert json.loads(call("compare", BASE, "c3/base", "--format", "json").out)


def test_a_topic_that_no_game_speaks_of_is_told_with_one_that_is_like_it(call) -> None:
    run = call("compare", BASE, "c3/base", "--topic", "scorng")
    assert run.code == 2
    assert "did you mean `scoring`" in run.err


def test_a_weight_that_there_is_not_is_refused_among_several(call) -> None:
    run = call("compare", BASE, "c3/base", "--only", "breaking,behavior")
    assert run.code == 2
    assert "did you mean `behaviour`" in run.err


def test_one_game_alone_is_not_compared(call) -> None:
    assert call("compare", BASE).code == 2


# ------------------------------------------------------------------ play and what follows


GAME = ("play", BASE, "--seed", "3", "--players", "2")


def test_an_option_is_taken_by_number(typed) -> None:
    page = typed(["1"], *GAME)
    assert "red: finishes " in page.out
    assert "the match is not over; `--save FILE` saves a match" in page.err
    assert page.code == 0


def test_an_option_is_taken_by_its_text(typed) -> None:
    assert typed(["lay 0,1 S"], *GAME).out == typed(["1"], *GAME).out


def test_a_part_of_an_option_finds_it(typed) -> None:
    page = typed(["1", "pas", ""], *GAME)
    assert "pass: press enter to take it" in page.out
    assert "red: pass" in page.out


def test_a_number_too_great_is_told(typed) -> None:
    assert "the options are 1 to" in typed(["999"], *GAME).out


def test_what_is_not_offered_is_told(typed) -> None:
    page = typed(["fly away"], *GAME)
    assert "no option contains `fly away`" in page.out


def test_a_choice_is_taken_back(typed) -> None:
    page = typed(["1", "undo", "1"], *GAME)
    assert page.out.count("red: finishes ") == 2


def test_at_the_start_nothing_is_taken_back(typed) -> None:
    assert "no choice can be taken back" in typed(["undo"], *GAME).out


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("help", "why an option is missing"),
        ("options", "  1 lay "),
        ("board", "red 0"),
        ("score", "7 in supply"),
        ("figures", "every figure is in its supply"),
        ("why", "nobody has gained a point yet"),
        ("why-not", "expected `why-not TEXT`"),
        ("hint", "lay "),
        ("save", "expected a file"),
        ("quit", ""),
    ],
)
def test_a_word_at_the_table_is_obeyed(typed, word: str, expected: str) -> None:
    page = typed([word], *GAME)
    assert (page.code, expected in page.out) == (0, True)


def test_why_not_gives_a_reason(typed) -> None:
    out = typed(["why-not lay 0,0 N"], *GAME).out
    assert "lies there already" in out.split("a letter is the side")[1]


def test_why_not_goes_on_after_a_text_that_is_no_option(typed) -> None:
    page = typed(["why-not dance", "score"], *GAME)
    assert "`dance` is not an option here" in page.out
    assert page.out.index("is not an option here") < page.out.index("7 in supply")


def test_a_game_that_cannot_be_put_together_is_not_checked_green(call) -> None:
    page = call("check", "c2/base+c3/base")
    assert page.code == 1 and "`c2/base` and `c3/base` both provide `base`" in page.out


def test_rulesets_of_the_current_folder_are_not_left_out_silently(
    call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    rulesets_from(None, None)
    said = f"no ruleset is in `{tmp_path.resolve()}`: all shipped ones are taken\n"
    assert capsys.readouterr().err == said
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "module.yaml").write_text("id: house/own\n", "utf-8")
    page = call("check")
    assert page.code == 2 and "both contain the ruleset `house/own`" in page.err


def test_bots_play_to_the_end(call) -> None:
    page = call("play", BASE, "--players", "random,random", "--seed", "1")
    assert page.code == 0
    assert "wins" in page.out or "share the victory" in page.out


def test_a_tile_is_found_in_a_ruleset_that_is_required(call) -> None:
    page = call("show", "tile", "city1_road_straight", "--in", "c2/abbot")
    assert (page.code, page.out.split()[0]) == (0, "city1_road_straight")
    rule = call("show", "rule", "city.tiles", "--in", "c2/abbot")
    assert rule.code == 0
    page = call("show", "tile", "city1_road_strait", "--in", "c2/abbot")
    assert page.code == 2 and "did you mean `city1_road_straight`?" in page.err


def test_every_component_of_a_ruleset_is_shown(call) -> None:
    castles = call("show", "ruleset", "c2/castles").out
    assert re.search(r"features +castle\n", castles)
    assert re.search(r"tokens +12 castle_block \(castle\)\n", castles)
    messengers = call("show", "ruleset", "c2/messengers").out
    assert re.search(r"items +1 errand_road \(errand: shortest road\), 1 errand_city", messengers)
    assert re.search(r"stacks +errands, errands_delivered", messengers)
    data = json.loads(call("show", "ruleset", "c2/messengers", "--format", "json").out)
    items = data["components"][0]["content"]["items"]
    assert items["errand_road"]["label"]["en"] == "errand: shortest road"
    assert (items["errand_road"]["count"], items["errand_road"]["stack"]) == (1, "errands")
    assert "components" not in call("show", "ruleset", "house/ten-turns").out


def test_the_first_turn_has_a_heading_and_its_tile_as_later_ones_have(call) -> None:
    page = call("play", BASE, "--players", "greedy,random", "--seed", "a")
    first, second = (page.out.index(f"\nturn {turn}") for turn in ("1, red", "2, blue"))
    assert page.out[:first] == "c2/base, seed a\n"
    assert page.out[first + 1 : second].startswith("turn 1, red\ndrawn: ")
    assert page.out.count("\nturn 1, red\n") == 1


@pytest.fixture
def save(typed, tmp_path: Path) -> Path:
    """A save after a few turns of two people."""
    file = tmp_path / "game.json"
    typed(["1"] * 12, *GAME, "--save", str(file))
    return file


def test_a_save_is_gone_on_with(typed, save: Path) -> None:
    page = typed(["1"], "play", str(save), "--players", "human,human")
    assert (page.code, "> " in page.err) == (0, False)


def test_a_save_is_shown(call, save: Path) -> None:
    assert "red" in call("show", "board", str(save)).out


def test_a_save_is_replayed(call, save: Path) -> None:
    page = call("replay", str(save))
    assert (page.code, "red: " in page.out) == (0, True)


def test_a_save_tells_why(call, save: Path) -> None:
    assert call("why", str(save)).code == 0


def test_a_page_of_points_has_each_statement_once_as_a_footnote(call, tmp_path: Path) -> None:
    file = str(tmp_path / "game.json")
    call("play", BASE, "--players", "greedy,greedy", "--seed", "1", "--save", file, "--quiet")
    page = call("why", file).out
    marks = set(re.findall(r"\[(\d+)(?:, \d+)*\]", page))
    notes = re.findall(r"^  \[(\d+)\] (.+)$", page, re.M)
    assert len(notes) > 3 and len({text for _, text in notes}) == len(notes)
    assert marks <= {number for number, _ in notes}


def test_a_save_tells_why_not(call, save: Path) -> None:
    page = call("why", str(save), "--not", "lay 0,0 N")
    assert (page.code, bool(page.out.strip())) == (0, True)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"a": 1}', "\x00"])
def test_what_is_no_save_ends_with_3(call, tmp_path: Path, text: str) -> None:
    file = tmp_path / "game.json"
    file.write_text(text, encoding="utf-8")
    page = call("replay", str(file))
    assert (page.code, "internal error" in page.err) == (3, False)


def test_a_save_that_is_not_there_ends_with_3(call) -> None:
    page = call("why", "nowhere.json")
    assert (page.code, "nowhere.json" in page.err) == (3, True)


def test_a_save_speaks_a_language(typed, save: Path) -> None:
    out = typed([], "replay", str(save), "--lang", "uk").out
    assert "хід 2" in out
    assert "червоний: lay " in out
    assert "  завершує: " in out
    assert "  ставить: лицар" in out


def test_points_are_told_in_a_language(typed, tmp_path: Path) -> None:
    file = tmp_path / "bots.json"
    typed(
        [],
        "play",
        BASE,
        "--players",
        "random,random",
        "--seed",
        "2",
        "--save",
        str(file),
        "--quiet",
    )
    out = typed([], "why", str(file), "--lang", "pl").out
    assert " dostaje 5 punktów: " in out
    assert "  płytki " in out
    assert (
        typed([], "why", str(file), "--not", "pass", "--lang", "pl").out == "Gra jest skończona\n"
    )


def test_an_option_is_told_in_words(typed) -> None:
    out = typed(["1", "options"], *GAME, "--lang", "uk").out
    assert "ставить: лицар — місто з 2 плиток (південь)" in out
    assert "pass  нічого не робити" in out


def test_a_save_knows_who_sits_where(typed, save: Path) -> None:
    assert json.loads(save.read_text(encoding="utf-8"))["who"] == ["human", "human"]
    page = typed(["1", "1", "1"], "play", str(save))
    assert "Traceback" not in page.err
    assert json.loads(save.read_text(encoding="utf-8"))["who"] == ["human", "human"]


@pytest.mark.parametrize(("word", "value"), [("--seed", "7"), ("--option", "sixth_player=yes")])
def test_what_a_save_has_settled_is_not_asked_again(
    call, save: Path, word: str, value: str
) -> None:
    page = call("play", str(save), word, value)
    assert (page.code, f"`{word}` cannot be changed for a saved match" in page.err) == (2, True)


def test_perft_counts(call) -> None:
    page = call("show", "perft", BASE, "--depth", "1")
    assert page.code == 0
    assert page.out.split()


# ------------------------------------------------------------------ as a process


def process(*words: str, **more: object) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "interpreter"), "NO_COLOR": "1"}
    return subprocess.run(
        [sys.executable, "-m", "tilewright", *words],
        capture_output=True, text=True, env=environment, timeout=60, **more,
    )  # type: ignore[call-overload,no-any-return]  # fmt: skip


def test_a_process_ends_with_the_code() -> None:
    done = process("check", "c2/bsae")
    assert (done.returncode, done.stdout) == (2, "")


def test_a_reader_that_leaves_is_no_fault() -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "interpreter")}
    command = f"{sys.executable} -m tilewright show ruleset {BASE} --tiles | head -1"
    done = subprocess.run(
        command, shell=True, capture_output=True, text=True, env=environment, timeout=60
    )
    assert done.stderr == ""


def test_lines_come_from_a_pipe() -> None:
    done = process(*GAME, input="1\nquit\n")
    assert (done.returncode, "red: finishes " in done.stdout) == (0, True)


def test_the_entry_point_ends_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["tilewright", "--version"])
    monkeypatch.setattr(cli, "handle_signals", lambda: None)  # it is for a process of its own
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 0


def test_a_table_does_not_go_to_a_file(call, tmp_path: Path) -> None:
    run = call("compare", BASE, "c3/base", "--out", str(tmp_path / "page"))
    assert run.code == 2
    assert not (tmp_path / "page").exists()


def test_a_page_is_not_brief_and_full_at_once(call) -> None:
    assert call("compare", BASE, "c3/base", "--brief", "--full").code == 2


def test_a_history_is_told_in_three_forms(call) -> None:
    assert "2014" in call("show", "topic", "scoring.majority.tie", "--printed").out
    assert (
        "| 2014 |"
        in call("show", "topic", "scoring.majority.tie", "--printed", "-f", "markdown").out
    )
    assert json.loads(call("show", "topic", "scoring.majority.tie", "--printed", "-f", "json").out)
    wrong = call("show", "topic", "scoring.majorty")
    assert wrong.code == 2
    assert "did you mean `scoring.majority`" in wrong.err


def test_a_gallery_is_written_into_a_folder(call, tmp_path: Path) -> None:
    run = call(*GALLERY, str(tmp_path), "--only", "c2-abbot", "-f", "markdown", "--no-cache")
    assert run.code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["c2-abbot--c3-abbot.md"]
    wrong = call(*GALLERY, str(tmp_path), "--only", "no such page")
    assert wrong.code == 2


@pytest.mark.parametrize(
    ("words", "suffix", "begins"),
    [
        (("check", "c2/base"), ".sarif", "{"),
        (("check", "c2/base"), ".txt", "no findings"),
        (("test", "c2/river", "--only", "spring"), ".xml", "<?xml"),
        (("test", "c2/river", "--only", "spring"), ".txt", "c2/river: "),
        (("diff", "c2/base", "c2/base+house/no-farmers"), ".md", "#"),
        (("diff", "c2/base", "c2/base+house/no-farmers"), ".json", "{"),
        (("matrix", "c2/base", "c2/river", "--games", "1"), ".md", "#"),
    ],
)
def test_a_result_is_written_to_a_file_whose_suffix_chooses_the_form(
    call, tmp_path: Path, words: tuple[str, ...], suffix: str, begins: str
) -> None:
    target = tmp_path / f"result{suffix}"
    page = call(*words, "--out", str(target))
    assert page.code in (0, 1) and page.out == ""
    assert target.read_text("utf-8").startswith(begins)
    assert f"written to {target}" in page.err


def test_a_result_goes_to_no_file_of_an_unknown_suffix(call, tmp_path: Path) -> None:
    page = call("check", "c2/base", "--out", str(tmp_path / "result.exe"))
    assert page.code == 2 and "chooses the form by the suffix" in page.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--plots-format", "png"), "`--plots-format` needs `--plots`"),
        (("--scheduler-timeout", "3"), "`--scheduler-timeout` needs `--scheduler`"),
        (("--scheduler", "tcp://h:1", "--jobs", "2"), "`--jobs` sets the processes of this"),
    ],
)
def test_an_option_of_simulate_that_would_be_ignored_is_refused(
    call, words: tuple[str, ...], expected: str
) -> None:
    page = call("simulate", "c2/base", *words)
    assert page.code == 2 and expected in page.err


def test_a_difference_shows_short_paths_of_shipped_files(
    call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    page = call("diff", "c2/base", "c2/base+house/no-farmers")
    assert "  house/no-farmers/statements.yaml:3" in page.out


def test_a_simulation_of_too_many_games_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["simulate", "c2/base", "--games", f"1{'0' * 23}"]) == 2
    assert "`--games` is a whole number from 1 to 1000000000, not" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("lay 0,1", "`--not`: expected a cell and a direction such as `0,1 N`, found `0,1`"),
        ("nonsense", "`--not`: `nonsense` is not an option here"),
        ("deploy nobody", "`--not`: "),
    ],
)
def test_a_text_that_is_no_option_is_a_usage_error(
    text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match, save = tw.match("c2/base", players=2, seed="1"), tmp_path / "game.json"
    if text.startswith("deploy"):
        match.choose(0)
    save.write_text(match.save())
    assert run(["why", str(save), "--not", text]) == 2
    said = capsys.readouterr()
    assert message in said.err and "lists the options" in said.err and not said.out


def test_an_option_that_is_not_offered_is_explained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save = tmp_path / "game.json"
    save.write_text(tw.match("c2/base", players=2, seed="1").save())
    assert run(["why", str(save), "--not", "lay 9,9 N"]) == 0
    assert "This place touches no tile" in capsys.readouterr().out

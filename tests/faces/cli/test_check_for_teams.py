"""Checking by the conventions of a team: codes, severities, comments, repairs, revisions, input."""

from __future__ import annotations

import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from support.paths import ROOT
from tilewright.faces.cli import watching
from tilewright.faces.cli.app import run
from tilewright.faces.cli.exit_codes import UNREADABLE, Stop
from tilewright.faces.cli.watching import _stamps, watch

MODULE = "id: house/own\nkind: house\ntitle: Own\nrequires: {base: c2/base}\n"
RULE = """rules:
  - id: own.bonus
    amend: points(x)
    when: x is road
    item: bonus
    value: 1
"""
Check = Callable[..., tuple[int, list[dict[str, object]], str]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A house rule with one warning, TW604, in the current folder."""
    (tmp_path / "own" / "rules").mkdir(parents=True)
    (tmp_path / "own" / "module.yaml").write_text(MODULE)
    (tmp_path / "own" / "rules" / "own.yaml").write_text(RULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TILEWRIGHT_CONFIG", raising=False)
    return tmp_path / "own"


@pytest.fixture
def check(capsys: pytest.CaptureFixture[str]) -> Check:
    """Check the house rule: the exit code, the diagnostics and the messages beside them."""

    def found(*words: str) -> tuple[int, list[dict[str, object]], str]:
        capsys.readouterr()
        code = run(["check", "./own", "--format", "json", *words])
        out, err = capsys.readouterr()
        return code, json.loads(out or "[]"), err

    return found


def codes(found: tuple[int, list[dict[str, object]], str]) -> list[object]:
    return [each["code"] for each in found[1]]


@pytest.mark.parametrize(
    ("words", "left"),
    [
        ((), ["TW604"]), (("--ignore", "TW604"), []), (("--ignore", "TW6"), []),
        (("--ignore", "uncovered-rule"), []), (("--ignore", "TW605,TW604"), []),
        (("--ignore", "rules/*:TW604"), []), (("--ignore", "own/rules/*.yaml:TW604"), []),
        (("--ignore", "scenarios/*:TW604"), ["TW604"]), (("--select", "TW605"), []),
        (("--select", "rules/*:TW6"), ["TW604"]), (("--select", "TW6", "--ignore", "TW60"), []),
    ],
)  # fmt: skip
def test_codes_are_selected_and_left_out(
    folder: Path, check: Check, words: tuple[str, ...], left: list[str]
) -> None:
    found = check(*words)
    assert codes(found) == left and found[0] == (1 if left else 0)


def test_a_severity_decides_the_exit_code(folder: Path, check: Check) -> None:
    assert check("--severity", "TW604=note")[0] == 0
    assert check("--severity", "TW604=error", "--fail-on", "error")[0] == 1
    found = check("--severity", "TW6=error", "--severity", "rules/*:TW604=note")
    assert found[0] == 0 and found[1][0]["severity"] == "note"


def test_an_error_is_never_left_out(folder: Path, check: Check) -> None:
    (folder / "rules" / "own.yaml").write_text(RULE.replace("x is road", "x is raod"))
    for words in (("--ignore", "TW"), ("--select", "TW9"), ("--severity", "TW=note")):
        found = check(*words)
        assert found[0] == 1 and found[1][0]["severity"] == "error", words


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--ignore", "TW064"), "no code of a diagnostic begins with `TW064`"),
        (("--ignore", "uncoverd-rule"), "did you mean `uncovered-rule`?"),
        (("--select", ""), "expected a code"), (("--select", ":TW6"), "before `:`"),
        (("--severity", "TW604"), "a code and a severity, like `TW604=note`"),
        (("--severity", "TW604=nota"), "did you mean `note`?"), (("--diff",), "`--fix`"),
    ],
)  # fmt: skip
def test_a_convention_that_means_nothing_is_a_usage_error(
    folder: Path, check: Check, words: tuple[str, ...], says: str
) -> None:
    code, _, err = check(*words)
    assert code == 2 and says in err


def test_the_repository_keeps_its_conventions(folder: Path, check: Check) -> None:
    settings = Path("tilewright.toml")
    settings.write_text('[check]\nignore = ["own/rules/*:TW604"]\n')
    assert codes(check()) == []
    settings.write_text('[check]\nseverity = ["TW604=note"]\n')
    assert check()[0] == 0
    settings.write_text('[check]\nignore = ["TW064"]\n')
    code, _, err = check()
    assert code == 2 and "TW064" in err


def test_a_comment_leaves_out_a_finding_of_its_line(folder: Path, check: Check) -> None:
    file = folder / "rules" / "own.yaml"
    remark = "# tilewright: ignore TW604 (our table knows it)"
    file.write_text(RULE.replace("own.bonus", f"own.bonus  {remark}"))
    assert codes(check()) == []
    file.write_text(RULE.replace("  - id: own", f"  {remark}\n\n  # it is old\n  - id: own"))
    assert codes(check()) == []
    file.write_text(RULE.replace("item: bonus", f"item: bonus  {remark}"))
    assert sorted(map(str, codes(check()))) == ["TW604", "TW631"]
    file.write_text(RULE.replace("own.bonus", "own.bonus  # tilewright: ignore TW604"))
    assert sorted(map(str, codes(check()))) == ["TW117", "TW604"]
    assert run(["fmt", "./own"]) == 0 and "tilewright: ignore" in file.read_text()
    file.write_text(RULE.replace("item: bonus", f'item: "a {remark}"'))  # a text, no comment
    assert codes(check()) == ["TW604"]


def test_statistics_count_by_code(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "rules" / "more.yaml").write_text(RULE.replace("own.bonus", "own.more"))
    run(["check", "./own", "--statistics", "--ignore", "TW7"])
    assert capsys.readouterr().out.split()[:4] == ["2", "TW604", "warning", "uncovered-rule"]


def test_repairs_are_shown_then_made(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = folder / "rules" / "own.yaml"
    wrong = RULE.replace("x is road", "x is raod").replace("item:", "itm:")
    file.write_text(wrong)
    assert run(["check", "./own", "--fix", "--diff"]) == 1
    shown = capsys.readouterr().out
    assert "-    when: x is raod" in shown and "+    item: bonus" in shown
    assert file.read_text() == wrong
    assert run(["check", "./own", "--fix", "--fail-on", "error"]) == 0
    assert "repaired own/rules/own.yaml" in capsys.readouterr().err
    assert file.read_text() == RULE
    assert run(["check", "./own", "--fix", "--diff"]) == 0


def test_shipped_rulesets_are_not_repaired(folder: Path) -> None:
    assert run(["check", "c2/base", "--fix", "--diff"]) == 0


def git(*words: str) -> None:
    own = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run(["git", *own, *words], check=True, capture_output=True)


def test_only_what_a_change_brought_in_is_reported(folder: Path, check: Check) -> None:
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "first")
    assert codes(check("--since", "HEAD")) == []
    more = RULE.replace("own.bonus", "own.more").replace("x is road", "x is city")
    (folder / "rules" / "more.yaml").write_text(more)
    found = check("--since", "HEAD")
    assert codes(found) == ["TW604"] and "own.more" in str(found[1][0]["message"])
    assert found[0] == 1 and "1 finding at `HEAD` left out" in found[2]
    code, _, err = check("--since", "nowhere")
    assert code == 3 and "nowhere" in err


def test_standard_input_is_a_file_of_a_ruleset(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["check", "-", "--stdin-filename", "own/rules/own.yaml", "--format", "json"]
    for text, code in ((RULE, "TW604"), (RULE.replace("is road", "is raod"), "TW301")):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        assert run(words) == 1
        found = json.loads(capsys.readouterr().out)
        assert found[0]["code"][:3] == code[:3]
    assert (folder / "rules" / "own.yaml").read_text() == RULE
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff")))
    assert run(words) == 3
    assert run(["check", "-"]) == 2 and run(["check", "./own", "--stdin-filename", "a"]) == 2
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    assert run([*words[:3], "elsewhere.yaml"]) == 3


@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")
def test_a_change_is_checked_again_until_the_end(folder: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "interpreter"), "TILEWRIGHT_CACHE": ""}
    command = [sys.executable, "-u", "-m", "tilewright", "check", "./own", "--watch"]
    log = folder.parent / "log.txt"

    def wait_for(text: str, times: int) -> None:
        end = time.monotonic() + 60
        while log.read_text().count(text) < times:
            assert time.monotonic() < end, log.read_text()
            time.sleep(0.05)

    with log.open("w") as out:
        program = subprocess.Popen(command, stdout=out, stderr=out, env=environment)
        try:
            wait_for("waiting for a change", 1)
            (folder / "rules" / "own.yaml").write_text(RULE.replace("is road", "is raod"))
            wait_for("waiting for a change", 2)
            assert "raod" in log.read_text()
            (folder / "module.yaml").unlink()
            wait_for("waiting for a change", 3)
            (folder / "module.yaml").write_text(MODULE)
            wait_for("waiting for a change", 4)
            program.send_signal(signal.SIGINT)
            assert program.wait(60) == 130
        finally:
            program.kill()
            program.wait()
    assert "Traceback" not in log.read_text()


def test_a_folder_that_is_gone_is_waited_for_in_its_place(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = iter([[folder]])
    stamps = iter(["before", "gone", "gone", "gone"])
    watched: list[Path] = []

    def folders() -> list[Path]:
        for found in looks:
            return found
        raise Stop(UNREADABLE, "the folder does not exist")

    def stamp(places: tuple[Path, ...]) -> str:
        watched.extend(places)
        for state in stamps:
            return state
        raise KeyboardInterrupt

    monkeypatch.setattr(watching, "_stamps", stamp)
    with pytest.raises(KeyboardInterrupt):
        watch(folders, lambda: 0)
    assert watched == [folder] * 5  # and not the current folder, in which its own log may grow


def test_a_part_is_neither_repaired_nor_compared_with_a_revision(
    folder: Path, check: Check
) -> None:
    for words in (("--fix",), ("--since", "HEAD")):
        code = run(["check", "./own:rules", *words])
        assert code == 2, words


def test_a_revision_is_compared_with_its_games_too(folder: Path, check: Check) -> None:
    shutil.copytree(folder, folder.parent / "other")
    other = folder.parent / "other"
    (other / "module.yaml").write_text(MODULE.replace("house/own", "house/other"))
    (other / "rules" / "own.yaml").write_text(RULE.replace("own.bonus", "other.bonus"))
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "first")
    words = ["check", "./own+./other", "--since", "HEAD", "--strict"]
    assert run(words) == 0


def test_a_file_with_a_byte_order_mark_is_repaired_at_the_right_place(folder: Path) -> None:
    file = folder / "rules" / "own.yaml"
    file.write_text("\ufeff" + RULE.replace("x is road", "x is raod"), "utf-8")
    assert run(["check", "./own", "--fix", "--fail-on", "error"]) == 0
    assert file.read_text("utf-8") == "\ufeff" + RULE


def test_what_is_not_repaired_is_said(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["check", "c2/base", "--fix"])
    assert "shipped rulesets are not repaired" in capsys.readouterr().err


def test_counts_have_a_form_of_their_own(folder: Path) -> None:
    assert run(["check", "./own", "--statistics", "--format", "sarif"]) == 2


def test_standard_input_finds_the_same_folders_and_locks(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["check", "-", "--stdin-filename", "own/rules/own.yaml"]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(RULE.encode())))
    assert run([*words, "--with", "../absent"]) == 3
    assert run([*words, "--locked"]) == 3 and "tilewright.lock" in capsys.readouterr().err


def test_a_rule_in_one_file_is_watched(folder: Path) -> None:
    assert run(["fmt", "--join", "./own"]) == 0
    file = folder.with_suffix(".yaml")
    before = _stamps([file])
    assert before
    file.write_text(file.read_text() + "# more\n")
    assert _stamps([file]) != before


@pytest.mark.parametrize("word", ["--fix", "--watch", "--since=HEAD", "--write-baseline=b.json"])
def test_what_is_for_files_is_refused_for_standard_input(
    folder: Path, word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["check", "-", "--stdin-filename", "own/rules/own.yaml", word]) == 2
    message = f"`{word.partition('=')[0]}` is for files, not for standard input"
    assert message in capsys.readouterr().err

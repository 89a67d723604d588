"""A file that is found in a folder decides nothing about the person's machine."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from tilewright.faces.cli.app import run, whole_app
from tilewright.faces.cli.exit_codes import Stop
from tilewright.faces.cli.settings import Access, defaults, in_force
from tilewright.faces.cli.settings_schema import all_options, with_table
from tilewright.rules.reading.library import Library

ROOT = Path(__file__).parents[3]
OPTIONS = list(all_options())
#: keys that write, connect, start or read elsewhere, in every verb that has them
HARMFUL = (
    *("out", "write-baseline", "save-witness", "save", "plots", "force", "upgrade", "resume"),
    *("scheduler", "scheduler-timeout", "folder", "port", "browser", "stdio", "jobs", "games"),
    *("against", "from", "under", "in", "mix", "no-cache", "option", "bots", "players"),
)
#: open keys with a path; each must stay in its folder
CONFINED = ("with", "baseline", "explained")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, in the home folder of somebody."""
    home = tmp_path / "home"
    here = home / "downloads" / "rules"
    (here / ".git").mkdir(parents=True)
    for name in ("TILEWRIGHT_CONFIG", "TILEWRIGHT_LANG", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    monkeypatch.chdir(here)
    return here


def own_configuration(folder: Path, text: str) -> None:
    own = folder.parents[1] / ".config" / "tilewright" / "config.toml"
    own.parent.mkdir(parents=True)
    own.write_text(text)


def sample(param: Any) -> str:
    """A value that the option takes, in TOML."""
    if param.is_flag:
        value = "true"
    elif param.type.name.startswith(("int", "float")):
        value = str(int(getattr(param.type, "min", None) or 1))
    elif (param.metavar or "").startswith("["):
        value = json.dumps(param.metavar.strip("[]").split("|")[0])
    else:
        value = '"inside"'
    return f"[{value}]" if param.multiple else value


def values(verb: str) -> dict[str, Any]:
    """The values that the files of the current folder set for a verb."""
    in_force.cache_clear()
    found: dict[str, Any] = defaults(get_command(whole_app()), verb)[verb]
    return found


# ------------------------------------------------------------------ every key


@pytest.mark.parametrize("prefix", ["", "tool.tilewright."], ids=["tilewright.toml", "pyproject"])
def test_a_file_in_a_folder_sets_only_what_says_so(folder: Path, prefix: str) -> None:
    file = folder / ("pyproject.toml" if prefix else "tilewright.toml")
    refused: set[str] = set()
    for words, key, param, access in OPTIONS:
        file.write_text(f"\n[{prefix}{'.'.join(words)}]\n{key} = {sample(param)}\n")
        if access.is_open:
            assert values(words[0])
            continue
        with pytest.raises(Stop, match="cannot set") as stop:
            values(words[0])
        assert stop.value.message.startswith(f"{file.name}:3: ")
        refused.add(key)
    assert refused >= set(HARMFUL)


def test_no_open_key_is_harmful_and_open_paths_are_known() -> None:
    open_keys = {key for _, key, _, access in OPTIONS if access.is_open}
    assert not open_keys & set(HARMFUL)
    paths = {
        key
        for _, key, param, access in OPTIONS
        if access.is_open and param.type.name in ("path", "file", "directory")
    }
    assert paths == set(CONFINED)


@pytest.mark.parametrize("way", ["own", "named"])
def test_a_file_of_the_person_sets_everything(
    folder: Path, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables: dict[str, list[str]] = {}
    for words, key, param, _ in OPTIONS:
        tables.setdefault(".".join(words), []).append(f"{key} = {sample(param)}")
    text = "".join(f"[{words}]\n" + "\n".join(lines) + "\n" for words, lines in tables.items())
    if way == "own":
        own_configuration(folder, text)
    else:
        (folder / "mine.toml").write_text(text)
        monkeypatch.setenv("TILEWRIGHT_CONFIG", "mine.toml")
    for verb in {words[0] for words, *_ in OPTIONS}:
        assert values(verb)
    assert Path(values("check")["out"]).name == "inside"


def test_the_file_of_a_folder_wins_over_that_of_the_person(folder: Path) -> None:
    own_configuration(folder, 'language = "pl"\n[check]\nstrict = true\nout = "x.json"\n')
    (folder / "tilewright.toml").write_text('language = "uk"\n[check]\nstrict = false\n')
    found = values("check")
    assert found["is_strict"] is False
    assert found["language"] == "uk"
    assert found["out"].endswith("x.json")


# ------------------------------------------------------------------ paths


@pytest.mark.parametrize("place", ["..", "../../.ssh", "~", "/", "link", "inside/../../x"])
@pytest.mark.parametrize(
    ("text", "verb"),
    [
        ("folders = ['{}']", "check"),
        ("[check]\nwith = ['{}']", "check"),
        ("[check]\nbaseline = '{}'", "check"),
        ("[mutate]\nexplained = '{}'", "mutate"),
    ],
    ids=["folders", "with", "baseline", "explained"],
)
def test_a_path_of_a_folder_stays_in_it(folder: Path, text: str, verb: str, place: str) -> None:
    (folder / "link").symlink_to(folder.parents[1])
    (folder / "inside").mkdir()
    (folder / "tilewright.toml").write_text(text.format(place))
    with pytest.raises(Stop, match="outside of the folder of this file") as stop:
        values(verb)
    assert stop.value.message.startswith("tilewright.toml:")


@pytest.mark.parametrize("text", ["link/secret", "link/secret:rules", "link/secret:minus=x"])
def test_a_part_of_a_path_stays_in_the_folder_too(folder: Path, text: str) -> None:
    (folder.parent / "elsewhere" / "secret").mkdir(parents=True)
    (folder / "link").symlink_to(folder.parent / "elsewhere")
    (folder / "tilewright.toml").write_text(f"[show.turn]\nwith = ['{text}']\n")
    with pytest.raises(Stop, match="outside of the folder of this file"):
        values("show")


@pytest.mark.parametrize("text", ["c3.1/dragon-and-fairy", "c2/river:tiles"])
def test_an_id_is_no_path(folder: Path, text: str) -> None:
    (folder / "tilewright.toml").write_text(f"[show.turn]\nwith = ['{text}']\n")
    assert values("show")["turn"]["with_"] == [text]


# ------------------------------------------------------------------ hostile folders


@pytest.mark.parametrize("words", [["fmt"], ["fmt", "."], ["check", "."], ["rulesets"]])
def test_no_link_leads_a_verb_out_of_a_folder(
    folder: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    outside = folder.parent / "elsewhere" / "secret"
    (outside / "rules").mkdir(parents=True)
    module = "id: house/secret\nkind: house\ntitle: S\nrequires: {base: c2/base}\n"
    (outside / "module.yaml").write_text(f"{module}\n\n\n")
    (folder / "link").symlink_to(folder.parent / "elsewhere")
    (folder / "tilewright.toml").write_text('folders = ["."]\n')
    run(words)
    said = capsys.readouterr()
    assert "house/secret" not in said.out
    assert "elsewhere" not in said.out
    assert "leads out of" in said.err + said.out
    assert (outside / "module.yaml").read_text() == f"{module}\n\n\n"


def test_links_in_a_circle_are_followed_once(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "mine").mkdir()
    (folder / "mine" / "module.yaml").write_text(
        "id: house/mine\nkind: house\ntitle: M\nrequires: {base: c2/base}\n"
    )
    for number in range(150):
        (folder / f"link{number}").symlink_to(".")
        (folder / f"same{number}").symlink_to("mine")
    (folder / "tilewright.toml").write_text('folders = ["."]\n')
    library = Library(shipped=False)
    calls: list[Path] = []
    listed = library._names_in

    def counted(place: Path) -> Sequence[str]:
        calls.append(place)
        return listed(place)

    library._names_in = counted  # type: ignore[method-assign]
    assert library.folders_under(folder) == [folder / "mine"]
    library.add(folder)
    assert len(calls) < 1000
    assert run(["check", "."]) == 0


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[check]\nformat = 'text'\nout = '~/.profile'", ["check", "c2/base"]),
        ("[check]\nwrite-baseline = '~/.profile'", ["check", "c2/base"]),
        ("[test]\nout = '../../.profile'", ["test", "c2/base"]),
        ("[compare]\nout = '~/.profile'", ["compare", "c2/base", "c2/abbot"]),
        ("[play]\nsave = '~/.profile'", ["play", "c2/base", "--players", "random,random"]),
    ],
    ids=["check", "baseline", "test", "compare", "play"],
)
def test_no_file_of_a_folder_replaces_what_is_elsewhere(
    folder: Path, text: str, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    profile = folder.parents[1] / ".profile"
    profile.write_text("export PATH\n")
    (folder / "tilewright.toml").write_text(text)
    assert run(words) == 2
    assert "tilewright.toml:" in capsys.readouterr().err
    assert profile.read_text() == "export PATH\n"


def test_no_file_of_a_folder_names_a_cluster(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        listener.settimeout(0.2)
        place = f"tcp://127.0.0.1:{listener.getsockname()[1]}"
        (folder / "tilewright.toml").write_text(f'[simulate]\nscheduler = "{place}"\n')
        assert run(["simulate", "c2/base", "--games", "1"]) == 2
        with pytest.raises(TimeoutError):
            listener.accept()
    assert "tilewright.toml:2: a file in a folder cannot set `scheduler`" in capsys.readouterr().err


def test_config_shows_a_refused_key(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "tilewright.toml").write_text("[check]\nout = 'x.json'\nstrict = true\n")
    assert run(["config"]) == 2
    said = capsys.readouterr()
    assert "default; refused at tilewright.toml:2" in said.out
    assert "tilewright.toml:2: a file in a folder cannot set `out` of `check`" in said.err
    assert run(["config", "--format", "json"]) == 2
    data = json.loads(capsys.readouterr().out)
    (refused,) = data["refused"]
    assert "set it in your own" in refused["hint"]
    by_name = {each["name"]: each for each in data["options"]["check"]}
    assert by_name["--strict"]["access"] == "folder"
    assert by_name["--out"]["access"] == "person"


def test_a_library_of_the_person_is_found_but_not_taken_by_default(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for place, id_ in ((folder.parents[1] / "mine", "house/mine"), (folder, "house/theirs")):
        (place / "rules").mkdir(parents=True)
        text = f"id: {id_}\nkind: house\ntitle: Short\nrequires: {{base: c2/base}}\n"
        (place / "module.yaml").write_text(text)
    own_configuration(folder, "folders = ['~/mine']\n")
    assert run(["show", "turn", "c2/base+house/mine"]) == 0
    capsys.readouterr()
    run(["check", "--format", "junit"])
    said = capsys.readouterr().out
    assert "house/theirs" in said
    assert "house/mine" not in said


# ------------------------------------------------------------------ editors, modules, the table


def test_a_workspace_does_not_choose_the_program_that_an_editor_starts() -> None:
    package = json.loads((ROOT / "editors/vscode/package.json").read_text())
    properties = package["contributes"]["configuration"]["properties"]
    assert properties["tilewright.command"]["scope"] == "machine"
    assert {name for name, each in properties.items() if each.get("scope") != "machine"} == {
        "tilewright.trace.server"
    }


def test_no_module_of_the_current_folder_is_imported(folder: Path, tmp_path: Path) -> None:
    names = [
        "signal",
        "random",
        "tempfile",
        "pickle",
        "socket",
        "struct",
        "yaml",
        "typer",
        "rich",
        "uvicorn",
        "starlette",
    ]
    for name in names:
        (folder / f"{name}.py").write_text("open('ran', 'a').write(__name__)\nraise SystemExit\n")
    start = tmp_path / "start.py"  # as the installed program: the folder of the script comes first
    start.write_text(
        "import sys\n"
        "if __name__ == '__main__':\n"
        "    from tilewright.__main__ import main\n"
        "    import multiprocessing, os\n"
        "    sys.argv = ['tilewright', 'check', 'c2/base']\n"
        "    try:\n"
        "        main()\n"
        "    except SystemExit as end:\n"
        "        assert end.code == 0, end.code\n"
        "    child = multiprocessing.get_context('spawn').Process(target=print, args=('there',))\n"
        "    child.start()\n"
        "    child.join()\n"
        "    assert child.exitcode == 0\n"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))}
    environment.pop("PYTHONSAFEPATH", None)
    done = subprocess.run(
        [sys.executable, str(start)], capture_output=True, text=True, timeout=120, env=environment
    )
    assert done.returncode == 0, done.stderr
    assert "there" in done.stdout
    assert not (folder / "ran").exists()


def test_the_security_page_lists_all_keys() -> None:
    page = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    assert page == with_table(page), "run `python -m tilewright.faces.cli.settings_schema .`"
    assert {each for *_, each in OPTIONS} == set(Access)

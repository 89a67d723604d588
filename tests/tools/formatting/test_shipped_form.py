"""`tilewright fmt` on shipped rulesets, on line ends and on comments in joined lines."""

from __future__ import annotations

import pytest

from tilewright.faces.cli.app import run
from tilewright.rules.reading.library import shipped_rulesets


@pytest.mark.slow
def test_the_shipped_rulesets_are_formatted(capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["fmt", "--check", str(shipped_rulesets())])
    assert code == 0, capsys.readouterr().err


def test_line_ends_are_reported(tmp_path: object, capsys: pytest.CaptureFixture[str]) -> None:
    file = f"{tmp_path}/tiles.yaml"
    with open(file, "wb") as stream:
        stream.write(b"\xef\xbb\xbftiles: {}\r\n")
    assert run(["fmt", "--check", "--diff", file]) == 1
    said = capsys.readouterr().err
    assert f"{file}: lines end with CRLF, expected LF; it begins with a byte order mark" in said


@pytest.mark.parametrize("mark", [">-", ">", "|-"])
def test_a_comment_in_joined_lines_is_never_made_part_of_one_line(
    tmp_path: object, mark: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = f"{tmp_path}/rules.yaml"
    text = (
        "# yaml-language-server: $schema=rules.schema.json\nrules:\n  - id: a.b\n    on: paid(x)\n"
        f"    do: {mark}\n      award 1 to active\n      # and again\n      award 2 to active\n"
    )
    with open(file, "w") as stream:
        stream.write(text)
    code = run(["fmt", file])
    said = capsys.readouterr().err
    with open(file) as stream:
        assert "      # and again\n      award 2 to active\n" in stream.read()
    assert (code == 0) == (mark == "|-")
    assert ("TW414" in said) == (mark != "|-")

"""The shipped rulesets are in canonical form, as `tilewright fmt` writes it."""

from __future__ import annotations

import pytest

from tilewright.cli.app import run
from tilewright.reading.library import shipped_rulesets


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

"""Random messages: no exception, no internal error, no file outside of the opened folder."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from support.fuzz_channel import Fuzzer, digest_of_tree


def send(tmp_path: Path, seed: int, count: int) -> Fuzzer:
    """Send random messages to a page with a folder."""
    opened, kept = tmp_path / "opened", tmp_path / "kept"
    opened.mkdir()
    (tmp_path / "secret.yaml").write_text("id: house/secret\n")
    (opened / "link.yaml").symlink_to(tmp_path / "secret.yaml")
    (opened / "link").symlink_to(tmp_path)
    before = digest_of_tree(tmp_path, opened, kept)
    fuzzer = Fuzzer(seed, opened, kept)
    fuzzer.begin("c2/base")
    for _ in range(count):
        fuzzer.step()
    if fuzzer.client.lsp is not None:
        fuzzer.client.lsp.stop()
    assert digest_of_tree(tmp_path, opened, kept) == before
    assert {path.name for path in kept.iterdir()} <= {"matches", "drafts"}
    return fuzzer


def test_random_messages_are_answered(tmp_path: Path) -> None:
    found = send(tmp_path, 1, 1500)
    assert {0, -32600, -32601, -32602, -32000} <= set(found.codes)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [2, 3])
def test_many_random_messages_are_answered(
    tmp_path: Path, seed: int, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR, "tilewright.faces.studio"):
        send(tmp_path, seed, 20_000)
    assert caplog.records == []

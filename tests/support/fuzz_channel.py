"""Random messages for the studio: garbage, wrong parameters, and right ones with slips.

`python -m support.fuzz_channel 1000000` (with `PYTHONPATH=tests`) sends so many. Every answer has
to be a message; an internal error, an exception or a changed file outside of the opened folder is
a failure.
"""

from __future__ import annotations

import hashlib
import json
import logging
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from tilewright.faces.studio.client import INTERNAL, Client, Studio
from tilewright.faces.studio.doors.disk import DiskStore
from tilewright.faces.studio.protocol.schema import schema
from tilewright.faces.studio.service import HANDLERS, answer, settle

#: texts that have broken programs
TEXTS = (
    "", "a", "0", "..", "../..", "../x", "../secret", "a/../../x", "/etc/passwd", "con", "NUL.yaml",
    "9" * 5000, "0/../x.yaml", "0/a/rules/b.yaml", "0/a",
    "0/.git/config.yaml", "0/a\x00.yaml", "0/link.yaml", "0/link/x.yaml", "0/CON/a.yaml",
    "0/a/nul.yaml", "%00",
    "file:///etc/passwd", "FILE:///etc/passwd", "file:%2f%2f/etc/passwd", "house/a", "c2/base",
    "c2/base+", "c2/base?x=y", "c2/base:tiles", "c2/base:minus=x", "\ud800", "\u202e", "<script>",
    "a" * 3000, "{", "[1", "null", "mcts:999999999s", "greedy", "1e999", "é" * 50, "🜁", "x" * 25000,
)  # fmt: skip
NUMBERS = (0, 1, -1, 2, 7, 10**6, -(10**6), 10**12, 1 << 70, 0.5, 1e308)
#: methods that are slow when they succeed, and so are called rightly only now and then
HEAVY = ("compare", "history", "library", "sheet", "book", "scenario", "check", "test", "house",
         "file.new", "file.targets", "simulate", "witness", "match.new", "match.picture",
         "share.open", "match.hint", "file.rename", "file.delete")  # fmt: skip

#: and these now and then
SLOW = ("file.draft", "file.write", "file.read", "file.list", "words", "lsp")


class Fuzzer:
    """Makes messages for a client from a seed."""

    def __init__(self, seed: int, folder: Path, kept: Path) -> None:
        self.lot = random.Random(seed)
        self.client = Client(Studio((folder,), DiskStore(kept)), token="secret")
        self.methods = sorted(HANDLERS)
        self.defs = schema()["$defs"]
        self.matches: list[str] = ["0", "../../secret", "con"]
        self.codes: Counter[int] = Counter()

    def begin(self, game: str) -> None:
        """Show the token, and begin a match."""
        assert "result" in (self.send("hello", {"token": "secret"}) or {})
        people = [{"kind": "person"}, {"kind": "bot", "bot": "random"}]
        found = self.send("match.new", {"game": game, "seats": people, "seed": "1"})
        assert found is not None
        self.matches.append(found["result"]["match"])

    def send(self, method: str, params: Any) -> dict[str, Any] | None:
        """Send a right message."""
        return answer(self.client, {"jsonrpc": "2.0", "id": 1, "method": method, "params": params})

    def step(self) -> None:
        """Send one message, and check the answer."""
        message = self.message()
        reply = answer(self.client, message)
        settle(self.client)
        if reply is None:
            return
        assert set(reply) <= {"jsonrpc", "id", "result", "error"}, message
        json.dumps(reply)
        if "error" in reply:
            code = reply["error"]["code"]
            assert code != INTERNAL, (message, reply)
            self.codes[code] += 1
        else:
            self.codes[0] += 1

    # ------------------------------------------------------------- messages

    def message(self) -> Any:
        """A random message."""
        lot = self.lot
        if lot.random() < 0.1:
            return self.value(3)
        name = lot.choice(self.methods) if lot.random() < 0.97 else lot.choice(TEXTS)
        params: Any = self.value(3) if lot.random() < 0.1 else self.params(name)
        message = {"jsonrpc": "2.0", "id": lot.choice((1, "a", None)), "method": name,
                   "params": params}  # fmt: skip
        if lot.random() < 0.03:
            del message[lot.choice(list(message))]
        return message

    def params(self, name: str) -> Any:
        """Parameters by the schema, mostly with slips."""
        known = self.defs["Methods"]["properties"].get(name)
        if known is None:
            return {}
        wrong = 0.05
        if name.startswith(HEAVY):
            wrong = 0.05 if self.lot.random() < 0.0005 else 0.9
        if name in SLOW:
            wrong = 0.05 if self.lot.random() < 0.05 else 0.9
        if name == "hello":
            wrong = 1.0
        made = self.by(known["properties"]["params"], wrong, "")
        is_right = name.startswith(HEAVY) and wrong > 0.5 and made == {}
        return self.lot.choice(TEXTS) if is_right else made

    def by(self, shape: dict[str, Any], wrong: float, key: str) -> Any:
        """A value by a schema, wrong with a probability."""
        lot = self.lot
        if lot.random() < wrong:
            return self.value(2)
        if "$ref" in shape:
            return self.by(self.defs[shape["$ref"].rsplit("/", 1)[1]], wrong, key)
        if "anyOf" in shape:
            return self.by(lot.choice(shape["anyOf"]), wrong, key)
        if "enum" in shape:
            return lot.choice(shape["enum"])
        match shape.get("type"):
            case "object":
                required = set(shape.get("required", ()))
                return {
                    name: self.by(inner, wrong, name)
                    for name, inner in shape.get("properties", {}).items()
                    if name in required or lot.random() < 0.5
                }
            case "array":
                return [self.by(shape["items"], wrong, key) for _ in range(lot.randrange(4))]
            case "string":
                return self.text(key)
            case "integer":
                return lot.choice((*NUMBERS[:8], lot.randrange(-3, 60)))
            case "boolean":
                return lot.random() < 0.5
            case "null":
                return None
        return self.value(2)

    def text(self, key: str) -> str:
        """A text, most often one that fits its key."""
        lot = self.lot
        if lot.random() < 0.7:
            match key:
                case "match" | "job":
                    return lot.choice(self.matches)
                case "language":
                    return lot.choice(("en", "uk", "pl"))
                case "kind":
                    return "person"
                case "path" | "to":
                    return lot.choice(("0/a/rules/b.yaml", "0/a/module.yaml", "0/a"))
                case "game" | "id" | "ruleset":
                    return "small/base"
                case "text":
                    return lot.choice(("lay 1,0 N", "rules: []\n", "id: house/a\n", "pass"))
        return lot.choice(TEXTS)

    def value(self, depth: int) -> Any:
        """Any value of JSON."""
        lot = self.lot
        kind = lot.randrange(7 if depth else 5)
        if kind == 0:
            return lot.choice(TEXTS)
        if kind == 1:
            return lot.choice(NUMBERS)
        if kind in (2, 3):
            return lot.choice((None, True, False))
        if kind == 4:
            return lot.randrange(-100, 100)
        if kind == 5:
            return [self.value(depth - 1) for _ in range(lot.randrange(4))]
        keys = ("jsonrpc", "id", "method", "params", "match", "path", "text", "game", "x")
        return {lot.choice(keys): self.value(depth - 1) for _ in range(lot.randrange(4))}


def digest_of_tree(folder: Path, *without: Path) -> str:
    """A digest of all files of a folder by name and content, without some inner folders."""
    found = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if not any(path.is_relative_to(inner) for inner in without):
            found.update(str(path).encode())
            if path.is_file():
                found.update(path.read_bytes())
    return found.hexdigest()


def main(count: int, seed: int = 1) -> None:
    """Send so many messages, and print what came of them."""
    logging.getLogger("tilewright.faces.studio").setLevel(logging.CRITICAL)
    with tempfile.TemporaryDirectory() as place:
        around = Path(place)
        opened, kept = around / "opened", around / "kept"
        opened.mkdir()
        (around / "secret.yaml").write_text("id: house/secret\n")
        (opened / "link.yaml").symlink_to(around / "secret.yaml")
        (opened / "link").symlink_to(around)
        before = digest_of_tree(around, opened, kept)
        fuzzer = Fuzzer(seed, opened, kept)
        fuzzer.begin("c2/base")
        began = time.monotonic()
        for number in range(count):
            fuzzer.step()
            if number % 100_000 == 99_999:
                print(number + 1, f"{time.monotonic() - began:.0f} s", dict(fuzzer.codes))
        assert digest_of_tree(around, opened, kept) == before, "a file outside was touched"
        if fuzzer.client.lsp is not None:
            fuzzer.client.lsp.stop()
    print(f"{count} messages, {time.monotonic() - began:.0f} s: no exception, no file outside")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)

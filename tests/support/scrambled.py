"""YAML files written another way by somebody with odd habits: the same tree, the same meaning.

Indentation, brackets, quotes, folding, empty lines, spaces in effects and the order of known keys
are drawn at random, and comments are put wherever comments are allowed. The caller gets the text
and all comments in it.
"""

from __future__ import annotations

import json
import random
import re

from tilewright.language.source.yaml.tree import YList, YMap, YNode, YText
from tilewright.rules.reading.file_kinds import FILES
from tilewright.rules.reading.files.shapes import EffectText, Shape

_TOKENS = re.compile(
    r'"[^"\n]*"|#[^\n]*|move all of\b|[a-z][a-z0-9_]*\(?|\d+|<=|>=|!=|\.\.|[^\s\w]'
)


class Scrambler:
    """One author; `comments` are those it has written outside of texts."""

    def __init__(self, seed: int, *, remarks: bool = True) -> None:
        self.lot = random.Random(seed)
        self.remarks = remarks
        self.comments: list[str] = []
        self.inner: list[str] = []

    def file(self, node: YNode, kind: str) -> str:
        assert isinstance(node, YMap)
        lines = [f"# yaml-language-server: $schema=../{kind}.schema.json"]
        self.comments += lines
        lines += self.map(node, FILES[kind], 0)
        lines += [self.comment(0)] if self.chance(0.2) and self.remarks else []
        end = "\r\n" if self.chance(0.1) else "\n"
        text = end.join("\n".join(lines).split("\n")) + self.lot.choice(["", end, end * 3])
        return "\ufeff" + text if self.chance(0.05) else text

    def chance(self, likely: float) -> bool:
        return self.lot.random() < likely

    def comment(self, indent: int) -> str:
        expected = (
            f"# {self.lot.choice(['why', 'not: so', 'a [b', 'it is #'])} {len(self.comments)}"
        )
        self.comments.append(expected)
        return " " * indent + expected

    def above(self, indent: int) -> list[str]:
        found = [""] * (self.lot.randint(1, 3) if self.chance(0.1) else 0)
        if self.remarks and self.chance(0.08):
            found.append(self.comment(self.lot.choice([indent, indent, indent // 2, 0])))
        return found

    def beside(self) -> str:
        return self.comment(self.lot.randint(1, 3)) if self.remarks and self.chance(0.05) else ""

    # ---- blocks

    def map(self, node: YMap, expected: Shape, indent: int) -> list[str]:
        entries = list(node.entries)
        if self.chance(0.3) and all(key.value in expected.known() for key, _ in entries):
            self.lot.shuffle(entries)
        lines: list[str] = []
        step = self.lot.randint(1, 5)
        for number, (key, value) in enumerate(entries):
            lines += self.above(indent) if number or indent else []
            inner = expected.under(key.value)
            head = " " * indent + self.text(key, flow=False) + ":"
            lines += self.value(head, value, inner, indent, step)
        return lines

    def list(self, node: YList, expected: Shape, indent: int) -> list[str]:
        inner = expected.inside()
        lines: list[str] = []
        for item in node.items:
            lines += self.above(indent)
            if isinstance(item, YMap) and item.entries and self.chance(0.7):
                first, *rest = self.map(item, inner, indent + 2)
                if first.strip().startswith("#") or not first.strip():
                    lines += [" " * indent + "-", first, *rest]
                else:
                    lines += [" " * indent + "- " + first[indent + 2 :], *rest]
            else:
                lines += self.value(" " * indent + "-", item, inner, indent, 2)
        return lines

    def value(self, head: str, value: YNode, expected: Shape, indent: int, step: int) -> list[str]:
        if isinstance(value, YText):
            return self.scalar(head, value, expected, indent, step)
        small = len(str(self.plainest(value))) < 400
        parts = value.entries if isinstance(value, YMap) else value.items
        if not parts or (small and self.chance(0.5)):
            text = self.flow(value, expected, indent + step)
            return [f"{head} {text}{self.beside()}"]
        here = self.beside()
        if isinstance(value, YMap):
            return [head + here, *self.map(value, expected, indent + step)]
        deeper = indent + (self.lot.choice([0, step]) if head.endswith(":") else step)
        return [head + here, *self.list(value, expected, deeper)]

    def plainest(self, node: YNode) -> object:
        if isinstance(node, YText):
            return node.value
        if isinstance(node, YList):
            return [self.plainest(item) for item in node.items]
        return [(key.value, self.plainest(value)) for key, value in node.entries]

    # ---- texts

    def scalar(self, head: str, text: YText, expected: Shape, indent: int, step: int) -> list[str]:
        start = expected.start if isinstance(expected, EffectText) else None
        value = self.code(text.value, start) if start else text.value
        margin = " " * (indent + step)
        is_block = "\n" in value.rstrip("\n") or (start and self.chance(0.5))
        if (is_block or "#" in value) and start:
            rows = value.strip("\n").split("\n")
            header = "|" + (f" {self.comment(0)}" if self.remarks and self.chance(0.1) else "")
            return [f"{head} {header}", *(margin + row if row.strip() else "" for row in rows)]
        if "\n" in value:
            return [f"{head} {json.dumps(value, ensure_ascii=False)}"]
        if " " in value and not text.plain and self.chance(0.3) and value == value.strip():
            rows = value.replace(" ", "\n" + margin, 1) if "  " not in value else value
            return [f"{head} >-", margin + rows]
        shown = self.text(YText(value, text.span, text.plain and value == text.value, text.style))
        return [f"{head} {shown}{self.beside()}"]

    def text(self, text: YText, flow: bool = True) -> str:
        if text.plain and re.fullmatch(r"[\w./-]*", text.value, re.ASCII):
            return text.value
        if "\n" not in text.value and self.chance(0.5):
            return "'" + text.value.replace("'", "''") + "'"
        return json.dumps(text.value, ensure_ascii=False)

    def code(self, text: str, start: str) -> str:
        """Effect text with other spaces and line ends, and with comments."""
        found = ""
        for token in _TOKENS.findall(text):
            if token.startswith("#"):
                found += f" {token}\n"
                self.inner.append(token)
                continue
            found += token
            if re.search(r"[a-z(]\(|\w$", token) or self.chance(0.5):
                found += "" if token.endswith("(") else self.lot.choice([" ", " ", "  ", "\n"])
            if self.remarks and self.chance(0.02):
                expected = f"# note {len(self.inner)}"
                self.inner.append(expected)
                found += f" {expected}\n"
        return "\n".join(line.strip() for line in found.strip().split("\n"))

    # ---- brackets

    def flow(self, node: YNode, expected: Shape, indent: int) -> str:
        if isinstance(node, YText):
            start = expected.start if isinstance(expected, EffectText) else None
            text = " ".join(re.sub(r"#[^\n]*", "", node.value).split()) if start else node.value
            if start and "#" in node.value:
                raise AssertionError("no sample has a commented effect between brackets")
            return self.text(YText(text, node.span, node.plain, node.style))
        if isinstance(node, YList):
            inner = expected.inside()
            parts = [self.flow(item, inner, indent) for item in node.items]
            return "[" + self.commas(parts, indent) + "]"
        parts = [
            self.text(key) + ": " + self.flow(value, expected.under(key.value), indent)
            for key, value in node.entries
        ]
        return "{" + self.commas(parts, indent) + "}"

    def commas(self, parts: list[str], indent: int) -> str:
        found = ""
        for number, part in enumerate(parts):
            found += part
            if number == len(parts) - 1:
                break
            found += ","
            if self.remarks and self.chance(0.03):
                found += self.comment(2) + "\n" + " " * indent
            else:
                found += self.lot.choice([" ", " ", "  ", "\n" + " " * indent])
        return found

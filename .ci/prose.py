"""Check prose against the house words of `prose.toml`.

Reads Markdown outside code, and of Python files the docstrings, the comments and the strings of
three words and more (messages, help). Strings of tests are not read: they are rulesets and quoted
output. An entry in `prose.toml` lists the sentences that may use its word under `allowed`.

    python .ci/prose.py [--count] [PATH ...]

Prints `file:line: word: use …` and ends with 1 where it finds something. With `--count` it prints
how often each word was found, and how often in each folder.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLACES = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "docs", "interpreter",
          "benchmarks", "tests")  # fmt: skip
#: generated from texts that are checked where they are written
GENERATED = ("tests/data/golden",)
SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n\s*\n|\n\s*[-*|]\s")
SCOPES = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Word:
    """A house word: the pattern to find, what to write instead, and sentences that may have it."""

    find: re.Pattern[str]
    use: str
    starts: bool
    allowed: re.Pattern[str] | None


@dataclass(frozen=True)
class Passage:
    """Prose of a file, with the line on which it begins (from 1)."""

    text: str
    line: int


def words() -> list[Word]:
    """The house words of `prose.toml`."""
    entries = tomllib.loads((Path(__file__).parent / "prose.toml").read_text("utf-8"))["word"]
    return [
        Word(
            re.compile(entry["find"], re.IGNORECASE),
            entry["use"],
            entry.get("starts", False),
            re.compile(entry["allowed"], re.IGNORECASE) if "allowed" in entry else None,
        )
        for entry in entries
    ]


def files(paths: list[Path]) -> Iterator[Path]:
    """The Markdown and Python files of some places, in order."""
    for path in paths:
        found = [path] if path.is_file() else sorted(path.rglob("*"))
        for file in found:
            inside = file.relative_to(ROOT).as_posix() if file.is_relative_to(ROOT) else ""
            if file.suffix in (".md", ".py") and not inside.startswith(GENERATED):
                yield file


def passages(path: Path) -> Iterator[Passage]:
    """The prose of one file."""
    text = path.read_text("utf-8")
    if path.suffix == ".md":
        yield from markdown_prose(re.sub(r"`[^`\n]+`", lambda code: "x" * len(code[0]), text))
    else:
        yield from python_prose(text, only_docs=path.is_relative_to(ROOT / "tests"))


def markdown_prose(text: str) -> Iterator[Passage]:
    """Paragraphs and list items; neither code blocks nor headings."""
    block: list[str] = []
    start, is_code = 1, False
    for number, line in enumerate([*text.splitlines(), ""], 1):
        is_fence = line.lstrip().startswith(("```", "~~~"))
        is_break = not line.strip() or line.startswith(("#", "    ", "<", "|", "- ", "* "))
        if block and (is_fence or is_break):
            yield Passage("\n".join(block), start)
            block = []
        is_code ^= is_fence
        if is_fence or is_code or not line.strip() or line.startswith(("#", "    ", "<")):
            continue
        start = start if block else number
        block.append(line)


def python_prose(text: str, *, only_docs: bool) -> Iterator[Passage]:
    """Docstrings and comments, and strings of three words and more unless `only_docs` is set."""
    tree = ast.parse(text)
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        string = node.value if isinstance(node, ast.Constant) else ""
        if not isinstance(string, str) or (only_docs and id(node) not in docs):
            continue
        if len(re.findall(r"[A-Za-z]{2,}", string)) > 2:
            yield Passage(string, getattr(node, "lineno", 1))
    block: list[str] = []
    start = last = 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type != tokenize.COMMENT:
            continue
        if block and token.start[0] != last + 1:
            yield Passage("\n".join(block), start)
            block = []
        start = start if block else token.start[0]
        last = token.start[0]
        block.append(token.string.lstrip("#: "))
    if block:
        yield Passage("\n".join(block), start)


def found_in(passage: Passage, house: list[Word]) -> Iterator[tuple[int, str, Word]]:
    """The words of a passage that the house does not use: line, words as written, entry."""
    place = 0
    for sentence in SENTENCE.split(passage.text):
        place = passage.text.index(sentence, place)
        text = " ".join(sentence.split()).lstrip("-*|> ")
        for word in house:
            match = word.find.match(text) if word.starts else word.find.search(text)
            if match is None or (word.allowed is not None and word.allowed.search(text)):
                continue
            inside = word.find.search(passage.text, place)
            line = passage.line + passage.text.count("\n", 0, inside.start() if inside else place)
            yield line, match[0], word
        place += len(sentence)


def main(arguments: list[str]) -> int:
    is_count = "--count" in arguments
    paths = [Path(a).resolve() for a in arguments if a != "--count"]
    house = words()
    by_word, by_folder = Counter[str](), Counter[str]()
    for path in files(paths or [ROOT / place for place in PLACES]):
        shown = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
        for passage in passages(path):
            for line, written, word in found_in(passage, house):
                by_word[word.use] += 1
                by_folder[shown.parent.as_posix()] += 1
                if not is_count:
                    print(f"{shown}:{line}: {written!r}: use {word.use}")
    if is_count:
        for name, number in (*by_word.most_common(), *by_folder.most_common()):
            print(f"{number:6}  {name}")
    total = sum(by_word.values())
    print(f"{total} found" if total else "the prose follows the house words")
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

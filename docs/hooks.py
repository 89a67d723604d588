"""Hooks of the documentation site: the pages that are made from the program, and links.

Made pages are the diagnostics, the command line, the measures, the Python interface, the gallery of
comparisons, and the pages of the repository's root. Links to files outside the documentation lead
to the code host if `TILEWRIGHT_REPOSITORY` has its address; else only their text is shown. Codes of
diagnostics in a text become links to their pages.
"""

from __future__ import annotations

import io
import os
import posixpath
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click
import typer
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import tilewright as tw
from tilewright.faces.cli.app import run, whole_app
from tilewright.language.locale.words import Words
from tilewright.language.source.catalogue import codes
from tilewright.language.source.diagnostics import Reporter
from tilewright.rules.reading.library import Library
from tilewright.tools.reports.reference import diagnostic_pages
from tilewright.tools.simulation.results import GENERAL

ROOT = Path(__file__).resolve().parent.parent
#: the pages of the root of the repository, by their paths in the site
ROOT_PAGES = {
    "explanation/architecture.md": "ARCHITECTURE.md",
    "explanation/security.md": "SECURITY.md",
    "changes/changelog.md": "CHANGELOG.md",
    "changes/contributing.md": "CONTRIBUTING.md",
}
#: the sources of the studio's page, and the files of the built one
STUDIO = ROOT / "studio"
STATIC = ROOT / "interpreter" / "tilewright" / "faces" / "studio" / "static" / "assets"
FONTS = ("source-sans-3", "source-serif-4", "jetbrains-mono")
GALLERY_INDEX = "gallery/index.md"
DIAGNOSTICS = "reference/diagnostics/"
#: the code of a diagnostic
CODE = re.compile(r"\bTW[0-9]{3}\b")
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")


def made_pages() -> dict[str, str]:
    """The pages that are made from the program, by their paths in the site."""
    return {
        **diagnostic_pages(),
        "reference/commands.md": "".join(commands_page()),
        "reference/measures.md": "".join(measures_page()),
        "reference/python.md": "".join(python_page()),
    }


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the made pages, those of the root, and the look of the studio."""
    root = {name: (ROOT / path).read_text("utf-8") for name, path in ROOT_PAGES.items()}
    introduction = files.src_uris[GALLERY_INDEX]
    files.remove(introduction)
    gallery = gallery_pages(introduction.content_string)
    for name, text in {**made_pages(), **root, **gallery}.items():
        files.append(File.generated(config, name, content=text))
    tokens = (STUDIO / "src" / "ui" / "tokens.css").read_text("utf-8")
    tokens = tokens.replace(':root[data-mode="dark"]', '[data-md-color-scheme="slate"]')
    files.append(File.generated(config, "assets/tokens.css", content=tokens))
    looks = {"mark.svg": STUDIO / "public" / "mark.svg"}
    for font in FONTS:
        (looks[f"{font}.woff2"],) = STATIC.glob(f"{font}-latin-wght-*.woff2")
    for name, path in looks.items():
        files.append(File.generated(config, f"assets/{name}", abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Lead links out of the documentation to the page or file that they mean."""
    name = page.file.src_uri
    source = ROOT_PAGES.get(name, f"docs/{name}")
    repository = os.environ.get("TILEWRIGHT_REPOSITORY", "").rstrip("/")
    inside = {path: page for page, path in ROOT_PAGES.items()}

    def led(match: re.Match[str]) -> str:
        text, link = match[1], match[2]
        path, sign, anchor = link.partition("#")
        if re.match(r"[a-z]+:", link) or not path:
            return match[0]
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        place = inside.get(target) or target.removeprefix("docs/")
        if target in inside or target.startswith("docs/"):
            return f"[{text}]({posixpath.relpath(place, posixpath.dirname(name))}{sign}{anchor})"
        return f"[{text}]({repository}/blob/main/{target})" if repository else text

    def linked(text: str) -> str:
        text = LINK.sub(led, text)
        if name.startswith(DIAGNOSTICS):
            return text
        parts = re.split(r"(`[^`\n]+`|\[[^\]]*\]\([^)]*\))", text)
        return "".join(p if p[:1] in ("`", "[") else CODE.sub(explained, p) for p in parts)

    def explained(match: re.Match[str]) -> str:
        info = codes().get(match[0])
        if info is None:
            return match[0]
        page = posixpath.relpath(f"{DIAGNOSTICS}{info.name}.md", posixpath.dirname(name))
        return f"[{match[0]}]({page})"

    if name in ROOT_PAGES:  # one folder deeper than in the repository
        markdown = markdown.replace("](docs/pictures/", "](../pictures/")
    fenced = re.split(r"(^```.*?^```)", markdown, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if part[:3] == "```" else linked(part) for part in fenced)


# ------------------------------------------------------------------ the gallery


def gallery_pages(introduction: str) -> dict[str, str]:
    """The pages of the gallery by their paths in the site; its index begins with a given text.

    The command in this text makes them.
    """
    (command,) = re.findall(r"^tilewright (compare .* --out) gallery$", introduction, re.MULTILINE)
    with TemporaryDirectory() as folder:
        with redirect_stdout(io.StringIO()):
            code = run([*command.split(), folder])
        if code:
            raise PluginError(f"the gallery cannot be made: `{command}` ended with {code}")
        found = {f"gallery/{p.name}": p.read_text("utf-8") for p in Path(folder).glob("*.html")}
        _, _, tables = (Path(folder) / "index.md").read_text("utf-8").partition("\n\n## ")
    del found["gallery/index.html"]
    return {**found, GALLERY_INDEX: f"{introduction.rstrip()}\n\n## {tables}"}


# ------------------------------------------------------------------ the command line


def commands_page() -> Iterator[str]:
    """The page of the command line, from its help."""
    program = typer.main.get_command(whole_app())
    yield "# The command line\n\n" + prose(program.help or "")
    yield "\n![`compare` on a terminal](../pictures/compare/brief.svg)\n"
    assert isinstance(program, click.Group) or hasattr(program, "commands")
    for name, command in verbs("tilewright", program):
        yield f"\n## {name.removeprefix('tilewright ')}\n\n"
        yield from command_text(name, command)


def verbs(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    """The verbs below a group, and those below them."""
    for word, inner in command.commands.items():
        if hasattr(inner, "commands"):
            yield from verbs(f"{name} {word}", inner)
        else:
            yield f"{name} {word}", inner


def command_text(name: str, command: Any) -> Iterator[str]:
    """The help of a verb: its purpose, its usage and its options."""
    context = typer.Context(command, info_name=name)
    yield prose(command.help or "")
    yield f"\n```text\n{' '.join(command.get_usage(context).split())}\n```\n\n"
    rows = [p for p in command.params if not getattr(p, "hidden", False) and p.name != "help"]
    if rows:
        yield "| argument or option | meaning |\n| --- | --- |\n"
    for parameter in rows:
        words = list(parameter.opts)
        if parameter.default is not False:  # as on help pages
            words += parameter.secondary_opts
        if parameter.param_type_name == "argument":
            words = [parameter.make_metavar(context)]
        text = re.sub(r"\[/?[a-z ]+\]", "", getattr(parameter, "help", "") or "")
        says = text.replace("|", "\\|").replace("\n", " ").replace("<", "&lt;")
        yield f"| {', '.join(f'`{word}`' for word in words)} | {says} |\n".replace("`[", "`[")


def prose(help_: str) -> str:
    """The text of a help page as Markdown; lines that keep their breaks become a block."""
    found = []
    for part in re.split(r"\n\s*\n", re.sub(r"\[/?bold\]", "`", help_)):
        lines = [line.rstrip() for line in part.splitlines() if line.strip()]
        if lines and lines[0].strip() == "\b":
            head, *rest = lines[1:]
            shown = "\n".join(line.strip() for line in rest)
            found.append(f"{head.strip()}\n\n```text\n{shown}\n```" if rest else head.strip())
        else:
            found.append(" ".join(line.strip() for line in lines).replace("\\[", "["))
    return "\n\n".join(found) + "\n"


# ------------------------------------------------------------------ measures


def measures_page() -> Iterator[str]:
    """The measures of `simulate`: those of every game, and those that shipped rulesets declare."""
    yield "# Measures\n\n`simulate` measures these in every game, and rulesets declare further ones"
    yield " ([how](../how-to/simulation.md#what-is-measured)).\n\n"
    yield "![Means and shares of two games, and how they differ]"
    yield "(../pictures/simulate-a-change/differences-1.svg)\n\n## In every game\n\n"
    yield "| id | meaning |\n| --- | --- |\n"
    words = Words()
    for id_ in GENERAL:
        yield f"| `{id_}` | {words(f'simulation.measure.{id_}')} |\n"
    yield "\n## Declared by rulesets\n\n| id | ruleset | meaning |\n| --- | --- | --- |\n"
    library = Library()
    for id_ in library.ids():
        ruleset = library.load(id_, Reporter.discarding())
        for measure in ruleset.measures if ruleset else ():
            yield f"| `{measure.id}` | `{id_}` | {measure.says or measure.label.get()} |\n"


# ------------------------------------------------------------------ Python


def python_page() -> Iterator[str]:
    """The page of the Python interface, from its docstrings."""
    yield "# Python\n\n`import tilewright as tw`. "
    yield "[From Python](../how-to/library.md) has examples.\n\n"
    yield "![The board of a match that a program draws](../pictures/library/board.svg)\n"
    functions = [name for name in tw.__all__ if name.islower() and name[0] != "_"]
    for head, names in (
        ("Functions", functions),
        ("Classes", [name for name in tw.__all__ if name[0].isupper()]),
    ):
        yield f"\n## {head}\n\n"
        yield from (f"::: tilewright.faces.api.{name}\n\n" for name in names)

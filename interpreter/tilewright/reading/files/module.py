"""Reads module.yaml: the identity of a ruleset, its requirements, options, seats, components."""

from __future__ import annotations

from tilewright.model.ruleset import (
    ComponentCount,
    Module,
    OptionDecl,
    PartTaken,
    PromiseChange,
    Requirement,
    Seat,
    Source,
    WrittenFor,
)
from tilewright.reading.files.map_reader import MapReader, open_file
from tilewright.reading.files.node_kinds import is_text, kind_of
from tilewright.reading.files.patterns import (
    COLOUR,
    EDITION,
    NAME,
    PROMISE,
    ROLE,
    RULESET,
    RULESET_OR_ROLE,
    SLUG,
)
from tilewright.reading.files.translations import Translator
from tilewright.reading.parts import SAYS, read_part
from tilewright.source.diagnostics import Reporter, did_you_mean, quoted
from tilewright.source.yaml.tree import YList, YNode, YText

KINDS = ("base", "expansion", "edition", "house", "shared")
#: the largest number of sets of a ruleset's tiles
MAX_SETS = 10
MAX_VERSION = 10_000
COUNTED = ("tiles", "symbol", "attribute", "segment", "figure", "token", "item", "pieces")


def read_module(
    node: YNode, reporter: Reporter, translator: Translator | None = None
) -> Module | None:
    """The module that a file declares, or None when it has no usable id."""
    entry = open_file(node, "module.yaml", reporter, translator)
    if entry is None:
        return None
    module_id = entry.text("id", RULESET, required=True)
    module = Module(
        id=module_id,
        kind=entry.choice("kind", KINDS, required=True, default="expansion"),
        edition=entry.text("edition", EDITION, default=module_id.split("/")[0]),
        year=entry.number("year"),
        title=entry.labels("title", required=True),
        says=entry.labels("says"),
        takes_over=entry.text("takes_over", RULESET) or None,
        provides=entry.words("provides", ROLE),
        requires=_requirements(entry),
        conflicts=entry.words("conflicts", RULESET_OR_ROLE),
        copies=entry.numbers("copies", RULESET_OR_ROLE, least=1, most=MAX_SETS),
        sources=tuple(
            _source(name, inner) for name, inner in entry.named("sources", "source", SLUG)
        ),
        options=tuple(
            _option(name, inner) for name, inner in entry.named("options", "option", NAME)
        ),
        seats=tuple(_seat(inner) for inner in entry.each("seats", "a seat")),
        parts=_parts(entry),
        components=tuple(_component(inner) for inner in entry.each("components", "a component")),
        span=entry.span("id"),
        version=entry.scalar("version"),
        resolved_from=entry.text("resolved_from"),
        shares=entry.mentions("shares", RULESET),
        changes=tuple(_change(module_id, inner) for inner in entry.each("changes", "a change")),
        written_for=_written_for(entry),
        entry=entry.node,
    )
    _check_version(module, entry)
    entry.close()
    return module if RULESET.fits(module_id) else None


def _requirements(entry: MapReader) -> tuple[Requirement, ...]:
    found = []
    for role, node in entry.map_of("requires", RULESET_OR_ROLE):
        if isinstance(node, YText) and RULESET.fits(node.value):
            found.append(Requirement(role.value, node.value, role.span.to(node.span)))
        elif isinstance(node, YText) and node.value:
            entry.error("TW205", f"`{node.value}` does not look like {RULESET.says}", node.span)
        else:
            entry.error(
                "TW203", f"`{role.value}` must be the id of a ruleset, like `a/base`", node.span
            )
    return tuple(found)


def _change(ruleset: str, entry: MapReader) -> PromiseChange:
    kind, _, name = entry.text("what", PROMISE, required=True).partition(" ")
    return PromiseChange(
        ruleset=ruleset,
        version=entry.number("version", least=1, most=MAX_VERSION, required=True) or 1,
        kind=kind,
        name=name.strip(),
        says=entry.text("says", required=True),
        mend=entry.text("mend"),
        span=entry.span("what"),
    )


def _written_for(entry: MapReader) -> tuple[WrittenFor, ...]:
    places = {name.value: name.span for name, _ in entry.map_of("written_for")}
    versions = entry.numbers("written_for", RULESET_OR_ROLE, least=1, most=MAX_VERSION)
    return tuple(WrittenFor(name, number, places[name]) for name, number in versions)


def _check_version(module: Module, entry: MapReader) -> None:
    """Report changes of versions that the ruleset has not reached."""
    if not module.changes or entry.bad:
        return
    last = max(module.changes, key=lambda change: change.version)
    version = module.version_number
    if version is None:
        found = f"it is {quoted(module.version)}" if module.version else "it has none"
        message = f"a ruleset with `changes` needs a whole number as `version`, and {found}"
    elif version < last.version:
        message = f"`{last.kind} {last.name}` changes in version {last.version}, and this is"
        message += f" version {version}"
    else:
        return
    entry.error("TW228", message, last.span, hint=f"write `version: {last.version}`")


def _parts(entry: MapReader) -> tuple[PartTaken, ...]:
    found = []
    for name, node in entry.map_of("parts", RULESET_OR_ROLE):
        items = node.items if isinstance(node, YList) else (node,)
        words: list[str] = []
        for item in items:
            if not isinstance(item, YText) or not is_text(item):
                entry.error("TW203", f"a part must be {SAYS}, found {kind_of(item)}", item.span)
            else:
                words.append(item.value)
        part = read_part(words)
        if isinstance(part, str):
            message = f"`{part}` does not look like a part: that is {SAYS}"
            entry.error("TW205", message, node.span)
        elif not items:
            entry.error("TW206", f"the part of `{name.value}` must not be empty", node.span)
        else:
            found.append(PartTaken(name.value, part, name.span.to(node.span)))
    return tuple(found)


def _source(name: YText, entry: MapReader) -> Source:
    return Source(
        id=name.value,
        title=entry.text("title", required=True),
        publisher=entry.text("publisher"),
        year=entry.number("year"),
        language=entry.text("language"),
        note=entry.text("note"),
        span=name.span,
    )


def _option(name: YText, entry: MapReader) -> OptionDecl:
    choices = entry.scalars("choices", required=True, least=2)
    default = entry.scalar("default", required=True)
    if not entry.bad and default not in choices:
        entry.error(
            "TW224",
            f"the default `{default}` is not among the choices of option `{name.value}`"
            + did_you_mean(default, choices),
            entry.span("default"),
        )
    return OptionDecl(
        id=name.value,
        choices=choices,
        default=default,
        says=entry.text("says", required=True),
        statements=entry.words("from", SLUG),
        span=name.span,
        entry=entry.node,
    )


def _seat(entry: MapReader) -> Seat:
    return Seat(
        id=entry.text("id", NAME, required=True),
        colour=entry.text("colour", COLOUR, required=True),
        label=entry.labels("label", required=True),
        span=entry.span("id"),
    )


def _component(entry: MapReader) -> ComponentCount:
    of = entry.choice("of", COUNTED, required=True)
    entry.get("name", required=of not in ("", "tiles"))
    return ComponentCount(
        of=of,
        name=entry.text("name", NAME),
        count=entry.number("count", least=0, required=True) or 0,
        span=entry.span("count"),
    )

"""Writes a ruleset as files; reading them gives an equal ruleset with other places.

For rulesets in which all is settled: of patches only those that insert effects beside a rule are
written, and no scenarios. Comments and the author's own layout are lost; whoever wants to keep them
formats the file instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

from tilewright.language.source.text import Code
from tilewright.language.source.yaml.dump import Plain, document
from tilewright.rules.model import ruleset as m
from tilewright.rules.model.geometry import HEADINGS

Map = dict[str, Plain]


def files_of(
    ruleset: m.Ruleset, page_of: Callable[[str, str], str] = lambda kind, id_: "rules"
) -> dict[str, str]:
    """The files of a ruleset: name and text. `page_of` gives the page of a thing by its kind
    (values, memory, steps, definitions, events, rules, patches).
    """
    trees: dict[str, Map] = {"module.yaml": _module(ruleset.module)}
    book = _some(
        statements=[_statement(s) for s in ruleset.statements],
        phrases=_phrases(ruleset.phrases),
    )
    if book:
        trees["statements.yaml"] = book
    pieces = _pieces(ruleset)
    if pieces:
        trees["components.yaml"] = pieces
    if ruleset.pieces:
        trees["tiles.yaml"] = {"tiles": [_piece(piece) for piece in ruleset.pieces]}
    for page, tree in _pages(ruleset, page_of).items():
        trees[f"rules/{page}.yaml"] = tree
    return {name: document(tree) for name, tree in trees.items()}


def _some(**parts: Plain | None) -> Map:
    """A map without empty entries; `from_` is the key `from`."""
    return {
        name.rstrip("_"): part
        for name, part in parts.items()
        if part is not None and part not in ("", [], {}) and part is not False
    }


def _list(words: Iterable[str]) -> list[Plain]:
    return list(words)


def _labels(labels: m.Labels) -> Plain:
    """The English text alone, or a map where there are translations."""
    texts = dict(labels.texts)
    return texts["en"] if [*texts] == ["en"] else dict(labels.texts)


def _code(code: Code | None) -> str | None:
    """Effect text: a line where it is one, else a block."""
    if code is None:
        return None
    text = code.text.strip("\n").rstrip()
    return f"{text}\n" if "\n" in text else text


def _pairs(pairs: Sequence[tuple[str, str]]) -> Map:
    return dict(pairs)


def _mentions(found: Sequence[m.Reference]) -> list[Plain]:
    return [mention.id for mention in found]


# ------------------------------------------------------------------ module and book


def _module(module: m.Module) -> Map:
    return _some(
        id=module.id,
        kind=module.kind,
        edition=module.edition,
        version=module.version,
        year=module.year,
        title=_labels(module.title),
        says=_labels(module.says),
        takes_over=module.takes_over,
        resolved_from=module.resolved_from,
        provides=_list(module.provides),
        requires={need.role: need.default for need in module.requires},
        written_for={each.name: each.version for each in module.written_for},
        conflicts=_list(module.conflicts),
        copies=dict(module.copies),
        sources={
            source.id: _some(
                title=source.title,
                publisher=source.publisher,
                year=source.year,
                language=source.language,
                note=source.note,
            )
            for source in module.sources
        },
        options={
            option.id: _some(
                choices=_list(option.choices),
                default=option.default,
                says=option.says,
                from_=_list(option.statements),
            )
            for option in module.options
        },
        seats=[
            {"id": seat.id, "colour": seat.colour, "label": _labels(seat.label)}
            for seat in module.seats
        ],
        components=[
            {**_some(of=line.of, name=line.name), "count": line.count} for line in module.components
        ],
        changes=[
            _some(version=x.version, what=f"{x.kind} {x.name}", says=x.says, mend=x.mend)
            for x in module.changes
        ],
    )


def _statement(s: m.Statement) -> Map:
    return _some(
        id=s.id,
        topic=s.topic,
        says=s.says,
        translations=dict(s.translations),
        authority=s.authority.value,
        cite=[_some(source=c.source, section=c.section, lines=c.lines) for c in s.cites],
        numbers=dict(s.numbers),
        no_rule=s.no_rule,
        carried_by=s.carried_by,
        awaits=_list(s.awaits),
        follows_from=_list(s.follows_from),
        compares=_list(s.compares),
        agrees=_list(s.agrees),
        replaces=_list(s.replaces),
        questions=[_some(asks=q.asks, option=q.option, settled=q.settled) for q in s.questions],
    )


def _phrases(phrases: Sequence[m.Phrase]) -> list[Plain]:
    """Phrases under their headings."""
    return [
        {
            "heading": _labels(heading),
            "lines": [
                {
                    "topic": phrase.topic,
                    "aspect": _labels(phrase.aspect),
                    "says": _labels(phrase.says),
                    "from": _list(phrase.statements),
                }
                for phrase in group
            ],
        }
        for heading, group in groupby(phrases, key=attrgetter("heading"))
    ]


# ------------------------------------------------------------------ pieces and tiles


def _item(item: m.ItemDecl) -> Map:
    return {
        "label": _labels(item.label),
        "count": item.count,
        "stack": item.stack,
        **_some(
            numbers=dict(item.numbers),
            glyph=item.glyph,
            colour=item.colour,
            with_=_mentions(item.with_),
        ),
    }


def _pieces(ruleset: m.Ruleset) -> Map:
    return _some(
        features={kind.id: _kind(kind) for kind in ruleset.features},
        attributes={a.id: {"on": a.on, **_attribute(a.attribute)} for a in ruleset.attributes},
        symbols={
            s.id: _some(
                label=_labels(s.label),
                glyph=s.glyph,
                colour=s.colour,
                landmark=s.is_landmark,
                covers={"over": s.covers[0], "edges": s.covers[1]} if s.covers[0] else None,
                with_=_mentions(s.with_),
            )
            for s in ruleset.symbols
        },
        figures={figure.id: _figure(figure) for figure in ruleset.figures},
        tokens={
            t.id: {
                "label": _labels(t.label),
                "count": t.count,
                **_some(traits=_list(t.traits), glyph=t.glyph, colour=t.colour),
            }
            for t in ruleset.tokens
        },
        items={item.id: _item(item) for item in ruleset.items},
        roles={
            role.id: _some(
                label=_labels(role.label),
                figures=_list(role.figures),
                on=role.on,
                posture="" if role.posture == "standing" else role.posture,
                from_=_list(role.statements),
                with_=_mentions(role.with_),
            )
            for role in ruleset.roles
        },
        stacks={
            s.id: _some(
                label=_labels(s.label),
                holds=s.holds,
                hidden=s.hidden,
                owned=s.owned,
                in_order=s.in_order,
                with_=_mentions(s.with_),
            )
            for s in ruleset.stacks
        },
    )


def _kind(kind: m.FeatureKind) -> Map:
    return _some(
        label=_labels(kind.label),
        reach=kind.reach.value,
        completes=kind.completes.value,
        from_symbol=kind.from_symbol,
        attributes={a.id: _attribute(a) for a in kind.attributes},
        colour=kind.colour,
        outline=kind.outline,
        glyph=kind.glyph,
    )


def _attribute(attribute: m.AttributeDecl) -> Map:
    label = _labels(attribute.label)
    return _some(
        combine=attribute.combine.value,
        label=label,
        glyph=attribute.symbol,
        landmark=attribute.is_landmark,
    )


def _figure(figure: m.FigureKind) -> Map:
    found: Map = {"label": _labels(figure.label)}
    if not figure.owned:
        found["owned"] = False
    found["count"] = figure.count
    return found | _some(
        in_all=figure.in_all,
        like=figure.like,
        roles=_list(figure.roles),
        traits=_list(figure.traits),
        carries=_list(figure.carries),
        glyph=figure.glyph,
        colour=figure.colour,
        with_=_mentions(figure.with_),
    )


def _piece(piece: m.PieceKind) -> Map:
    found = _some(
        id=piece.id, count=piece.count, letter=piece.letter, stack=piece.stack,
        enclosed=piece.enclosed or None, when=_pairs(piece.when), with_=_mentions(piece.with_),
        note=piece.note,
    )  # fmt: skip
    if len(piece.faces) == 1 and len(piece.faces[0]) == 1:
        return found | _cell(piece.faces[0][0])
    sides: list[Plain] = []
    for face in piece.faces:
        sides.append([{"at": [cell.x, cell.y], **_cell(cell)} for cell in face])
    return found | {"faces": sides}


def _cell(cell: m.TileFace) -> Map:
    return {"edges": _list(cell.edges)} | _some(
        segments={segment.id: _segment(segment) for segment in cell.segments},
        symbols=_list(cell.symbols),
        crosses=cell.crosses,
        arrows={name: HEADINGS[heading] for name, heading in cell.arrows},
    )


def _segment(segment: m.Segment) -> Map:
    counts: Map = dict(segment.attributes)
    return counts | _some(
        kind=segment.kind,
        at=_list(segment.at),
        borders=_list(segment.borders),
        ends=_list(segment.ends),
        symbols=_list(segment.symbols),
        inside=segment.inside,
        loose=segment.loose or None,
    )


# ------------------------------------------------------------------ rules


def _pages(ruleset: m.Ruleset, page_of: Callable[[str, str], str]) -> dict[str, Map]:
    """The pages of rules, each with its entries."""
    found: dict[str, Map] = {}

    def put(kind: str, id_: str, what: Plain, *, is_listed: bool = False) -> None:
        page = found.setdefault(page_of(kind, id_), {})
        if is_listed:
            items = page.setdefault(kind, [])
            assert isinstance(items, list)
            assert isinstance(what, dict)
            items.append({"id": id_, **what})
        else:
            named = page.setdefault(kind, {})
            assert isinstance(named, dict)
            named[id_] = what

    for value in ruleset.values:
        entry = _some(type=value.type, is_=_bare(value.value), says=value.says)
        put("values", value.id, entry | _some(from_=_list(value.statements)))
    for kept in ruleset.memory:
        entry = _some(
            type=kept.type, of=kept.of, combine=kept.combine, per=kept.per, token=kept.token
        )
        put("memory", kept.id, entry)
    for moments in ruleset.moments:
        order: list[Plain] = [
            {each.id: _labels(each.label)} if isinstance(each, m.Moment) else each.id
            for each in moments.order
        ]
        put("moments", moments.id, order)
    for step in ruleset.steps:
        entry = _some(
            phase=step.phase, moment=step.moment, **_neighbours(step),
            label=_labels(step.label), aliases=_list(step.aliases), from_=_list(step.statements),
        )  # fmt: skip
        put("steps", step.id, entry)
    for definition in ruleset.definitions:
        entry = _some(
            parameters=_typed(definition.parameters), type=definition.type,
            combine=definition.combine.value, says=definition.says,
            default=_code(definition.default),
        )  # fmt: skip
        put("definitions", definition.id, entry)
    for event in ruleset.events:
        put("events", event.id, _some(parameters=_typed(event.parameters), says=event.says))
    for measure in ruleset.measures:
        names = f"({', '.join(measure.parameters)})" if measure.parameters else ""
        entry = _some(
            label=_labels(measure.label), says=measure.says, on=f"{measure.on}{names}",
            when=_code(measure.when), value=_code(measure.value),
        )  # fmt: skip
        put("measures", measure.id, entry)
    for rule in ruleset.rules:
        put("rules", rule.head.id, _head(rule.head) | _body(rule), is_listed=True)
    for patch in ruleset.patches:
        put("patches", patch.id, _insertion(patch), is_listed=True)
    return found


def _insertion(patch: m.Patch) -> Map:
    """A patch that inserts effects beside a rule."""
    rule = patch.rule
    assert isinstance(rule, m.Procedure) and patch.verb == "insert", patch.verb
    head = rule.head
    return _some(
        from_=_list(patch.statements), why=patch.why, insert=f"{patch.how} {patch.target}",
        says=head.says, topic=head.topic, label=_labels(head.label), moment=head.moment,
        **_neighbours(head),
        when=_code(head.when), do=_code(rule.do),
    )  # fmt: skip


def _bare(text: str) -> Plain:
    """A value in an author's notation: numbers and truth values unquoted."""
    if text in ("true", "false"):
        return text == "true"
    is_number = text.lstrip("-").isdecimal() and str(int(text)) == text
    return int(text) if is_number else text


def _neighbours(declared: m.StepDecl | m.RuleHead) -> Map:
    """The names under `after` and `before`; `name?` may be absent."""
    return {
        key: _list(f"{n}?" if n in declared.optional else n for n in getattr(declared, key))
        for key in ("after", "before")
    }


def _typed(parameters: Sequence[m.Parameter]) -> Map:
    return {p.name: p.type for p in parameters}


def _head(head: m.RuleHead) -> Map:
    return _some(
        option=_pairs(head.option),
        with_=_mentions(head.with_),
        says=head.says,
        topic=head.topic,
        from_=_list(head.statements),
        label=_labels(head.label),
        moment=head.moment,
        **_neighbours(head),
        over=_list(head.over),
    )


def _body(rule: m.Rule) -> Map:
    when = _code(rule.head.when)
    match rule:
        case m.Amendment():
            named = _labels(rule.item_label) or rule.item
            hook = f"{rule.definition}({', '.join(rule.parameters)})"
            hook = hook if rule.parameters else rule.definition
            return _some(amend=hook, when=when, item=named, value=_code(rule.value))
        case m.StepRule():
            return _some(on=f"step {rule.step}", when=when, do=_code(rule.do))
        case m.Reaction():
            named_ = f"{rule.event}({', '.join(rule.parameters)})"
            return _some(on=named_ if rule.parameters else rule.event, when=when, do=_code(rule.do))
        case m.Action():
            return _some(
                action=f"{rule.name} at step {rule.step}",
                when=when,
                offer={name: _code(code) or "" for name, code in rule.offer},
                where=_code(rule.where),
                do=_code(rule.do),
            )
        case m.Procedure():
            parameters = ", ".join(f"{p.name}: {p.type}" for p in rule.declaration.parameters)
            return _some(
                procedure=f"{rule.declaration.id}({parameters})", when=when, do=_code(rule.do)
            )


# ------------------------------------------------------------------ files


def as_documents(files: Mapping[str, str]) -> str:
    """All files as the documents of one text, each under its name."""
    return "".join(f"--- # {name}\n{text}" for name, text in files.items())


def write_files(files: Mapping[str, str], folder: Path) -> None:
    """Write the files of a ruleset to a new folder: all of them, or none.

    Raises FileExistsError, and OSError when the system refuses.
    """
    if folder.exists() and any(folder.iterdir()):
        raise FileExistsError(f"`{folder}` is there already, and is not empty")
    folder.parent.mkdir(parents=True, exist_ok=True)
    beside = Path(mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    try:
        for name, text in files.items():
            path = beside / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
        beside.chmod(0o755)
        if folder.exists():
            folder.rmdir()
        beside.rename(folder)
    except BaseException:
        rmtree(beside, ignore_errors=True)
        raise

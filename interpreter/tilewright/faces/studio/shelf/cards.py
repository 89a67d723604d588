"""Messages of the library: every ruleset as a card, and games made of picked cards."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from tilewright.faces.studio.client import Client, Studio, Work
from tilewright.faces.studio.places import shown_path
from tilewright.faces.studio.protocol import shelf
from tilewright.faces.studio.protocol.common import Nothing, TopicRow
from tilewright.language.locale.words import Words
from tilewright.language.source.diagnostics import Diagnostic, Reporter, Severity
from tilewright.language.source.text import Span
from tilewright.rules.linking.compose.select import Selection, names_of
from tilewright.rules.model import ruleset as m
from tilewright.rules.reading.library import Library
from tilewright.rules.reading.parts import cut_part
from tilewright.tools.workspace.cache import user_cache
from tilewright.tools.workspace.library_state import library_digest
from tilewright.tools.workspace.loading import Read, load_selection, worded
from tilewright.view.board.glyphs import glyph
from tilewright.view.board.svg import CLIP, NOBODY, silhouette
from tilewright.view.board.tile_state import on_screen, settled
from tilewright.view.board.tile_svg import tile_group

#: tiles on a card; the parts of a ruleset that it shows; letters of its sentence
PICTURES = 3
_PARTS = ("statements", "components", "tiles", "rules")
_LONGEST = 240
#: the height of a figure on a card of 100, and the colour of one that a player owns
_FIGURE, _SEAT = 72.0, "#b3261e"


def list_cards(client: Client, params: Nothing) -> shelf.Cards | Work[shelf.Cards]:
    """Every ruleset of the library."""
    key, kept = f"cards {client.language}", client.studio.kept
    found: shelf.Cards | None = kept.get(key)
    return found or Work(make_cards, (), lambda made: kept.setdefault(key, made))


def make_cards(client: Client) -> shelf.Cards:
    """The cards of all rulesets, in the language of a page; those of an earlier run where no file
    has changed since."""
    studio, language = client.studio, client.language
    if studio.library.unsaved():
        return _cards(studio, language)
    ids = studio.library.ids()
    places = [f"{id_} {_shown_folder(id_, studio)}" for id_ in ids]
    key = ("studio cards", language, *places, library_digest(studio.library, ids))
    made = user_cache().result(lambda: json.dumps(_cards(studio, language)).encode(), *key)
    found: shelf.Cards = json.loads(made)
    return found


def _cards(studio: Studio, language: str) -> shelf.Cards:
    library = studio.library
    names = library.topics(Reporter.discarding())
    cards = [_card(id_, studio, language) for id_ in library.ids()]
    topics = sorted({topic for card in cards for topic in card["topics"]})
    editions = sorted({card["edition"] for card in cards})
    kinds = [kind for kind in _KINDS if any(card["kind"] == kind for card in cards)]
    return {
        "cards": cards,
        "editions": [_edition(id_, cards) for id_ in editions],
        "kinds": [{"id": k, "label": Words(language)(f"studio.library_kind_{k}")} for k in kinds],
        "topics": [
            {"id": id_, "label": names[id_].get(language) if id_ in names else id_}
            for id_ in topics
        ],
    }


_KINDS = ("base", "expansion", "edition", "house")


def _edition(id_: str, cards: Sequence[shelf.Card]) -> TopicRow:
    """An edition by its id and its years."""
    of_it = (card["year"] for card in cards if card["edition"] == id_)
    years = sorted({year for year in of_it if year is not None})
    span = f"{years[0]}–{years[-1]}" if len(years) > 1 else "".join(map(str, years))
    return {"id": id_, "label": f"{id_}, {span}" if span else id_}


def _shown_folder(id_: str, studio: Studio) -> str:
    """The folder of a ruleset as the page names it; empty for one that the user has not opened."""
    folder = studio.library.folder(id_)
    return "" if folder is None else shown_path(studio, folder.resolve())


def _card(id_: str, studio: Studio, language: str) -> shelf.Card:
    library = studio.library
    ruleset, shown = library.load_parts(id_, _PARTS), _shown_folder(id_, studio)
    if ruleset is None:
        return _unreadable(id_, shown)
    ruleset = worded(ruleset, library)
    module = ruleset.module
    topics = sorted({statement.topic.partition(".")[0] for statement in ruleset.statements})
    return {
        "id": id_,
        "title": module.title.get(language) or id_,
        "says": _says(ruleset, library, language),
        "edition": module.edition,
        "kind": _kind(module, library),
        "year": module.year,
        "provides": list(module.provides),
        "needs": [_need(need, library, language) for need in module.requires],
        "conflicts": list(module.conflicts),
        "topics": topics,
        "parts": _parts(ruleset, language),
        "options": [_option(option, ruleset, language) for option in module.options],
        "own": bool(shown),
        "folder": shown,
        "readable": True,
        "has_tiles": bool(ruleset.pieces),
        "words": " ".join(_words(ruleset, language)),
        "statements": len(ruleset.statements),
    }


def _unreadable(id_: str, shown: str) -> shelf.Card:
    return {
        "id": id_, "title": id_, "says": "", "edition": "", "kind": "house", "year": None,
        "provides": [], "needs": [], "conflicts": [], "topics": [], "parts": [], "options": [],
        "own": bool(shown), "folder": shown, "readable": False, "has_tiles": False, "words": "",
        "statements": 0,
    }  # fmt: skip


def _says(ruleset: m.Ruleset, library: Library, language: str) -> str:
    """A ruleset in a sentence: its own, that of the ruleset which it takes over, its first phrase,
    or its first statement.
    """
    earlier = ruleset.module.takes_over
    taken = None if earlier is None else library.load_module(earlier)
    if own := ruleset.module.says.get(language):
        said = [own]
    elif taken is not None and (same := taken.says.get(language)):
        said = [same]
    elif ruleset.module.kind == "house" or not ruleset.phrases:
        said = [said_in(statement, language) for statement in ruleset.statements]
    else:
        said = [p.says.get(language).replace("**", "") for p in ruleset.phrases]
    first = next(iter(said), "")
    return first if len(first) <= _LONGEST else f"{first[:_LONGEST].rpartition(' ')[0]} …"


def _kind(module: m.Module, library: Library) -> str:
    """The kind of a ruleset; an edition of another one is of the kind of that one."""
    of_it = module
    while of_it.kind == "edition" and of_it.takes_over is not None:
        before = library.load_module(of_it.takes_over)
        if before is None:
            break
        of_it = before
    return of_it.kind


def said_in(statement: m.Statement, language: str) -> str:
    """A statement in a language, or in its own."""
    return dict(statement.translations).get(language, statement.says)


def _need(need: m.Requirement, library: Library, language: str) -> shelf.Need:
    module = library.load_module(need.default)
    title = module.title.get(language) if module is not None else ""
    return {"role": need.role, "ruleset": need.default, "title": title or need.default}


def _parts(ruleset: m.Ruleset, language: str) -> list[shelf.CardPart]:
    """The parts that may be used alone, and the topics that may be left out."""
    found: list[shelf.CardPart] = []
    if ruleset.pieces:
        found.append({"suffix": ":tiles", "label": Words(language)("studio.library_part_tiles")})
    if ruleset.module.kind == "expansion":
        groups = sorted({statement.topic.partition(".")[0] for statement in ruleset.statements})
        for group in groups:
            label = Words(language)("studio.library_part_minus", topic=group)
            found.append({"suffix": f":minus={group}", "label": label})
    return found


def _option(option: m.OptionDecl, ruleset: m.Ruleset, language: str) -> shelf.CardOption:
    return {
        "id": option.id,
        "says": option.says.get(language),
        "values": [
            {"value": choice, "label": option.named(choice).get(language)}
            for choice in option.choices
        ],
        "default": option.default,
        "sources": _sources(option, ruleset),
    }


def _sources(option: m.OptionDecl, ruleset: m.Ruleset) -> list[str]:
    """The titles of the sources behind an option, each once."""
    titles = {source.id: source.title for source in ruleset.module.sources}
    cites = [
        cite for statement in ruleset.statements if statement.id in option.statements
        for cite in statement.cites
    ]  # fmt: skip
    named = (", ".join(t for t in (titles.get(c.source, c.source), c.section) if t) for c in cites)
    return list(dict.fromkeys(named))


def _words(ruleset: m.Ruleset, language: str) -> Iterable[str]:
    """The words by which a ruleset may be searched for besides its title."""
    things: list[m.FigureKind | m.Role | m.SymbolDecl | m.TokenDecl | m.FeatureKind] = [
        *ruleset.figures, *ruleset.roles, *ruleset.symbols, *ruleset.tokens, *ruleset.features,
    ]  # fmt: skip
    labels = {thing.label.get(language) or thing.id for thing in things}
    yield from sorted(labels)
    yield from (said_in(statement, language) for statement in ruleset.statements[:40])


# ------------------------------------------------------------------ pictures


def list_drawings(
    client: Client, params: shelf.DrawingsRequest
) -> shelf.CardDrawings | Work[shelf.CardDrawings]:
    """The pictures of some cards."""
    made: dict[str, list[str]] = client.studio.kept.setdefault("drawings", {})
    cards = params["cards"]

    def answer(more: Mapping[str, list[str]]) -> shelf.CardDrawings:
        made.update(more)
        return {"defs": CLIP, "drawings": {id_: made[id_] for id_ in cards}}

    missing = [id_ for id_ in cards if id_ not in made]
    return Work(_drawings, (missing,), answer) if missing else answer({})


def _drawings(client: Client, cards: Sequence[str]) -> dict[str, list[str]]:
    """The pictures of cards. Their games are linked for it, so those of shipped ones are kept."""
    studio, library = client.studio, client.studio.library
    shipped = [id_ for id_ in library.ids() if id_ not in studio.overlay.own]
    digest = library_digest(library, shipped)

    def drawn(id_: str) -> list[str]:
        if id_ not in shipped:
            return _pictures(id_, studio)
        key = ("studio drawings", str(PICTURES), id_, digest)
        kept = user_cache().result(lambda: json.dumps(_pictures(id_, studio)).encode(), *key)
        found: list[str] = json.loads(kept)
        return found

    return {id_: drawn(id_) for id_ in cards}


def _pictures(id_: str, studio: Studio) -> list[str]:
    """The drawings of a ruleset, or of the first that has any of those that it takes over."""
    drawn = (_own_pictures(each, studio) for each in studio.library.lineage(id_))
    return next(filter(None, drawn), [])


def _own_pictures(id_: str, studio: Studio) -> list[str]:
    """The drawings of a few tiles, those with marks that no other has; where there are none, of the
    first figure, token or role, or of the ruleset's glyph."""
    ruleset = studio.library.load_parts(id_, ("components", "tiles"))
    if ruleset is None:
        return []
    if not ruleset.pieces:
        tokens = [(token.glyph, token.colour) for token in ruleset.tokens]
        signs = [
            on_screen(glyph(name, (50, 50), _FIGURE, colour or NOBODY))
            for name, colour in [*tokens, (ruleset.module.glyph, "")]
            if name
        ]
        return [*map(_figure, ruleset.figures), *_in_roles(id_, ruleset, studio), *signs][:1]
    game, _ = studio.programs.linked(id_, ())
    if game is None:
        return []
    kinds = {kind.id: kind for kind in game.features}
    symbols = {symbol.id: symbol for symbol in game.symbols}
    own = {piece.id for piece in ruleset.pieces}
    telling = islice(_telling([p for p in game.pieces if p.id in own]), PICTURES)
    drawn = [tile_group(piece.faces[0][0], kinds, symbols) for piece in telling]
    return [f'<g clip-path="url(#tw-tile)">{each}</g>' for each in drawn]


def _in_roles(id_: str, ruleset: m.Ruleset, studio: Studio) -> Iterable[str]:
    """The figures of other rulesets that lie where this one lets them."""
    lying = [role.figures[0] for role in ruleset.roles if role.posture == "lying"]
    game, _ = studio.programs.linked(id_, ()) if lying else (None, ())
    for kind in game.figures if game else ():
        if kind.id in lying:
            yield _figure(kind, is_lying=True)


def _figure(kind: m.FigureKind, *, is_lying: bool = False) -> str:
    colour = kind.colour or (_SEAT if kind.owned else NOBODY)
    drawn = silhouette(kind.glyph, _FIGURE, colour, is_lying=is_lying, sign="")
    drawing = on_screen(settled(drawn))
    return f'<g transform="translate(50 50)">{drawing}</g>'


def _telling(pieces: Sequence[m.PieceKind]) -> Iterable[m.PieceKind]:
    """Pieces, each with most of what those before it do not show."""
    left = [piece for piece in pieces if len(piece.faces[0]) == 1] or list(pieces)
    seen: set[str] = set()
    while left:
        best = max(left, key=lambda piece: (len(_marks(piece) - seen), -left.index(piece)))
        seen |= _marks(best)
        left.remove(best)
        yield best


def _marks(piece: m.PieceKind) -> set[str]:
    face = piece.faces[0][0]
    found = set(face.symbols) | {part.kind for part in face.segments}
    for part in face.segments:
        found |= {*part.symbols, *(name for name, count in part.attributes if count)}
    return found


# ------------------------------------------------------------------ games


def make_game(client: Client, params: shelf.GamePicks) -> shelf.PickedGame:
    """The game of some picks: its rulesets, its options, and what does not go together."""
    studio, language = client.studio, client.language
    picks = [pick for pick in dict.fromkeys(params["picks"]) if pick.strip("+ ")]
    options = params.get("options", {})
    joined = "+".join(picks)
    reporter = Reporter()
    selection = load_selection(joined, options, studio.library, reporter) if picks else None
    program, diagnostics = None, reporter.diagnostics
    if selection is not None and not reporter.has_errors:
        program, linking = studio.programs.linked(joined, tuple(options.items()), client.report)
        diagnostics = linking.diagnostics
    errors = [each for each in diagnostics if each.severity is Severity.ERROR]
    return {
        "id": joined if program is None else program.id,
        "title": ", ".join(_title_of(pick, studio.library, language) for pick in picks),
        "ok": program is not None,
        "rulesets": _rulesets(picks, selection, studio.library, language),
        "options": [] if selection is None else _chosen(selection, language),
        "conflicts": _conflicts(errors, picks, options, client),
        "players": [] if program is None else list(program.players),
        "tiles": 0 if program is None else sum(piece.count for piece in program.pieces),
        "fits": _fits(picks, options, studio.library),
    }


def _title_of(pick: str, library: Library, language: str) -> str:
    id_ = cut_part(pick)[0]
    module = library.load_module(id_)
    return (module.title.get(language) if module is not None else "") or id_


def _rulesets(
    picks: Sequence[str], selection: Selection | None, library: Library, language: str
) -> list[shelf.PickedRuleset]:
    ids = [cut_part(pick)[0] for pick in picks]
    more = [] if selection is None else [r.id for r in selection.rulesets if r.id not in ids]
    return [
        {"id": id_, "title": _title_of(id_, library, language), "added": id_ not in ids}
        for id_ in [*more, *ids]
    ]


def _chosen(selection: Selection, language: str) -> list[shelf.ChosenOption]:
    found: list[shelf.ChosenOption] = []
    chosen = dict(selection.options)
    for ruleset in selection.rulesets:
        for option in ruleset.module.options:
            if option.id in chosen:
                row = _option(option, ruleset, language)
                found.append({**row, "value": chosen.pop(option.id), "ruleset": ruleset.id})
    return found


def _conflicts(
    errors: Sequence[Diagnostic],
    picks: Sequence[str],
    options: Mapping[str, str],
    client: Client,
) -> list[shelf.Conflict]:
    """The clashes of picks, each pair of rulesets once."""
    settlings = list(_settlings(picks, options, client))[:6] if errors else []
    found: dict[frozenset[str], shelf.Conflict] = {}
    for each in errors:
        named = frozenset(word for word in each.message.split("`") if "/" in word)
        key = named or frozenset((each.message,))
        found.setdefault(key, {"text": each.message, "code": each.code, "settle": settlings})
    return list(found.values())[:5]


def _settlings(
    picks: Sequence[str], options: Mapping[str, str], client: Client
) -> Iterable[shelf.Settling]:
    """Other picks that go together: without one of them, or with another one for a base."""
    library, language = client.studio.library, client.language
    known = dict(options)
    if known and _goes(picks, {}, library):
        yield {
            "label": Words(language)("studio.library_settle_options"),
            "picks": [*picks],
            "options": {},
        }
    for pick in picks:
        others = [other for other in picks if other != pick]
        if others and _goes(others, known, library):
            title = _title_of(pick, library, language)
            label = Words(language)("studio.library_settle_without", title=title)
            yield {"label": label, "picks": others, "options": known}
    roles = {
        role for pick in picks if (module := library.load_module(cut_part(pick)[0])) is not None
        for need in module.requires for role in (need.role,)
    }  # fmt: skip
    ids = {cut_part(pick)[0] for pick in picks}
    for id_ in library.ids():
        module = library.load_module(id_)
        if module is None or id_ in ids or not roles & {id_, *module.provides}:
            continue
        if _goes([*picks, id_], known, library):
            title = _title_of(id_, library, language)
            label = Words(language)("studio.library_settle_with", title=title, id=id_)
            yield {"label": label, "picks": [id_, *picks], "options": known}


def _goes(
    picks: Sequence[str], options: Mapping[str, str], library: Library, read: Read | None = None
) -> bool:
    """Whether rulesets can be selected together; whether their rules conflict is not looked at."""
    reporter = Reporter()
    found = load_selection("+".join(picks), options, library, reporter, read=read)
    return found is not None and not reporter.has_errors


def _fits(picks: Sequence[str], options: Mapping[str, str], library: Library) -> list[str]:
    """The rulesets that can be added to the picks.

    A library has many: of those that others name no parts of, the module alone is read.
    """
    if not picks:
        return list(library.ids())
    selection = load_selection("+".join(picks), options, library, Reporter.discarding())
    present = set() if selection is None else {n for r in selection.rulesets for n in names_of(r)}
    ids = {cut_part(pick)[0] for pick in picks}
    chosen = () if selection is None else selection.rulesets
    entire = ids.union(*((r.id, *r.took_over) for r in chosen))
    takes_parts = any(ruleset.module.parts for ruleset in chosen)

    def read(id_: str, reporter: Reporter, span: Span) -> m.Ruleset | None:
        if id_ in entire:
            return library.load_rules(id_, reporter, span)
        return library.load_parts(id_, ("module",))

    def can_be_added(id_: str) -> bool:
        found = library.load_parts(id_, ("module",))
        alone = found is not None and not found.module.parts and not takes_parts
        return _goes([*picks, id_], options, library, read if alone else None)

    return [
        id_ for id_ in library.ids() if id_ not in ids and (id_ in present or can_be_added(id_))
    ]

"""Requests while a ruleset is edited: names, types, completions and fixes, without a server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.overlays import RULES, SCENARIOS, here, overlay, where
from tilewright.language.source.diagnostics import Reporter
from tilewright.language.source.text import code_without_file
from tilewright.language.syntax.incomplete import MARK, completed
from tilewright.language.syntax.parser import parse_effects, parse_expression
from tilewright.tools.editor.completion import complete, cursor_at
from tilewright.tools.editor.describe import describe_builtin
from tilewright.tools.editor.document_symbols import outline, semantic_tokens
from tilewright.tools.editor.hover import hover
from tilewright.tools.editor.live_diagnostics import Inspection
from tilewright.tools.editor.quick_fixes import QuickFix, quick_fixes
from tilewright.tools.editor.rename import Change, Refusal, rename
from tilewright.tools.editor.symbol_index import Index


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> tuple[Index, Inspection, Path]:
    """The trial ruleset, opened once for all tests that only write texts into the overlay."""
    folder = tmp_path_factory.mktemp("trial")
    index, path = overlay(folder)
    return index, Inspection([folder]), path


@pytest.fixture
def inspection(opened: tuple[Index, Inspection, Path]) -> Inspection:
    """The diagnostics of the trial ruleset; a test begins by writing its rules."""
    return opened[1]


@pytest.fixture
def trial(opened: tuple[Index, Inspection, Path]) -> Iterator[tuple[Index, Path]]:
    """The index of the trial ruleset and the path of its rules; texts are reset after the test."""
    index, _, path = opened
    yield index, path
    for written in list(index.overlay.texts):
        index.overlay.write(written, None)


# ------------------------------------------------------------------ incomplete texts


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("", "expr"),
        ("x.", "expr"),
        ("any t in tiles: t has ", "expr"),
        ("if a then ", "expr"),
        ("f(a, ", "expr"),
        ("for x in features { if x.", "effects"),
        ("may choose f in ", "effects"),
        ("move f to ", "effects"),
        ("let a = b ", "effects"),
        ("for x in y { do ", "effects"),
    ],
)
def test_an_incomplete_text_is_completed(text: str, start: str) -> None:
    whole = completed(text, start)
    assert whole is not None
    assert whole.text.startswith(text + MARK)
    parse = parse_effects if start == "effects" else parse_expression
    reporter = Reporter()
    assert parse(code_without_file(whole.text), reporter) is not None, reporter.diagnostics


def test_a_text_with_other_errors_is_not_completed() -> None:
    assert completed("let let ", "effects") is None


@pytest.mark.parametrize(
    ("text", "path", "is_key"),
    [
        ("rules:\n  - id: a\n    fr|>\n", ("rules", 0), True),
        ("rules:\n  - id: a\n    |>\n  - id: b\n", ("rules", 0), True),
        ("rules:\n  - id: a\n    from: [b, |>\n", ("rules", 0, "from", 1), False),
        ('rules:\n  - id: a\n    says: "so |>\n', ("rules", 0, "says"), False),
        ("rules:\n  - id: a\n    do: |\n      stop if |>\n", ("rules", 0, "do"), False),
        ("values:\n  a: {type: nu|>, is: 1}\n", ("values", "a", "type"), False),
        ("values:\n  a: {type: number, |>\n", ("values", "a"), True),
        ("rules:\n  - |>\n", ("rules", 0), False),
        ("rules:\n  - id: |>\nbroken: [\n", ("rules", 0, "id"), False),
    ],
)
def test_the_cursor_is_found_in_a_broken_file(
    text: str, path: tuple[str | int, ...], is_key: bool
) -> None:
    plain, line, column = here(text)
    found = cursor_at(plain, line, column, "x.yaml")
    assert found is not None
    assert found.is_key is is_key
    assert found.path[: len(path)] == path


# ------------------------------------------------------------------ completion


def offered(index: Index, path: Path, text: str) -> dict[str, str]:
    plain, line, column = here(text)
    index.overlay.write(path, plain)
    found = complete(index, path, line, column)
    return {} if found is None else {item.name: item.kind for item in found.items}


@pytest.mark.parametrize(
    ("more", "names", "never"),
    [
        ("  - id: a.b\n    |>\n", {"amend", "from", "when"}, {"id"}),
        ("  - id: a.b\n    from: [|>]\n", {"trial-town", "base-city-score"}, {"city"}),
        ("  - id: a.b\n    amend: |>\n", {"points", "is_small"}, {"score_features"}),
        ("  - id: a.b\n    amend: po|>\n", {"points"}, {"is_small"}),
        ("  - id: a.b\n    amend: pionst|>\n", {"points"}, {"is_small", "score_features"}),
        ("  - id: a.b\n    amend: qqq|>\n", set(), {"points", "is_small"}),
        ("  - id: a.b\n    on: |>\n", {"step score_features", "completed", "shrunk"}, {"points"}),
        ("  - id: a.b\n    on: step |>\n", {"score_features"}, {"completed"}),
        ("  - id: a.b\n    over: [|>]\n", {"city.tiles", "trial.small"}, {"trial-town"}),
        ("  - id: a.b\n    with: [|>]\n", {"c2/river", "base"}, {"trial-town"}),
        ("  - id: a.b\n    amend: points(x)\n    when: x.|>\n", {"size", "shields"}, {"owner"}),
        ("  - id: a.b\n    amend: points(x)\n    when: x is |>\n", {"city", "complete"}, {"let"}),
        ("  - id: a.b\n    amend: points(x)\n    value: |>\n", {"x", "trial.points"}, {"let"}),
        ("  - id: a.b\n    amend: points(x)\n    value: city.|>\n", {"tile_points"}, {"size"}),
        (
            "  - id: a.b\n    on: step draw_tile\n    do: |\n      |>\n",
            {"let", "trial_pay"},
            {"city"},
        ),
        ("  - id: a.b\n    on: step draw_tile\n    do: move |>\n", {"first"}, {"let"}),
        (
            "  - id: a.b\n    on: step draw_tile\n    do: |\n      announce |>\n",
            {"shrunk", "completed"},
            {"score"},
        ),
        (
            "  - id: a.b\n    on: step draw_tile\n    do: |\n      for t in tiles { if t.|> }\n",
            {"cell", "segments"},
            {"size"},
        ),
        (
            "  - id: a.b\n    on: step draw_tile\n    do: |\n      set |>\n",
            {"trial.visited", "active"},
            {"trial.points"},
        ),
        ("patches:\n  - id: a.c\n    set: |>\n", {"city.tile_points"}, {"city.tiles"}),
        ("patches:\n  - id: a.c\n    replace: |>\n", {"city.tiles"}, {"city.tile_points"}),
        ("patches:\n  - id: a.c\n    adjust: tile |>\n", {"city1"}, {"city.tile_points"}),
        ("patches:\n  - id: a.c\n    remove: step |>\n", {"lay_tile"}, {"city.tiles"}),
        ("patches:\n  - id: a.c\n    insert: |>\n", {"before", "after"}, {"city.tiles"}),
        ("patches:\n  - id: a.c\n    insert: after |>\n", {"step", "scoring.feature"}, {"tile"}),
        ("patches:\n  - id: a.c\n    insert: after event |>\n", {"completed"}, {"lay_tile"}),
        ("steps:\n  more:\n    phase: |>\n", {"setup", "turn", "final"}, set()),
        ("steps:\n  more:\n    after: [|>]\n", {"draw_tile"}, {"city"}),
    ],
)
def test_completion_offers_fitting_words(
    trial: tuple[Index, Path], more: str, names: set[str], never: set[str]
) -> None:
    index, path = trial
    text = RULES.split("patches:")[0] if more.startswith(("  -", "patches")) else RULES
    found = offered(index, path, text + more)
    assert names <= set(found)
    assert not never & set(found)


RULE = "  - id: a.b\n    on: step draw_tile\n    do: |\n      "


@pytest.mark.parametrize(
    ("effect", "first", "names", "never"),
    [
        ("award 1 to |>", "active", {"next_player"}, {"land", "city", "features", "trial.points"}),
        ("award |>", None, {"trial.points", "strength", "count"}, {"players", "city", "active_"}),
        ("for x in |>", None, {"players", "trial.visited"}, {"turn", "trial.points", "city"}),
        ("for f in figures { award 1 to f.|> }", "owner", set(), {"kind", "tile"}),
        ("for x in features { award x.|> }", "size", {"shields"}, {"kind"}),
        ("for x in features { if x is |> }", "complete", {"city", "occupied"}, {"placed", "land"}),
        ("for t in tiles { let k = is_small(|>) }", None, set(), {"t", "land", "players", "city"}),
        ("for x in features { for t in tiles { let k = is_small(|>) } }", "x", set(), {"t"}),
        ("if drawn has |>", None, set(), {"city", "meeple", "features", "trial.points"}),
        ("for f in figures of |>", None, {"meeple", "active"}, {"land", "features"}),
        ("award poi|>", None, {"road.tile_points"}, {"score"}),
    ],
)
def test_names_inside_effects_are_those_whose_type_fits(
    trial: tuple[Index, Path], effect: str, first: str | None, names: set[str], never: set[str]
) -> None:
    index, path = trial
    found = offered(index, path, RULES.split("patches:")[0] + RULE + effect + "\n")
    assert names <= set(found)
    assert not never & set(found)
    assert first in (None, next(iter(found)))


def test_names_that_begin_with_what_was_typed_come_first(trial: tuple[Index, Path]) -> None:
    index, path = trial
    text = RULES.split("patches:")[0] + "  - id: a.b\n    amend: po|>\n"
    found = list(offered(index, path, text))
    assert found[0] == "points"
    assert found.index("final_points") < found.index("may_deploy")


def test_a_broken_file_keeps_the_names_it_had(trial: tuple[Index, Path]) -> None:
    index, path = trial
    assert index.overlay.tree(path) is not None
    text = RULES.replace("memory:\n", "memory: [\n").split("patches:")[0]
    found = offered(index, path, text + "  - id: a.b\n    amend: points(x)\n    value: tr|>\n")
    assert not found  # the place in the tree is unknown
    text = RULES.replace("value: y.size = trial.points", "value: y.size = |>")
    assert {"y", "trial.points", "city.tile_points"} <= set(offered(index, path, text))
    text = text.replace("type: truth", "type: set of tile").replace("y.size = |>", "|>")
    assert {"y", "trial.visited"} <= set(offered(index, path, text))


def test_ids_are_offered_to_scenarios(trial: tuple[Index, Path]) -> None:
    index, path = trial
    scenarios = path.parents[1] / "scenarios" / "trial.yaml"
    found = offered(index, scenarios, SCENARIOS.replace("proves: [trial-town]", "proves: [|>]"))
    assert "trial-town" in found
    found = offered(index, scenarios, SCENARIOS.replace("covers: [", "covers: [|>"))
    assert {"trial.small", "trial.patch", "city.tiles"} <= set(found)
    found = offered(index, scenarios, SCENARIOS + "      - draw |>\n")
    assert found["city1"] == "tile"


# ------------------------------------------------------------------ hover


@pytest.mark.parametrize(
    ("word", "number", "expected"),
    [
        ("trial-town", 0, ["A small town is worth two.", "house-rule"]),
        ("trial.points", 0, ["trial.points: number = 2", "points of a small town"]),
        ("trial.points", 1, ["trial.points: number = 2"]),
        ("is_small(each_one)", 0, ["is_small(x: feature): truth", "whether a feature is small"]),
        ("each_one", 0, ["each_one: feature"]),
        ("each_one is city", 0, ["each_one: feature"]),
        ("city {", 0, ["kind of feature city"]),
        ("size", 0, ["feature.size: number", "how many different tiles"]),
        ("award", 0, ["award number to player [on feature]"]),
        ("completed_features", 0, ["completed_features: set of feature"]),
        ("score_features", 0, ["step score_features"]),
        ("scoring.completed", 0, ["scoring.completed"]),
        ("city.tile_points", 0, ["number = 2", "set to 3 by `trial.patch`"]),
        ("expect", 0, ["expect"]),
        ("shrunk(", 0, ["event shrunk(x: feature)"]),
    ],
)
def test_hover_describes_the_name_at_a_place(
    trial: tuple[Index, Path], word: str, number: int, expected: list[str]
) -> None:
    index, path = trial
    line, column = where(RULES, word, number)
    found = hover(index, path, line, column)
    assert found is not None
    for text in expected:
        assert text in found.markdown


def test_hover_explains_a_diagnostic(trial: tuple[Index, Path], inspection: Inspection) -> None:
    index, path = trial
    index.overlay.write(path, RULES.replace("y.size", "y.sice"))
    inspection.write(path, RULES.replace("y.size", "y.sice"))
    inspection.next()
    diagnostics = inspection.diagnostics()[path]
    line, column = where(RULES.replace("y.size", "y.sice"), "sice")
    found = hover(index, path, line, column, diagnostics)
    assert found is not None
    assert "**TW408 unknown-attribute**" in found.markdown


# ------------------------------------------------------------------ where it is declared and named


def spots(index: Index, path: Path, word: str, number: int = 0) -> set[tuple[str, int]]:
    place = index.at(path, *where(index.overlay.text(path) or "", word, number))
    assert place is not None
    return {(Path(p.span.file).name, p.span.line) for p in index.references(place)}


def declared(index: Index, path: Path, word: str, number: int = 0) -> list[str]:
    place = index.at(path, *where(index.overlay.text(path) or "", word, number))
    assert place is not None
    return [f"{p.ruleset}:{p.here.id}" for p in index.declarations(place)]


@pytest.mark.parametrize(
    ("word", "home"),
    [
        ("city.tile_points", "c2/base:city.tile_points"),
        ("score_features", "c2/base:score_features"),
        ("scoring.completed", "c2/base:scoring.completed"),
        ("scorers", "c2/base:scorers"),
        ("trial_pay(each_one)", "mine/trial:trial_pay"),
        ("shrunk(each_one)", "mine/trial:shrunk"),
        ("is_small(y)", "mine/trial:is_small"),
        ("each_one is city", "mine/trial:each_one"),
        ("city {", "c2/base:city"),
    ],
)
def test_a_name_leads_to_its_declaration(trial: tuple[Index, Path], word: str, home: str) -> None:
    index, path = trial
    assert declared(index, path, word) == [home]


def test_a_statement_is_found_wherever_it_is_named(trial: tuple[Index, Path]) -> None:
    index, path = trial
    found = spots(index, path, "trial-town")
    assert ("statements.yaml", 2) in found
    rules = {where(RULES, "trial-town", number)[0] for number in range(4)}
    assert {line for name, line in found if name == "trial.yaml"} == rules | {4}


def test_a_local_name_is_found_in_its_rule_alone(trial: tuple[Index, Path]) -> None:
    index, path = trial
    line, _ = where(RULES, "for each_one")
    assert spots(index, path, "each_one") == {("trial.yaml", line + i) for i in range(4)}


INSERTED = """\
  - id: trial.pay_more
    insert: after trial.pay
    from: [trial-town]
    why: to see what happens
    do: let m = z.size for w in scorers(z) { award m to w on z }
  - id: trial.shrunk_more
    insert: before event shrunk
    from: [trial-town]
    why: to see what happens
    do: award x.size to active
"""


def test_an_inserted_rule_knows_the_parameters_beside_which_it_stands(
    trial: tuple[Index, Path],
) -> None:
    index, path = trial
    index.overlay.write(path, RULES + INSERTED)
    head, _ = where(RULES, "(z: feature)")
    first = len(RULES.splitlines()) + 1
    found = {("trial.yaml", line) for line in (head, head + 2, first + 4)}
    assert spots(index, path, "z: feature") == found
    assert spots(index, path, "z.size") == found
    assert declared(index, path, "z.size") == ["mine/trial:z"]
    assert declared(index, path, "x.size to active") == ["mine/trial:x"]
    after = renamed(index, path, "z: feature", "town")
    assert isinstance(after, str)
    assert "for p in scorers(town) { award trial.points to p on town }" in after
    assert "let m = town.size for w in scorers(town) { award m to w on town }" in after
    refused = renamed(index, path, "z: feature", "w")
    assert isinstance(refused, Refusal)
    assert "already means something here" in refused.message


# ------------------------------------------------------------------ rename


def renamed(index: Index, path: Path, word: str, new: str, number: int = 0) -> str | Refusal:
    """All of the author's own files after a change of name, one after the other."""
    line, column = where(index.overlay.text(path) or "", word, number)
    found = rename(index, path, line, column, new)
    if isinstance(found, Refusal):
        return found
    return "".join(applied(index, file, found) for file in index.overlay.files_of("mine/trial"))


def applied(index: Index, path: Path, changes: tuple[Change, ...]) -> str:
    """The text of a file after some changes."""
    lines = (index.overlay.text(path) or "").split("\n")
    for change in sorted(changes, key=lambda c: c.span, reverse=True):
        if change.path == path:
            span = change.span
            head = lines[span.line - 1][: span.column - 1]
            tail = lines[span.end_line - 1][span.end_column - 1 :]
            lines[span.line - 1 : span.end_line] = [head + change.text + tail]
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("word", "new"),
    [
        ("trial-town", "trial-village"),
        ("trial.points", "trial.pay_out"),
        ("trial.small", "trial.tiny"),
        ("trial.patch", "trial.change"),
        ("trial.visited", "trial.seen"),
        ("is_small", "is_tiny"),
        ("shrunk", "dwindled"),
        ("trial_pay", "trial_give"),
        ("each_one", "one"),
    ],
)
def test_a_new_name_is_written_everywhere(trial: tuple[Index, Path], word: str, new: str) -> None:
    index, path = trial
    before = "".join(
        index.overlay.text(file) or "" for file in index.overlay.files_of("mine/trial")
    )
    number = 1 if word == "trial_pay" else 0
    after = renamed(index, path, word, new, number)
    assert after == before.replace(word, new)


@pytest.mark.parametrize(
    ("word", "new", "why"),
    [
        ("city.tile_points", "city.points", "declared in `c2/base`"),
        ("scoring.completed", "scoring.done", "declared in `c2/base`"),
        ("trial.points", "city.tile_points", "already"),
        ("trial.points", "Trial Points", "does not look like"),
        ("each_one", "city", "already"),
        ("each_one", "active", "a word of the language"),
        ("award", "grant", "a word of the language"),
        ("is_small", "points", "already"),
    ],
)
def test_an_impossible_name_is_refused(
    trial: tuple[Index, Path], word: str, new: str, why: str
) -> None:
    index, path = trial
    found = renamed(index, path, word, new)
    assert isinstance(found, Refusal)
    assert why in found.message


MOOR = """\
features:
  moor: {label: {en: fen}, reach: side, completes: closed}
"""
SHORE = """\
tiles:
  - id: shore
    count: 1
    edges: [field/moor, moor/field, field, field]
    segments:
      m1: {kind: moor, at: [NNE, ENE]}
      f1: {kind: field, at: [NNW, ESE, SSE, SSW, WSW, WNW]}
"""


def test_both_halves_of_an_edge_are_renamed(tmp_path: Path) -> None:
    index, rules = overlay(tmp_path)
    path = rules.parents[1] / "components.yaml"
    path.write_text(MOOR)
    (path.parent / "tiles.yaml").write_text(SHORE)
    index.overlay.open()
    after = renamed(index, path, "moor", "heath")
    assert isinstance(after, str)
    assert "edges: [field/heath, heath/field, field, field]" in after
    assert "kind: heath" in after and "moor" not in after


PAID = """\
statements:
  - id: trial-town
    topic: trial.town
    says: >-
      A small town is worth {trial.points point | points}, and everybody has
      {figure.meeple meeple | meeples}.
    translations: {pl: "Małe miasto daje {trial.points punkt | punkty | punktów}."}
    authority: house-rule
phrases:
  - heading: Towns
    lines:
      - {topic: trial.town, aspect: a, says: "**{trial.points}**", from: [trial-town]}
"""


def test_numbers_in_sentences_are_completed_described_and_renamed(tmp_path: Path) -> None:
    index, rules = overlay(tmp_path)
    path = rules.parents[1] / "statements.yaml"
    path.write_text(PAID)
    catalogue = path.parent / "locale" / "uk.po"
    catalogue.parent.mkdir()
    catalogue.write_text('msgid "**{trial.points}**"\nmsgstr "**{trial.points/neuter}**"\n')
    index.overlay.open()
    for word in ("trial.points point", "trial.points punkt", "trial.points}"):
        found = hover(index, path, *where(PAID, word))
        assert found is not None and "trial.points: number = 2" in found.markdown
    counted = hover(index, path, *where(PAID, "meeple meeple"))
    assert counted is not None and "figure meeple" in counted.markdown
    place = index.at(path, *where(PAID, "trial.points"))
    assert place is not None
    assert [Path(other.span.file) for other in index.declarations(place)] == [rules]
    line, column = where(PAID, "trial.points")
    changes = rename(index, path, line, column, "trial.pay")
    assert not isinstance(changes, Refusal)
    assert applied(index, path, changes) == PAID.replace("trial.points", "trial.pay")
    assert "{trial.pay}" in applied(index, catalogue, changes)
    assert "{trial.pay/neuter}" in applied(index, catalogue, changes)
    names = offered(index, path, PAID.replace("{trial.points}", "{tri|>}"))
    assert next(iter(names)) == "trial.points"
    names = offered(index, path, PAID.replace("{trial.points}", "{2*|>}"))
    assert {"city.tile_points", "figure.meeple", "tiles"} <= names.keys()
    assert "start.piece" not in names  # a tile
    assert offered(index, path, PAID.replace("{trial.points}", "tri|>")) == {}


LIKE = """\
  - id: shore_more
    like: shore
    count: 1
"""


@pytest.fixture
def shore(tmp_path: Path) -> tuple[Index, Path]:
    """The index of a ruleset with two tiles, one like the other, and the path of its tiles."""
    index, rules = overlay(tmp_path)
    path = rules.parents[1] / "tiles.yaml"
    (path.parent / "components.yaml").write_text(MOOR)
    path.write_text(SHORE + LIKE)
    index.overlay.open()
    return index, path


def test_like_of_a_tile_leads_to_its_declaration(shore: tuple[Index, Path]) -> None:
    index, path = shore
    assert declared(index, path, "shore\n", 1) == ["mine/trial:shore"]
    assert spots(index, path, "shore\n") == {("tiles.yaml", 2), ("tiles.yaml", 9)}
    assert hover(index, path, *where(SHORE + LIKE, "shore\n", 1)) is not None


def test_like_of_a_tile_is_completed_with_the_other_tiles_of_the_file(
    shore: tuple[Index, Path],
) -> None:
    index, path = shore
    found = offered(index, path, SHORE + LIKE.replace("like: shore", "like: |>"))
    assert found == {"shore": "tile"}
    assert "like" in offered(index, path, SHORE + "  - id: more\n    |>\n")


def test_a_tile_is_renamed_where_another_one_is_like_it(shore: tuple[Index, Path]) -> None:
    index, path = shore
    change = rename(index, path, *where(SHORE + LIKE, "shore\n"), "coast")
    assert not isinstance(change, Refusal)
    after = applied(index, path, change)
    assert "- id: coast\n" in after and "like: coast\n" in after
    assert "id: shore_more" in after


def test_other_things_with_the_same_name_keep_it(tmp_path: Path) -> None:
    index, path = overlay(tmp_path)
    other = tmp_path / "mine" / "other"
    for file in index.overlay.files_of("mine/trial"):
        copy = other / file.relative_to(path.parents[1])
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(file.read_text().replace("mine/trial", "mine/other"))
    index.overlay.open()
    found = rename(index, path, *where(RULES, "trial.points"), "trial.pay_out")
    assert not isinstance(found, Refusal)
    assert {change.path for change in found} == {path}


# ------------------------------------------------------------------ quick fixes


def mended_by(
    trial: tuple[Index, Path], inspection: Inspection, rules: str, code: str
) -> tuple[Index, Path, tuple[QuickFix, ...]]:
    index, path = trial
    index.overlay.write(path, rules)
    inspection.write(path, rules)
    inspection.next()
    diagnostics = [
        c for found in inspection.diagnostics().values() for c in found if c.code == code
    ]
    assert diagnostics, [c for found in inspection.diagnostics().values() for c in found]
    return index, path, quick_fixes(index, diagnostics[0])


@pytest.mark.parametrize(
    ("right", "wrong", "code"),
    [
        ("y.size", "y.sise", "TW408"),
        ("value: y.size", "valu: y.size", "TW202"),
        ("set: city.tile_points", "set: city.tile_point", "TW707"),
        ("on: step score_features", "on: step score_feature", "TW712"),
        ("each_one is city", "each_one is citi", "TW301"),
        ("combine: all", "combine: al", "TW204"),
        ("type: truth", "type: truht", "TW726"),
        ("after: [scoring.completed]", "after: [scoring.complete]", "TW714"),
        ("  - id: trial.pay\n    from: [trial-town]", "  - id: trial.pay\n    from: [trial-twon]",
         "TW602"),
    ],
)  # fmt: skip
def test_a_misspelt_word_is_corrected(
    trial: tuple[Index, Path], inspection: Inspection, right: str, wrong: str, code: str
) -> None:
    index, path, found = mended_by(trial, inspection, RULES.replace(right, wrong, 1), code)
    assert found and found[0].is_sure
    assert applied(index, path, found[0].changes) == RULES


def test_an_expectation_is_brought_up_to_date(
    trial: tuple[Index, Path], inspection: Inspection
) -> None:
    index, path, found = mended_by(
        trial, inspection, RULES.replace("expect: 2", "expect: 5"), "TW709"
    )
    assert applied(index, path, found[0].changes) == RULES


OVERLAPPING = RULES.replace("combine: all", "combine: one\n    default: \"false\"").replace(
    "  - id: trial.step", "  - id: trial.rival\n    from: [trial-town]\n    amend: is_small(y)\n"
    "    when: y.size > 2\n    value: \"true\"\n  - id: trial.step",
)  # fmt: skip


def test_one_of_two_overlapping_amendments_is_put_first(
    trial: tuple[Index, Path], inspection: Inspection
) -> None:
    index, path, found = mended_by(trial, inspection, OVERLAPPING, "TW711")
    assert len(found) == 2
    for fix in found:
        text = applied(index, path, fix.changes)
        inspection.write(path, text)
        inspection.next()
        assert "TW711" not in {c.code for c in inspection.diagnostics()[path]}


def test_a_statement_and_a_scenario_are_created(tmp_path: Path) -> None:
    rules = RULES.replace("trial.small", "trial.tiny")
    rules = rules.replace("from: [trial-town]\n    amend", "from: [trial-new]\n    amend")
    trial = overlay(tmp_path, rules)
    index, _, found = mended_by(trial, Inspection([tmp_path]), rules, "TW602")
    (stub,) = [m for m in found if m.title == "write a statement `trial-new`"]
    (change,) = stub.changes
    change.path.write_text(applied(index, change.path, stub.changes))
    _, _, found = mended_by(trial, Inspection([tmp_path]), rules, "TW604")
    assert [m.title for m in found] == ["write a scenario that covers `trial.tiny`"]


# ------------------------------------------------------------------ outline


def test_an_outline_names_what_a_file_declares(trial: tuple[Index, Path]) -> None:
    index, path = trial
    found = {entry.name: [inner.name for inner in entry.inside] for entry in outline(index, path)}
    assert found["rules"] == ["trial.small", "trial.step", "trial.pay"]
    assert found["values"] == ["trial.points"]
    assert found["patches"] == ["trial.patch"]


def test_words_of_effects_have_their_kinds(trial: tuple[Index, Path]) -> None:
    index, path = trial
    lines = RULES.split("\n")
    found = {
        (lines[w.span.line - 1][w.span.column - 1 : w.span.end_column - 1], w.kind)
        for w in semantic_tokens(index, path)
    }
    assert {
        ("for", "keyword"),
        ("each_one", "parameter"),
        ("city", "enumMember"),
        ("award", "method"),
        ("trial.points", "property"),
        ("is_small", "function"),
        ("shrunk", "event"),
        ("size", "property"),
    } <= found


# ------------------------------------------------------------------ unsaved texts


def test_unsaved_texts_are_checked(trial: tuple[Index, Path], inspection: Inspection) -> None:
    path = trial[1]
    inspection.write(path, RULES.replace("y.size", "y.sice"))
    inspection.next()
    assert "TW408" in {c.code for c in inspection.diagnostics()[path]}
    inspection.write(path, RULES)
    inspection.next()
    assert "TW408" not in {c.code for c in inspection.diagnostics()[path]}


def test_an_unsaved_catalogue_is_checked(tmp_path: Path) -> None:
    _, rules = overlay(tmp_path)
    path = rules.parent.parent / "locale" / "uk.po"
    path.parent.mkdir()
    path.write_text("")
    inspection = Inspection([tmp_path])
    for text, codes in (('msgid "nothing here"\nmsgstr "x"\n', {"TW781"}), ("", set())):
        inspection.write(path, text)
        while inspection.is_due:
            inspection.next()
        assert {found.code for found in inspection.diagnostics().get(path, ())} == codes


def test_rulesets_that_build_on_a_changed_one_are_checked_too(tmp_path: Path) -> None:
    _, path = overlay(tmp_path)
    over = tmp_path / "mine" / "over"
    (over / "rules").mkdir(parents=True)
    module = "id: mine/over\nkind: house\nedition: c2\ntitle: Over\nrequires: {trial: mine/trial}\n"
    (over / "module.yaml").write_text(module)
    rules = over / "rules" / "over.yaml"
    patch = "patches:\n  - id: over.p\n    set: trial.points\n    to: 4\n    why: more\n"
    rules.write_text(patch)
    inspection = Inspection([tmp_path])
    inspection.write(rules.resolve(), patch)
    while inspection.is_due:
        inspection.next()
    assert "TW707" not in {c.code for c in inspection.diagnostics()[rules.resolve()]}
    inspection.write(path, RULES.replace("trial.points", "trial.pence"))
    while inspection.is_due:
        inspection.next()
    assert "TW707" in {c.code for c in inspection.diagnostics()[rules.resolve()]}


@pytest.mark.parametrize("is_all", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_every_name_of_the_shipped_rulesets_is_known(
    opened: tuple[Index, Inspection, Path], is_all: bool
) -> None:
    index = opened[0]
    for id_ in index.overlay.model.ids()[:: 1 if is_all else 8]:
        module = index.overlay.model.load_module(id_)
        gone = {change.span.line for change in module.changes} if module is not None else set()
        for path in index.overlay.files_of(id_):
            for place in index.resolved(path):
                kind, name = place.here.kind, place.here.id
                if kind == "provided":
                    continue  # a book speaks of rulesets that are still to come
                if path.name == "module.yaml" and place.span.line in gone:
                    continue  # a record of changes speaks of what was once there
                is_known = index.declarations(place) or describe_builtin(kind, name)
                assert is_known, f"{kind} {name}: {place.span}"

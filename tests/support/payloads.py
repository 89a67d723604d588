"""Rulesets whose every text tries to become markup, a script, a link, a style or a template.

They are the small trial game and a house rule on it, with the same text in each place that people
read. A page or picture must show it as it is, run nothing and request nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from support.paths import TRIALS

#: an attribute of the window if something ran, and a host of requests
MARK, HOST = "window.HIT", "evil.invalid"
_RUN = f"({MARK}=1,document.title=1,alert(1))"
PAYLOAD = (
    f"<script>{_RUN}</script><img src=//{HOST}/i onerror={_RUN}>"
    f'"><svg onload={_RUN}><foreignObject><iframe srcdoc="<script>parent.HIT=1</script>"></iframe>'
    f"</foreignObject><use href=//{HOST}/u></svg></script></style></title></textarea></text>-->"
    f"]]><a href=javascript:{_RUN}>a</a>[b](javascript:{_RUN})![c](//{HOST}/c)"
    f"{{{{7*7}}}}${{{_RUN}}}{{% x %}}"
    f"<style>*{{background:url(//{HOST}/s);width:expression({_RUN})}}</style>'`&lt;\\"
)
#: the beginning of it, which pages show literally
BEGINNING = PAYLOAD[:60]
#: characters of a long text
LONG = 900

#: keys whose values people read
_READ = frozenset((
    "title", "publisher", "note", "says", "label", "why", "asks", "settled", "heading", "aspect",
    "translations", "item",
))  # fmt: skip

HOUSE = """\
values:
  worse.more: {type: number, is: 3, says: x, from: [worse-more]}
measures:
  worse.paid: {label: {en: x}, says: x, on: paid(x), value: 1}
definitions:
  extra: {parameters: {x: feature}, type: number, combine: sum, says: x, default: 0}
rules:
  - id: worse.town
    label: {en: x}
    says: x
    from: [worse-more]
    amend: worth(x)
    when: x is town
    item: x
    value: worse.more + extra(x)
patches:
  - id: worse.points
    from: [worse-more]
    why: x
    option: {mood: good}
    adjust: town.points
    by: 1
"""
HOUSE_STATEMENTS = """\
statements:
  - id: worse-more
    topic: scoring.town
    says: x
    translations: {uk: x, pl: x}
    authority: house-rule
    cite: [{source: web, section: x}]
    questions:
      - {asks: x, settled: x}
phrases:
  - heading: {en: x}
    lines:
      - {topic: scoring.town, aspect: {en: x}, says: {en: x}, from: [worse-more]}
"""
HOUSE_MODULE = """\
id: evil/worse
kind: house
title: x
requires: {base: evil/table}
sources:
  web: {title: x, publisher: x, note: x}
options:
  mood: {choices: [good, bad], default: good, says: x, from: [worse-more]}
"""
SCENARIO = """\
scenarios:
  - id: worse-town
    says: x
    proves: [worse-more]
    covers: [worse.town, worse.points]
    players: [red, blue]
    play:
      - draw cap
      - lay 0,1 S
      - stand peg 0,1/t1
      - expect: {points: {red: 1}}
"""


class _Loader(yaml.SafeLoader):
    """Reads `on` and `yes` as texts, as the rulesets do."""


class _Dumper(yaml.SafeDumper):
    """Writes them as texts."""


for _each in (_Loader, _Dumper):
    _each.yaml_implicit_resolvers = {
        first: [row for row in rows if row[0] != "tag:yaml.org,2002:bool"]
        for first, rows in _each.yaml_implicit_resolvers.items()
    }


def _hostile(value: Any, text: str, key: str = "", *, is_read: bool = False) -> Any:
    """The same data with another text wherever people read one."""
    if isinstance(value, dict):
        within = is_read or key in ("title", "label", "item", "translations", "says", "heading")
        return {
            name: _hostile(inner, text, name, is_read=within or name in _READ)
            for name, inner in value.items()
        }
    if isinstance(value, list):
        return [_hostile(inner, text, key) for inner in value]
    return text if is_read and isinstance(value, str) else value


def write_hostile(root: Path, text: str = PAYLOAD) -> None:
    """Write both rulesets into a folder of rulesets."""
    files = {
        f"evil/table/{path.relative_to(TRIALS / 'trial' / 'table')}": path.read_text("utf-8")
        for path in (TRIALS / "trial" / "table").rglob("*.yaml")
    }
    files |= {
        "evil/worse/module.yaml": HOUSE_MODULE,
        "evil/worse/statements.yaml": HOUSE_STATEMENTS,
        "evil/worse/rules/worse.yaml": HOUSE,
        "evil/worse/scenarios/worse.yaml": SCENARIO,
    }
    for name, content in files.items():
        data = _hostile(yaml.load(content, _Loader), text)
        if name == "evil/table/module.yaml":
            data |= {"id": "evil/table"}
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(
            yaml.dump(data, None, _Dumper, allow_unicode=True, sort_keys=False), "utf-8"
        )

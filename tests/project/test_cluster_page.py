"""The page about clusters: its sums come out, and what it and the examples start can be started."""

from __future__ import annotations

import re
import shlex
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
import typer
import yaml

from support.paths import ROOT
from tilewright.faces.cli.app import whole_app
from tilewright.tools.simulation.run import chunk_for

PAGE = ROOT / "docs" / "how-to" / "cluster.md"
TEXT = " ".join(PAGE.read_text("utf-8").split())
EXAMPLES = ROOT / "examples" / "cluster"
BILLION = 1_000_000_000
Row = dict[str, str]


def tables() -> Iterator[list[Row]]:
    """The tables of the page, each row by the heads of its columns."""
    for table in re.findall(r"(?:^\|.*\n)+", PAGE.read_text("utf-8"), re.MULTILINE):
        cells = ([x.strip() for x in line.split("|")[1:-1]] for line in table.splitlines())
        head, _, *lines = cells
        yield [dict(zip(head, line, strict=True)) for line in lines]


def table(column: str) -> list[Row]:
    return next(rows for rows in tables() if column in rows[0])


def number(text: str) -> float:
    return float(text.replace(",", ""))


COSTS = table("ms a game")
SPENT = {row["for each chunk"]: number(row["ms"]) for row in table("for each chunk")}
CLIENT = SPENT["Dask, client"] + SPENT["to read and add up"]
PLAN = table("s a chunk")


@pytest.mark.parametrize("row", COSTS, ids=lambda row: f"{row['game']}, {row['bots']}")
def test_an_hour_has_so_many_games(row: Row) -> None:
    games = 3.6e6 / number(row["ms a game"])
    assert number(row["games a core hour"]) == pytest.approx(games, rel=5e-3)


@pytest.mark.parametrize("row", PLAN, ids=lambda row: row["game"])
def test_the_plan_for_a_billion_follows_from_what_was_measured(row: Row) -> None:
    (cost,) = (x for x in COSTS if (x["game"], x["bots"]) == (row["game"], "random"))
    game, chunk = number(cost["ms a game"]) / 1000, chunk_for(BILLION)
    assert row["s a chunk"] == f"{game * chunk:.1f}"
    assert row["core hours"] == f"{BILLION * game / 3600:,.0f}"
    assert row["hours on 64 cores"] == f"{BILLION * game / 3600 / 64:.1f}"
    assert row["hours on 1,000 cores"] == f"{BILLION * game / 3600 / 1000:.2f}"
    assert row["chunks a second on 1,000 cores"] == f"{1000 / (game * chunk):.1f}"
    assert row["GB of records"] == f"{number(cost['records a game']):.0f}"


def test_every_game_of_the_costs_is_planned() -> None:
    assert [row["game"] for row in PLAN] == [x["game"] for x in COSTS if x["bots"] == "random"]


def test_what_the_page_says_of_the_plan_is_so() -> None:
    chunk = chunk_for(BILLION)
    chunks = BILLION // chunk
    quickest = min(number(row["s a chunk"]) for row in PLAN)
    room = [number(row["GB of records"]) for row in PLAN]
    dask = SPENT["Dask, worker"] / 1000
    found = [
        f"makes chunks of {chunk:,} games, {chunks:,} of them",
        f"{SPENT['Dask, scheduler']} ms and so serves some {1000 / SPENT['Dask, scheduler']:.0f} ",
        f"the client {SPENT['Dask, client']} + {SPENT['to read and add up']} ms",
        f"and so {1000 / CLIENT:.0f}. A worker",
        f"{1000 / CLIENT:.0f} chunks a second are what one client takes",
        f"makes {1000 / quickest:.1f} of them with 1,000 cores",
        f"keep {round(1000 / CLIENT * quickest, -1):,.0f} cores busy",
        f"{SPENT['Dask, worker']} ms of {quickest} s is {100 * dask / quickest:.3f} percent",
        f"busy for {chunks * CLIENT / 1000:.0f} s",
        f"the scheduler for {chunks * SPENT['Dask, scheduler'] / 1000:.0f} s",
        f"{min(room):.0f} to {max(room):.0f} GB in {3 * chunks:,} files",
        f"in a millisecond: {chunks // 1000} s for all",
        f"25 seconds for a game with farmers ([benchmarks](../../benchmarks/README.md#bots)): "
        f"{3600 // 25} games a core hour",
        f"9 to 12 kB: at {1000 / quickest:.1f} chunks a second about a megabyte",
    ]
    assert [sentence for sentence in found if sentence not in TEXT] == []
    assert 12e3 * 1000 / quickest == pytest.approx(1e6, rel=0.1)


# ------------------------------------------------------------------ started processes


def started() -> Iterator[tuple[str, list[str]]]:
    """The commands of the page and of the examples, without what only a shell knows."""
    shown = "\n".join(re.findall(r"```bash\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL))
    shown += (EXAMPLES / "slurm.sh").read_text("utf-8").replace("\\\n", " ")
    for line in shown.splitlines():
        found = re.search(
            r"(dask (?:scheduler|worker)|tilewright simulate) .*", line.split(" #")[0]
        )
        if found and not line.startswith("#"):
            yield line, [word for word in shlex.split(found[0]) if word not in ("$tls", "$@", "&")]
    for name in ("kubernetes.yaml", "dask-operator.yaml"):
        for (container,) in containers(list(yaml.safe_load_all((EXAMPLES / name).read_text()))):
            words = container.get("command") or container["args"]
            yield f"{name}: {container['name']}", words


def containers(part: Any) -> Iterator[list[dict[str, Any]]]:
    """The lists of containers in anything."""
    for key, value in part.items() if isinstance(part, dict) else enumerate(part):
        if key == "containers":
            yield value
        elif isinstance(value, dict | list):
            yield from containers(value)


@pytest.mark.parametrize("words", [pytest.param(w, id=line) for line, w in started()])
def test_what_is_started_knows_its_options(words: list[str]) -> None:
    program, verb, *rest = words
    if program == "tilewright":
        command = typer.main.get_command(whole_app()).commands[verb]  # type: ignore[attr-defined]
        command.make_context(verb, rest if rest[0] != "--scheduler" else ["c2/base", *rest])
        return
    pytest.importorskip("distributed", reason="distributed is not installed")
    from distributed.cli import dask_scheduler, dask_worker

    command = {"scheduler": dask_scheduler, "worker": dask_worker}[verb].main
    # unknown options are handed on, and would fail later
    unknown = command.make_context(verb, rest).params["preload_argv"]
    assert [word for word in unknown if word.startswith("-")] == []


def test_the_commands_of_all_three_are_looked_at() -> None:
    found = {tuple(words[:2]) for _, words in started()}
    assert found == {("dask", "scheduler"), ("dask", "worker"), ("tilewright", "simulate")}
    assert len(list(started())) >= 14


def test_the_script_for_slurm_is_a_script() -> None:
    subprocess.run(["bash", "-n", str(EXAMPLES / "slurm.sh")], check=True)


def test_the_parts_on_kubernetes_find_each_other() -> None:
    parts = {
        (part["kind"], part["metadata"]["name"]): part
        for part in yaml.safe_load_all((EXAMPLES / "kubernetes.yaml").read_text())
    }
    service = parts["Service", "tilewright-scheduler"]["spec"]
    scheduler = parts["Deployment", "tilewright-scheduler"]["spec"]
    worker = parts["Deployment", "tilewright-worker"]["spec"]
    job = parts["Job", "tilewright-billion"]["spec"]
    for deployment in (scheduler, worker):
        labels = deployment["template"]["metadata"]["labels"]
        assert deployment["selector"]["matchLabels"].items() <= labels.items()
    assert service["selector"] == scheduler["template"]["metadata"]["labels"]
    policy = parts["NetworkPolicy", "tilewright"]["spec"]
    allowed = policy["ingress"][0]["from"][0]["podSelector"]["matchLabels"]
    assert allowed == policy["podSelector"]["matchLabels"]
    assert allowed.items() <= job["template"]["metadata"]["labels"].items()
    address = f"tcp://tilewright-scheduler:{service['ports'][0]['port']}"
    for part in (worker, job):
        assert address in part["template"]["spec"]["containers"][0]["command"]
    (volume,) = job["template"]["spec"]["volumes"]
    assert ("PersistentVolumeClaim", volume["persistentVolumeClaim"]["claimName"]) in parts

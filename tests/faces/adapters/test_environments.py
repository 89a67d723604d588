"""Matches as environments: they pass the tests of those who made the libraries."""

from __future__ import annotations

import random
import re
import warnings

import pytest

from support.paths import ROOT
from tilewright.faces.api import NotOfferedError

pytest.importorskip("gymnasium", reason="gymnasium is not installed: pip install tilewright[rl]")
pytest.importorskip("pettingzoo", reason="pettingzoo is not installed: pip install tilewright[rl]")

from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from tilewright.faces.adapters.gymnasium_env import SeatEnv
from tilewright.faces.adapters.observation import PLANES
from tilewright.faces.adapters.pettingzoo_env import TableEnv

PAGE = ROOT / "docs" / "how-to" / "library.md"
DRAGON = "c2/farmers+c2/princess-and-dragon"


@pytest.mark.parametrize(
    ("game", "players"), [("c2/farmers", 2), (DRAGON, 3), ("c2/base+house/hand-of-three", 2)]
)
def test_every_seat_as_an_agent_passes_the_test_of_pettingzoo(game: str, players: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the warning that an observation is a dictionary
        api_test(TableEnv(game, players), num_cycles=150)


def test_the_same_seed_is_the_same_table() -> None:
    seed_test(lambda: TableEnv("c2/base", 2), num_cycles=40)


@pytest.mark.parametrize("others", ["random", "greedy"])
def test_a_single_seat_passes_the_test_of_gymnasium(others: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the warning that bounds are wide
        check_env(SeatEnv("c2/base", others=others, seat=1), skip_render_check=True)


def test_rewards_add_up_to_the_lead_of_the_end() -> None:
    env = TableEnv("c2/farmers", 3)
    env.reset(seed=4)
    rng = random.Random(1)
    gained = dict.fromkeys(env.possible_agents, 0.0)
    while not any(env.terminations.values()):
        seen = env.observe(env.agent_selection)
        env.step(rng.choice([int(n) for n in seen["action_mask"].nonzero()[0]]))
        for agent, reward in env.rewards.items():
            gained[agent] += reward
    points = list(env.match.points.values())
    best = max(points)
    assert max(gained.values()) == best - sorted(points)[-2]
    assert min(gained.values()) == min(points) - best


def test_rewards_can_be_points() -> None:
    env = SeatEnv("c2/base", reward="points")
    env.reset(seed=3)
    gained, is_over = 0.0, False
    while not is_over:
        action = int(env.action_masks().nonzero()[0][-1])
        _, reward, is_over, _, text = env.step(action)
        gained += reward
    assert gained == text["points"]["red"]


def test_the_mask_has_the_options_and_other_agents_have_none() -> None:
    env = TableEnv("c2/base", 2)
    env.reset(seed=1)
    assert env.observe("player_0")["action_mask"].sum() == env.match.count
    assert env.observe("player_1")["action_mask"].sum() == 0
    with pytest.raises(NotOfferedError, match="expected an action that the mask has"):
        env.step(env.match.count)


def test_where_room_is_short_the_last_action_is_the_last_option() -> None:
    env = SeatEnv(DRAGON, options=3)
    env.reset(seed=1)
    inside = env.match.inside
    while inside.count < 5:
        inside.choose_number(0)
        env._go_on()
    text = env.seen.option(inside, 2)
    assert (text, env.seen.option(inside, 1)) == (inside.count - 1, 1)
    assert env.action_masks().tolist() == [1, 1, 1]


def test_an_action_that_is_not_offered_ends_the_episode() -> None:
    env = SeatEnv("c2/base", not_offered=-7)
    env.reset(seed=1)
    _, reward, is_over, _, text = env.step(500)
    assert (reward, is_over, text["not_offered"]) == (-7.0, True, 500)


def test_planes_tell_the_first_tile_and_whose_figure_stands_where() -> None:
    env = TableEnv("c2/base", 2, reach=4)
    env.reset(seed=2)
    env.step(0)
    env.step(0)
    mine, theirs = (env.observe(agent)["observation"] for agent in env.possible_agents)
    assert mine.shape == (len(PLANES), 9, 9)
    assert (mine[0] > 0).sum() == 2
    assert mine[0][4][4] > 0
    assert mine[2].sum() == theirs[4].sum() == 1
    assert mine[4].sum() == theirs[2].sum() == 0


def test_options_are_told_by_their_place() -> None:
    env = TableEnv("c2/base", 2)
    env.reset(seed=2)
    rows = env.observe("player_0")["options"]
    for row, text in zip(rows, env.match.options.texts, strict=False):
        assert text.split()[1] == f"{row[1]},{row[2]}"
    env.step(0)
    assert env.observe("player_0")["options"][env.match.count - 1][5] == 1


def test_what_cannot_be_an_environment_is_refused() -> None:
    with pytest.raises(ValueError, match="not for 9"):
        TableEnv("c2/base", 9)
    with pytest.raises(ValueError, match="`lead` or `points`"):
        TableEnv("c2/base", reward="glory")
    with pytest.raises(ValueError, match="a bot is `random`"):
        SeatEnv("c2/base", others="nobody")
    with pytest.raises(ValueError, match="a seat from 0 to 1"):
        SeatEnv("c2/base", seat=2)


def test_the_example_of_the_page_runs() -> None:
    (code,) = re.findall(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.M | re.S)
    exec(compile(code, str(PAGE), "exec"), {})


def test_the_table_can_be_drawn_in_characters() -> None:
    env = SeatEnv("c2/base", render_mode="ansi")
    env.reset(seed=1)
    assert "red 0" in str(env.render())

"""The end of a match in the browser: its score sheet, and the way to the turns that decided."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.studio_page import Page
from tilewright.faces import api

#: boxes with many kinds of figures and tokens
LARGE = "c2/base+c2/inns-and-cathedrals+c2/traders-and-builders+c2/abbey-and-mayor"
#: points over figures, and over one another
_COVERED = """
(() => {
  // a figure takes the middle third of its picture
  const boxes = (name, share) => [...document.querySelectorAll(name)].map(e => {
    const {x, y, width, height} = e.getBoundingClientRect();
    const [wide, high] = [width * share, height * share];
    const [left, top] = [x + (width - wide) / 2, y + (height - high) / 2];
    return {left, top, right: left + wide, bottom: top + high};
  });
  const pops = boxes(".frame .pop", 0.96), figures = boxes(".world g[style] > image", 0.3);
  const meet = (a, b) => a !== b && a.left < b.right && b.left < a.right
    && a.top < b.bottom && b.top < a.bottom;
  return [pops.length, figures.length,
    pops.filter(a => [...figures, ...pops].some(b => meet(a, b))).length];
})()
"""


def _before_the_end(game: str, players: int) -> api.Match:
    """A match that is over as soon as nothing more is done."""
    for seed in range(20):
        match = api.match(game, players=players, seed=seed)
        lot = api.bot("random")
        while not match.winners:
            if "pass" in match.options.texts:
                last = match.fork()
                last.choose("pass")
                if last.winners:
                    return match
            match.choose(lot(match))
    raise AssertionError("no match of these seeds ends with a pass")


@pytest.mark.slow
@pytest.mark.parametrize(("wide", "high"), [(1440, 900), (390, 844)])
def test_at_its_end_a_large_match_is_in_sight_with_its_figures_points_and_players(
    page: Page, tmp_path: Path, wide: int, high: int
) -> None:
    path = tmp_path / "match.json"
    path.write_text(_before_the_end(LARGE, 4).save(), encoding="utf-8")
    page.look(wide, high)
    page.go("#/play")
    page.wait("document.querySelector('input[type=file]')")
    page.driver.find_element("css selector", "input[type=file]").send_keys(str(path))
    page.wait("document.querySelector('.table')")
    out, tall = page.ask(
        "(p => [p.scrollWidth - p.clientWidth, p.scrollHeight])(document.querySelector('.players'))"
    )
    assert out <= 0
    assert tall < high * 0.4
    for _ in range(6):
        page.press("+")
    page.press("0")
    page.wait("document.querySelector('.table').dataset.over === 'true'")
    is_whole = """
      (frame => [...document.querySelectorAll(".land image")].every(tile => {
        const {left, top, right, bottom} = tile.getBoundingClientRect();
        return left >= frame.left && top >= frame.top && right <= frame.right
          && bottom <= frame.bottom;
      }))(document.querySelector(".board .frame").getBoundingClientRect())
    """
    page.wait(is_whole)
    points, figures, covered = page.ask(_COVERED)
    assert points > 0
    assert figures > 0
    assert covered == 0
    assert page.complaints() == []


def test_a_finished_match_shows_its_points_by_source_and_leads_to_its_turning_points(
    page: Page, tmp_path: Path
) -> None:
    match = api.match("c2/farmers", players=2, seed=3)
    match.play_out("random")
    path = tmp_path / "match.json"
    path.write_text(match.save(), encoding="utf-8")
    page.go("#/play")
    page.wait("document.querySelector('input[type=file]')")
    page.driver.find_element("css selector", "input[type=file]").send_keys(str(path))
    page.wait("document.querySelector('.panels ol button')")
    rows = page.ask(
        "[...document.querySelectorAll('.panels tr')].map(r => r.innerText.split('\\t'))"
    )
    assert [row[0] for row in rows[1:]][-1] == "Sum"
    assert rows[-1][1:] == [str(points) for points in match.points.values()]
    assert page.axe() == []
    page.click_on(".panels ol button")
    page.wait("document.querySelector('.table.replay')")
    last = page.ask("document.querySelector('.panels ol button').innerText")
    page.wait("document.querySelector('.table').dataset.over === 'false'")
    assert f"{last.split(',')[0]}" in page.text(".what h2")
    page.look(390, 844)
    page.driver.back()
    page.wait("!document.querySelector('.table.replay')")
    assert page.complaints() == []


def _opened(page: Page, tmp_path: Path) -> None:
    """A finished match is open, with its score sheet."""
    match = api.match("c2/farmers", players=2, seed=3)
    match.play_out("random")
    path = tmp_path / "match.json"
    path.write_text(match.save(), encoding="utf-8")
    page.go("#/play")
    page.wait("document.querySelector('input[type=file]')")
    page.driver.find_element("css selector", "input[type=file]").send_keys(str(path))
    page.wait("document.querySelector('.panels ol button')")


def test_a_replay_is_shared_and_saved_and_says_each_choice_once(page: Page, tmp_path: Path) -> None:
    _opened(page, tmp_path)
    assert not page.ask("document.querySelector('header button[aria-label=\"Only watch\"]')")
    page.click_on("header a[aria-label='Replay the match']")
    page.wait("document.querySelector('.table.replay .what')")
    assert page.ask("document.querySelector('header button[aria-label=\"Save the match\"]')")
    said = page.ask("[...document.querySelectorAll('.what p')].map(p => p.innerText)")
    choice = said[0][0].lower() + said[0][1:]
    assert not [line for line in said[1:] if line.endswith(choice)]
    assert any("gains" in line for line in said[1:])
    page.click_on("header a[aria-label='Share the match']")
    page.wait("document.querySelector('textarea')?.value")
    assert page.complaints() == []


def test_the_first_of_several_reasons_is_in_focus_and_begins_with_what_gave_the_points(
    page: Page, tmp_path: Path
) -> None:
    _opened(page, tmp_path)
    page.click_on("[data-seat] .points")
    page.wait("document.querySelectorAll('article h2').length > 1")
    page.wait("document.activeElement === document.querySelector('article h2')")
    first = page.text("article blockquote")
    assert "worth" in first, first
    assert page.complaints() == []


def test_a_match_is_printed_on_one_page_that_stands_or_lies(page: Page, tmp_path: Path) -> None:
    _opened(page, tmp_path)
    assert [page.printed(), page.printed(lying=True)] == [1, 1]
    with page.on_paper():
        assert page.ask("document.querySelector('.table > h1').offsetHeight") > 20
    assert page.complaints() == []

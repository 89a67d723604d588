"""The end of a match in the browser: its score sheet, and the way to the turns that decided."""

from __future__ import annotations

from pathlib import Path

from support.studio_page import Page
from tilewright.faces import api


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

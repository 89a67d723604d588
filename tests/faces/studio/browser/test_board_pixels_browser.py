"""The page composes the same boards as the renderer: eleven of different games, pixel by pixel.

The browser draws both pictures, the renderer's as one image. The page draws each tile as an image
of its own, whose edges are smoothed on their own, so a few pixels differ a little. Coordinates and
scores are left out: the page has others.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from support.studio_client import Page as Client
from support.studio_page import Page, Server, server
from tilewright.faces.studio.doors.disk import DiskStore
from tilewright.view.board.page import PageBoards
from tilewright.view.board.scene import Scene
from tilewright.view.board.view import scene_of

pytestmark = pytest.mark.slow

ALL_C2 = (
    "c2/princess-and-dragon+c2/farmers+c2/abbot+c2/inns-and-cathedrals+c2/traders-and-builders"
    "+c2/river"
)
#: games, and how many choices are made in them by lot
GAMES = {
    "c2/base": 50,
    ALL_C2: 120,
    "c2/gold-mines": 60,
    "c2/little-buildings": 60,
    "c2/crop-circles": 50,
    "c2/king-and-robber": 60,
    "c2/shrines": 50,
    "c2/tunnel": 100,
    "c3/base+c3/farmers+c3/abbot+c3/river": 60,
    "c3.1/dragon-and-fairy+c3.1/traders-and-builders": 100,
    "variants/third-dragon-second-fairy": 90,
}
#: channels of a pixel that are farther apart, of 255, show another thing and not a smoothed edge
NEAR = 48
#: the share of those pixels, and the mean distance of all channels: a tenth and a third of what a
#: missing figure would be. Two rasters of one drawing differ by 0.000001 and 0.008 at most.
FEW, MEAN = 0.00005, 0.02

#: hides what the page shows besides, and puts the board where that of the renderer begins
_ALONE = """
(() => {
  const [wide, high, x, y] = arguments;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    .legal, .dead, .outline, .gone, .rim, .ring, .bracket, .way, .start, .stop, .spot, .area,
    .ghost, .coordinate, .over, .world text.badged { display: none !important }
    .frame { position: fixed !important; left: 0; top: 0; width: ${wide}px !important;
             height: ${high}px !important; z-index: 9999; outline: none !important }
    .frame .pan { transform: translate(${x}px, ${y}px) !important }
    .world { transform: none !important }
  `);
  document.adoptedStyleSheets = [sheet];
  const {left, top} = document.querySelector(".frame").getBoundingClientRect();
  return [left, top];
})()
"""
#: the pixels of a tile that is as large as the page has them then
LARGE = 200
#: makes the board so large that figures have their own size
_LARGE = """
(() => {
  const buttons = [...document.querySelectorAll(".zoom button")];
  for (let i = 0; i < 9; i++) buttons.at(-2).click();
})()
"""
#: waits until what was changed is painted
_PAINTED = "requestAnimationFrame(() => requestAnimationFrame(arguments[0]))"
#: draws both pictures on the felt and counts: the share of far pixels, the mean of all channels
_COMPARE = """
const [page, board, near, done] = arguments;
const felt = getComputedStyle(document.querySelector(".frame")).backgroundColor;
const read = async (address) => {
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
  const context = canvas.getContext("2d");
  context.fillStyle = felt;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0);
  return context.getImageData(0, 0, canvas.width, canvas.height);
};
Promise.all([read(page), read(board)]).then(([one, other]) => {
  let [far, sum] = [0, 0];
  for (let i = 0; i < one.data.length; i += 4) {
    let most = 0;
    for (let c = 0; c < 3; c++) {
      const apart = Math.abs(one.data[i + c] - other.data[i + c]);
      sum += apart;
      most = Math.max(most, apart);
    }
    far += most > near;
  }
  const pixels = one.data.length / 4;
  done([one.width, one.height, other.width, other.height, far / pixels, sum / pixels / 3]);
});
"""


@pytest.fixture(scope="module")
def matches(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, Scene]]:
    """By game: the name of a kept match, and its scene."""
    folder = tmp_path_factory.mktemp("kept")
    client = Client(store=DiskStore(folder / "state" / "tilewright" / "studio"))
    found = {"": (str(folder), Scene((), (), {}, {}))}
    for game, choices in GAMES.items():
        lot = random.Random(game)
        state = client.new(game, seed=game)
        for _ in range(choices):
            joining = [o["n"] for o in state["offers"] if o["text"].startswith("token")]
            state = client.choose(
                state, joining[0] if joining else lot.randrange(len(state["offers"]))
            )
        tree = client.studio.trees[state["match"]]
        scene = scene_of(tree.match, with_options=False, scored=tree.scored())
        found[game] = (state["match"], replace(scene, scores=()))
    return found


@pytest.fixture(scope="module")
def studio(
    matches: dict[str, tuple[str, Scene]], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    with server(Path(matches[""][0])) as started:
        yield started


def picture(scene: Scene, is_dark: bool) -> str:
    """The renderer's board in a mode, as SVG."""
    boards = PageBoards()
    # with all that large tiles show, and a hundred pixels for each of them
    text = boards.picture(scene, LARGE)
    text = re.sub(r'(viewBox="0 0 (\d+) (\d+)") width="\d+" height="\d+"',
                  r'\1 width="\2" height="\3"', text, count=1)  # fmt: skip
    text = re.sub(r'<text[^>]*"var\(--tw-coordinate\)"[^>]*>[^<]*</text>', "", text)
    return re.sub(r"var\((--[\w-]+)\)", lambda found: boards.colours[found[1]][is_dark], text)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("game", GAMES)
def test_the_page_and_the_renderer_draw_the_same_board(
    studio: Server,
    window: Page,
    matches: dict[str, tuple[str, Scene]],
    game: str,
    dark: bool,
) -> None:
    name, scene = matches[game]
    assert scene.tiles and (scene.joins or game != "c2/tunnel")
    drawn = picture(scene, dark)
    wide, high = (int(n) for n in re.findall(r'(?:width|height)="(\d+)" ', drawn)[:2])
    west, _, _, north = scene.cells()
    window.open(studio.address, wide=max(1440, wide), high=max(900, high), dark=dark)
    window.go(f"#/play/{name}")
    window.wait("document.querySelectorAll('.land > image').length === arguments[0]",
                len(scene.tiles))  # fmt: skip
    window.ask(_LARGE)  # where figures are small they are larger beside their tiles
    corner = (44 - 100 * west, 22 + 100 * north)
    assert window.ask(_ALONE, wide, high, *corner) == [0, 0]
    window.move(0, 0)
    window.driver.execute_async_script(_PAINTED)
    shot: Any = window.driver.execute_cdp_cmd(
        "Page.captureScreenshot",
        {"clip": {"x": 0, "y": 0, "width": wide, "height": high, "scale": 1}},
    )
    address = f"data:image/svg+xml,{quote(drawn)}"
    *sizes, far, mean = window.driver.execute_async_script(
        _COMPARE, f"data:image/png;base64,{shot['data']}", address, NEAR
    )
    assert sizes == [wide, high, wide, high]
    assert far <= FEW and mean <= MEAN, (far, mean)

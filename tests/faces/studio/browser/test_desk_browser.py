"""Library, book, editor, comparison, simulation and shared links in a real browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.hungry import HUNGRY, hungry_files, write_hungry
from support.studio_page import Page, Server, browser, server
from support.studio_table import PointerPlayer, begin, look

pytestmark = pytest.mark.slow

BASE = "c2/princess-and-dragon"
SLIP = "monkk"


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that is opened."""
    return tmp_path_factory.mktemp("rules")


@pytest.fixture(scope="module")
def studio(rules: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("studio")
    with server(folder, "--folder", str(rules)) as started:
        yield started


# ------------------------------------------------------------------ the text editor

#: the root of the editor, or an empty element before it is there
_EDITOR = "(document.querySelector('.pane')?.shadowRoot ?? document.createElement('i'))"


def editor_text(page: Page) -> str:
    """The text of the editor, as its lines show it."""
    script = f"[...{_EDITOR}.querySelectorAll('.cm-line')].map(l => l.innerText).join('\\n')"
    return str(page.ask(script)).replace("\n\n", "\n")


def click_in_editor(page: Page, selector: str, text: str = "") -> None:
    """Press in the middle of something with this text in the editor."""
    page.click_on(selector, text=text, root=_EDITOR)


def wait_until_checked(page: Page) -> None:
    """Wait until nothing is wrong in the text: diagnostics between lines move them."""
    page.wait("document.querySelector('.status .good')")
    page.wait(f"!{_EDITOR}.querySelector('.tw-frame')")


def replace_text(page: Page, text: str) -> None:
    """Write another text in the place of all of it, the last letter by a key."""
    click_in_editor(page, ".cm-content")
    page.press("Ctrl+a", "Delete")
    page._do("Input.insertText", text=text)


def type_in(page: Page, selector: str, text: str) -> None:
    """Put a text into a field of the page."""
    page.click_on(selector)
    page.ask("void document.querySelector(arguments[0]).select()", selector)
    page._do("Input.insertText", text=text)


# ------------------------------------------------------------------ the story of the README


def test_the_house_rule_of_the_readme_is_written_checked_seen_played_and_shared(
    page: Page, rules: Path, tmp_path: Path
) -> None:
    files = hungry_files()
    # begun from a template
    page.go("#/write?new=&game=c2%2Fprincess-and-dragon")
    type_in(page, "dialog input[type=text]", "Hungry dragon")
    page.click_on("dialog .button.primary")
    page.wait("document.querySelector('.tabs a[aria-current]')?.innerText === 'rules/rules.yaml'")
    assert (rules / "hungry-dragon" / "module.yaml").is_file()

    # typed with a slip: underlined, and the line does not check
    replace_text(page, files["rules/dragon.yaml"].replace("not monk", "not monk"))
    page.wait(f"{_EDITOR}.querySelector('.cm-content').innerText.includes('hungry.steps')")
    page.wait("document.querySelector('.status .warn')")  # no scenario covers it yet
    # by keys: findings between lines move what the pointer would meet
    below = files["rules/dragon.yaml"].split("is not monk")[-1].count("\n")
    page.press("Ctrl+End", *["ArrowUp"] * below, "End", "k")
    page.wait(f"{_EDITOR}.querySelector('.cm-lintRange-error')")
    assert page.ask(f"{_EDITOR}.querySelector('.cm-lintRange-error').innerText") == SLIP
    page.wait("document.querySelector('.stale')")
    page.wait("document.querySelector('.action .primary[aria-disabled]')")
    page.wait("document.querySelector('.status .bad')")
    # the box opens when the cursor leaves the line, and the file stays as it was
    assert not page.ask(f"{_EDITOR}.querySelector('.tw-error')")
    assert page.text(".status .saved").startswith("a draft")
    saved = rules / "hungry-dragon" / "rules" / "rules.yaml"
    assert f"value: f is not {SLIP}\n" not in saved.read_text("utf-8")
    page.press("ArrowUp")

    # mended by its fix
    click_in_editor(page, ".tw-fix", "Write monk")
    page.wait(f"!{_EDITOR}.querySelector('.cm-lintRange-error')")
    assert SLIP not in editor_text(page)
    page.wait("document.querySelectorAll('.change').length === 2")
    page.wait("!document.querySelector('.stale')")
    page.until(lambda: "value: f is not monk\n" in saved.read_text("utf-8"), "the saved text")

    # its proof, in a file of its own
    page.click_on(".new .only")
    type_in(page, "dialog input[type=text]", "scenarios/dragon.yaml")
    page.click_on("dialog .button.primary")
    page.wait("document.querySelector('.tabs a[aria-current]')?.innerText.includes('scenarios')")
    replace_text(page, files["scenarios/dragon.yaml"])
    page.wait("document.querySelector('.status').innerText.includes('1 of 1')")

    # two changes and a board
    rows = page.ask("[...document.querySelectorAll('.change')].map(e => e.dataset.row)")
    assert rows == ["amendment:hungry.spares_monks", "topic:dragon.movement.distance"]
    told = "document.querySelectorAll('.results figure:has(svg)')"
    page.wait(f"{told}[0]?.innerText.includes('supply')")
    page.wait(f"{told}[1]?.innerText.includes('monastery')")
    assert page.axe() == []

    # played
    page.wait("document.querySelector('.action .primary:not([aria-disabled])')")
    page.click_on(".action .primary")
    page.wait("document.querySelector('.table')")
    begin(page, HUNGRY, seed="monks")
    PointerPlayer(page, seed=1).play(most=9)
    digest = look(page)["digest"]

    # shared, and opened in a fresh profile
    link = share_link(page)
    assert page.complaints() == []
    before = {path: path.read_bytes() for path in rules.rglob("*.yaml")}
    with browser(tmp_path) as fresh, server(tmp_path, "--folder", str(tmp_path)) as other:
        # without the token the page explains itself in words
        fresh.open(other.address.partition("#")[0])
        fresh.wait("document.querySelector('.refused')")
        assert "#token=" in fresh.text(".refused") and "ui_" not in fresh.text("body")
        assert fresh.axe() == []
        fresh.open(other.address)
        fresh.go(link)
        fresh.wait("document.querySelector('.page dl')")
        assert "Hungry dragon" in fresh.ask("document.querySelector('.page dl').innerText")
        assert fresh.axe() == []
        fresh.click_on(".page .primary")  # only now it is played
        fresh.wait("location.hash.includes('play')")
        assert look(fresh)["digest"] == digest
        assert list(tmp_path.rglob("*.yaml")) == []
        assert fresh.complaints() == []
    assert before == {path: path.read_bytes() for path in rules.rglob("*.yaml")}


def test_two_windows_do_not_lose_each_others_texts(page: Page, tmp_path: Path) -> None:
    file = write_hungry(tmp_path / "rules") / "rules/dragon.yaml"
    place = "#/write/0%2Fhungry-dragon%2Frules%2Fdragon.yaml"
    theirs, mine = "rules: []  # theirs\n", "rules: []  # mine\n"
    with (
        server(tmp_path, "--folder", str(tmp_path / "rules")) as here,
        browser(tmp_path) as other,
    ):
        for each in (page, other):
            each.open(here.address)
            each.go(place)
            each.wait(f"{_EDITOR}.querySelector('.cm-content')?.innerText.includes('monk')")
        # a text that one window saves is shown in the other
        replace_text(other, theirs)
        page.wait(f"{_EDITOR}.querySelector('.cm-content').innerText.includes('theirs')")
        # a file that has changed outside is not overwritten
        file.write_text("rules: []  # from elsewhere\n")
        replace_text(page, mine)
        page.wait("document.querySelector('.fault .button')")
        assert "from elsewhere" in page.ask("document.querySelector('.fault pre').textContent")
        page.go("#/library")
        page.go(place)  # the own text is still there
        page.wait("document.querySelector('.fault .button')")
        page.wait(f"{_EDITOR}.querySelector('.cm-content')?.innerText.includes('mine')")
        assert page.axe() == []
        page.click_on(".fault .button:nth-of-type(2)")
        page.until(lambda: file.read_text() == mine, "the own text")
        # the other window, whose text was never saved, keeps it until a reader decides
        other.wait("document.querySelector('.fault pre')?.textContent.includes('mine')")
        assert "theirs" in editor_text(other)
        other.click_on(".fault .button")
        # a file that another window has deleted is not made again by itself
        other.wait(f"{_EDITOR}.querySelector('.cm-content').innerText.includes('mine')")
        file.unlink()
        replace_text(page, "rules: []  # last\n")
        page.wait("document.querySelector('.fault .button')")
        assert not file.exists()
        page.click_on(".fault .button:nth-of-type(2)")
        page.until(file.is_file, "the file")
        assert file.read_text() == "rules: []  # last\n"
        assert page.complaints() == other.complaints() == []


def test_nothing_moves_in_the_dialog_of_a_new_rule_while_its_game_is_read(page: Page) -> None:
    button = "(({x, y}) => [x, y])(document.querySelector('dialog .primary').getClientRects()[0])"
    with page.held("file.targets"):
        page.go("#/write?new=&game=c2%2Fprincess-and-dragon")
        type_in(page, "dialog input[type=text]", "Restless dragon")
        page.wait("document.querySelector('dialog .primary:not([aria-disabled])')")
        before = page.ask(button)
    page.wait("document.querySelectorAll('dialog input[type=radio]').length > 5")
    assert page.ask(button) == before
    page.press("Escape")


def share_link(page: Page) -> str:
    """The fragment that shares the open match."""
    match = page.ask("location.hash.split('/')[2]")
    page.go(f"#/share?match={match}")
    letters = page.wait("document.querySelector('textarea[name=text]')?.value")
    return f"#/share?s={letters}"


# ------------------------------------------------------------------ the library


def test_cards_are_filtered_and_a_clash_is_settled(page: Page) -> None:
    page.go("#/library")
    page.wait("document.querySelectorAll('.cards li').length > 5")
    everything = page.ask("document.querySelectorAll('.cards li, .rules li').length")
    type_in(page, ".box input", "house/fairy-five")
    page.wait("document.querySelectorAll('.cards li, .rules li').length < 5")
    type_in(page, ".box input", "dragon")
    page.wait("document.querySelectorAll('.hits li').length > 3")
    assert page.ask("document.querySelectorAll('.cards li, .rules li').length") < everything
    page.ask("void document.querySelector('.box input').select()")
    page.press("Delete")
    page.wait(f"document.querySelectorAll('.cards li, .rules li').length === {everything}")
    page.click_on(".filters fieldset:nth-of-type(4) label", text="Farmers")
    page.wait("document.querySelectorAll('.cards li, .rules li').length < 9")
    needs = page.ask("[...document.querySelectorAll('.rules li')].map(e => e.innerText)")
    assert needs
    assert all("Farmers" in text for text in needs)
    page.click_on(".filters fieldset:nth-of-type(4) label", text="Farmers")
    page.wait(f"document.querySelectorAll('.cards li, .rules li').length === {everything}")
    page.click_on(".cards article button", text="The Princess & the Dragon")
    page.wait("document.querySelector('.game .good')")  # then no card moves any more
    page.click_on(".cards article button", text="The Dragon & the Fairy")
    page.wait("document.querySelector('.game .bad')")
    page.wait("document.querySelector('.game .primary').ariaDisabled === 'true'")
    page.click_on(".game .bad .button")
    page.wait("document.querySelector('.game .good')")
    page.wait("document.querySelector('.game .primary').ariaDisabled === null")
    assert page.complaints() == []


def test_the_rest_of_what_the_top_bar_finds_is_in_the_library(page: Page) -> None:
    page.go("#/play")
    page.wait("document.querySelector('.start')")
    page.press("/")
    page.wait("document.activeElement?.matches('header input')")
    page._do("Input.insertText", text="dragon")
    page.wait("document.querySelector('.found .more')")
    assert page.ask("location.hash") == "#/play"
    page.click_on(".found .more", text="library")
    page.wait("document.querySelectorAll('.hits li').length > 3")
    assert page.ask("document.querySelector('.box input').value") == "dragon"
    assert page.complaints() == []


# ------------------------------------------------------------------ the book


def test_a_board_of_the_book_is_stepped_by_keys(page: Page) -> None:
    page.go("#/book/c2%2Fprincess-and-dragon/dragon.movement.distance")
    page.wait("document.querySelectorAll('.steps li').length > 4")
    page.wait("document.querySelector('.player .board svg')")
    before = page.ask("document.querySelector('.player .board svg').innerHTML.length")
    page.press("End")
    page.wait("document.querySelector('.scenario').dataset.at === '8'")
    assert page.ask("document.querySelector('.player .board svg').innerHTML.length") != before
    assert page.ask("document.querySelectorAll('.steps .bad').length") == 0
    assert page.complaints() == []


def test_a_book_opens_with_the_rules_of_its_game_on_a_sheet(page: Page) -> None:
    page.go("#/book/house%2Ffairy-five")
    page.wait("document.querySelector('.text .rule')")
    assert "/sheet" in page.ask("location.hash")
    assert "five extra points" in page.text(".text")
    assert page.complaints() == []


def test_the_books_of_a_game_are_beside_each_other(page: Page) -> None:
    page.go("#/book/c2%2Ffarmers%2Bc2%2Fprincess-and-dragon")
    title = "document.querySelector('.contents .which strong')?.textContent"
    page.wait(f"{title} === 'Farmers'")
    page.click_on(".contents .which a code")
    page.wait(f"{title} === 'The Princess & the Dragon'")
    assert page.text(".contents .which a code") == "c2/farmers"
    assert page.complaints() == []


#: the widths of windows and the modes in which axe looks at each screen
LOOKS = [(wide, dark) for dark in (False, True) for wide in (1440, 390)]


@pytest.mark.parametrize(
    ("place", "ready"),
    [
        ("#/library", ".cards li"),
        ("#/book/c2%2Fprincess-and-dragon/dragon.movement", ".steps li"),
        ("#/book/c2%2Fprincess-and-dragon/sheet", ".text .rule"),
        ("#/book/c2%2Fprincess-and-dragon/tiles", ".tiles svg"),
        ("#/book/c2%2Fprincess-and-dragon/questions", ".question"),
        ("#/compare", ".chooser .cards li"),
        ("#/compare/c2%2Fprincess-and-dragon/c3.1%2Fdragon-and-fairy", ".group"),
        ("#/compare/c2%2Fbase/c3%2Fbase?topic=field", ".history li"),
        ("#/simulate/c2%2Fbase", ".wishes"),
        ("#/share", ".choose"),
        ("#/write", ".write"),
    ],
)
def test_axe_finds_nothing(page: Page, place: str, ready: str) -> None:
    page.go(place)
    page.wait("document.querySelector(arguments[0])", ready)
    for wide, dark in LOOKS:
        page.look(wide, dark=dark)
        page.wait("document.querySelector(arguments[0])", ready)
        assert page.axe() == [], (wide, dark)
        assert page.ask("document.documentElement.scrollWidth <= innerWidth"), (wide, dark)


def test_axe_finds_nothing_in_the_editor_and_in_dialogs(page: Page, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    root = write_hungry(folder)
    text = (root / "rules" / "dragon.yaml").read_text("utf-8")
    (root / "rules" / "dragon.yaml").write_text(text.replace("monk\n", f"{SLIP}\n", 1), "utf-8")
    with server(tmp_path, "--folder", str(folder)) as other:
        page.open(other.address)
        page.go("#/write/0%2Fhungry-dragon%2Frules%2Fdragon.yaml")
        page.wait(f"{_EDITOR}.querySelector('.tw-fix')")
        page.wait("document.querySelector('.stale')")
        for wide, dark in LOOKS:
            page.look(wide, dark=dark)
            assert page.axe() == [], (wide, dark)
        page.look(1440)
        click_in_editor(page, ".tw-fix", "Write monk")
        page.wait("document.querySelectorAll('.results figure svg').length >= 2")
        for wide, dark in LOOKS:
            page.look(wide, dark=dark)
            assert page.axe() == [], (wide, dark)
        for wide in (1440, 390):
            page.look(wide)
            share = ".files .share .plain" if wide < 720 else "header .action .plain"
            for opener, shown in (
                (share, "dialog[open] textarea"),
                (".files .new .plain", "dialog[open] input[type=radio]"),
                (".files .new .only", "dialog[open] input[type=text]"),
                ("header button[aria-label=Settings]", "dialog[open] select"),
            ):
                if wide < 720 and opener.startswith(".files"):
                    page.click_on(".segments button", text="Files")
                page.click_on(opener)
                page.wait("document.querySelector(arguments[0])", shown)
                for dark in (False, True):
                    page.look(wide, dark=dark)
                    assert page.axe() == [], (wide, dark)
                page.press("Escape")
                page.wait("!document.querySelector('dialog[open]')")


_DROP = """
(data => {
  data.items.add(new File([arguments[1]], arguments[0], {type: "application/json"}));
  window.dispatchEvent(new DragEvent("drop", {dataTransfer: data, cancelable: true}));
})(new DataTransfer())
"""


def test_a_share_is_a_file_and_a_picture_too(page: Page) -> None:
    begin(page, "c2/base", seed="shared")
    PointerPlayer(page, seed=1).play(most=3)
    digest, match = look(page)["digest"], page.ask("location.hash.split('/')[2]")
    page.go(f"#/share?match={match}")
    letters = page.wait("document.querySelector('textarea[name=text]')?.value")
    # a link needs the address of a page that others can open
    assert not page.ask("document.querySelector('textarea[name=link]')")
    type_in(page, "input[name=page]", "https://example.org/studio/")
    link = page.wait("document.querySelector('textarea[name=link]')?.value")
    assert link == f"https://example.org/studio/#/share?s={letters}"

    def saved(ending: str, text: str) -> Path:
        before = set(page.folder.glob(f"*.{ending}"))
        page.click_on("main .button", text=text)
        page.until(lambda: set(page.folder.glob(f"*.{ending}")) - before, f"the .{ending}")
        return (set(page.folder.glob(f"*.{ending}")) - before).pop()

    assert saved("svg", "SVG").read_text("utf-8").startswith("<svg")
    assert saved("png", "PNG").read_bytes().startswith(b"\x89PNG")
    path = saved("json", "file")
    page.go("#/share")
    page.wait("document.querySelector('input[type=file]')")
    page.driver.find_element("css selector", "input[type=file]").send_keys(str(path))
    page.wait("document.querySelector('.page dl')")
    page.click_on(".page .primary")
    page.wait("location.hash.includes('play')")
    assert look(page)["digest"] == digest
    # the file is dropped onto the page
    page.go("#/library")
    page.go("#/share")
    page.wait("document.querySelector('.choose')")
    page.ask(_DROP, path.name, path.read_text("utf-8"))
    page.wait("document.querySelector('.page dl')")
    # the text of a message is pasted
    page.go("#/library")
    page.go("#/share")
    type_in(page, "textarea[name=paste]", link)
    page.wait("document.querySelector('.page dl')")
    assert page.complaints() == []


# ------------------------------------------------------------------ comparison, simulation


def test_a_comparison_opens_a_board_and_a_topic(page: Page) -> None:
    page.go("#/compare/c2%2Fprincess-and-dragon/c3.1%2Fdragon-and-fairy")
    page.wait("document.querySelectorAll('.line').length === 10")
    first = page.ask("document.querySelector('.line').getBoundingClientRect().top")
    assert first < 300
    page.click_on(".line button", text="How far")
    page.wait("document.querySelectorAll('.evidence figure svg').length === 2", seconds=200)
    page.click_on(".group > button")
    page.wait("document.querySelectorAll('.topic').length > 5")
    assert page.complaints() == []


def test_a_simulation_shows_figures_while_it_runs_and_gives_its_report(
    page: Page, window: Page
) -> None:
    page.go("#/simulate/c2%2Fbase/c3%2Fbase")
    page.wait("document.querySelector('.wishes')")
    page.click_on(".wishes .primary")
    page.wait("document.querySelector('section[data-state]').dataset.state === 'done'")
    assert page.ask("document.querySelector('section[data-state]').dataset.games") == "200"
    assert page.ask("document.querySelectorAll('.line i').length") > 8
    page.click_on(".after .button")
    page.until(lambda: list(window.folder.glob("*.html")), "the report")
    report = next(window.folder.glob("*.html")).read_text("utf-8")
    assert "<svg" in report and "c3/base" in report
    assert page.complaints() == []


# ------------------------------------------------------------------ files


def test_a_comparison_follows_a_rule_that_is_written_elsewhere(
    page: Page, rules: Path, tmp_path: Path
) -> None:
    root = write_hungry(tmp_path)
    target = rules / "compared"
    root.rename(target)
    module = target / "module.yaml"
    module.write_text(module.read_text("utf-8").replace("hungry-dragon", "compared"), "utf-8")
    (patches,) = (path for path in target.rglob("*.yaml") if "to: 9" in path.read_text("utf-8"))
    right = patches.read_text("utf-8")
    row = "[...document.querySelectorAll('.line')].find(l => /tiles, or fewer/.test(l.innerText))"
    with server(tmp_path, "--folder", str(rules)) as other:
        page.open(other.address)
        page.go("#/compare/c2%2Fprincess-and-dragon/house%2Fcompared")
        page.wait(f"/Nine tiles/.test({row}?.innerText)")
        page.ask(f"void {row}.querySelector('button').click()")
        page.wait("document.querySelector('.line.open figure')")
        patches.write_text(right.replace("to: 9", "to: 8"), "utf-8")
        page.wait(f"/Eight tiles/.test({row}?.innerText)")
        page.wait("document.querySelector('.line.open figure')")
        # boards follow scenarios, too
        source = "document.querySelector('.line.open details .soft')?.textContent ?? ''"
        spared = (
            "[...document.querySelectorAll('.line button')].find(b => /spares/.test(b.innerText))"
        )
        page.ask(f"void {spared}.click()")
        page.wait(f"/monks-are-safe/.test({source})")
        (scenarios,) = (
            p for p in target.rglob("*.yaml") if "monks-are-safe" in p.read_text("utf-8")
        )
        shown = scenarios.read_text("utf-8")
        scenarios.write_text(shown.replace("monks-are-safe", "monks-are-spared"), "utf-8")
        page.wait(f"/monks-are-spared/.test({source})")
        # an unreadable rule gets a message with its place, above the comparison from before
        patches.write_text(right + "  - [\n", "utf-8")
        page.wait("/\\.yaml:\\d+/.test(document.querySelector('.page .fault')?.innerText)")
        assert page.ask(f"/Eight tiles/.test({row}?.innerText)")
        patches.write_text(right, "utf-8")
        page.wait(f"/Nine tiles/.test({row}?.innerText)")
        assert not page.ask("document.querySelector('.page .fault')")


def test_changes_from_outside_are_seen_and_not_overwritten(
    page: Page, rules: Path, tmp_path: Path
) -> None:
    root = write_hungry(tmp_path)
    target = rules / "outside"
    root.rename(target)
    module = target / "module.yaml"
    module.write_text(module.read_text("utf-8").replace("hungry-dragon", "outside"), "utf-8")
    with server(tmp_path, "--folder", str(rules)) as other:
        page.open(other.address)
        page.go("#/write/0%2Foutside%2Frules%2Fdragon.yaml")
        wait_until_checked(page)
        # a file that is not open has an error, and is mended
        right = module.read_text("utf-8")
        module.write_text(right + "  - [\n", "utf-8")
        page.wait("document.querySelector('.status .bad') && document.querySelector('.stale')")
        page.wait("document.querySelector('.files .count.bad')")
        module.write_text(right, "utf-8")
        wait_until_checked(page)
        page.wait("!document.querySelector('.stale')")
        page.wait("document.querySelector('.action .primary:not([aria-disabled])')")
        # a new one is listed
        (target / "rules" / "more.yaml").write_text("rules: []\n", "utf-8")
        page.wait("document.querySelector('.tabs').innerText.includes('more.yaml')")
        # the open one is shown as it is
        page.go("#/write/0%2Foutside%2Fmodule.yaml")
        page.wait(f"{_EDITOR}.querySelector('.cm-content')?.innerText.includes('house/outside')")
        module.write_text(right.replace("runs further", "goes further"), "utf-8")
        page.wait(f"{_EDITOR}.querySelector('.cm-content').innerText.includes('goes further')")
        wait_until_checked(page)
        # where an own text waits, its author decides
        click_in_editor(page, ".cm-line:nth-child(3)")
        page.press("End", ":")
        page.wait("document.querySelector('.status .saved').innerText.startsWith('a draft')")
        theirs = right.replace("runs further", "walks further")
        module.write_text(theirs, "utf-8")
        page.wait("document.querySelector('.fault')?.innerText.includes('module.yaml')")
        assert module.read_text("utf-8") == theirs
        page.click_on(".fault .button")
        page.wait("!document.querySelector('.fault')")
        page.wait(f"{_EDITOR}.querySelector('.cm-content').innerText.includes('walks further')")
        wait_until_checked(page)
        assert module.read_text("utf-8") == theirs
        # a file that goes and comes back as it was asks for no decision
        away = module.with_name("away")
        module.rename(away)
        page.wait("document.querySelector('.fault')?.innerText.includes('module.yaml')")
        away.rename(module)
        page.wait("!document.querySelector('.fault')")
        wait_until_checked(page)
        # one that is not there is opened as soon as it is there
        more = target / "rules" / "more.yaml"
        more.rename(away)
        page.go("#/write/0%2Foutside%2Frules%2Fmore.yaml")
        page.wait("document.querySelector('.fault')?.innerText.includes('does not exist')")
        away.rename(more)
        page.wait("!document.querySelector('.fault')")
        page.wait(f"{_EDITOR}.querySelector('.cm-content').innerText.includes('rules: []')")


def test_a_draft_is_offered_after_every_reload_until_its_author_decides(
    page: Page, tmp_path: Path
) -> None:
    rules = tmp_path / "rules"
    rules.mkdir()
    file = rules / "one.yaml"
    right = "id: house/one\nkind: house\ntitle: One\nrequires: {base: c2/base}\n"
    theirs, place = right.replace("One", "Two"), "#/write/0%2Fone.yaml"
    for name in ("a<b.yaml", "what?.yaml"):
        (rules / name).write_text("id: house/odd\n", "utf-8")
    file.write_text(right, "utf-8")
    shown = f"{_EDITOR}.querySelector('.cm-content')?.innerText"

    def is_a_draft() -> None:
        page.wait(f"{shown}.includes('mine: [') && !document.querySelector('.fault')")
        page.wait("document.querySelector('.status .saved').innerText.startsWith('a draft')")
        page.wait("document.querySelector('.status .bad')")
        assert not page.ask("document.querySelector('.status .good')")

    def is_undecided(sentence: str) -> None:
        page.wait("document.querySelector('.fault')?.innerText.includes(arguments[0])", sentence)
        page.wait(f"{shown}.includes('mine: [')")
        page.wait("document.querySelector('.undecided')")
        assert not page.ask("document.querySelector('.status').querySelector('.good, .bad')")

    def again() -> None:
        """Open the page once more, and then go to another place and back."""
        page.driver.refresh()
        page.wait("document.querySelector('.write')")
        page.go("#/library")
        page.wait("document.querySelector('.cards li')")
        page.go(place)

    with server(tmp_path, "--folder", str(rules)) as here:
        page.open(here.address)
        page.go(place)
        wait_until_checked(page)
        # files with names that are not safe everywhere are counted
        assert "2 files cannot be edited here" in page.text("aside.files")
        assert "a<b.yaml" in page.text("aside.files ul.note")
        click_in_editor(page, ".cm-content")
        page.press("Ctrl+End")
        page._do("Input.insertText", text="mine: [")
        is_a_draft()
        again()
        is_a_draft()
        file.unlink()
        is_undecided("has been deleted outside")
        again()
        is_undecided("has been deleted outside")
        assert "one.yaml" in page.text("aside.files p.note + ul")
        for wide, dark in LOOKS:
            page.look(wide, dark=dark)
            assert page.axe() == [], (wide, dark)
        page.look(1440)
        # written as it was, it has its draft again
        file.write_text(right, "utf-8")
        is_a_draft()
        again()
        is_a_draft()
        # written otherwise, both texts are there
        file.unlink()
        is_undecided("has been deleted outside")
        file.write_text(theirs, "utf-8")
        is_undecided("has changed outside")
        again()
        is_undecided("has changed outside")
    # also in another run
    with server(tmp_path, "--folder", str(rules)) as here:
        page.open(here.address)
        page.go(place)
        is_undecided("has changed outside")
        assert page.ask("document.querySelector('.fault pre').textContent") == theirs
        file.unlink()
        is_undecided("has been deleted outside")
        page.click_on(".fault .button:nth-of-type(2)")
        page.until(file.is_file, "the file")
        assert file.read_text("utf-8") == right + "mine: ["
        page.wait("document.querySelector('.status .saved').innerText === 'saved'")
        page.wait("document.querySelector('.status .bad')")
        # a discarded draft does not come back
        click_in_editor(page, ".cm-content")
        page.press("Ctrl+End", "x")
        page.wait("document.querySelector('.status .saved').innerText.startsWith('a draft')")
        file.unlink()
        is_undecided("has been deleted outside")
        page.click_on(".fault .button:nth-of-type(1)")
        page.wait("!document.querySelector('.fault') && !document.querySelector('aside p + ul a')")
        file.write_text(right, "utf-8")
        page.go(place)
        page.wait(f"{shown}?.includes('title: One')")
        wait_until_checked(page)
        assert "mine" not in editor_text(page)
        assert file.read_text("utf-8") == right


def test_a_number_is_changed_by_its_button(page: Page, rules: Path, tmp_path: Path) -> None:
    target = rules / "numbered"
    write_hungry(tmp_path).rename(target)
    (target / "rules" / "dragon.yaml").write_text("rules: []\n", "utf-8")
    (target / "scenarios" / "dragon.yaml").unlink()
    module = target / "module.yaml"
    module.write_text(module.read_text("utf-8").replace("hungry-dragon", "numbered"), "utf-8")
    with server(tmp_path, "--folder", str(rules)) as other:
        page.open(other.address)
        page.go("#/write/0%2Fnumbered%2Frules%2Fdragon.yaml")
        page.click_on(".files li button", text="dragon.steps")
        page.wait(f"{_EDITOR}.querySelector('.cm-content').innerText.includes('numbered.steps')")
        page._do("Input.insertText", text="7")
        page.wait("document.querySelectorAll('.change').length === 1")
        line = "{id: numbered.steps, set: dragon.steps, to: 7, expect: 6, why: "
        file = target / "rules" / "dragon.yaml"
        page.until(lambda: line in file.read_text("utf-8"), "the saved number")


# ------------------------------------------------------------------ every scenario


def test_every_shipped_scenario_stepped_in_the_page_ends_with_the_digest_of_the_engine(
    page: Page,
) -> None:
    """The boards of one ruleset in the page; all others by the message itself (test_books)."""
    page.go("#/book/c2%2Fprincess-and-dragon/dragon.movement")
    links = "[...document.querySelectorAll('.scenario details a')]"
    page.wait(f"{links}.length > 10")
    ids = page.ask(f"{links}.map(a => a.getAttribute('href'))")
    from tilewright.language.source.diagnostics import Reporter
    from tilewright.rules.reading.library import Library
    from tilewright.tools.scenarios.collect import scenarios_of
    from tilewright.tools.scenarios.runner import Programs, played_out

    library = Library()
    programs = Programs(library)
    known = {s.id: (s, game) for s, game in scenarios_of(BASE, library)}
    for address in ids[:12]:
        id_ = address.rpartition("show=")[2]
        scenario, game = known[id_]
        program, _ = programs.get(game, scenario.options)
        if scenario.fails or program is None:
            continue
        ended = played_out(scenario, program, Reporter.discarding())
        assert ended is not None
        page.go(address)
        page.wait("document.querySelector('.scenario')?.dataset.digest === arguments[0]",
                  ended.digest())  # fmt: skip
        page.press("End")
        last = sum(line.verb == "choose" for line in scenario.lines)
        page.wait("document.querySelector('.scenario').dataset.at === arguments[0]", str(last))
    assert json.dumps(page.complaints()) == "[]"

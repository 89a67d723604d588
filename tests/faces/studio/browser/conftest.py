"""A server for the tests of a file, and the page in the browser of all; a file may start its own.

Each server has a port of its own, so nothing that a page keeps comes from another file.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.studio_page import Page, Server, server


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with server(tmp_path_factory.mktemp("studio")) as started:
        yield started


@pytest.fixture(autouse=True)
def whole() -> Iterator[None]:
    """A test that could not look at everything passes, and is counted as skipped beside it."""
    Page.unchecked.clear()
    yield
    if Page.unchecked:
        pytest.skip(Page.unchecked[0])


@pytest.fixture
def page(studio: Server, window: Page) -> Page:
    """The page of the server, newly opened; earlier messages of the console are dropped."""
    window.open(studio.address)
    window.complaints()
    return window

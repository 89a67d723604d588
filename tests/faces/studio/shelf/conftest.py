"""A client of the studio with one ruleset of its own, for the tests of a file."""

from __future__ import annotations

import pytest

from support.hungry import write_hungry
from tilewright.faces.studio.client import Client, Studio


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Client:
    folder = tmp_path_factory.mktemp("rules")
    write_hungry(folder)
    return Client(Studio(folders=(folder,)))

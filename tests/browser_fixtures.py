"""A house with its people, a browser, and a door through which pages are opened: for every test in a browser."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from browsing import Door, House, browsing
from own_books import copy_books


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    books = copy_books(tmp_path_factory.mktemp("books"))
    found = House(tmp_path_factory.mktemp("house"), books=books)
    try:
        yield found
    finally:
        found.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as found:
        yield found


@pytest.fixture
def door(browser: Browser, house: House) -> Iterator[Door]:
    """Opens pages; afterwards no page may have written an error into its console."""
    found = Door(browser, house)
    try:
        yield found
    finally:
        found.close()
    assert found.errors == []

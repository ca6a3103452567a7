"""A patron's browser gives its word for the next shoe by itself, once its patron has turned that on."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect

from browsing import CHROMIUM, NO_CHROMIUM, PATIENCE, Door, House
from punto.audit import events_of, verify_shoe
from punto.journal import Journal
from punto.shoe import BadShoe
from punto.table.events import ShoeLoaded
from service_process import opening, until

pytestmark = pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=NO_CHROMIUM)

pytest_plugins = ("browser_fixtures",)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house whose virtual tables are quick."""
    found = House(tmp_path_factory.mktemp("words"), betting_seconds=0.2, pace=0.4)
    try:
        yield found
    finally:
        found.close()


def test_a_browser_shuffles_its_word_into_the_next_shoe(house: House, browser: Browser) -> None:
    ann = house.patron("ann")
    given = opening("wu-song", shoe="virtual", auto=["announce", "offer"])
    house.manager.do("w", str(given.pop("do")), **given)
    ann.do("w", "sit", patron="ann", box=1)
    door = Door(browser, house)
    page = door.open("/table/w", ann)
    page.get_by_role("tab", name="Requests").click()
    page.get_by_label("Shuffle a random word of this browser into each shoe").check()

    def in_the_shoe() -> bool:
        """End shoes, until there is one that was shuffled after the page was ready."""
        words = house.manager.view("w")["words"]
        if words is not None and words["shoe"] == ["ann"]:
            return True
        if not _end(house):
            page.wait_for_timeout(50)
        return False

    until(in_the_shoe, "a shoe with the patron's word")
    expect(page.get_by_text("Your word is in this shoe.")).to_be_visible(timeout=PATIENCE)
    door.close()
    assert door.errors == []
    journal = Journal(house.database)
    loaded = next(each for each in events_of(journal, "w") if isinstance(each, ShoeLoaded) and each.words)

    def verified() -> tuple[str, ...] | None:
        try:
            return verify_shoe("w", loaded.number, events_of(journal, "w")).words
        except BadShoe:  # it is still in use
            _end(house)
            return None

    assert until(verified, "the end of that shoe") == ("ann",)
    journal.close()


def _end(house: House) -> bool:
    """End the shoe in use, if no round is running."""
    try:
        house.manager.do("w", "end-shoe")
    except (AssertionError, httpx.HTTPError):
        return False
    return True

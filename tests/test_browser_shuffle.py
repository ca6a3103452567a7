"""A virtual shoe is seen being shuffled, with the commitment that binds the house to it, until its first card."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browsing import CHROMIUM, NO_CHROMIUM, PATIENCE, Door, House, axe_finds, laid, sideways, speak, tap
from service_process import opening

pytest_plugins = ("browser_fixtures",)
pytestmark = pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=NO_CHROMIUM)

BETWEEN = """async () => {
  const { Shuffle } = await import("/static/patron/shuffle.js");
  const place = document.createElement("div");
  document.body.append(place);
  const shuffle = new Shuffle(place);
  shuffle.draw({ shoe: { number: 0, commitment: "", over: 1 }, words: { commitment: "ab".repeat(32) } }, true);
  const said = place.innerText;
  shuffle.draw({ shoe: { number: 0 } }, false);
  return [said, place.innerText];
}"""
"""Between two shoes, when patrons are asked for words: what is said then, and afterwards."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house in which bets stay open until somebody closes them."""
    found = House(tmp_path_factory.mktemp("shuffle"), betting_seconds=600)
    try:
        yield found
    finally:
        found.close()


def _moving(page: Page) -> int:
    count: int = page.locator(".shuffle").evaluate("(all) => all.getAnimations({ subtree: true }).length")
    return count


def test_the_shuffle_is_seen_with_the_commitment_until_the_first_card(house: House, door: Door) -> None:
    patron = house.patron("watches")
    given = opening("wu-song", shoe="virtual", auto=["announce", "offer"])
    house.manager.do("shuffled", str(given.pop("do")), **given)
    patron.sit("shuffled", 2)
    still = door.open("/table/shuffled", patron)  # nothing moves where somebody wants it so
    expect(still.locator(".shuffle")).to_contain_text("Shoe 1 is shuffled.", timeout=PATIENCE)
    assert _moving(still) == 0
    page = door.open("/table/shuffled", patron, motion=True)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    seen = page.locator(".shuffle")
    expect(seen).to_contain_text("Shoe 1 is shuffled.", timeout=PATIENCE)
    assert _moving(page) > 0
    commitment = patron.view("shuffled")["shoe"]["commitment"]
    expect(seen.locator("code")).to_have_text(f"{commitment[:12]}…")
    seen.get_by_role("button", name="Copy").click()
    expect(seen.get_by_role("button", name="Copied")).to_be_visible(timeout=PATIENCE)
    assert page.evaluate("() => navigator.clipboard.readText()") == commitment
    assert axe_finds(still) == []
    between, afterwards = page.evaluate(BETWEEN)
    words = "The next shoe is being shuffled. The house is bound to its cards by abababababab… Copy"
    assert (" ".join(between.split()), afterwards) == (words, "")
    for wide, high in ((390, 844), (844, 390), (1440, 900)):
        still.set_viewport_size({"width": wide, "height": high})
        assert sideways(still) == 0
    speak(still, "zh-Hant")
    expect(still.locator(".shuffle")).to_contain_text("第 1 靴已洗妥。", timeout=PATIENCE)
    tap(page, "banker")  # which it does not lie over
    laid(page, "banker", 50_00)
    expect(seen).to_be_visible()
    house.manager.do("shuffled", "close-bets")
    expect(seen).to_have_count(0, timeout=PATIENCE)
    expect(page.locator(".hand.player .slot").first).to_be_visible(timeout=PATIENCE)

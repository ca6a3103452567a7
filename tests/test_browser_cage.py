"""The cage in a browser: a patron asks for chips and for money, and the dealer sees it and says that it is done."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browsing import CHROMIUM, NO_CHROMIUM, PATIENCE, Door, House

pytest_plugins = ("browser_fixtures",)
pytestmark = pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=NO_CHROMIUM)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    found = House(tmp_path_factory.mktemp("house"), money="cage")
    try:
        yield found
    finally:
        found.close()


def test_a_patron_asks_for_chips_and_money_and_the_dealer_sees_to_it(house: House, door: Door) -> None:
    patron, table = house.patron("ann"), house.table("caged", "wu-song")
    patron.do(table, "sit", patron="ann", box=2)
    page = door.open(f"/table/{table}", patron)
    card = page.get_by_role("region", name="How much in chips?")
    expect(card).to_contain_text("Give your money to a cashier or the dealer", timeout=PATIENCE)
    card.get_by_role("button").nth(1).click()
    expect(card).to_contain_text("You have asked for 5,000", timeout=PATIENCE)

    desk = door.open(f"/dealer/{table}", house.manager)
    asked = desk.get_by_role("listitem").filter(has_text="ann asks: Buy in, 5,000")
    expect(asked).to_be_visible(timeout=PATIENCE)
    asked.get_by_role("button", name="Money taken or paid").click()
    expect(asked).to_have_count(0, timeout=PATIENCE)
    expect(card).to_have_count(0, timeout=PATIENCE)
    [own] = house.manager.view(table)["patrons"]
    assert own["balance"] == 5_000_00

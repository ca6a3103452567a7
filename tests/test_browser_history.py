"""A patron's own rounds over shoes, with what each of them and each visit has brought, in a browser."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browsing import CHROMIUM, NO_CHROMIUM, PATIENCE, Door, House, axe_finds, coup, money, sideways

pytest_plugins = ("browser_fixtures",)
pytestmark = pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=NO_CHROMIUM)


def test_own_rounds_of_two_shoes_come_to_what_one_has_won(house: House, door: Door) -> None:
    patron, table = house.patron("looks-back"), house.table("looks-back", "wu-song")
    patron.sit(table, 3, 5_000_00)
    house.play(table, patron, coup("P", 0))
    house.play(table, patron, coup("B", 1))
    house.manager.do(table, "end-shoe")
    house.manager.do(table, "load-shoe")
    house.play(table, patron, coup("P", 0))
    house.play(table, patron, coup("P", 1))
    page = door.open(f"/table/{table}", patron, phone=True)
    page.get_by_role("tab", name="History").click()
    expect(page.locator(".tab-panel .past")).to_have_count(2, timeout=PATIENCE)  # of the shoe in use
    page.get_by_role("button", name="Your rounds").click()
    expect(page.locator(".tab-panel .past")).to_have_count(4, timeout=PATIENCE)
    net = patron.view(table)["patrons"][0]["balance"] - 5_000_00
    assert net < 0
    visit = page.locator(".tab-panel .visit")
    expect(visit).to_have_count(1)
    expect(visit.locator("h2")).to_contain_text("4 rounds")
    expect(visit.locator("h2 .net")).to_have_text(money(net, sign=True))
    assert visit.locator(".past .net").all_inner_texts()[:2] == [money(-10_00), money(-10_00)]
    visit.locator(".past summary").first.click()
    expect(visit.locator(".past").first).to_contain_text(re.compile("Player wins"), timeout=PATIENCE)
    assert axe_finds(page) == []
    assert sideways(page) == 0

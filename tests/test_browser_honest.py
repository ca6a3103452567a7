"""What a patron is told of their own money: in the lobby, when chips do not reach, and when they leave."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browsing import CHROMIUM, NO_CHROMIUM, PATIENCE, Door, House, axe_finds, laid, tap

pytest_plugins = ("browser_fixtures",)
pytestmark = pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=NO_CHROMIUM)


def test_chips_that_do_not_reach_are_dim_and_the_next_step_is_told(house: House, door: Door) -> None:
    patron, table = house.patron("short"), house.table("short", "wu-song")
    patron.sit(table, 3, 60_00)
    house.manager.do(table, "open-bets")
    page = door.open(f"/table/{table}", patron)
    chip = page.get_by_role("radio", name="Chip of 50", exact=True)
    expect(page.get_by_role("radio", name="Chip of 100", exact=True)).to_have_class(re.compile(r"\bdim\b"))
    expect(chip).not_to_have_class(re.compile(r"\bdim\b"))
    page.get_by_role("radio", name="Chip of 100", exact=True).click()
    tap(page, "banker")
    told = page.locator('.spot-box[data-bet="banker"]').get_by_role("alert")
    said = "You have 60 left: take a smaller chip, or buy chips under Requests."
    expect(told).to_contain_text(said, timeout=PATIENCE)
    assert patron.view(table)["round"]["wagers"] == []
    chip.click()
    tap(page, "banker")
    laid(page, "banker", 50_00)
    expect(chip).to_have_class(re.compile(r"\bdim\b"), timeout=PATIENCE)


def test_the_lobby_shows_where_one_sits_and_leaving_tells_of_the_stake(house: House, door: Door) -> None:
    patron, table = house.patron("seated"), house.table("seated", "wu-song")
    patron.sit(table, 4, 1_000_00)
    house.manager.do(table, "open-bets")
    patron.bet(table, "banker", 50_00)
    page = door.open("/", patron)
    tile = page.locator("article.tile", has=page.locator(f'a[href^="/table/{table}"]'))
    expect(tile).to_contain_text("You sit at box 4 · 950 in chips · 50 at stake", timeout=PATIENCE)
    assert axe_finds(page) == []
    tile.locator(f'a[href^="/table/{table}"]', has_text="Go on playing").click()
    page.get_by_role("tab", name="Requests").click()
    page.get_by_role("button", name="Cash out and leave").click()
    told = page.get_by_text("You have 50 at stake. It plays on without you")
    expect(told).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="Stay", exact=True).click()
    expect(told).to_have_count(0)
    assert patron.view(table)["patrons"][0]["balance"] == 950_00
    strangers = [row["own"] for row in house.patron("stranger").get("/api/tables") if row["name"] == table]
    assert strangers == [None]  # nobody is told of the money of others


def test_whose_seat_was_given_back_is_told_so_and_sits_down_with_the_same_chips(house: House, door: Door) -> None:
    patron, table = house.patron("dreamer"), house.table("dreamer", "wu-song")
    patron.sit(table, 4, 1_000_00)
    house.manager.do(table, "open-bets")
    page = door.open(f"/table/{table}", patron)
    page.locator('.spot-box[data-bet="banker"].open').wait_for()
    house.manager.do(table, "leave", patron=patron.name)  # as the service does with the seats of those who do nothing
    told = page.locator(".dock").get_by_role("alert")
    expect(told).to_contain_text("The house has given your seat back. Your chips are kept for you", timeout=PATIENCE)
    page.get_by_role("button", name="Sit down: Box 1").first.click()
    expect(page.locator(".seat.own")).to_be_visible(timeout=PATIENCE)
    assert [(each["box"], each["balance"]) for each in patron.view(table)["patrons"]] == [(1, 1_000_00)]

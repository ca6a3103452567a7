"""Limits of one's own, a pause, a reminder, and betting the same again by itself: at a patron's table in a browser."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from browsing import CHROMIUM, NO_CHROMIUM, PATIENCE, Door, House, Somebody, axe_finds, coup, laid, sideways, tap
from service_process import until

pytest_plugins = ("browser_fixtures",)
pytestmark = pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=NO_CHROMIUM)


def seated(house: House, door: Door, name: str, *, phone: bool = False) -> tuple[Somebody, str, Page]:
    """A patron at a table of their own whose bets are open, and their page."""
    patron, table = house.patron(name), house.table(name, "wu-song")
    patron.sit(table, 3, 5_000_00)
    house.manager.do(table, "open-bets")
    page = door.open(f"/table/{table}", patron, phone=phone)
    page.locator('.spot-box[data-bet="banker"].open').wait_for()
    return patron, table, page


def next_round(house: House, table: str, winner: str = "B") -> None:
    """Deal the round, and open bets again."""
    house.manager.do(table, "close-bets")
    house.deal(table, coup(winner, 0))
    house.manager.do(table, "open-bets")


def bet_by_itself(patron: Somebody, table: str, page: Page) -> None:
    """Wait until the house holds the same wager in the new round, and the page shows it.

    What lay there in the round before looks the same, so that a look at the page alone may come too early.
    """
    until(lambda: patron.view(table)["round"]["wagers"], "the wager of the new round")
    laid(page, "banker", 50_00)


def limits(page: Page) -> Locator:
    page.get_by_role("tab", name="Limits").click()
    form = page.locator("form.own-limits")
    expect(form).to_be_visible(timeout=PATIENCE)
    return form


def save(page: Page) -> None:
    """Set the limits, and wait until the page has asked what they are now."""
    with page.expect_response(lambda answer: answer.request.method == "GET" and "/api/own-limits" in answer.url):
        page.locator("form.own-limits").get_by_role("button", name="Set limits").click()


def auto(page: Page) -> Locator:
    return page.get_by_role("button", name="Bet the same again in every round")


def test_limits_are_set_beside_the_felt_and_the_house_keeps_them(house: House, door: Door) -> None:
    patron, table, page = seated(house, door, "careful")
    form = limits(page)
    expect(page.locator(".tab-panel")).to_contain_text("Today you have neither won nor lost.")
    form.get_by_label("Most to lose in a day").fill("1,000")
    form.get_by_label("Most to stake in a round").fill("75.50")
    form.get_by_role("combobox").select_option("30")
    save(page)
    expect(page.locator("form.own-limits").get_by_label("Most to stake in a round")).to_have_value("75.50")
    assert axe_finds(page) == []
    now = patron.get("/api/own-limits")
    assert (now["currencies"]["USD"]["lose"]["most"], now["currencies"]["USD"]["stake"]["most"]) == (1_000_00, 75_50)
    assert now["remind"] == patron.get("/api/me")["remind"] == 30
    tap(page, "banker")
    laid(page, "banker", 50_00)
    tap(page, "banker")
    told = page.locator('.spot-box[data-bet="banker"]').get_by_role("alert")
    expect(told).to_contain_text("Your own limit is 75.50 in a round: 25.50 more may be laid.", timeout=PATIENCE)
    assert patron.view(table)["patrons"][0]["held"] == 50_00
    form = limits(page)
    form.get_by_label("Most to lose in a day").fill("")
    form.get_by_label("Most to stake in a round").fill("60")
    save(page)
    waits = page.locator("form.own-limits").get_by_text(re.compile("^Most to lose in a day: No limit from "))
    expect(waits).to_be_visible(timeout=PATIENCE)
    expect(page.locator("form.own-limits").get_by_label("Most to lose in a day")).to_have_value("1,000")
    expect(page.locator("form.own-limits").get_by_label("Most to stake in a round")).to_have_value("60")


def test_a_pause_is_asked_twice_and_is_told_with_the_next_bet(house: House, door: Door) -> None:
    patron, _, page = seated(house, door, "weary", phone=True)
    limits(page)
    page.get_by_role("button", name="a day", exact=True).click()
    assert patron.get("/api/own-limits")["paused"] is None, "nothing has happened yet"
    page.get_by_role("button", name="Yes, pause now").click()
    expect(page.locator(".tab-panel").get_by_text(re.compile("^You have paused until"))).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_role("button", name="a day", exact=True)).to_have_count(0)
    assert axe_finds(page) == []
    assert sideways(page) == 0
    tap(page, "banker")
    told = page.locator('.spot-box[data-bet="banker"]').get_by_role("alert")
    expect(told).to_contain_text(re.compile("You have paused until .* UTC"), timeout=PATIENCE)
    page.get_by_role("tab", name="Requests").click()
    page.get_by_role("button", name="Cash out and leave").click()
    page.wait_for_url("**/", timeout=PATIENCE)


def test_a_reminder_comes_in_time_says_the_day_and_blocks_nothing(house: House, door: Door) -> None:
    patron, table = house.patron("minutes"), house.table("minutes", "wu-song")
    patron.sit(table, 3, 5_000_00)
    patron.put("/api/own-limits", {"currency": "USD", "lose": None, "stake": None, "remind": 15})
    house.play(table, patron, coup("P", 0))  # 10.00 on Banker are lost
    house.manager.do(table, "open-bets")
    page = door.open("about:blank", patron)
    page.clock.install()
    page.goto(f"/table/{table}")
    page.get_by_role("tab", name="Limits").wait_for()
    page.wait_for_load_state("networkidle")
    page.clock.fast_forward("14:00")
    expect(page.locator(".reminder")).to_have_count(0)
    page.clock.fast_forward("02:00")
    told = page.locator(".reminder")
    expect(told).to_contain_text("You have played for", timeout=PATIENCE)
    expect(told).to_contain_text("Today you have lost 10.")
    tap(page, "banker")
    laid(page, "banker", 50_00)
    told.get_by_role("button", name="Limits and breaks").click()
    expect(page.locator("form.own-limits")).to_be_visible(timeout=PATIENCE)
    expect(told).to_have_count(0)


def test_one_tap_bets_the_same_again_each_round_until_something_is_refused(house: House, door: Door) -> None:
    patron, table, page = seated(house, door, "again")
    auto(page).click()
    expect(page.locator(".dock").get_by_role("alert")).to_contain_text("Lay a wager first", timeout=PATIENCE)
    expect(auto(page)).to_have_attribute("aria-pressed", "false")
    tap(page, "banker")
    laid(page, "banker", 50_00)
    auto(page).click()
    expect(auto(page)).to_have_attribute("aria-pressed", "true")
    for _ in range(2):
        next_round(house, table)
        bet_by_itself(patron, table, page)
    patron.put("/api/own-limits", {"currency": "USD", "lose": None, "stake": 40_00, "remind": 0})
    next_round(house, table)
    told = page.locator(".dock").get_by_role("alert")
    expect(told).to_contain_text("Betting by itself has stopped. Your own limit is 40.00 in a round", timeout=PATIENCE)
    expect(auto(page)).to_have_attribute("aria-pressed", "false")
    assert patron.view(table)["round"]["wagers"] == []


def test_whoever_takes_a_wager_back_or_switches_it_off_is_not_bet_for(house: House, door: Door) -> None:
    patron, table, page = seated(house, door, "enough")
    tap(page, "banker")
    laid(page, "banker", 50_00)
    auto(page).click()
    next_round(house, table)
    bet_by_itself(patron, table, page)
    page.get_by_role("button", name="Clear").click()
    expect(auto(page)).to_have_attribute("aria-pressed", "false")
    expect(page.locator('.spot-box[data-bet="banker"] .amount')).to_have_count(0, timeout=PATIENCE)
    tap(page, "banker")
    laid(page, "banker", 50_00)
    auto(page).click()
    auto(page).click()
    next_round(house, table)
    expect(page.get_by_role("button", name="Rebet")).to_be_enabled(timeout=PATIENCE)
    assert patron.view(table)["round"]["wagers"] == []


def test_nothing_is_bet_by_itself_once_the_house_was_away_or_nobody_looks(house: House, door: Door) -> None:
    patron, table, page = seated(house, door, "absent")
    tap(page, "banker")
    laid(page, "banker", 50_00)
    auto(page).click()
    page.evaluate("Object.defineProperty(document, 'hidden', {value: true, configurable: true})")
    for _ in range(3):
        next_round(house, table)
        bet_by_itself(patron, table, page)
    next_round(house, table)
    told = page.locator(".dock").get_by_role("alert")
    expect(told).to_contain_text("You have not looked for some rounds.", timeout=PATIENCE)
    assert patron.view(table)["round"]["wagers"] == []
    page.evaluate("Object.defineProperty(document, 'hidden', {value: false, configurable: true})")
    tap(page, "banker")
    laid(page, "banker", 50_00)
    auto(page).click()
    expect(auto(page)).to_have_attribute("aria-pressed", "true")
    page.context.set_offline(True)
    page.evaluate("window.dispatchEvent(new Event('offline'))")
    house.manager.do(table, "close-bets")
    house.service.kill()
    expect(auto(page)).to_have_attribute("aria-pressed", "false", timeout=PATIENCE)
    page.context.set_offline(False)
    house.service.start()
    house.deal(table, coup("B", 1))
    house.manager.do(table, "open-bets")
    expect(page.get_by_role("button", name="Rebet")).to_be_enabled(timeout=PATIENCE)
    assert patron.view(table)["round"]["wagers"] == []
    door.forgive_outage()


def test_it_stops_with_the_shoe(house: House, door: Door) -> None:
    _, table, page = seated(house, door, "lasting")
    tap(page, "banker")
    laid(page, "banker", 50_00)
    auto(page).click()
    house.manager.do(table, "last-hand")
    house.manager.do(table, "close-bets")
    house.deal(table, coup("B", 0))
    house.manager.do(table, "end-shoe")
    told = page.locator(".dock").get_by_role("alert")
    expect(told).to_contain_text("Betting by itself has stopped. A new shoe begins.", timeout=PATIENCE)
    expect(auto(page)).to_have_attribute("aria-pressed", "false")


def test_a_tap_is_meant_for_its_shoe_also_where_it_ends_while_the_page_loads(house: House, door: Door) -> None:
    _, table, page = seated(house, door, "hasty")
    tap(page, "banker")
    laid(page, "banker", 50_00)
    held: list[Route] = []
    page.route("**/auto-rebet.js", lambda route: held.append(route))
    auto(page).click()
    until(lambda: page.evaluate("1") and held, "the module is asked for")
    house.manager.do(table, "last-hand")
    house.manager.do(table, "close-bets")
    house.deal(table, coup("B", 0))
    house.manager.do(table, "end-shoe")
    page.get_by_role("img", name="Shoe: 0 cards left").wait_for()
    held[0].continue_()
    told = page.locator(".dock").get_by_role("alert")
    expect(told).to_contain_text("Betting by itself has stopped. A new shoe begins.", timeout=PATIENCE)
    expect(auto(page)).to_have_attribute("aria-pressed", "false")

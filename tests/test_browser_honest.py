"""What a patron is told of their own money: in the lobby, when chips do not reach, and when they leave."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from browsing import CHROMIUM, NO_CHROMIUM, PATIENCE, Door, House, axe_finds, coup, laid, speak, tap
from punto.messages import say
from punto.messages.languages import language
from punto.rulebook import load

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


def test_what_was_tapped_in_one_round_is_not_laid_in_the_next(house: House, door: Door) -> None:
    """The line holds a tap back while a whole round goes by: its chip comes back, and the patron is told why."""
    patron, table = house.patron("held-up"), house.table("held-up", "wu-song")
    patron.sit(table, 3)
    house.manager.do(table, "open-bets")
    page = door.open(f"/table/{table}", patron)
    tap(page, "banker")
    laid(page, "banker", 50_00)
    page.context.set_offline(True)
    page.evaluate("window.dispatchEvent(new Event('offline'))")
    area = page.locator('.spot-box[data-bet="player"]')
    area.locator(".spot").click()
    expect(area.locator(".stack.pending")).to_have_count(1, timeout=PATIENCE)
    house.manager.do(table, "close-bets")
    house.deal(table, coup("B", 0))
    house.manager.do(table, "open-bets")
    page.context.set_offline(False)
    page.evaluate("window.dispatchEvent(new Event('online'))")
    said = "This was meant for round 1, and the table is at round 2: nothing was done."
    expect(area.get_by_role("alert")).to_contain_text(said, timeout=PATIENCE)
    expect(area.locator(".stack")).to_have_count(0, timeout=PATIENCE)
    assert patron.view(table)["round"]["wagers"] == []
    tap(page, "player")  # meant for the round that is there
    laid(page, "player", 50_00)
    door.forgive_outage()


def test_what_cannot_be_loaded_is_told_in_the_language_of_the_page_and_comes_when_it_can(
    house: House, door: Door
) -> None:
    """Modules and style sheets alike: what was missed while the house was away is not missing afterwards."""
    patron, table = house.patron("away"), house.table("away", "wu-song")
    patron.sit(table, 3)
    house.manager.do(table, "open-bets")
    page = door.open(f"/table/{table}", patron)
    history = page.locator(".tab").nth(1)
    history.wait_for()
    speak(page, "zh-Hant")
    expect(history).to_have_text("記錄", timeout=PATIENCE)
    page.wait_for_load_state("networkidle")
    page.route("**/static/patron/history.js", lambda route: route.abort())
    page.route("**/static/style/results.css", lambda route: route.abort())
    history.click()
    told = page.locator(".tabbed").get_by_role("alert")
    expect(told).to_contain_text(re.compile("^暫時連不上"), timeout=PATIENCE)
    expect(page.locator("#tab-panel")).not_to_contain_text("請稍候")
    page.unroute_all()
    history.click()
    expect(page.locator("#tab-panel")).to_contain_text("尚未有已結束的牌局。", timeout=PATIENCE)
    loaded = "Array.from(document.styleSheets).filter(({ href }) => href?.endsWith('/results.css')).length"
    assert page.evaluate(loaded) == 1
    door.forgive_outage()


@pytest.mark.parametrize("book", ["wu-song", "commission-insurance"])
def test_what_is_about_insurance_is_asked_for_where_the_book_has_any(house: House, door: Door, book: str) -> None:
    patron, table = house.patron(f"asking-{book}"), house.table(f"asked-{book}", book)
    patron.sit(table, 1)
    page = door.open(f"/table/{table}", patron)
    page.get_by_role("tab", name="Requests").click()
    expect(page.get_by_role("button", name="Ask to squeeze Player")).to_be_visible(timeout=PATIENCE)
    about = page.get_by_role("button", name=re.compile("no insurance be offered|Banker's third card first"))
    expect(about).to_have_count(2 if load(book).insurance else 0)


def test_the_odds_say_why_they_are_those_of_a_full_shoe(house: House, door: Door) -> None:
    """As at the end of a shoe, which no test plays to its last cards: the house's answer is changed on its way."""
    patron, table = house.patron("late-reader"), house.table("late-read", "wu-song")
    why = say("too-few-for-round", "Too few cards are left for a round.")

    def at_the_end(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "why_not": str(why), "message": {"id": why.message.id}})

    page = door.open(f"/table/{table}", patron)
    page.route("**/odds", at_the_end)
    page.get_by_role("tab", name="Odds").click()
    told = page.locator(".tab-panel p").first
    expect(told).to_have_text("Too few cards are left for a round.", timeout=PATIENCE)
    speak(page, "zh-Hant")
    page.get_by_role("tab", name="賠率").click()
    expect(told).to_have_text(language("zh-Hant").say(why.message), timeout=PATIENCE)

"""A newcomer in a real browser: what Punto is, a game in a minute from its book, terms explained where they stand."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from browsing import CHROMIUM, NO_CHROMIUM, PATIENCE, Door, House, axe_finds, sideways, speak
from punto.odds import bet_odds, full_shoe
from punto.rulebook import load, menu

pytest_plugins = ("browser_fixtures",)
pytestmark = pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=NO_CHROMIUM)

SPECIAL = {
    "da-hu-ying-xiong": ["Banker: Banker wins on 6, 1 to 2", "Insurance: when the cards are against your wager"],
    "wu-song": ["Player: Player wins on 7, 1 to 2", "Banker: Banker wins on 6-7, 1 to 2", "Tie: "],
    "dragon-tiger-mbs": ["Banker: Banker wins, 0.95 to 1"],
    "commission-insurance": ["Banker: Banker wins, 0.95 to 1", "Insurance: when the cards are against your wager"],
    "dragon-tiger-hoiana": ["Banker: Banker wins on 6, 1 to 2"],
}
"""What the layouts of the tables below pay otherwise than plain baccarat, by their pay tables."""

CHINESE = {
    "da-hu-ying-xiong": "打虎英雄",
    "wu-song": "武松",
    "dragon-tiger-mbs": "龍虎百家樂",
    "commission-insurance": "保險百家樂",
    "dragon-tiger-hoiana": "龍虎百家樂",
}


@pytest.mark.parametrize("book", SPECIAL)
def test_a_game_in_a_minute_is_made_from_its_book(house: House, door: Door, book: str) -> None:
    table = house.table(f"guided-{book}", book)
    page = door.open(f"/guide/{table}")
    special = page.locator(".guide .panel").nth(2)
    for said in SPECIAL[book]:
        expect(special).to_contain_text(said, timeout=PATIENCE)
    has_insurance = load(book).insurance is not None
    expect(special.get_by_text("Insurance:")).to_have_count(1 if has_insurance else 0)
    costs = page.locator(".guide .panel").nth(3).locator("tbody tr")
    snapshot = house.manager.snapshot(table)
    priced = bet_odds(menu(load(book), snapshot["view"]["layout"]), full_shoe(snapshot["decks"]))
    told = [each.text_content() for each in costs.locator("td.money").all()]
    assert told == [f"{float(each.edge) * 100:.2f}" for each in priced.values()]
    assert axe_finds(page) == []
    page.set_viewport_size({"width": 390, "height": 844})
    assert sideways(page) == 0
    speak(page, "zh-Hant")
    expect(page.locator(".guide h2").first).to_have_text("下注甚麼", timeout=PATIENCE)
    expect(page.locator(".guide h1")).to_have_text(f"一分鐘認識{CHINESE[book]}")


def test_a_newcomer_finds_the_guide_from_the_first_page_and_from_the_table(house: House, door: Door) -> None:
    patron, table = house.patron("newcomer"), house.table("new-here", "wu-song")
    stranger = door.open("/")
    expect(stranger.locator("form.log-in")).to_contain_text("Casino baccarat, dealt and paid by", timeout=PATIENCE)
    expect(stranger.locator("section.log-in")).to_contain_text("You bet on the one that comes closer to nine")
    assert axe_finds(stranger) == []
    stranger.locator("section.log-in").get_by_role("link", name="Wu Song").click()
    expect(stranger.locator(".guide h1")).to_have_text("Wu Song in a minute", timeout=PATIENCE)
    page = door.open("/", patron)
    expect(page.locator(".lobby-head")).to_contain_text("Casino baccarat, dealt and paid by", timeout=PATIENCE)
    page.locator(f'a[href="/guide/{table}"]').click()
    expect(page.locator(".guide h1")).to_have_text("Wu Song in a minute", timeout=PATIENCE)
    page.get_by_role("link", name="Go to the table").click()
    expect(page.get_by_role("link", name="New to this game?")).to_have_attribute("href", f"/guide/{table}")


def test_terms_on_the_felt_are_explained_by_a_tap(house: House, door: Door) -> None:
    patron, table = house.patron("asker"), house.table("explained", "wu-song")
    house.manager.do(table, "open-bets")
    page = door.open(f"/table/{table}", patron, phone=True)
    posted = page.locator(".posted")
    expect(posted).to_contain_text("Room", timeout=PATIENCE)
    posted.tap()
    terms = page.locator(".terms")
    expect(terms.locator("dt")).to_have_text(["Min", "Max", "Differential", "Room"], timeout=PATIENCE)
    assert axe_finds(page) == []
    assert sideways(page) == 0
    posted.tap()
    expect(terms).to_have_count(0)

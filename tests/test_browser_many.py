"""A house with two hundred tables: what is out of sight costs nothing, and a table is found by keyboard alone."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browsing import CHROMIUM, NO_CHROMIUM, PATIENCE, Door, House, axe_finds, speak
from service_process import opening

pytest_plugins = ("browser_fixtures",)
pytestmark = pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=NO_CHROMIUM)

TABLES = 200
LAST = f"t{TABLES:03}"


@pytest.fixture(scope="module")
def many(house: House) -> House:
    for number in range(1, TABLES + 1):
        given = opening("wu-song")
        house.manager.do(f"t{number:03}", str(given.pop("do")), **given)
    return house


def drawn(page: Page, part: str) -> int:
    """How many tiles have been drawn."""
    return page.locator(part).count()


def test_the_lobby_draws_what_is_in_sight_and_finds_the_rest(many: House, door: Door) -> None:
    page = door.open("/", many.patron("many"))
    expect(page.locator("article.tile")).to_have_count(TABLES, timeout=PATIENCE)
    expect(page.locator("article.tile .road-panel svg").first).to_be_visible(timeout=PATIENCE)
    assert drawn(page, "article.tile .road-panel svg") < TABLES / 2
    last = page.locator("article.tile", has=page.locator(f'a[href="/guide/{LAST}"]'))
    assert last.locator(".road-panel svg").count() == 0
    last.scroll_into_view_if_needed()
    expect(last.locator(".road-panel svg")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("searchbox").focus()
    page.keyboard.type(LAST)
    expect(page.locator("article.tile")).to_have_count(1, timeout=PATIENCE)
    assert axe_finds(page) == []
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(f"/table/{LAST}"), timeout=PATIENCE)


def test_the_pit_draws_what_is_in_sight_and_hears_the_rest(many: House, door: Door) -> None:
    asked: list[str] = []
    page = door.open("about:blank", many.manager)
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/pit")
    expect(page.locator(".p-tile")).to_have_count(TABLES, timeout=PATIENCE)
    expect(page.locator(".p-tile:not(.undrawn) .tile-money").first).to_be_visible(timeout=PATIENCE)
    many.manager.do(LAST, "report", fact="other", note="The light went out.")
    tile = page.locator(f'.p-tile[data-table="{LAST}"]')
    expect(tile).to_have_class(re.compile(r"\balerting\b"), timeout=PATIENCE)
    undrawn = page.locator(".p-tile.undrawn").count()
    assert undrawn > TABLES / 2
    assert len({each for each in asked if each.endswith("/odds")}) < TABLES / 2
    page.get_by_label("Only what waits for somebody").check()
    expect(page.locator(".p-tile:visible")).to_have_count(1, timeout=PATIENCE)
    expect(tile.locator("header")).to_be_visible(timeout=PATIENCE)
    page.get_by_label("Only what waits for somebody").uncheck()
    page.get_by_role("searchbox").focus()
    page.keyboard.type("t007")
    expect(page.locator(".p-tile:visible")).to_have_count(1, timeout=PATIENCE)
    expect(page.locator('.p-tile[data-table="t007"] h2 a')).to_be_visible(timeout=PATIENCE)


def test_a_table_is_found_by_its_title_in_either_language(many: House, door: Door) -> None:
    """The tables here are of one book, whose title is both English and Chinese."""
    for path, tile, who in (("/", "article.tile", many.patron("seeker")), ("/pit", ".p-tile", many.manager)):
        page = door.open(path, who)
        for language in ("en", "zh-Hant", "zh-Hans"):
            speak(page, language)
            expect(page.locator(f"{tile}:visible")).to_have_count(TABLES, timeout=PATIENCE)
            titles = {"en": ("wu song",), "zh-Hant": ("wu song", "武松"), "zh-Hans": ("wu song", "免佣百家乐")}
            for typed in titles[language]:
                page.get_by_role("searchbox").fill("no such table")
                expect(page.locator(f"{tile}:visible")).to_have_count(0, timeout=PATIENCE)
                page.get_by_role("searchbox").fill(typed)
                expect(page.locator(f"{tile}:visible")).to_have_count(TABLES, timeout=PATIENCE)


def test_the_pit_hears_every_table_also_in_another_language(many: House, door: Door) -> None:
    """Two hundred sockets are closed and two hundred opened: browsers have no room for both at once."""
    page = door.open("/pit", many.manager)
    for language in ("zh-Hant", "en"):
        expect(page.locator(".p-tile")).to_have_count(TABLES, timeout=PATIENCE)
        expect(page.locator(".p-tile:not(.undrawn) .tile-money").first).to_be_visible(timeout=PATIENCE)
        speak(page, language)
    for table in ("t003", "t101", "t199"):
        many.manager.do(table, "report", fact="other", note="A glass fell.")
        tile = page.locator(f'.p-tile[data-table="{table}"]')
        expect(tile).to_have_class(re.compile(r"\balerting\b"), timeout=PATIENCE)


def test_ones_own_table_comes_first_in_the_lobby(many: House, door: Door) -> None:
    patron = many.patron("sitting")
    patron.sit(LAST, 2)
    page = door.open("/", patron)
    first = page.locator("article.tile").first
    expect(first).to_contain_text("You sit at box 2", timeout=PATIENCE)
    expect(first.locator(".button.primary")).to_have_attribute("href", re.compile(f"/table/{LAST}"))

"""How much travels to a patron's table, and what waits for what, between a real browser and the service."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Route, expect

from browsing import CHROMIUM, NO_CHROMIUM, PATIENCE, Door, House, laid, tap
from metering import Meter
from service_process import opening, until

BEFORE_THE_FIRST_BET = 60_000
IN_ALL = 110_000
"""Bytes, with every head of HTTP."""

pytest_plugins = ("browser_fixtures",)
pytestmark = pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=NO_CHROMIUM)


@pytest.fixture
def meter(house: House) -> Iterator[Meter]:
    found = Meter(house.service.port)
    try:
        yield found
    finally:
        found.close()


def test_a_patrons_table_is_light(house: House, meter: Meter, browser: Browser) -> None:
    """From an empty cache to the first bet; then insurance, a result, every panel, and a squeeze at another table."""
    patron, table = house.patron("light"), house.table("light", "commission-insurance")
    given = opening("dragon-tiger-mbs", auto=["announce", "offer"], shoe="virtual", face_down=True, method="A")
    house.manager.do("squeezing", str(given.pop("do")), **given)
    patron.sit(table, 3)
    patron.sit("squeezing", 2)
    house.manager.do(table, "open-bets")
    door = Door(browser, house, address=meter.address)
    page = door.open("about:blank", patron)
    held: list[Route] = []
    page.route(
        "**/patron/beside.js", lambda route: held.append(route)
    )  # what is beside the felt waits for the first bet
    page.goto(f"/table/{table}")
    page.locator('.spot-box[data-bet="banker"].open').wait_for()
    first = meter.received
    tap(page, "banker")
    laid(page, "banker", 50_00)
    assert len(held) == 1
    held[0].continue_()

    house.manager.do(table, "close-bets")
    house.deal(table, "2c 2d 2h 3s")
    page.get_by_label("Insurance", exact=True).get_by_role("button", name=re.compile("^Insure")).click()
    house.deal(table, "4c Ks")
    page.locator(".result-panel .line summary").first.click()
    expect(page.locator(".result-panel .clause-list li").first).to_be_visible(timeout=PATIENCE)
    for tab, landmark in (("History", ".past"), ("Odds", ".figures"), ("Requests", ".ask-form")):
        page.get_by_role("tab", name=tab).click()
        expect(page.locator(f".tab-panel {landmark}").first).to_be_visible(timeout=PATIENCE)
    page.get_by_role("link", name="Lobby").click()
    page.locator('a[href="/table/squeezing?sit"]').click()
    expect(page.locator(".call")).to_have_text("Place your bets", timeout=PATIENCE)
    patron.bet("squeezing", "player", 100_00)
    house.manager.do("squeezing", "close-bets")
    expect(page.locator(".sq-card")).to_have_count(2, timeout=PATIENCE)
    everything = meter.received
    door.close()
    assert door.errors == []
    print(f"{first:,} bytes until a bet could be laid, {everything:,} in all")
    assert first < BEFORE_THE_FIRST_BET
    assert everything < IN_ALL


def test_a_table_waits_for_the_wire_three_times(house: House, browser: Browser) -> None:
    """The page; then all that it is made of, at once; then the table's bets and its socket. Nothing more is asked."""
    patron, table = house.patron("soon"), house.table("soon", "wu-song")
    patron.sit(table, 3)
    house.manager.do(table, "open-bets")
    door = Door(browser, house)
    page = door.open("about:blank", patron)
    at_once = {"/static/main.js", "/static/table.js", "/static/style/table.css", "/api/who"}
    held: dict[str, Route] = {}
    asked: list[str] = []
    page.on("request", lambda request: asked.append(urlsplit(request.url).path))
    page.on("websocket", lambda socket: asked.append(urlsplit(socket.url).path))
    for path in (*at_once, "/static/patron/beside.js"):
        page.route(f"**{path}", lambda route: held.setdefault(urlsplit(route.request.url).path, route))
    page.goto(f"/table/{table}", wait_until="commit")
    page.locator("header .brand").wait_for()  # the first content needs the page alone
    until(
        lambda: page.evaluate("1") == 1 and set(held) == at_once, "everything to be asked for before anything is there"
    )
    for path in at_once:
        held[path].continue_()
    page.locator('.spot-box[data-bet="banker"].open').wait_for()
    second = {f"/api/tables/{table}/bets", f"/api/tables/{table}/screen"}
    beside = {"/static/icon.svg", "/static/patron/beside.js"}
    assert {each: times for each, times in Counter(asked).items() if each not in beside} == dict.fromkeys(
        {f"/table/{table}"} | at_once | second, 1
    )
    until(lambda: page.evaluate("1") == 1 and "/static/patron/beside.js" in held, "what is beside the felt")
    held["/static/patron/beside.js"].continue_()
    door.close()
    assert door.errors == []

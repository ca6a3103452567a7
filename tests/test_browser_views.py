"""Every view in a real browser: accessible, on every screen, in both languages; the board and the trainer."""

import json
import random
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest
from playwright.sync_api import WebSocketRoute, expect

from browsing import CHROMIUM, NO_CHROMIUM, PATIENCE, Door, House, axe_finds, coup, laid, money, sideways, speak
from punto.roads import cells as cells_of
from punto.roads import parse, roads
from punto.rulebook import load
from punto.service.runtime.patches import changes
from punto.service.training import mark_irregularity, mark_payout

pytest_plugins = ("browser_fixtures",)
pytestmark = pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=NO_CHROMIUM)

RESULTS = "BBPTPPBPBBBP"


def test_the_board_shows_the_known_roads(house: House, door: Door) -> None:
    patron, table = house.patron("roads"), house.table("plotted", "wu-song")
    patron.sit(table, 3)
    for at, winner in enumerate(RESULTS[:-1]):
        house.play(table, patron, coup(winner, at))
    page = door.open(f"/board/{table}", wide=1920)
    bead = page.locator(".road-bead g g")
    expect(bead).to_have_text(list(RESULTS[:-1]), timeout=PATIENCE)
    house.play(table, patron, coup(RESULTS[-1], len(RESULTS) - 1))  # the board follows by itself
    expect(bead).to_have_text(list(RESULTS), timeout=PATIENCE)

    def cells(road: str) -> list[tuple[int, int]]:
        places = [str(each.get_attribute("transform")) for each in page.locator(f".road-{road} > g > g").all()]
        found = [re.findall(r"[\d.]+", each) for each in places]
        return [(round(float(x) / 20 + 0.5), round(float(y) / 20 + 0.5)) for x, y in found]

    known = roads(parse(RESULTS))
    assert cells("bead") == [(at // 6 + 1, at % 6 + 1) for at in range(len(RESULTS))]
    # The tie is a slash on the Player before it, and takes no place of its own.
    assert cells("big") == [(1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 1), (4, 1), (5, 1), (5, 2), (5, 3), (6, 1)]
    expect(page.locator('.road-big g path[d="M-8 8 8-8"]')).to_have_count(1)
    for kind, marks in (("big_eye", known.big_eye), ("small", known.small), ("cockroach", known.cockroach)):
        assert cells(kind) == [(place.column, place.row) for place in cells_of(marks)]
        colours = {"R": "#c8262c", "B": "#1f5fbf"}
        paint = [
            each.get_attribute("stroke" if kind != "small" else "fill")
            for each in page.locator(f".road-{kind} > g > g > :first-child").all()
        ]
        assert paint == [colours[mark] for mark in marks]
    expect(page.locator(".counters .count b").nth(0)).to_have_text("6")
    expect(page.locator(".counters .count b").nth(1)).to_have_text("5")
    expect(page.locator(".counters .count b").nth(2)).to_have_text("1")


def test_the_trainer_marks_answers(door: Door) -> None:
    marks = mark_payout(load("wu-song"), "A", 7, [])
    page = door.open("/train?book=wu-song&layout=A&seed=7")
    groups = page.get_by_role("radiogroup")
    expect(groups).to_have_count(len(marks.lines), timeout=PATIENCE)
    page.get_by_role("button", name="Check").click()
    expect(page.locator(".t-wager").first.get_by_role("alert")).to_contain_text("Answer this first.", timeout=PATIENCE)
    expect(page.locator(".t-mark")).to_have_count(0)
    for at, line in enumerate(marks.lines):
        words = f"wins {money(line.net)}" if line.net > 0 else f"loses {money(-line.net)}" if line.net else "comes back"
        groups.nth(at).get_by_text(words, exact=True).click()
    page.get_by_role("button", name="Check").click()
    expect(page.locator(".verdict")).to_have_text("✓ Right", timeout=PATIENCE)
    expect(page.locator(".t-mark .clause").first).to_be_visible()
    expect(page.locator(".score")).to_contain_text("1 of 1 right")

    page.goto("/train?kind=irregularity&book=wu-song&seed=3")
    right = mark_irregularity(load("wu-song"), 3, None).answer
    answers = page.locator(".t-answers .choice")
    answers.nth(0 if right else 1).click()
    expect(page.locator(".verdict")).to_have_text("✗ Not so", timeout=PATIENCE)
    expect(answers.nth(right)).to_contain_text("✓")
    expect(page.locator(".steps .clause").first).to_be_visible()
    expect(page.locator(".score")).to_contain_text("1 of 2 right")


@pytest.fixture(scope="module")
def shown(house: House) -> str:
    """A table in mid-round, with a wager, an offer and roads: as much as a page can show."""
    patron, table = house.patron("looker"), house.table("shown", "commission-insurance")
    patron.sit(table, 3)
    for at, winner in enumerate("BBPTP"):
        house.play(table, patron, coup(winner, at))
    house.manager.do(table, "open-bets")
    patron.bet(table, "banker", 100_00)
    house.manager.do(table, "close-bets")
    house.deal(table, "2c 2d 2h 3s")
    return table


VIEWS = {
    "lobby": ("/", ".tile"),
    "table": ("/table/shown", ".question.offer"),
    "board": ("/board/shown", ".road-bead g g"),
    "shoe": ("/shoe", ".shoe-tables"),
    "trainer": ("/train?book=wu-song&layout=A&seed=7", ".t-wager"),
    "dealer": ("/dealer/shown", ".next-button"),
    "pit": ("/pit", ".p-tile .money"),
    "pit-table": ("/pit/shown", ".part-journal li"),
}


@pytest.mark.usefixtures("shown")
@pytest.mark.parametrize("view", VIEWS)
def test_every_view_is_accessible_and_fits_every_screen(house: House, door: Door, view: str) -> None:
    path, landmark = VIEWS[view]
    page = door.open(path, house.manager if view in ("dealer", "pit", "pit-table") else house.person("looker"))
    there = page.locator(landmark).first
    for wide, high in ((1440, 900), (390, 844)):
        page.set_viewport_size({"width": wide, "height": high})
        expect(there).to_be_visible(timeout=PATIENCE)
        assert axe_finds(page) == []
        assert sideways(page) == 0
    if view == "board":  # it has the whole screen, without the buttons of the house
        return
    for language in ("zh-Hant", "zh-Hans"):
        speak(page, language)
        expect(there).to_be_visible(timeout=PATIENCE)
        assert sideways(page) == 0


def test_pages_are_pushed_what_changed_and_do_not_ask_for_the_table(house: House, door: Door) -> None:
    patron, table = house.patron("pushed"), house.table("pushed", "wu-song")
    patron.sit(table, 3)
    pages = [door.open("about:blank", who) for who in (patron, house.manager, None)]  # asks for nothing itself
    asked: list[str] = []
    for page, path in zip(pages, ("table", "dealer", "board"), strict=True):
        page.on("request", lambda request: asked.append(urlsplit(request.url).path))
        page.goto(f"/{path}/{table}")
    felt, dealer, board = pages
    expect(felt.locator(".call")).to_have_text("Waiting for the next round", timeout=PATIENCE)
    expect(dealer.locator(".next-button")).to_have_text("Open bets", timeout=PATIENCE)
    expect(board.locator(".board-phase")).to_contain_text("Between rounds", timeout=PATIENCE)

    house.play(table, patron, coup("B", 0))
    expect(felt.locator(".call")).to_have_text("Banker wins 9 to 2", timeout=PATIENCE)
    expect(felt.locator(".result-panel .line b.money")).to_have_text("+10", timeout=PATIENCE)
    expect(dealer.locator(".part-checklist .net")).to_have_text("Pay 10", timeout=PATIENCE)
    expect(board.locator(".road-bead g g")).to_have_text("B", timeout=PATIENCE)
    about_table = {each for each in asked if each.startswith("/api/tables/")}
    assert about_table <= {f"/api/tables/{table}/{what}" for what in ("bets", "roads", "odds")}
    # The bets are those of the table's own book, asked for once by the felt and once by the desk.
    assert [each for each in asked if each.endswith("/bets")] == [f"/api/tables/{table}/bets"] * 2


def test_a_page_that_missed_something_is_shown_everything_anew(house: House, door: Door) -> None:
    patron, table = house.patron("gap"), house.table("gap", "wu-song")
    patron.sit(table, 3)
    page = door.open("/train", patron)
    sockets: list[WebSocketRoute] = []
    lost: list[str | bytes] = []

    def lose_one(socket: WebSocketRoute) -> None:
        sockets.append(socket)
        server = socket.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            if len(sockets) == 1 and not lost and "bets-opened" in str(message):
                lost.append(message)
            else:
                socket.send(message)

        server.on_message(pass_on)

    page.route_web_socket(f"**/api/tables/{table}/screen*", lose_one)
    page.goto(f"/table/{table}")
    expect(page.locator(".call")).to_have_text("Waiting for the next round", timeout=PATIENCE)
    house.manager.do(table, "open-bets")
    patron.bet(table, "banker", 50_00)
    laid(page, "banker", 50_00)
    assert len(lost) == 1
    assert len(sockets) == 2


def test_a_link_of_the_lobby_seats_whoever_follows_it_also_where_somebody_is_quicker(house: House, door: Door) -> None:
    slow, quick, table = house.patron("slower"), house.patron("quicker"), house.table("contested", "wu-song")
    page = door.open("/", slow)
    asked: list[int] = []

    def overtake(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def send(message: str | bytes) -> None:
            command = json.loads(message).get("command", {})
            if command.get("do") == "sit":
                asked.append(command["box"])
                if len(asked) == 1:
                    quick.do(table, "sit", patron=quick.name, box=command["box"])
            server.send(message)

        socket.on_message(send)

    page.route_web_socket(f"**/api/tables/{table}/screen*", overtake)
    page.goto(f"/table/{table}?sit")
    expect(page.get_by_role("region", name="How much in chips?")).to_be_visible(timeout=PATIENCE)
    assert {each["name"]: each["box"] for each in slow.view(table)["patrons"]} == {"quicker": 1, "slower": 2}
    assert asked == [1, 2]


def _value(chance: random.Random, depth: int = 0) -> Any:
    kind = chance.randrange(5 if depth < 3 else 3)
    if kind == 3:
        return [_value(chance, depth + 1) for _ in range(chance.randrange(4))]
    if kind == 4:
        return {chance.choice(["a", "b/c", "d~e", ""]): _value(chance, depth + 1) for _ in range(chance.randrange(4))}
    return [None, chance.randrange(3), chance.choice(["", "x"])][kind]


def test_pages_apply_patches_as_they_are_meant(door: Door) -> None:
    chance = random.Random(7)
    pairs = [({"value": _value(chance)}, {"value": _value(chance)}) for _ in range(400)]
    given = [[old, json.loads(msgspec.json.encode(changes(old, new)))] for old, new in pairs]
    page = door.open("/train")
    found = page.evaluate(
        """async (given) => {
          const { patched } = await import("/static/base/live-table.js");
          return given.map(([old, changes]) => patched(old, changes));
        }""",
        given,
    )
    assert found == [new for _, new in pairs]

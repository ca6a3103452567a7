"""The pages in a real browser, against the real service."""

import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from browsing import (
    CHROMIUM,
    PASSWORD,
    PATIENCE,
    Door,
    Heard,
    House,
    axe_finds,
    browsing,
    laid,
    money,
    sideways,
    tap,
)
from punto.roads import cells as cells_of
from punto.roads import parse, roads
from punto.rulebook import load
from punto.service.training import mark_irregularity, mark_payout
from service_process import opening

WEB = Path(__file__).parent.parent / "src/punto/web"
MOST_BYTES = 200_000

pytestmark = pytest.mark.skipif(
    not Path(CHROMIUM).exists(),
    reason="Chromium is not installed: apt-get install chromium (Debian, Ubuntu), dnf install chromium (Fedora), "
    "or put any Chromium into the path as `chromium`.",
)

BANKER_SIX = "2c 4d 3h 2s Ks"
"""Player 5 with three cards, Banker 6 with two."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    found = House(tmp_path_factory.mktemp("house"))
    try:
        yield found
    finally:
        found.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as found:
        yield found


@pytest.fixture
def door(browser: Browser, house: House) -> Iterator[Door]:
    """Opens pages; afterwards no page may have written an error into its console."""
    found = Door(browser, house)
    try:
        yield found
    finally:
        found.close()
    assert found.errors == []


@pytest.mark.parametrize(
    ("book", "net"),
    [
        ("commission-insurance", 47_50),
        ("da-hu-ying-xiong", 25_00),
        ("dragon-tiger-hoiana", 25_00),
        ("dragon-tiger-mbs", 47_50),
        ("wu-song", 25_00),
    ],
)
def test_a_whole_round_as_a_patron_in_every_book(house: House, door: Door, book: str, net: int) -> None:
    patron, table = house.patron(f"round-{book}"), house.table(book, book)
    page = door.open("/", motion=True)
    page.get_by_label("Name").fill(patron.name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.locator(f'a[href="/table/{table}?sit"]').click()
    page.get_by_label("How much in chips?").get_by_role("button").first.click()
    expect(page.locator(".balance")).to_have_text("1,000.00", timeout=PATIENCE)

    house.manager.do(table, "open-bets")
    page.get_by_role("radio", name="Chip of 50", exact=True).click()
    tap(page, "banker")
    laid(page, "banker", 50_00)
    page.get_by_role("radio", name="Chip of 10", exact=True).click()
    tap(page, "tie")
    laid(page, "tie", 10_00)
    wagers = {each["bet"]: each["stake"] for each in patron.view(table)["round"]["wagers"]}
    assert wagers == {"banker": 50_00, "tie": 10_00}
    expect(page.locator(".balance")).to_have_text("940.00", timeout=PATIENCE)

    house.manager.do(table, "close-bets")
    view = house.deal(table, BANKER_SIX)
    lines = {each["bet"]: each["net"] for each in view["round"]["lines"][patron.name]}
    assert lines == {"banker": net, "tie": -10_00}
    expect(page.locator(".call")).to_have_text("Banker wins 6 to 5", timeout=PATIENCE)
    shown = page.locator(".result-panel .line")
    amounts = [money(each["net"], sign=True) for each in view["round"]["lines"][patron.name]]
    expect(shown.locator("b.money")).to_have_text(amounts, timeout=PATIENCE)
    balance = next(each["balance"] for each in view["patrons"] if each["name"] == patron.name)
    assert balance == 1_000_00 + net - 10_00
    expect(page.locator(".balance")).to_have_text(money(balance, exact=True), timeout=PATIENCE)

    shown.first.locator("summary").click()
    expect(shown.first.locator(".clause-list li").first).to_be_visible(timeout=PATIENCE)


def test_a_refused_wager_shows_its_clause_and_leaves_no_chip(house: House, door: Door) -> None:
    patron = house.patron("refused")
    table = house.table(
        "refusing", "dragon-tiger-mbs", limits={"minimum": 10_00, "maximum": 60_00, "differential": 500_00}
    )
    patron.sit(table, 3)
    house.manager.do(table, "open-bets")
    page = door.open(f"/table/{table}", patron)
    page.get_by_role("radio", name="Chip of 100", exact=True).click()
    tap(page, "banker")
    area = page.locator('.spot-box[data-bet="banker"]')
    expect(area.get_by_role("alert").locator(".clause").first).to_have_text("MBS 3.5.1", timeout=PATIENCE)
    expect(area.locator(".stack")).to_have_count(0)
    expect(page.locator(".balance")).to_have_text("10,000.00")
    assert patron.view(table)["round"]["wagers"] == []

    page.get_by_role("radio", name="Chip of 50", exact=True).click()
    tap(page, "banker")
    laid(page, "banker", 50_00)
    expect(area.get_by_role("alert")).to_have_count(0)


def test_a_wager_lost_on_its_way_leaves_no_chip(house: House, door: Door) -> None:
    patron, table = house.patron("late"), house.table("late", "wu-song")
    patron.sit(table, 3)
    house.manager.do(table, "open-bets")
    page = door.open(f"/table/{table}", patron)
    area = page.locator('.spot-box[data-bet="banker"]')
    expect(area).to_have_class(re.compile(r"\bopen\b"), timeout=PATIENCE)
    page.context.set_offline(True)
    tap(page, "banker")
    expect(area.locator(".stack.pending")).to_have_count(1, timeout=PATIENCE)
    house.manager.do(table, "close-bets")
    page.context.set_offline(False)
    expect(area.get_by_role("alert").locator(".clause").first).to_have_text(re.compile(r"^RWS \d"), timeout=PATIENCE)
    expect(area.locator(".stack")).to_have_count(0, timeout=PATIENCE)
    expect(page.locator(".balance")).to_have_text("10,000.00")
    assert patron.view(table)["round"]["wagers"] == []
    door.forgive_outage()


def test_two_pages_of_one_patron_agree(house: House, door: Door) -> None:
    patron, table = house.patron("twice"), house.table("two-pages", "wu-song")
    patron.sit(table, 3)
    house.manager.do(table, "open-bets")
    one, other = door.open(f"/table/{table}", patron), door.open(f"/table/{table}", patron)
    for page, sum_so_far in ((one, 50_00), (other, 100_00)):
        tap(page, "player")
        laid(one, "player", sum_so_far)
        laid(other, "player", sum_so_far)
        for each in (one, other):
            expect(each.locator(".balance")).to_have_text(money(10_000_00 - sum_so_far, exact=True), timeout=PATIENCE)


def test_insurance_is_taken_and_paid(house: House, door: Door) -> None:
    patron, table = house.patron("insured"), house.table("insuring", "commission-insurance")
    patron.sit(table, 3)
    house.manager.do(table, "open-bets")
    page = door.open(f"/table/{table}", patron)
    page.get_by_role("radio", name="Chip of 100", exact=True).click()
    tap(page, "banker")
    laid(page, "banker", 100_00)
    house.manager.do(table, "close-bets")
    view = house.deal(table, "2c 2d 2h 3s")  # Banker 5 against 4: 2 to 1
    most = view["round"]["offer"]["most"][f"{patron.name}/3"]
    assert most > 0
    offer = page.get_by_label("Insurance", exact=True)
    expect(offer).to_contain_text("2 to 1", timeout=PATIENCE)
    expect(offer).to_contain_text(f"Cover up to {money(most)}")
    expect(offer).to_contain_text("It wins if Player wins; a tie returns it.")
    expect(offer.locator(".clause").first).to_have_text(re.compile(r"^RWS \d"))
    amount, take = offer.get_by_label("Amount of cover"), offer.locator(".primary")
    for typed in ("abc", "0"):
        amount.fill(typed)
        expect(take).to_be_disabled()
        expect(offer.get_by_role("alert")).to_have_text(f"“{typed}” is no amount.")
    assert axe_finds(page) == []

    amount.fill("20")
    take.filter(has_text="Insure 20").click()
    lammers = page.locator('.spot-box[data-bet="banker"] .lammer')
    expect(lammers).to_have_text(["2 to 1 20"], timeout=PATIENCE)
    expect(offer).to_contain_text(f"Cover up to {money(most - 20_00)}", timeout=PATIENCE)  # the rest may be taken still
    offer.get_by_role("button", name=f"Insure {money(most - 20_00)}").click()
    expect(offer).to_have_count(0, timeout=PATIENCE)
    page.reload()
    expect(lammers).to_have_text(["2 to 1 20", f"2 to 1 {money(most - 20_00)}"], timeout=PATIENCE)

    view = house.deal(table, "4c Ks")  # Player 8, Banker 5
    lines = {each["bet"]: 0 for each in view["round"]["lines"][patron.name]}
    for each in view["round"]["lines"][patron.name]:
        lines[each["bet"]] += each["net"]
    assert lines == {"banker": -100_00, "banker-insurance": 2 * most}
    amounts = [money(each["net"], sign=True) for each in view["round"]["lines"][patron.name]]
    expect(page.locator(".result-panel .line b.money")).to_have_text(amounts, timeout=PATIENCE)
    balance = 10_000_00 - 100_00 + 2 * most
    expect(page.locator(".balance")).to_have_text(money(balance, exact=True), timeout=PATIENCE)
    assert patron.view(table)["patrons"][0]["balance"] == balance


@pytest.mark.parametrize("lost", ["the line", "the house"])
def test_a_page_comes_back_in_mid_round_and_misses_nothing(house: House, door: Door, lost: str) -> None:
    patron = house.patron(f"away-{lost[4:]}")
    table = house.table(f"lost-{lost[4:]}", "wu-song")
    patron.sit(table, 3)
    house.manager.do(table, "open-bets")
    before = patron.snapshot(table)["sequence"]
    page = door.open("/train", patron)
    heard = Heard(page)
    page.goto(f"/table/{table}")
    tap(page, "banker")
    laid(page, "banker", 50_00)
    house.manager.do(table, "close-bets")
    expect(page.locator(".call")).to_have_text("No more bets", timeout=PATIENCE)
    house.manager.do(table, "draw")
    expect(page.locator(".hand.player .slot")).to_have_count(1, timeout=PATIENCE)

    away = page.locator("#link-state.lost")
    if lost == "the line":
        page.context.set_offline(True)
        expect(away).to_be_visible(timeout=PATIENCE)
        view = house.deal(table, BANKER_SIX)
        page.context.set_offline(False)
    else:
        house.service.stop()
        expect(away).to_be_visible(timeout=PATIENCE)
        house.service.start()
        view = house.deal(table, BANKER_SIX)
    expect(page.locator(".call")).to_have_text("Banker wins 6 to 5", timeout=PATIENCE)
    expect(away).to_have_count(0, timeout=PATIENCE)
    expect(page.locator(".result-panel .line b.money")).to_have_text("+25", timeout=PATIENCE)
    expect(page.locator(".hand.player .slot")).to_have_count(3)
    expect(page.locator(".balance")).to_have_text("10,025.00", timeout=PATIENCE)
    assert view["round"]["lines"][patron.name][0]["net"] == 25_00
    assert heard.sockets > 1
    last = patron.snapshot(table)["sequence"]
    heard.wait(last)
    assert heard.numbers == list(range(before + 1, last + 1))
    door.forgive_outage()


def test_a_house_that_hangs_is_noticed(house: House, door: Door) -> None:
    patron, table = house.patron("idle"), house.table("hung", "wu-song")
    patron.sit(table, 3)
    house.manager.do(table, "open-bets")
    page = door.open(f"/table/{table}", patron)
    page.locator(".spot-box.open").first.wait_for()
    bar = page.locator("#link-state")
    os.kill(house.service.pid, signal.SIGSTOP)
    try:
        expect(bar).to_have_class("lost", timeout=12_000)
    finally:
        os.kill(house.service.pid, signal.SIGCONT)
    expect(bar).to_be_hidden(timeout=PATIENCE)
    tap(page, "banker")
    laid(page, "banker", 50_00)
    door.forgive_outage()


def test_a_guest_comes_in_and_keeps_the_chip(house: House, door: Door) -> None:
    table = house.table("for-guests", "wu-song")
    page = door.open(f"/table/{table}?link=spent")
    expect(page.locator(".log-in").get_by_role("alert")).to_be_visible(timeout=PATIENCE)
    assert axe_finds(page) == []
    page.get_by_role("button", name="Play as a guest").click()
    expect(page.locator(".log-in")).to_have_count(0, timeout=PATIENCE)
    guest = house.known_by(page)
    assert guest.name.startswith("guest-")
    guest.sit(table, 3)
    page.get_by_role("radio", name="Chip of 100", exact=True).click()
    page.get_by_role("button", name="中文").click()
    expect(page.get_by_role("radio", name="100 籌碼", exact=True)).to_be_checked(timeout=PATIENCE)
    expect(page.locator('[data-bet="tie"] .spot-odds')).to_have_text("1 賠 10 · 1 賠 8")  # so much for a stake of 1
    door.errors = [each for each in door.errors if "40" not in each]  # Chromium's own line about the spent link


RESULTS = "BBPTPPBPBBBP"


def _coup(winner: str, at: int) -> str:
    """Four cards in drawn order that end a round at once; suits go round so that no card comes too often."""
    suits = "cdhs"[at % 4], "cdhs"[(at + 1) % 4]
    nine, two = f"9{suits[0]} K{suits[0]}", f"2{suits[1]} Q{suits[1]}"
    player, banker = {"P": (nine, two), "B": (two, nine), "T": (nine, f"9{suits[1]} J{suits[1]}")}[winner]
    return " ".join(card for pair in zip(player.split(), banker.split(), strict=True) for card in pair)


def test_the_board_shows_the_known_roads(house: House, door: Door) -> None:
    patron, table = house.patron("roads"), house.table("plotted", "wu-song")
    patron.sit(table, 3)
    for at, winner in enumerate(RESULTS[:-1]):
        house.play(table, patron, _coup(winner, at))
    page = door.open(f"/board/{table}", wide=1920)
    bead = page.locator(".road-bead g g")
    expect(bead).to_have_text(list(RESULTS[:-1]), timeout=PATIENCE)
    house.play(table, patron, _coup(RESULTS[-1], len(RESULTS) - 1))  # the board follows by itself
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
        house.play(table, patron, _coup(winner, at))
    house.manager.do(table, "open-bets")
    patron.bet(table, "banker", 100_00)
    house.manager.do(table, "close-bets")
    house.deal(table, "2c 2d 2h 3s")
    return table


VIEWS = {
    "lobby": ("/", ".tile"),
    "table": ("/table/shown", ".question.offer"),
    "board": ("/board/shown", ".road-bead g g"),
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
    page.get_by_role("button", name="中文").click()
    expect(page.get_by_role("button", name="English")).to_be_visible(timeout=PATIENCE)
    expect(there).to_be_visible(timeout=PATIENCE)
    assert sideways(page) == 0


def test_a_phone_plays_with_a_finger(house: House, door: Door) -> None:
    patron, table = house.patron("finger"), house.table("phone", "wu-song")
    patron.sit(table, 3)
    house.manager.do(table, "open-bets")
    page = door.open(f"/table/{table}", patron, phone=True)
    area = page.locator('.spot-box[data-bet="player"].open .spot')
    area.tap()
    laid(page, "player", 50_00)
    page.get_by_role("button", name="Undo").tap()
    expect(page.locator('.spot-box[data-bet="player"] .stack')).to_have_count(0, timeout=PATIENCE)
    area.tap()
    laid(page, "player", 50_00)
    house.manager.do(table, "close-bets")
    house.deal(table, _coup("P", 0))
    expect(page.locator(".question.brief .line b.money")).to_have_text("+50", timeout=PATIENCE)
    expect(page.locator(".question.brief")).to_be_visible()
    assert sideways(page) == 0


def test_a_patron_squeezes_a_card(house: House, door: Door) -> None:
    patron = house.patron("squeezer")
    given = opening("dragon-tiger-mbs", auto=["announce", "offer"], shoe="virtual", face_down=True, method="A")
    house.manager.do("squeezing", str(given.pop("do")), **given)
    patron.sit("squeezing", 2)
    page = door.open("/table/squeezing", patron)
    expect(page.locator(".call")).to_have_text("Place your bets", timeout=PATIENCE)
    patron.bet("squeezing", "player", 100_00)
    house.manager.do("squeezing", "close-bets")
    held = page.locator(".sq-card")
    expect(held).to_have_count(2, timeout=PATIENCE)
    assert axe_finds(page) == []
    box = held.first.bounding_box()
    assert box is not None
    corner = box["x"] + box["width"] - 6, box["y"] + box["height"] - 6

    def drag(part: float) -> None:
        page.mouse.move(*corner)
        page.mouse.down()
        page.mouse.move(corner[0] - part * box["width"], corner[1] - part * box["height"], steps=6)

    drag(0.4)  # pips or the court's letter are seen, no index; and nobody else sees them
    flap = page.locator(".sq-flap").first
    expect(flap).to_be_visible()
    assert flap.locator("text").count() <= 1
    page.mouse.up()
    assert patron.view("squeezing")["round"]["player"]["cards"] == [None, None]
    drag(0.95)
    page.mouse.up()
    expect(held).to_have_count(1, timeout=PATIENCE)
    first, second = patron.view("squeezing")["round"]["player"]["cards"]
    assert (first is not None, second) == (True, None)


def test_dealer_and_pit_manager_resolve_an_irregularity_together(house: House, door: Door) -> None:
    patron, dealer, table = house.patron("bystander"), house.staff("dana", "dealer"), house.table("wrong", "wu-song")
    patron.sit(table, 3)
    house.manager.do(table, "open-bets")
    patron.bet(table, "banker", 50_00)
    felt, pit = door.open(f"/dealer/{table}", dealer), door.open(f"/pit/{table}", house.manager)
    watched = door.open(f"/table/{table}", patron)
    step = felt.locator(".next-button")
    step.filter(has_text="Close bets").click()
    step.filter(has_text="Draw").click()
    felt.locator(".part-felt .d-down").wait_for()

    felt.locator(".part-report > summary").click()
    felt.get_by_role("button", name="A hand has the wrong number of cards").click()
    felt.get_by_role("button", name="What the book says").click()
    expect(felt.locator(".foreseen .clause").first).to_have_text("RWS 5.8", timeout=PATIENCE)
    felt.get_by_role("button", name="Report it").click()
    asked = "Can the hand be put right as it should have been dealt?"
    expect(felt.locator(".question.other")).to_contain_text(asked, timeout=PATIENCE)  # not for a dealer to say
    expect(felt.locator(".question.other")).to_contain_text(re.compile("pit supervisor", re.IGNORECASE))
    expect(step).to_be_disabled()

    card = pit.get_by_role("region", name=asked)
    expect(card.locator(".clause").first).to_have_text("RWS 5.8", timeout=PATIENCE)
    expect(pit.locator(".clause-says").first).to_contain_text("RWS 5.8")
    card.get_by_label("Reason").fill("Nobody knows which card came first.")
    card.get_by_role("button", name="No", exact=True).click()

    told = watched.locator(".result-panel")
    expect(told).to_contain_text("This round is void", timeout=PATIENCE)
    expect(told).to_contain_text("50Banker comes back")
    expect(told.locator(".clause-list")).to_contain_text("RWS 5.", timeout=PATIENCE)
    expect(felt.locator(".question")).to_have_count(0, timeout=PATIENCE)
    expect(felt.locator(".table-bar")).to_contain_text("void", timeout=PATIENCE, ignore_case=True)
    view = patron.view(table)
    assert (view["round"]["phase"], view["patrons"][0]["balance"]) == ("void", 10_000_00)
    expect(step).to_be_enabled(timeout=PATIENCE)

    alerts = pit.locator(".part-alerts li")
    expect(alerts).to_have_count(
        3, timeout=PATIENCE
    )  # reported, asked, and the round's end: until somebody has seen them
    pit.reload()
    for left in (3, 2, 1):
        expect(alerts).to_have_count(left, timeout=PATIENCE)
        alerts.first.get_by_role("button", name="Acknowledge").click()
    expect(pit.locator(".part-alerts")).to_contain_text("No alerts", timeout=PATIENCE)


def test_a_table_is_opened_in_the_pit(house: House, door: Door) -> None:
    page = door.open("/pit", house.manager)
    page.get_by_text("Open table").first.click()
    form = page.locator(".part-opening form")
    form.get_by_label("Table name").fill("from-the-pit")
    form.get_by_label("Book").select_option("commission-insurance")
    form.get_by_label("Decks").fill("9")
    form.get_by_label("Minimum").fill("25")
    form.get_by_label("Maximum").fill("5,000")
    form.get_by_label("Differential").fill("20,000")
    form.get_by_label("Cards are dealt").select_option("face down")
    assert axe_finds(page) == []
    form.get_by_role("button", name="Open table").click()
    refusal = form.locator(".labelled:has([name=decks]) + .refusal")  # beside what caused it
    expect(refusal).to_contain_text("9 decks are not allowed: 4 to 8 are.", timeout=PATIENCE)
    expect(refusal.locator(".clause")).to_have_text("RWS 2.2.1")

    form.get_by_label("Decks").fill("6")
    form.get_by_role("button", name="Open table").click()
    expect(page.locator(".table-bar h1")).to_have_text("from-the-pit", timeout=PATIENCE)
    shown = house.manager.snapshot("from-the-pit")
    limits = shown["view"]["limits"]
    assert (limits["minimum"], limits["maximum"], limits["differential"]) == (25_00, 5_000_00, 20_000_00)
    assert (shown["decks"], shown["view"]["book"]) == (6, "commission-insurance")
    assert house.manager.get("/api/tables/from-the-pit/desk")["face_down"]
    door.errors = [each for each in door.errors if "409" not in each]  # Chromium's own line about the refusal


def test_the_pages_together_are_small() -> None:
    sizes = {str(each.relative_to(WEB)): each.stat().st_size for each in WEB.rglob("*") if each.is_file()}
    assert "index.html" in sizes
    total = sum(sizes.values())
    assert total < MOST_BYTES, f"{total} bytes in all"

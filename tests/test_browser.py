"""The patron's table in a real browser, against the real service."""

import os
import re
import signal
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browsing import (
    CHROMIUM,
    NO_CHROMIUM,
    PASSWORD,
    PATIENCE,
    Door,
    Heard,
    House,
    axe_finds,
    coup,
    laid,
    money,
    sideways,
    speak,
    tap,
)
from own_books import own_id

pytest_plugins = ("browser_fixtures",)
pytestmark = pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=NO_CHROMIUM)

BANKER_SIX = "2c 4d 3h 2s Ks"
"""Player 5 with three cards, Banker 6 with two."""


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
@pytest.mark.parametrize("own", [False, True], ids=["that ships", "of a file"])
def test_a_whole_round_as_a_patron_in_every_book(house: House, door: Door, book: str, net: int, own: bool) -> None:
    name = own_id(book) if own else book
    patron, table = house.patron(f"round-{name}"), house.table(name, book, own=own)
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
    expect(area.locator(".amount:not(.pending)")).to_have_count(0)  # nor does its amount look placed
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
    assert heard.numbers[0] <= before + 1
    assert heard.numbers == list(range(heard.numbers[0], last + 1))
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
        expect(bar).to_have_class("lost", timeout=PATIENCE)
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
    assert guest.name.startswith("p-")
    expect(page.locator(".who")).to_have_text(re.compile("^guest-"), timeout=PATIENCE)
    guest.sit(table, 3)
    page.get_by_role("radio", name="Chip of 100", exact=True).click()
    speak(page, "zh-Hant")
    expect(page.get_by_role("radio", name="100 籌碼", exact=True)).to_be_checked(timeout=PATIENCE)
    expect(page.locator('[data-bet="tie"] .spot-odds')).to_have_text("1 賠 10 · 1 賠 8")  # so much for a stake of 1
    door.forgive("status of 40")  # the spent link


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
    house.deal(table, coup("P", 0))
    expect(page.locator(".question.brief .line b.money")).to_have_text("+50", timeout=PATIENCE)
    expect(page.locator(".question.brief")).to_be_visible()
    assert sideways(page) == 0

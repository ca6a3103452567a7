"""The dealer's console in a real browser: a shoe dealt by hand, by keys and taps alone."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browsing import CHROMIUM, NO_CHROMIUM, PATIENCE, Door, House, axe_finds
from service_process import opening

pytest_plugins = ("browser_fixtures",)
pytestmark = pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=NO_CHROMIUM)


def by_hand(house: House, name: str, book: str = "wu-song") -> str:
    """A table at which the dealer does everything: nothing happens by itself."""
    given = opening(book, auto=[])
    house.manager.do(name, str(given.pop("do")), **given)
    house.manager.do(name, "load-shoe")
    return name


def type_cards(page: Page, cards: str) -> None:
    """Type faces, two keys each, and wait until they lie there."""
    faces = cards.split()
    lying = page.locator(".part-felt .d-spot .card-art:not(.back)")
    before = lying.count()
    for face in faces:
        for key in face:
            page.keyboard.press(key)
    expect(lying).to_have_count(before + len(faces), timeout=PATIENCE)


def test_a_misread_card_is_put_right_before_and_after_it_was_paid(house: House, door: Door) -> None:
    dealer, table = house.staff("corrector", "dealer"), by_hand(house, "misread")
    player, banker = house.patron("on-player"), house.patron("on-banker")
    for box, patron in enumerate((player, banker), 1):
        patron.sit(table, box, 1_000_00)
    house.manager.do(table, "open-bets")
    player.bet(table, "player", 100_00)
    banker.bet(table, "banker", 100_00)
    page = door.open(f"/dealer/{table}", dealer)
    step, correction = page.locator(".next-button"), page.locator(".correction")
    step.filter(has_text="Close bets").press("Enter")
    expect(step).to_have_text("Draw to Player", timeout=PATIENCE)
    type_cards(page, "9h 8c Kd Ks")
    expect(step).to_be_focused(timeout=PATIENCE)

    # Read as a nine it was paid on; it was a six. First before anything is paid, by the keyboard alone.
    card = page.get_by_role("button", name="Card 1, 9 of hearts: correct it")
    card.press("Enter")
    page.keyboard.press("6")
    page.keyboard.press("x")
    expect(correction.get_by_role("alert")).to_contain_text("“6x” is no card", timeout=PATIENCE)
    expect(correction.get_by_label("The true face").first).to_have_attribute("aria-invalid", "true")
    page.keyboard.press("Backspace")
    page.keyboard.press("h")
    told = correction.locator(".foreseen")
    expect(told).to_contain_text("The cards count: Player 6, Banker 8", timeout=PATIENCE)
    expect(told.locator(".clause").first).to_have_text("RWS 5.15")
    assert axe_finds(page) == []
    assert player.view(table)["round"]["player"]["cards"][0] == "9h"  # nothing has happened yet
    expect(correction.get_by_role("button", name="Correct it")).to_be_focused()
    page.keyboard.press("Enter")
    expect(correction).to_contain_text("Card 1 is put right: 6", timeout=PATIENCE)
    assert player.view(table)["round"]["player"]["cards"][0] == "6h"
    step.filter(has_text="Pay and collect").click()
    pay = page.locator(".settlement > li")
    expect(pay.locator(".net")).to_have_text(["Collect 100", "Pay 100"], timeout=PATIENCE)
    for at in range(2):
        pay.nth(at).get_by_role("checkbox").check()
    expect(step).to_be_enabled()

    # It was a nine after all: the round is paid again, and the dealer is told what has to move now.
    page.get_by_role("button", name="Card 1, 6 of hearts: correct it").click()
    page.locator(".correction [data-rank='9']").click()
    page.locator(".correction .suit.h").click()
    expect(told.locator(".moves li")).to_have_text(["on-playerPay 200", "on-bankerCollect 200"], timeout=PATIENCE)
    correction.get_by_role("button", name="Correct it").click()
    expect(pay.locator(".net")).to_have_text(
        ["Pay 200 (collected 100 before)", "Collect 200 (paid 100 before)"], timeout=PATIENCE
    )
    expect(step).to_be_disabled()  # until what changed is ticked, too
    balances = {each["name"]: each["balance"] for each in house.manager.view(table)["patrons"]}
    assert balances == {"on-player": 1_100_00, "on-banker": 900_00}
    for at in range(2):
        pay.nth(at).get_by_role("checkbox").check()
    step.filter(has_text="Open bets").click()
    expect(correction).to_be_hidden(timeout=PATIENCE)

"""A dealer and a pit supervisor with a keyboard and no mouse: insurance, corrections, closing, reports and decisions.

From the moment at which a page is open nothing but keys is pressed here, and whatever has the focus is seen.
"""

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from browsing import CHROMIUM, NO_CHROMIUM, PATIENCE, Door, House, axe_finds, type_cards
from service_process import until
from test_browser_dealer import by_hand, tile
from test_browser_keys import tab_to

pytest_plugins = ("browser_fixtures",)
pytestmark = pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=NO_CHROMIUM)


def keys(page: Page, *pressed: str) -> None:
    for key in pressed:
        page.keyboard.press(key)


def at_the_table(house: House, door: Door, name: str, book: str = "wu-song", **more: object) -> tuple[Page, Locator]:
    """The console of a dealer at a table of their own, and its large button, which has the focus at once."""
    dealer, table = house.staff(f"{name}-dealer", "dealer"), by_hand(house, name, book, **more)
    page = door.open(f"/dealer/{table}", dealer)
    step = page.locator(".next-button")
    expect(step).to_be_focused(timeout=PATIENCE)
    return page, step


def seat(page: Page, box: int, name: str, amount: str) -> None:
    keys(page, str(box), "Shift+S")
    expect(page.get_by_label("New patron")).to_be_focused()
    page.keyboard.type(name)
    keys(page, "Tab")
    page.keyboard.type(amount)
    keys(page, "Enter")
    expect(tile(page, box).locator(".money")).to_have_text(f"{int(amount):,}", timeout=PATIENCE)


def next_is(step: Locator, text: str) -> None:
    """The large button says it, can be pressed, and has the focus."""
    expect(step).to_have_text(text, timeout=PATIENCE)
    expect(step).to_be_focused(timeout=PATIENCE)


def balances(house: House, table: str) -> dict[str, int]:
    return {each["name"]: each["balance"] for each in house.manager.view(table)["patrons"]}


def test_insurance_is_offered_taken_and_let_pass_with_keys(house: House, door: Door) -> None:
    """Of three on Banker one takes a part, one all they may, and one nothing."""
    page, step = at_the_table(house, door, "insured", "commission-insurance")
    for box, name in enumerate(("iris", "jack", "kim"), 1):
        seat(page, box, name, "1000")
        next_is(step, "Open bets")
    keys(page, "Enter")
    next_is(step, "Close bets")
    for box in (1, 2, 3):
        keys(page, str(box), "d", "b")
        expect(tile(page, box).locator(".mark")).to_have_text(["Banker 100"], timeout=PATIENCE)
    keys(page, "Enter")
    next_is(step, "Draw to Player")
    type_cards(page, "2c 2d 2h 3s")  # Player 4, Banker 5: 2 to 1 on Banker, and so 50 at most
    next_is(step, "Offer insurance")
    keys(page, "Enter")
    rows = page.locator(".covers > li")
    expect(rows).to_have_count(3, timeout=PATIENCE)
    keys(page, "Shift+I")
    stake = rows.nth(0).get_by_label("Stake")
    expect(stake).to_be_focused()
    page.keyboard.type("60")
    keys(page, "Enter")
    expect(rows.nth(0).get_by_role("alert")).to_contain_text("At most 50.00 of cover", timeout=PATIENCE)
    expect(stake).to_be_focused()
    page.keyboard.press("Control+A")
    page.keyboard.type("30")
    keys(page, "Enter")
    expect(rows.nth(0)).to_contain_text("taken 30", timeout=PATIENCE)
    tab_to(page, rows.nth(1).get_by_role("button", name="All of it, 50"))
    keys(page, "Enter")
    expect(rows.nth(1)).to_contain_text("taken 50", timeout=PATIENCE)
    expect(rows.nth(2)).to_contain_text("nothing yet")
    assert axe_finds(page) == []
    keys(page, "Escape")
    next_is(step, "Draw to Player")
    type_cards(page, "4c Ks")  # Player 8: Banker's 5 loses
    next_is(step, "Pay and collect")
    keys(page, "Enter")
    expect(page.locator(".settlement .net")).to_have_text(["Collect 40", "Even", "Collect 100"], timeout=PATIENCE)
    keys(page, "1", "2", "3")
    next_is(step, "Open bets")
    expected = {"iris": 1_000_00 - 100_00 + 2 * 30_00, "jack": 1_000_00 - 100_00 + 2 * 50_00, "kim": 900_00}
    assert balances(house, "insured") == expected


def test_a_misread_card_is_put_right_with_keys_before_and_after_it_was_paid(house: House, door: Door) -> None:
    page, step = at_the_table(house, door, "misread-by-keys")
    for box, name in enumerate(("lena", "milo"), 1):
        seat(page, box, name, "1000")
    keys(page, "Enter")
    next_is(step, "Close bets")
    keys(page, "1", "d", "p", "2", "b")
    expect(page.locator(".box-tile .mark")).to_have_text(["Player 100", "Banker 100"], timeout=PATIENCE)
    keys(page, "Enter")
    next_is(step, "Draw to Player")
    type_cards(page, "9h 8c Kd Ks")
    next_is(step, "Pay and collect")

    def correct(face: str) -> None:
        keys(page, "Shift+C")
        expect(page.get_by_role("button", name="Card 1,")).to_be_focused()
        keys(page, "Enter")
        page.keyboard.type(face)
        expect(page.locator(".correction").get_by_role("button", name="Correct it")).to_be_focused(timeout=PATIENCE)
        keys(page, "Enter")
        expect(page.locator(".correction h3").first).to_contain_text("Card 1 is put right", timeout=PATIENCE)

    correct("6h")
    keys(page, "Escape")
    next_is(step, "Pay and collect")
    keys(page, "Enter")
    net = page.locator(".settlement .net")
    expect(net).to_have_text(["Collect 100", "Pay 100"], timeout=PATIENCE)
    keys(page, "1", "2")
    next_is(step, "Open bets")
    correct("9h")
    paid_again = ["Pay 200 (collected 100 before)", "Collect 200 (paid 100 before)"]
    expect(net).to_have_text(paid_again, timeout=PATIENCE)
    keys(page, "1", "2", "Escape")
    next_is(step, "Open bets")
    assert balances(house, "misread-by-keys") == {"lena": 1_100_00, "milo": 900_00}


def test_a_table_is_closed_with_keys(house: House, door: Door) -> None:
    page, step = at_the_table(house, door, "closed-by-keys")
    seat(page, 4, "nora", "500")
    keys(page, "Enter")
    next_is(step, "Close bets")
    keys(page, "4", "d", "p")
    expect(tile(page, 4).locator(".mark")).to_have_text(["Player 100"], timeout=PATIENCE)
    keys(page, "Shift+E")
    act = page.locator(".part-closing .primary")
    expect(act).to_be_focused()
    expect(act).to_have_text("Announce the last hand")
    keys(page, "Enter")
    expect(page.locator(".closing > li").nth(1)).to_contain_text("only between rounds", timeout=PATIENCE)
    next_is(step, "Close bets")  # nothing can be done there now: back to what is next
    keys(page, "Enter")
    next_is(step, "Draw to Player")
    type_cards(page, "9h 2c Kd Qd")
    next_is(step, "Pay and collect")
    keys(page, "Enter")
    expect(page.locator(".settlement .net")).to_have_text(["Pay 100"], timeout=PATIENCE)
    keys(page, "4", "Shift+E")
    for label in ("End shoe", "Cash out all", "Close table"):
        expect(act).to_have_text(label, timeout=PATIENCE)
        expect(act).to_be_focused()  # and never the large button, which would begin another shoe
        keys(page, "Enter")
    expect(page.locator(".table-bar")).to_contain_text("Closed", timeout=PATIENCE)
    assert balances(house, "closed-by-keys") == {"nora": 0}
    assert not house.manager.view("closed-by-keys")["open"]


def test_an_irregularity_is_reported_and_decided_with_keys(house: House, door: Door) -> None:
    page, step = at_the_table(house, door, "reported-by-keys")
    seat(page, 1, "omar", "1000")
    keys(page, "Enter")
    next_is(step, "Close bets")
    keys(page, "1", "s", "b")
    expect(tile(page, 1).locator(".mark")).to_have_text(["Banker 50"], timeout=PATIENCE)
    keys(page, "Enter")
    next_is(step, "Draw to Player")
    keys(page, "Enter")
    expect(page.locator(".part-felt .d-spot button")).to_have_count(1, timeout=PATIENCE)
    keys(page, "Escape", "Shift+R")
    tab_to(page, page.get_by_role("button", name="A hand has the wrong number of cards"))
    keys(page, "Enter")
    report = page.locator(".part-report form")
    tab_to(page, report.get_by_label("Note"))
    page.keyboard.type("Two stuck together")
    tab_to(page, report.get_by_role("button", name="What the book says"))
    keys(page, "Enter")
    expect(report.locator(".foreseen .clause").first).to_have_text("RWS 5.8", timeout=PATIENCE)
    page.keyboard.press("Shift+Tab")
    expect(report.get_by_role("button", name="Report it")).to_be_focused()
    keys(page, "Enter")
    expect(page.locator(".question.other")).to_contain_text("Two stuck together", timeout=PATIENCE)
    expect(page.locator(".panel.next")).to_be_focused()  # there is nothing to press, and the place is kept

    pit = door.open("/pit/reported-by-keys", house.staff("decider-by-keys", "pit-supervisor"))
    card = pit.locator(".decision")
    tab_to(pit, card.get_by_label("Reason"))
    pit.keyboard.type("Nobody knows which")
    house.patron("onlooker").sit("reported-by-keys", 2)  # the page changes, and what was typed stays
    expect(pit.locator(".journal")).to_contain_text("onlooker", timeout=PATIENCE)
    pit.keyboard.type(" came first.")
    expect(card.get_by_label("Reason")).to_have_value("Nobody knows which came first.")
    tab_to(pit, card.get_by_role("button", name="No", exact=True))
    keys(pit, "Enter")
    confirm = card.get_by_role("button", name="Confirm")
    expect(card.locator(".confirm")).to_contain_text("omar gets back 50 at stake", timeout=PATIENCE)
    tab_to(pit, confirm)
    keys(pit, "Enter")
    expect(card).to_have_count(0, timeout=PATIENCE)
    expect(pit.get_by_role("region", name="Questions")).to_be_focused()
    until(lambda: balances(house, "reported-by-keys")["omar"] == 1_000_00, "the stake to come back")
    next_is(step, "Open bets")


def test_what_a_dealer_types_is_not_lost_when_a_patron_acts(house: House, door: Door) -> None:
    page, step = at_the_table(house, door, "typing", "commission-insurance")
    people = [house.patron(name) for name in ("pia", "quin")]
    for box, each in enumerate(people, 1):
        each.sit("typing", box, 1_000_00)
    keys(page, "Enter")
    next_is(step, "Close bets")
    for each in people:
        each.bet("typing", "banker", 100_00)
    expect(page.locator(".box-tile .mark")).to_have_count(2, timeout=PATIENCE)
    keys(page, "Enter")
    next_is(step, "Draw to Player")
    type_cards(page, "2c 2d 2h 3s")
    next_is(step, "Offer insurance")
    keys(page, "Enter")
    rows = page.locator(".covers > li")
    expect(rows).to_have_count(2, timeout=PATIENCE)
    keys(page, "Shift+I")
    page.keyboard.type("2")
    people[1].do("typing", "insure", patron="quin", hand="banker", stake=50_00, box=2)
    expect(rows.nth(1)).to_contain_text("taken 50", timeout=PATIENCE)
    expect(rows.nth(0).get_by_label("Stake")).to_be_focused()
    page.keyboard.type("5")
    keys(page, "Enter")
    expect(rows.nth(0)).to_contain_text("taken 25", timeout=PATIENCE)


def test_alerts_of_a_tile_are_acknowledged_with_keys(house: House, door: Door) -> None:
    table, highest = house.table("alerting", "wu-song"), house.staff("highest", "table-game-shift-manager")
    for note in ("The light went out.", "It went out again."):
        house.manager.do(table, "report", fact="other", note=note)
        [asked] = house.manager.get(f"/api/tables/{table}/desk")["questions"]
        highest.do(table, "answer", question=asked["question"]["id"], choice="continue", reason="It is bright enough.")
    page = door.open("/pit", house.manager)
    search = page.get_by_role("searchbox")
    tab_to(page, search)
    page.keyboard.type(table)
    alerts = page.locator(f'.p-tile[data-table="{table}"] .alerts li')
    expect(alerts).to_have_count(4, timeout=PATIENCE)
    tab_to(page, alerts.first.get_by_role("button"))
    for left in (3, 2, 1, 0):
        keys(page, "Enter")
        expect(alerts).to_have_count(left, timeout=PATIENCE)  # at once, and the next one has the focus
        if left:
            expect(alerts.first.get_by_role("button")).to_be_focused()
    expect(page.locator(f'.p-tile[data-table="{table}"] h2 a')).to_be_focused()


def test_each_hand_that_is_held_is_opened_by_its_own_button(house: House, door: Door) -> None:
    """MBS, Method A: both hands lie with patrons, who show the dealer what they hold."""
    page, step = at_the_table(house, door, "held", "dragon-tiger-mbs", method="A", face_down=True)
    for box, (name, bet) in enumerate((("rosa", "player"), ("sven", "banker")), 1):
        house.patron(name).sit("held", box, 1_000_00)
        if box == 1:
            keys(page, "Enter")
            next_is(step, "Close bets")
        house.person(name).bet("held", bet, 100_00)
    expect(page.locator(".box-tile .mark")).to_have_count(2, timeout=PATIENCE)
    keys(page, "Enter")
    for hand in ("Player", "Banker", "Player", "Banker"):
        next_is(step, f"Draw to {hand}")
        keys(page, "Enter")
    next_is(step, "Open the cards")
    goes = page.locator(".goes")
    tab_to(page, page.get_by_role("button", name="Open the Banker cards."))
    keys(page, "Enter")
    expect(goes).to_have_text("Opens card 2, Banker", timeout=PATIENCE)
    type_cards(page, "9c")
    keys(page, "Escape", "Enter")
    expect(goes).to_have_text("Opens card 1, Player", timeout=PATIENCE)
    type_cards(page, "2h")
    cards = [house.manager.view("held")["round"][hand]["cards"] for hand in ("player", "banker")]
    assert cards == [["2h", None], ["9c", None]]


def test_a_step_that_is_for_patrons_leads_to_their_wagers(house: House, door: Door) -> None:
    """Over the differential wagers must be altered: the large button goes there, and no step has a raw name."""
    limits = {"minimum": 50_00, "maximum": 1_000_00, "differential": 500_00}
    table = by_hand(house, "too-much", "dragon-tiger-hoiana", limits=limits)
    ann, bob = house.patron("much"), house.patron("little")
    for box, patron in enumerate((ann, bob), 1):
        patron.sit(table, box, 1_000_00)
    house.manager.do(table, "open-bets")
    ann.bet(table, "player", 500_00)
    bob.bet(table, "player", 50_00)
    page = door.open(f"/dealer/{table}", house.manager)
    step = page.locator(".next-button")
    expect(step).to_have_text("Go to the wagers", timeout=PATIENCE)
    page.get_by_role("button", name="2 little").click()
    step.press("Enter")
    withdraw = page.locator(".served").get_by_role("button", name="Withdraw")
    expect(withdraw).to_be_focused(timeout=PATIENCE)
    expect(page.locator(".served h3")).to_contain_text("much")
    page.keyboard.press("Enter")
    expect(step).to_have_text("Close bets", timeout=PATIENCE)
    assert [each["patron"] for each in ann.view(table)["round"]["wagers"]] == ["little"]


def test_a_dispute_at_a_closed_table_is_read_at_the_desk_and_resolved_in_the_pit(house: House, door: Door) -> None:
    table = by_hand(house, "shut", "wu-song")
    patron = house.patron("claimant")
    patron.do(table, "sit", patron=patron.name, box=1, accepts_notice=True)
    patron.do(table, "raise-dispute", patron=patron.name, says="My chips were swept.")
    house.manager.do(table, "leave", patron=patron.name)
    house.manager.do(table, "end-shoe")
    house.manager.do(table, "close-table")
    page = door.open(f"/dealer/{table}", house.manager)
    expect(page.locator(".panel.next")).to_contain_text("ispute", timeout=PATIENCE)
    expect(page.locator(".next-button")).to_have_count(0)

"""The dealer's console in a real browser, by keys and taps alone; and the tutorials for crews, word by word."""

import re
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Locator, Page, expect

from browsing import CHROMIUM, NO_CHROMIUM, PATIENCE, Door, House, axe_finds, laid, tap, type_cards
from punto.rulebook import load
from punto.service.demo.demonstration import BOOK_BY_HAND, BY_HAND
from punto.service.demo.demonstration import opening as demonstrated
from service_process import opening

pytest_plugins = ("browser_fixtures",)
pytestmark = pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=NO_CHROMIUM)


def by_hand(house: House, name: str, book: str = "wu-song", **more: object) -> str:
    """A table at which the dealer does everything: nothing happens by itself."""
    given = opening(book, auto=[], **more)
    house.manager.do(name, str(given.pop("do")), **given)
    house.manager.do(name, "load-shoe")
    if load(book).point("dealing", "burn") is not None:
        house.manager.do(name, "burn")
    return name


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


def test_the_last_round_is_put_right_while_bets_are_open_again(house: House, door: Door) -> None:
    """Hoiana 2.2.15: the next round has not begun before its first card. By a finger, on a phone."""
    dealer, table = house.staff("phoner", "dealer"), house.table("reopened", "dragon-tiger-hoiana")
    player, banker = house.patron("early"), house.patron("late")
    for box, patron in enumerate((player, banker), 1):
        patron.sit(table, box, 1_000_00)
    house.manager.do(table, "open-bets")
    player.bet(table, "player", 100_00)
    banker.bet(table, "banker", 100_00)
    house.manager.do(table, "close-bets")
    house.deal(table, "9h 8c Kd Ks")
    house.manager.do(table, "open-bets")
    page = door.open(f"/dealer/{table}", dealer, phone=True)
    barred = "The book does not let the staff place wagers for patrons."
    expect(page.locator(".part-bets")).to_contain_text(barred, timeout=PATIENCE)
    page.get_by_text("Cards of the last round").tap()
    page.get_by_role("button", name="Card 1, 9 of hearts: correct it").tap()
    correction = page.locator(".correction")
    for rank in "96":
        correction.locator(f"[data-rank='{rank}']").tap()
        correction.locator(".suit.h").tap()
        if rank == "9":
            expect(correction.get_by_role("alert")).to_contain_text("It was read so already.", timeout=PATIENCE)
    correction.get_by_role("button", name="Correct it").tap()
    expect(correction).to_contain_text("Card 1 is put right: 6", timeout=PATIENCE)
    view = house.manager.view(table)
    assert view["round"]["phase"] == "betting"
    assert [each["balance"] for each in view["patrons"]] == [900_00, 1_100_00]


PATRONS = ("ada", "ben", "cleo", "dov", "eva", "finn", "gus")
BETS = ("player", "banker", "tie")
MOST_STEPS = 120
"""Keys and taps that a round with seven patrons and three wagers each may take."""


class Hands:
    """The hands of a dealer, who has a keyboard and no mouse: they count every key."""

    def __init__(self, page: Page) -> None:
        self._page, self.steps = page, 0

    def press(self, *keys: str) -> None:
        for key in keys:
            self._page.keyboard.press(key)
            self.steps += 1

    def deal(self, cards: str) -> None:
        type_cards(self._page, cards)
        self.steps += 2 * len(cards.split())


def tile(page: Page, box: int) -> Locator:
    """A box of the table, as the dealer sees it."""
    return page.locator(".box-tiles > li").nth(box - 1)


def test_a_round_of_seven_patrons_is_dealt_by_hand_with_the_keyboard_alone(house: House, door: Door) -> None:
    dealer, table = house.staff("typist", "dealer"), by_hand(house, "seven", "dragon-tiger-mbs", method="B")
    for box, name in enumerate(PATRONS, 1):
        house.patron(name).sit(table, box, 1_000_00)
    page = door.open(f"/dealer/{table}", dealer)
    step, hands = page.locator(".next-button"), Hands(page)
    page.locator(".box-tile").first.wait_for()
    step.focus()
    hands.press("Enter")
    expect(step).to_have_text("Close bets", timeout=PATIENCE)
    expect(step).to_be_focused()
    for box in range(1, 8):  # a box; chips of 50 on Player, of 10 on Banker and on the tie
        hands.press(str(box), "s", "p", "a", "b", "t")
    for box in range(1, 8):
        expect(tile(page, box).locator(".mark")).to_have_text(["Player 50", "Banker 10", "Tie 10"], timeout=PATIENCE)
    expect(step).to_be_focused()
    hands.press("Enter")
    expect(step).to_have_text("Draw to Player", timeout=PATIENCE)
    hands.deal("2c 2d 2h 3s 4c Ks")  # Player 4 and 8, Banker 5
    expect(step).to_have_text("Pay and collect", timeout=PATIENCE)
    expect(step).to_be_focused()
    hands.press("Enter")
    net = page.locator(".settlement .net")
    expect(net).to_have_text(["Pay 30"] * 7, timeout=PATIENCE)
    hands.press(*"1234567")
    expect(step).to_be_enabled(timeout=PATIENCE)
    assert hands.steps <= MOST_STEPS, hands.steps
    view = house.manager.view(table)
    assert {each["name"]: each["balance"] for each in view["patrons"]} == dict.fromkeys(PATRONS, 1_030_00)

    # The next round begins with the same wagers, with one key for everybody.
    page.reload()
    step.filter(has_text="Open bets").press("Enter")
    everybody = page.get_by_role("button", name="All as last round")
    everybody.wait_for()
    page.keyboard.press("Shift+L")
    for box in range(1, 8):
        expect(tile(page, box).locator(".mark")).to_have_text(["Player 50", "Banker 10", "Tie 10"], timeout=PATIENCE)
    expect(everybody).to_be_disabled()
    assert len(house.manager.view(table)["round"]["wagers"]) == 21
    assert axe_finds(page) == []


def test_a_patron_is_seated_served_and_paid_out_by_taps(house: House, door: Door) -> None:
    dealer, table = house.staff("server", "dealer"), by_hand(house, "served")
    page = door.open(f"/dealer/{table}", dealer)
    served, bets = page.locator(".served"), page.locator(".part-bets")
    tile(page, 3).get_by_role("button").click()
    served.get_by_label("New patron").fill("mina")
    served.get_by_label("Amount").fill("500")
    served.get_by_role("button", name="Sit").click()
    expect(tile(page, 3)).to_contain_text("mina", timeout=PATIENCE)
    expect(tile(page, 3).locator(".money")).to_have_text("500")
    page.get_by_text("Anything else for a patron").click()
    act = page.locator(".part-patrons details")
    expect(act.locator("select[name=patron] option")).to_have_text(["mina"])  # at once, without a reload

    house.manager.do(table, "open-bets")
    bets.locator(".bet-field[data-bet=banker]").click()
    bets.get_by_role("radio", name="Chip of 100", exact=True).click()
    bets.locator(".bet-field[data-bet=tie]").click()
    marks = tile(page, 3).locator(".mark")
    expect(marks).to_have_text(["Banker 50", "Tie 100"], timeout=PATIENCE)
    bets.get_by_role("button", name="Undo").click()
    expect(marks).to_have_text(["Banker 50"], timeout=PATIENCE)
    bets.get_by_role("radio", name="Chip of 1,000", exact=True).click()
    bets.locator(".bet-field[data-bet=player]").click()
    expect(bets.get_by_role("alert")).to_contain_text("mina · Player 1,000:", timeout=PATIENCE)  # she has 450
    tile(page, 2).get_by_role("button").click()
    expect(bets.get_by_role("alert")).to_be_visible()  # it is not lost when the next box is served
    tile(page, 3).get_by_role("button").click()
    bets.get_by_label("Keys choose chips and bets").uncheck()
    tile(page, 3).get_by_role("button").press("t")
    bets.get_by_label("Keys choose chips and bets").check()
    bets.get_by_role("button", name="Undo").click()
    expect(marks).to_have_count(0, timeout=PATIENCE)
    served.get_by_role("button", name="Cash out all of it").click()
    expect(tile(page, 3).locator(".money")).to_have_text("0", timeout=PATIENCE)
    house.patron("latecomer").sit(table, 5)
    expect(tile(page, 5)).to_contain_text("latecomer", timeout=PATIENCE)
    expect(act.locator("select[name=patron] option")).to_have_text(["mina", "latecomer"])


def find(page: Page, patron: str, bet: str, stake: str, act: str, reason: str = "") -> None:
    """Enter a wager that lay there before the call, in the form for what is rarely done for a patron."""
    form = page.locator(".part-patrons details")
    form.get_by_label("For a patron").select_option(label=act)
    form.locator("select[name=patron]").select_option(label=patron)
    form.locator("select[name=bet]").select_option(bet)
    form.get_by_label("Stake").fill(stake)
    form.get_by_label("Reason").fill(reason)
    form.get_by_role("button", name="Do it").click()


def test_a_wager_that_is_found_when_a_card_is_known_is_confirmed_by_a_supervisor_with_a_reason(
    house: House, door: Door
) -> None:
    supervisor, table = house.staff("finder", "pit-supervisor"), by_hand(house, "found")
    house.patron("overlooked").sit(table, 1, 1_000_00)
    for command in ("open-bets", "close-bets", "draw"):
        house.manager.do(table, command)
    house.manager.do(table, "expose", faces=["9h"])
    page = door.open(f"/dealer/{table}", supervisor)
    page.get_by_text("Anything else for a patron").click()
    find(page, "overlooked", "tie", "20", "Find")
    refused = page.locator(".part-patrons details").get_by_role("alert")
    expect(refused).to_contain_text("a wager that is found now needs a reason", timeout=PATIENCE)
    find(page, "overlooked", "tie", "20", "Find", "It lay beneath a napkin")
    expect(tile(page, 1).locator(".mark")).to_have_text(["Tie 20"], timeout=PATIENCE)


def test_there_is_no_place_for_cards_while_bets_are_open(house: House, door: Door) -> None:
    """Neither on a page that is opened then, nor on one that follows the table."""
    table = house.table("no-cards", "wu-song")
    page = door.open(f"/dealer/{table}", house.manager)
    felt = page.locator(".part-felt")
    expect(felt).to_be_visible(timeout=PATIENCE)
    house.manager.do(table, "open-bets")
    expect(felt).to_be_hidden(timeout=PATIENCE)
    page.reload()
    expect(page.locator(".part-bets")).to_be_visible(timeout=PATIENCE)
    expect(felt).to_be_hidden()


def test_which_cards_a_question_is_about_is_shown_on_the_felt(house: House, door: Door) -> None:
    """Two cards come out at once, and nobody knows which was first: the pit says it on a picture with their numbers."""
    dealer, table = house.staff("reporter", "dealer"), by_hand(house, "together")
    house.patron("asked").sit(table, 1)
    house.manager.do(table, "open-bets")
    house.person("asked").bet(table, "player", 100_00)
    house.manager.do(table, "close-bets")
    house.deal(table, "2c 2d 2h 3s")  # both hands draw
    page, pit = door.open(f"/dealer/{table}", dealer), door.open(f"/pit/{table}", house.manager)
    page.locator(".part-report > summary").click()
    page.get_by_role("button", name="Cards were drawn together").click()
    report = page.locator(".part-report form")
    for number in (5, 6):
        report.get_by_role("button", name=f"Card {number}, face down").click()
    report.get_by_label("Is the order known").select_option("unknown")
    report.get_by_label("Note").fill("Both at once.")
    house.patron("onlooking").sit(table, 2)  # the page changes, and what was entered stays
    expect(page.locator(".box-tile", has_text="onlooking")).to_be_visible(timeout=PATIENCE)
    expect(report.get_by_label("Note")).to_have_value("Both at once.")
    expect(report.get_by_label("Note")).to_be_focused()
    expect(report.get_by_label("Is the order known")).to_have_value("unknown")
    expect(report.locator("[aria-pressed=true]")).to_have_count(2)
    assert axe_finds(page) == []
    report.get_by_role("button", name="Report it").click()
    question = pit.locator(".question").filter(has_text="In which order do the cards 5, 6 count?")
    for number in (6, 5):
        question.get_by_role("button", name=f"Card {number}, face down").click()
    expect(question.locator(".card-order")).to_have_text(["2.", "1."], timeout=PATIENCE)
    assert axe_finds(pit) == []


def test_a_table_is_closed_step_by_step(house: House, door: Door) -> None:
    dealer, table = house.staff("closer", "dealer"), by_hand(house, "closing")
    for box, name in enumerate(("hal", "ida"), 1):
        house.patron(name).sit(table, box, 500_00)
    house.manager.do(table, "open-bets")
    house.person("hal").bet(table, "player", 100_00)
    page = door.open(f"/dealer/{table}", dealer)
    page.locator(".part-closing > summary").press("Enter")
    steps, act = page.locator(".closing > li"), page.locator(".part-closing .primary")
    act.filter(has_text="Announce the last hand").click()
    expect(steps.nth(0)).to_have_class("done", timeout=PATIENCE)
    expect(act).to_have_count(0)  # what is not done here has no button
    expect(steps.nth(1)).to_contain_text("The table closes only between rounds.")
    assert axe_finds(page) == []
    house.manager.do(table, "close-bets")
    house.deal(table, "9h 2c Kd Qd")
    act.filter(has_text="End shoe").click()
    expect(steps.nth(3)).to_contain_text("hal600", timeout=PATIENCE)
    expect(steps.nth(3)).to_contain_text("ida500")
    act.filter(has_text="Cash out all").click()
    expect(steps.nth(3)).to_have_class("done", timeout=PATIENCE)
    act.filter(has_text="Close table").click()
    expect(page.locator(".table-bar")).to_contain_text("Closed", timeout=PATIENCE)
    view = house.manager.view(table)
    assert (view["open"], [each["balance"] for each in view["patrons"]]) == (False, [0, 0])


DOCS = Path(__file__).parent.parent / "docs"
LABEL = re.compile(r"(?<!\*)\*([^*]+)\*(?!\*)")


class Tutorial:
    """A page of the documentation: the labels in italics that it names, and those that were followed."""

    def __init__(self, page: str) -> None:
        text = (DOCS / page).read_text(encoding="utf-8")
        self._named = {" ".join(each.split()) for each in LABEL.findall(re.sub(r"(?s)```.*?```", "", text))}
        self._followed: set[str] = set()

    def says(self, label: str) -> str:
        """A label that the page names."""
        assert label in self._named, f"the tutorial does not name {label!r}"
        self._followed.add(label)
        return label

    @property
    def not_followed(self) -> set[str]:
        """The labels that nobody has looked for."""
        return self._named - self._followed


def test_a_round_is_dealt_by_hand_as_the_tutorial_says(house: House, door: Door) -> None:
    says = Tutorial("dealing.md")
    house.staff("teacher", "dealer")
    house.patron("pupil")
    given = msgspec.to_builtins(demonstrated(load(BOOK_BY_HAND), shoe="hand"))  # as `make run` opens it
    house.manager.do(BY_HAND, given.pop("do"), **given)

    # 2. Go to the table
    page, window = door.open("/", house.person("teacher")), door.open("/", house.person("pupil"))
    page.get_by_role("link", name=says.says("Dealer")).click()
    page.get_by_role("link", name=BY_HAND).click()
    step = page.locator(".next-button")

    def press(label: str) -> None:
        step.filter(has_text=says.says(label)).click()

    expect(page.locator(".next .clause").first).to_be_visible(timeout=PATIENCE)

    # 3. A round
    press("Load shoe")
    expect(page.locator(".table-bar")).to_contain_text("416 cards left", timeout=PATIENCE)
    window.locator(".tile", has_text=BY_HAND).get_by_role("link", name=says.says("Sit down")).click()
    window.get_by_role("region", name=says.says("How much in chips?")).get_by_role("button").first.click()
    boxes = page.get_by_role("region", name=says.says("Patrons and wagers")).locator(".box-tile")
    expect(boxes.first).to_contain_text("pupil", timeout=PATIENCE)
    boxes.filter(has_text=says.says("free")).first.click()
    seat = page.locator(".served form")
    seat.get_by_label("New patron").fill("rolf")
    seat.get_by_label("Amount").fill("1000")
    seat.get_by_role("button", name=says.says("Sit")).click()
    expect(boxes.nth(1)).to_contain_text("rolf", timeout=PATIENCE)
    press("Open bets")
    tap(window, "banker")
    laid(window, "banker", 50_00)
    boxes.nth(1).click()
    bets = page.locator(".part-bets")
    expect(bets.get_by_label(says.says("Keys choose chips and bets"))).to_be_checked()
    expect(bets.get_by_role("heading")).to_contain_text(says.says("Bets of …").replace("…", "rolf"))
    marks = boxes.nth(1).locator(".mark")
    for bet, shown in (("player", ["Player 50"]), ("tie", ["Player 50", "Tie 50"])):
        bets.locator(f'.bet-field[data-bet="{bet}"]').click()
        expect(marks).to_have_text(shown, timeout=PATIENCE)
    bets.get_by_role("button", name=says.says("Undo")).click()
    expect(marks).to_have_text(["Player 50"], timeout=PATIENCE)
    press("Close bets")
    expect(step).to_contain_text("Draw", timeout=PATIENCE)
    type_cards(page, "9h 8c Kd Ks")
    press("Pay and collect")
    paid = page.locator(".settlement > li")
    expect(paid.locator(".net")).to_have_text(["Collect 50", "Pay 50"], timeout=PATIENCE)
    for at in range(2):
        paid.nth(at).get_by_role("checkbox").check()

    # 4. Something goes wrong
    page.get_by_role("button", name="Card 1, 9 of hearts: correct it").click()
    page.keyboard.type("6h")
    page.locator(".correction").get_by_role("button", name=says.says("Correct it")).click()
    expect(paid.locator(".net")).to_have_text(
        ["Pay 100 (collected 50 before)", "Collect 100 (paid 50 before)"], timeout=PATIENCE
    )
    for at in range(2):
        paid.nth(at).get_by_role("checkbox").check()
    press("Open bets")
    boxes.nth(1).click()
    bets.get_by_role("button", name=says.says("As last round"), exact=True).click()
    expect(marks).to_have_text(["Player 50"], timeout=PATIENCE)
    bets.get_by_role("button", name=says.says("All as last round")).click()
    expect(boxes.first.locator(".mark")).to_have_text(["Banker 50"], timeout=PATIENCE)
    press("Close bets")
    expect(page.locator(".served .wager").get_by_role("button", name=says.says("Pull"))).to_be_visible(timeout=PATIENCE)
    page.get_by_text(says.says("Anything else for a patron")).click()
    find(page, "rolf", "tie", "20", says.says("Find"))
    expect(marks).to_have_text(["Player 50", "Tie 20"], timeout=PATIENCE)
    step.filter(has_text="Draw").click()
    page.get_by_text(says.says("Report an irregularity")).click()
    page.get_by_role("button", name="A hand has the wrong number of cards").click()
    page.get_by_role("button", name=says.says("What the book says")).click()
    expect(page.locator(".part-report .foreseen .clause").first).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name=says.says("Report it")).click()
    expect(page.locator(".question.other")).to_be_visible(timeout=PATIENCE)  # the pit is asked
    [question] = house.manager.view(BY_HAND)["questions"]
    house.manager.do(BY_HAND, "answer", question=question["id"], choice="no", reason="Nobody knows.")

    # 5. Close the table
    page.get_by_text(says.says("Close the table")).click()
    for label in ("Announce the last hand", "End shoe", "Cash out all", "Close table"):
        page.locator(".part-closing .primary").filter(has_text=says.says(label)).click()
    expect(page.locator(".table-bar")).to_contain_text("Closed", timeout=PATIENCE)

    # 2. Go to the table: another game or layout
    pit = door.open("/", house.manager)
    pit.get_by_role("link", name=says.says("Pit")).click()
    pit.locator(".part-opening summary", has_text=says.says("Open table")).click()
    form = pit.locator(".part-opening form")
    limits = (("Minimum", "10"), ("Maximum", "1000"), ("Differential", "5000"))
    for label, what in (("Table name", "hoiana-by-hand"), *limits):
        form.get_by_label(label).fill(what)
    form.get_by_label(says.says("Book")).select_option("dragon-tiger-hoiana")
    form.get_by_label(re.compile(f"^{says.says('Layout')}")).select_option("3")
    form.locator("[name=shoe]").select_option(label=says.says("hand-dealt"))
    form.get_by_role("button", name="Open table").click()

    # 3. A round, point 1: the burn, which Hoiana's book alone has (2.2.2, 7.11)
    pit.get_by_role("link", name=says.says("Dealer's console")).click()
    pit.locator(".next-button").filter(has_text="Load shoe").click()
    calls = pit.get_by_role("region", name="Shoe and calls")
    calls.get_by_role("button", name=says.says("Burn a card")).click()
    expect(pit.locator(".table-bar")).to_contain_text("415 cards left", timeout=PATIENCE)
    assert says.not_followed == set()


def test_the_trainer_is_as_its_page_says(door: Door) -> None:
    says = Tutorial("trainer.md")
    page = door.open("/")  # without an account
    page.get_by_role("link", name=says.says("Trainer")).click()
    page.get_by_role("button", name=says.says("Payouts")).click()
    page.get_by_label("Book").select_option("wu-song")
    page.get_by_label("Layout").select_option("B")
    expect(page.locator(".t-wager").first.get_by_role("radio").first).to_be_visible(timeout=PATIENCE)
    page.get_by_label(says.says("Type the amounts")).check()
    amounts = page.locator(".t-wager").get_by_role("textbox")
    expect(amounts.first).to_be_visible(timeout=PATIENCE)
    for at in range(amounts.count()):
        amounts.nth(at).fill("0.01")
    page.get_by_role("button", name="Check").click()
    expect(page.locator(".verdict")).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".t-mark .clause").first).to_be_visible()
    expect(page.get_by_text("The whole account")).to_be_visible()
    expect(page.locator(".score")).to_contain_text("of 1 right")
    page.get_by_role("button", name=says.says("Next")).click()
    expect(page.locator(".verdict")).to_have_count(0, timeout=PATIENCE)
    page.get_by_role("button", name=says.says("Irregularities")).click()
    page.locator(".t-answers .choice").first.click()
    expect(page.locator(".score")).to_contain_text("of 2 right", timeout=PATIENCE)

    [address] = re.findall(r"`(/train\?\S+)`", (DOCS / "trainer.md").read_text(encoding="utf-8"))
    page.goto(address)
    expect(page.locator(".t-wager").first).to_be_visible(timeout=PATIENCE)
    beneath = page.get_by_text(re.compile(r"· 12$"))  # the number stands beneath the drill
    expect(beneath).to_be_visible()
    asked = page.locator(".t-wager").all_inner_texts()
    page.reload()
    expect(beneath).to_be_visible(timeout=PATIENCE)
    assert page.locator(".t-wager").all_inner_texts() == asked
    assert says.not_followed == set()

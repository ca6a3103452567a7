"""The tutorials for table crews, followed word by word in a real browser: every label that they name is there."""

import re
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import expect

from browsing import CHROMIUM, NO_CHROMIUM, PATIENCE, Door, House, laid, tap, type_cards
from punto.rulebook import load
from punto.service.demo.demonstration import BOOK_BY_HAND, BY_HAND, opening

DOCS = Path(__file__).parent.parent / "docs"
LABEL = re.compile(r"(?<!\*)\*([^*]+)\*(?!\*)")

pytest_plugins = ("browser_fixtures",)
pytestmark = pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=NO_CHROMIUM)


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
    given = msgspec.to_builtins(opening(load(BOOK_BY_HAND), shoe="hand"))  # as `make run` opens it
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

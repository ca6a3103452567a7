"""A patron with a keyboard and no mouse, and a patron who hears the round: in a real browser."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from browsing import CHROMIUM, NO_CHROMIUM, PATIENCE, Door, House, Somebody, axe_finds, laid
from service_process import until

pytest_plugins = ("browser_fixtures",)
pytestmark = pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=NO_CHROMIUM)

EARS = """
(() => {
  window.heard = [];
  const LIVE = { status: "polite", log: "polite", alert: "assertive", timer: "off" };
  const roleOf = (element) => element.getAttribute("role") ?? (element.tagName === "OUTPUT" ? "status" : "");
  const kindOf = (element) => element.getAttribute("aria-live") ?? LIVE[roleOf(element)];
  const isWhole = (element) => ["status", "alert"].includes(roleOf(element));
  const hear = (mutations) => {
    for (const { target, addedNodes, type } of mutations) {
      const from = target.nodeType === Node.TEXT_NODE ? target.parentElement : target;
      const say = (text) => text.trim() && window.heard.push(text.trim());
      let live = from;
      while (live?.getAttribute && !kindOf(live)) live = live.parentElement;
      if (live?.getAttribute && kindOf(live) !== "off" && !live.closest("[hidden]")) {
        const added = type === "characterData" ? [target] : Array.from(addedNodes);
        if (added.length) say(isWhole(live) ? live.textContent : added.map((node) => node.textContent).join(" "));
      } else {
        for (const node of addedNodes) if (node.getAttribute && roleOf(node) === "alert") say(node.textContent);
      }
    }
  };
  new MutationObserver(hear).observe(document, { subtree: true, childList: true, characterData: true });
})();
"""
"""What a screen reader says of a page by itself, as WAI-ARIA has it: what is put into live regions, and alerts."""

FOCUS = """() => {
  const at = document.activeElement;
  const seen = getComputedStyle(at);
  const box = at.getBoundingClientRect();
  return {
    tag: at.tagName,
    drawn: at.matches(":focus-visible") && seen.outlineStyle !== "none" && parseFloat(seen.outlineWidth) >= 2,
    seen: box.width > 0 && box.height > 0,
    name: at.getAttribute("aria-label") ?? at.textContent.trim().slice(0, 40),
  };
}"""
MOST_TABS = 60


def open_ears(door: Door, path: str, patron: Somebody) -> Page:
    """A page of which everything is heard."""
    page = door.open("about:blank", patron)
    page.add_init_script(EARS)
    page.goto(path)
    return page


def heard(page: Page) -> list[str]:
    found: list[str] = page.evaluate("window.heard")
    return found


def hears(page: Page, text: str) -> None:
    """Wait until something is said."""
    until(lambda: any(text in each for each in heard(page)), lambda: f"{text} in {heard(page)}")


def tab_to(page: Page, target: Locator) -> list[str]:
    """Go to an element by Tab alone; wherever one is on the way is seen. Returns the names of what was passed."""
    expect(target).to_be_visible(timeout=PATIENCE)
    passed: list[str] = []
    for _ in range(MOST_TABS):
        if target.evaluate("(element) => element === document.activeElement"):
            return passed
        page.keyboard.press("Tab")
        at = page.evaluate(FOCUS)
        if at["tag"] != "BODY":
            assert (at["drawn"], at["seen"]) == (True, True), at
            passed.append(at["name"])
    raise AssertionError(f"not reached by Tab: {target}; passed {passed}")


def test_a_whole_round_with_keys_alone_is_heard_in_order_and_nothing_twice(house: House, door: Door) -> None:
    patron, table = house.patron("keys"), house.table("keys", "commission-insurance")
    house.manager.do(table, "open-bets")
    page = open_ears(door, f"/table/{table}", patron)
    tab_to(page, page.get_by_role("button", name="Sit down: Box 1", exact=True).last)
    page.keyboard.press("Enter")
    chips = page.get_by_role("region", name="How much in chips?")
    expect(chips.get_by_role("button").first).to_be_focused(timeout=PATIENCE)  # one goes on where one is
    tab_to(page, chips.get_by_role("button", name="5,000"))
    page.keyboard.press("Enter")
    until(lambda: patron.view(table)["patrons"][0]["balance"] == 5_000_00, "chips")
    banker = page.locator('.spot-box[data-bet="banker"] > .spot')
    expect(banker).to_be_focused(timeout=PATIENCE)
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    laid(page, "banker", 100_00)
    page.keyboard.press("Enter")
    laid(page, "banker", 200_00)
    undo = page.get_by_role("button", name="Undo")
    tab_to(page, undo)
    page.keyboard.press("Space")
    laid(page, "banker", 100_00)
    expect(undo).to_be_focused()
    assert axe_finds(page) == []

    house.manager.do(table, "close-bets")
    house.deal(table, "2c 2d 2h 3s")  # Player 4, Banker 5
    hears(page, "Insurance on your Banker wager")
    tab_to(page, page.get_by_role("button", name="Insure 50"))
    page.keyboard.press("Enter")
    until(lambda: patron.view(table)["patrons"][0]["balance"] == 4_850_00, "cover to be struck")
    house.deal(table, "4c Ks")  # Player 8: the wager loses 100, the cover of 50 wins 2 to 1
    hears(page, "In all")
    said = heard(page)
    expected = [
        "Place your bets",
        "Take a seat to play",
        "How much in chips?",
        "Banker: 100",
        "Banker: 100",  # the second chip
        "No more bets",
        "Player: 2 of clubs, 2 of hearts; 4 points",
        "Banker: 2 of diamonds, 3 of spades; 5 points",
        "Insurance on your Banker wager, 2 to 1. It wins if Player wins; a tie returns it.",
        "Player: 4 of clubs; 8 points",
        "Banker: king of spades; 5 points",
        "Player wins 8 to 5",
        "In all 0",
    ]
    assert said == expected

    history = page.get_by_role("tab", name="History")
    tab_to(page, history)
    page.keyboard.press("Enter")
    expect(page.locator(".tab-panel .past").first).to_be_visible(timeout=PATIENCE)
    expect(history).to_be_focused()
    for _ in range(MOST_TABS):  # and nothing keeps one
        page.keyboard.press("Tab")
        if page.evaluate(FOCUS)["tag"] == "BODY":
            break
    else:
        raise AssertionError("the keyboard does not leave the page")


def test_the_keyboard_goes_through_a_table_as_the_eye_does(house: House, door: Door) -> None:
    """The felt, then what waits, then chips and buttons, then what lies beside."""
    patron, table = house.patron("order"), house.table("order", "wu-song")
    patron.sit(table, 2)
    house.manager.do(table, "open-bets")
    page = door.open(f"/table/{table}", patron)
    last = page.get_by_role("tab", name="Limits")
    expect(page.locator('.spot-box[data-bet="player"].open')).to_be_visible(timeout=PATIENCE)
    expect(last).to_be_visible(timeout=PATIENCE)
    page.locator("body").focus()
    passed = tab_to(page, last)
    marks = ["To the table", "^Banker, pays", "^Player, pays", "^Chip of", "same again", "^Sound", "^Result"]
    found = [next(at for at, name in enumerate(passed) if re.search(mark, name)) for mark in marks]
    assert found == sorted(found), passed


def test_a_question_is_heard_once_and_answered_with_keys(house: House, door: Door) -> None:
    """Wu Song 5.13: after an error in dealing, whoever has a wager may play on or take it back."""
    patron, table = house.patron("answerer"), house.table("answered", "wu-song")
    patron.sit(table, 1)
    house.manager.do(table, "open-bets")
    patron.bet(table, "player", 100_00)
    house.manager.do(table, "close-bets")
    page = open_ears(door, f"/table/{table}", patron)
    expect(page.locator(".call")).to_have_text("No more bets", timeout=PATIENCE)
    for _ in range(3):
        house.manager.do(table, "draw")
    house.manager.do(table, "report", fact="dealing-error", reconstructible=False, note="It slipped under the third")
    [question] = patron.view(table)["questions"]
    hears(page, question["says"])
    back = page.locator(".asked .choice").filter(has_text="Take back")
    tab_to(page, back)
    page.keyboard.press("Enter")
    until(lambda: not patron.view(table)["questions"], "the answer")
    assert patron.view(table)["patrons"][0]["balance"] == 10_000_00
    expect(back).to_have_count(0, timeout=PATIENCE)
    assert sum(question["says"] in each for each in heard(page)) == 1

"""The felt of any book in a real browser: names, exceptions, long pay tables, choices and forty side bets."""

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browsing import CHROMIUM, NO_CHROMIUM, PATIENCE, Door, House, axe_finds, coup, laid, sideways, speak, tap
from layout import WIDE, set_in
from many_bets import ID, WORDS, many_bets
from punto.rulebook import ids, source
from service_process import opening

pytest_plugins = ("browser_fixtures",)
pytestmark = pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=NO_CHROMIUM)

SCREENS = ((1280, 800), (390, 844), (844, 390))
BIG_ROAD = "大路"

WRONG = """() => {
  const found = [];
  const over = (one, other) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
  const rect = (element) => element.getBoundingClientRect();
  const all = (where, what) => Array.from(where.querySelectorAll(what));
  const laidOut = [...all(document, ".fields > .spot-box"), document.querySelector(".between")];
  const between = all(document, ".between .spot-box, .choice-box > .spot-name");
  for (const group of [laidOut, between])
    group.forEach((one, index) => {
      for (const other of group.slice(index + 1))
        if (over(rect(one), rect(other))) found.push(`${one.textContent} lies over ${other.textContent}`);
    });
  for (const box of all(document, ".fields .spot-box, .choice-box")) {
    const field = box.querySelector(".spot");
    if (field.scrollWidth > field.clientWidth) found.push(`${field.textContent} is too wide`);
    if (field.scrollHeight > field.clientHeight) found.push(`${field.textContent} is too high`);
    const odds = box.querySelector(":scope > .spot > .spot-odds");
    const isHigh = window.innerHeight > 600; // a short screen has one line of pays, each whole or not at all
    const spills = (of) => of.scrollWidth > of.clientWidth + 1 || (isHigh && of.scrollHeight > of.clientHeight + 1);
    const isCut = odds && spills(odds);
    if (isCut && !box.classList.contains("staked")) found.push(`${odds.textContent} is cut`);
    const mark = box.querySelector(":scope > .all-pays");
    const texts = all(box, ":scope > .spot-name, :scope > .spot > :is(.spot-name, .spot-odds)");
    for (const place of texts) {
      const walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const text = walker.currentNode;
        for (const word of text.data.matchAll(/[^\\s-]+/g)) {
          const range = document.createRange();
          range.setStart(text, word.index);
          range.setEnd(text, word.index + word[0].length);
          const rects = Array.from(range.getClientRects());
          if (rects.length > 1) found.push(`${word[0]} is broken`);
          if (mark && rects.some((each) => over(each, rect(mark)))) found.push(`${word[0]} lies under the mark`);
        }
      }
    }
  }
  return found;
}"""

FIRST_BELOW = """(fields) => {
  const bottom = Math.min(fields.getBoundingClientRect().bottom, window.innerHeight);
  const isBelow = (box) => box.getBoundingClientRect().top >= bottom;
  return Array.from(fields.querySelectorAll(".spot-box")).find(isBelow).dataset.bet;
}"""


def dependent() -> str:
    """A shipped book in which Player Pair needs a bet on a hand, Banker Pair is red, and commission is told apart."""
    text = source("commission-insurance").decode().replace('id = "commission-insurance"', 'id = "dependent"', 1)
    text = text.replace("[bets.banker-pair]", '[bets.banker-pair]\ncolour = "red"', 1)
    text = text.replace('odds = "0.95:1"', 'odds = "1:1"\ncommission = "5%"', 1)
    text = text.replace('commission = { value = "in-the-odds"', 'commission = { value = "on-record"', 1)
    text = text.replace("[money]", '[money]\ncommission-collected = { value = ["leaving"], clause = "3.4" }', 1)
    needs = 'needs = { bets = ["player", "banker"], clause = "3.4" }'
    return text.replace("[bets.player-pair]", f"[bets.player-pair]\n{needs}", 1)


LONG_ODDS = """
[bets.stepping]
name = "Stepping Stone"
names = { zh-Hant = "踏腳石" }
choose = { ranks = "A567K" }
clause = "3.4"
loses = "3.16"
[[pays.long]]
bet = "stepping"
when = { all-cards = { ranks = "chosen", count = "1-6" } }
by = "count"
odds = { 1 = "1:1", 2 = "3:1", 3 = "18:1", 4 = "150:1", "5-6" = "1000:1" }
clause = "3.4"
[bets.red-river]
name = "Red"
clause = "3.4"
loses = "3.16"
[[pays.long]]
bet = "red-river"
when = { all-cards = { colour = "red" } }
by = "cards"
odds = { 4 = "12:1", 5 = "30.5:1", 6 = "1000:1" }
clause = "3.4"
"""
LONG_SCREENS = ((1400, 900), (1280, 800), (1024, 768), (844, 390), (390, 844), (360, 640))

CUT_ODDS = """() => {
  const found = [];
  for (const odds of document.querySelectorAll(".spot-odds")) {
    const walker = document.createTreeWalker(odds, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const range = document.createRange();
      range.selectNodeContents(walker.currentNode);
      for (const { left, right } of range.getClientRects()) {
        const box = odds.closest(".spot").getBoundingClientRect();
        const own = odds.getBoundingClientRect();
        const edge = Math.min(box.right, getComputedStyle(odds).overflowX === "visible" ? box.right : own.right);
        if (right > edge + 0.5 || left < box.left) found.push(`${odds.textContent}: ${right - edge}`);
      }
    }
  }
  return found;
}"""


def long_odds() -> str:
    """Commission Baccarat with odds on small fields that are as long as odds get, and a Banker of five rows."""
    text = source("commission-insurance").decode().replace('id = "commission-insurance"', 'id = "long-odds"', 1)
    by_points = 'by = "points"\nodds = { "1-4" = "0.95:1", 5 = "1:1", 6 = "1:2", "7-9" = "0.9:1" }'
    text = text.replace('odds = "0.95:1"', by_points, 1)
    return text.replace('pays = ["main", "pairs"]', 'pays = ["main", "pairs", "long"]') + LONG_ODDS


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house with a book of its own that has everything."""
    books = tmp_path_factory.mktemp("books")
    (books / f"{ID}.toml").write_text(many_bets(), encoding="utf-8")
    (books / "dependent.toml").write_text(dependent(), encoding="utf-8")
    (books / "long-odds.toml").write_text(long_odds(), encoding="utf-8")
    found = House(tmp_path_factory.mktemp("house"), books=books)
    try:
        yield found
    finally:
        found.close()


def field(page: Page, bet: str) -> str:
    """What stands in a field."""
    return page.locator(f'.spot-box[data-bet="{bet}"] .spot').inner_text()


def test_a_felt_draws_forty_side_bets_whatever_they_are_called(house: House, door: Door) -> None:
    patron, table = house.patron("ann"), "many"
    given = {**opening("commission-insurance", auto=["announce", "offer", "settle"]), "book": ID}
    house.manager.do(table, str(given.pop("do")), **given)
    assert house.manager.get(f"/api/tables/{table}/book")["layouts"]["A"]["titles"] == {"zh-Hant": "甲"}
    house.manager.do(table, "load-shoe")
    patron.sit(table, 3)
    page = door.open(f"/table/{table}", patron, wide=1280)
    expect(page.locator(".spot-box")).to_have_count(51, timeout=PATIENCE)
    assert page.locator(".spot-box.open, .spot-box.won, .spot-box.lost, .spot-box.quiet").count() == 0
    house.manager.do(table, "open-bets")
    expect(page.locator(".spot-box.open")).to_have_count(51, timeout=PATIENCE)

    # What the file says, in its order.
    order = page.locator(".between .spot-box").evaluate_all("(all) => all.map(({ dataset }) => dataset.bet)")
    assert order[:9] == ["tie", "player-pair", "banker-pair", *WORDS, "dragon-bonus", "egalite-0"]
    assert field(page, "banker").split("\n")[2:] == [
        "comes back Banker wins on 7 with three cards",
        "0.95 to 1 Banker wins",
        "comes back Tie",
    ]
    for bet, (name, chinese) in WORDS.items():
        assert field(page, bet).split("\n") == [each for each in (chinese, name, "1 to 2") if each]
    assert field(page, "dragon-bonus").split("\n") == ["龙宝", "Dragon Bonus", "1–30 to 1"]  # noqa: RUF001
    assert (
        page.locator(".choice-box").get_by_role("button", name="Egalité 6, pays 45 to 1").inner_text() == "6\n45 to 1"
    )

    # What lies further down is told, and reached by a tap.
    more = page.get_by_role("button", name="More bets")
    expect(page.locator('.spot-box[data-bet="side-30"]')).not_to_be_in_viewport(timeout=PATIENCE)
    below = page.locator(f'.spot-box[data-bet="{page.locator(".between").evaluate(FIRST_BELOW)}"]')
    expect(below).not_to_be_in_viewport(timeout=PATIENCE)
    more.click()
    expect(below).to_be_in_viewport(timeout=PATIENCE)
    page.locator('.spot-box[data-bet="side-30"]').scroll_into_view_if_needed()
    expect(more).to_be_hidden(timeout=PATIENCE)

    # A long pay table opens by the keyboard.
    mark = page.get_by_role("button", name="All that Dragon Bonus pays")
    mark.press("Enter")
    opened = page.get_by_role("dialog", name="Dragon Bonus")
    expect(opened.locator("tr")).to_have_count(8, timeout=PATIENCE)
    expect(opened.locator("tr").last).to_contain_text("comes backTie with naturals in both hands")
    assert axe_finds(page) == []
    page.keyboard.press("Escape")
    expect(opened).to_have_count(0)
    expect(mark).to_be_focused()
    page.get_by_role("button", name="All that Egalité pays").click()
    expect(page.get_by_role("dialog", name="Egalité").locator("tr").nth(6)).to_contain_text("645 to 1Tie on 6")
    page.keyboard.press("Escape")

    # A small field is bet on as a large one; nothing is broken, cut off or covered on any screen, wherever others bet.
    for bet in ("banker", "big", "egalite-6"):
        tap(page, bet)
        laid(page, bet, 50_00)
    other = house.patron("bob")
    other.sit(table, 4)
    for bet in ("tie", "dragon-bonus", "egalite-3", "side-30"):
        other.bet(table, bet, 100_00)
        expect(page.locator(f'.spot-box[data-bet="{bet}"] .others')).to_have_text("100", timeout=PATIENCE)
    for lang in ("zh-Hant", "zh-Hans", "en"):
        speak(page, lang)
        expect(page.locator(".spot-box.open")).to_have_count(51, timeout=PATIENCE)
        for wide, high in SCREENS:
            page.set_viewport_size({"width": wide, "height": high})
            assert page.evaluate(WRONG) == []
            assert sideways(page) == 0
    for bet in ("tie", "dragon-bonus", "egalite-3", "side-30"):
        other.do(table, "withdraw", patron=other.name, bet=bet)

    # In Chinese no bet has the name of a road, wherever it is named.
    speak(page, "zh-Hant")
    page.set_viewport_size({"width": 1440, "height": 900})
    expect(page.get_by_role("button", name=re.compile("大.賠率 2 賠 1; 你已下注 50"))).to_be_visible(timeout=PATIENCE)
    dealer, pit = (door.open(f"/{view}/{table}", house.manager) for view in ("dealer", "pit"))
    for staff in (dealer, pit):
        speak(staff, "zh-Hant")
    wagers = dealer.locator(".wager .mark")
    expect(wagers).to_have_text(["庄", "大", "平局 6"], timeout=PATIENCE)
    assert wagers.evaluate_all("(all) => all.map((each) => each.className)") == ["mark"] * 3
    expect(dealer.locator('select[name="bet"] option[value="open"]')).to_have_text("開")
    expect(pit.locator(".part-journal .entry-line").filter(has_text="· 大 ·")).to_have_count(1, timeout=PATIENCE)
    house.manager.do(table, "close-bets")
    house.deal(table, "2c 4d 3h 2s Ks")  # five cards: Player 5, Banker 6
    expect(page.locator(".result-panel .line summary")).to_have_text(
        ["+47.50庄 1 賠 0.954.1.2", "+25大 2 賠 13.4", "−50平局 6 輸3.16"],  # noqa: RUF001
        timeout=PATIENCE,
    )
    expect(pit.locator(".part-edges th")).to_have_count(51, timeout=PATIENCE)
    for staff in (dealer, pit):
        assert BIG_ROAD not in staff.locator("main").inner_text()
    assert BIG_ROAD not in page.locator(".fields").inner_text()


def test_a_felt_shows_what_may_be_bet_and_follows_the_book_of_its_table(house: House, door: Door) -> None:
    patron, table = house.patron("bea"), "dependent"
    given = {**opening("commission-insurance", auto=["announce", "settle"]), "book": "dependent"}
    house.manager.do(table, str(given.pop("do")), **given)
    patron.sit(table, 2)
    page = door.open(f"/table/{table}", patron, wide=1280)
    pair, red = (page.locator(f'.spot-box[data-bet="{bet}"]') for bet in ("player-pair", "banker-pair"))
    expect(red).to_have_attribute("data-colour", "red", timeout=PATIENCE)
    house.manager.do(table, "load-shoe")
    house.manager.do(table, "open-bets")

    # A bet that needs another is dimmed until that lies there, and says why where it is tapped all the same.
    expect(red).to_have_class(re.compile("open"), timeout=PATIENCE)
    expect(pair).not_to_have_class(re.compile("open"))
    pair.locator(".spot").dispatch_event("click")  # it is marked as disabled
    expect(pair).to_contain_text("only with a wager on Player or Banker", timeout=PATIENCE)
    tap(page, "player")
    laid(page, "player", 50_00)
    expect(pair).to_have_class(re.compile("open"), timeout=PATIENCE)
    tap(page, "player-pair")
    laid(page, "player-pair", 50_00)

    # With the bet that it needs it comes back.
    patron.do(table, "withdraw", patron=patron.name, bet="player")
    expect(page.locator(".spot-box .amount")).to_have_count(0, timeout=PATIENCE)

    # In Chinese the coups are said in Chinese.
    speak(page, "zh-Hant")
    banker = page.locator('.spot-box[data-bet="banker"]')
    expect(banker).to_contain_text("1 賠 1，抽佣 5% 庄贏", timeout=PATIENCE)  # noqa: RUF001
    speak(page, "en")
    expect(banker).to_contain_text("1 to 1 less 5% Banker wins", timeout=PATIENCE)

    # When the table goes over to another book, so does the felt.
    house.manager.do(table, "close-bets")
    house.deal(table, "9c 2d Kh 4s")
    house.manager.do(table, "end-shoe")
    change = opening("wu-song", do="change-book")
    house.manager.do(table, str(change.pop("do")), **change)
    expect(page.locator('.spot-box[data-bet="wu-song"]')).to_have_count(1, timeout=PATIENCE)


def test_no_figure_of_the_odds_is_cut_off(house: House, door: Door) -> None:
    """Odds that lose a figure are other odds: the field of a choice that pays 1000 to 1 once said 1 to 10."""
    patron, table = house.patron("lou"), "long-odds"
    given = {**opening("commission-insurance"), "book": "long-odds"}
    house.manager.do(table, str(given.pop("do")), **given)
    house.manager.do(table, "load-shoe")
    patron.sit(table, 2)
    house.manager.do(table, "open-bets")
    page = door.open(f"/table/{table}", patron, wide=1400)
    said = {"en": ("1–1000 to 1", "12 to 1 · 30.5 to 1"), "zh-Hant": ("1 賠 1–1000", "1 賠 12 · 1 賠 30.5")}  # noqa: RUF001
    for lang, (choice, several) in said.items():
        speak(page, lang)
        stone = page.locator('.spot-box[data-bet="stepping-k"] .spot-odds')
        expect(stone).to_have_text(choice, timeout=PATIENCE)
        expect(page.locator('.spot-box[data-bet="red-river"] .spot-odds')).to_contain_text(several)
        for font, (wide, high) in product(("", WIDE), LONG_SCREENS):
            page.set_viewport_size({"width": wide, "height": high})
            set_in(page, font)
            assert page.evaluate(CUT_ODDS) == [], (lang, wide, high, font)


def test_that_a_wager_comes_back_is_told_beside_folded_pays(house: House, door: Door) -> None:
    patron, table = house.patron("fay"), "folded"
    given = {**opening("commission-insurance"), "book": "long-odds"}
    house.manager.do(table, str(given.pop("do")), **given)
    patron.sit(table, 2)
    page = door.open(f"/table/{table}", patron, wide=1400)
    expect(page.locator('.spot-box[data-bet="banker"]')).to_be_visible(timeout=PATIENCE)
    assert field(page, "banker").split("\n")[2:] == ["0.95 to 1 Banker wins on 1-4", "comes back Tie", "3 more"]
    name = "Banker, pays 1 to 2 up to 1 to 1, comes back Tie"
    expect(page.get_by_role("button", name=name, exact=True)).to_be_visible()


def test_every_book_has_a_felt_of_its_own_in_the_lobby_and_at_the_table(house: House, door: Door) -> None:
    """The same on both, and no two of the books that ship have the same colour or the same emblem."""
    patron = house.patron("looks")
    tables = [house.table(f"felt-{number}", book) for number, book in enumerate(ids())]
    page = door.open("/", patron)
    colour = "(element) => getComputedStyle(element).getPropertyValue('--felt')"
    in_lobby, emblems = {}, {}
    for table in tables:
        tile = page.locator("article.tile", has=page.locator(f'a[href="/guide/{table}"]'))
        expect(tile).to_have_count(1, timeout=PATIENCE)
        in_lobby[table] = tile.evaluate(colour)
        emblems[table] = tile.locator(".emblem").get_attribute("data-emblem")
    assert len(set(in_lobby.values())) == len(set(emblems.values())) == len(tables)
    for table in tables:
        page.goto(f"/table/{table}")
        felt = page.locator(".patron-table .felt")
        expect(felt).to_be_visible(timeout=PATIENCE)
        assert felt.evaluate(colour) == in_lobby[table]
        expect(felt.locator(".emblem")).to_have_attribute("data-emblem", str(emblems[table]))
        assert axe_finds(page) == []


def test_the_last_hand_is_called(house: House, door: Door) -> None:
    table = house.table("nearly-over", "wu-song")
    page = door.open(f"/table/{table}", house.patron("last-one"))
    house.manager.do(table, "last-hand")
    house.manager.do(table, "open-bets")
    expect(page.locator(".call")).to_have_text("Last hand of the shoe: place your bets", timeout=PATIENCE)


FLOWN = """
window.flown = [];
new MutationObserver((found) => {
  for (const {addedNodes} of found) {
    for (const node of addedNodes) if (node.classList?.contains("flying")) window.flown.push(node.className);
  }
}).observe(document, {childList: true, subtree: true});
"""
"""Notes what flies over the felt."""


def test_chips_come_from_the_rack_are_swept_and_are_paid(house: House, door: Door) -> None:
    """A chip flies to its field, a lost one to the house, what was won to the purse; without motion nothing flies."""
    patron, table = house.patron("flies"), house.table("flies", "wu-song")
    patron.sit(table, 3, 5_000_00)
    house.manager.do(table, "open-bets")
    moving, still = (door.open("about:blank", patron, motion=motion) for motion in (True, False))
    for page in (moving, still):
        page.add_init_script(FLOWN)
        page.goto(f"/table/{table}")
        page.locator('.spot-box[data-bet="banker"].open').wait_for()
    tap(moving, "banker")
    laid(moving, "banker", 50_00)
    moving.wait_for_function("() => window.flown.length === 1", timeout=PATIENCE)
    tap(moving, "tie")
    laid(moving, "tie", 50_00)
    house.manager.do(table, "close-bets")
    house.deal(table, coup("B", 0))
    moving.wait_for_function("() => window.flown.length === 5", timeout=PATIENCE)
    flown = moving.evaluate("window.flown")
    assert sum("paid" in each for each in flown) == 1
    assert sum("swept" in each for each in flown) == 1
    assert sum("won" in each for each in flown) == 1
    expect(still.locator(".call")).to_contain_text("Banker wins", timeout=PATIENCE)
    assert still.evaluate("window.flown") == []
    expect(moving.locator(".flying")).to_have_count(0, timeout=PATIENCE)

"""The squeeze in a real browser: a fold that stays where it was let go, full screen, by finger, mouse and keys."""

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import pytest
from playwright.sync_api import Browser, FloatRect, Locator, Page, expect

from browsing import NO_CHROMIUM, PATIENCE, WITH_WINDOWS, Door, House, Somebody, axe_finds, browsing, sideways
from service_process import opening, until

pytest_plugins = ("browser_fixtures",)
pytestmark = pytest.mark.skipif(not Path(WITH_WINDOWS).exists(), reason=NO_CHROMIUM)

SLOW = 5
"""So many times as long as else do people at these tables have for everything: 100 seconds to open a card."""
SIZES = ((1440, 810), (820, 1180), (390, 844), (844, 390), (667, 375), (932, 430))


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    found = House(tmp_path_factory.mktemp("house"), pace=SLOW)
    try:
        yield found
    finally:
        found.close()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Only a Chromium with windows lets a page fill the screen."""
    with browsing(WITH_WINDOWS) as found:
        yield found


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    found = House(tmp_path_factory.mktemp("quick"))
    try:
        yield found
    finally:
        found.close()


def squeezed(house: House, door: Door, name: str, *, phone: bool = False) -> tuple[Page, Somebody]:
    """A page whose patron holds the two cards of Player."""
    patron = house.patron(name)
    given = opening("dragon-tiger-mbs", auto=["announce", "offer"], shoe="virtual", face_down=True, method="A")
    house.manager.do(name, str(given.pop("do")), **given)
    patron.sit(name, 2)
    until(lambda: (patron.view(name)["round"] or {}).get("phase") == "betting", "bets to be opened")
    patron.bet(name, "player", 100_00)
    house.manager.do(name, "close-bets")
    page = door.open(f"/table/{name}", patron, phone=phone)
    expect(page.locator(".sq-card")).to_have_count(2, timeout=PATIENCE)
    return page, patron


def rect(element: Locator) -> FloatRect:
    found = element.bounding_box()
    assert found is not None
    return found


def bent(card: Locator) -> int:
    """How far a card is bent, in per cent of the way to its being open."""
    return int(card.get_attribute("aria-valuenow") or "-1")


def pull(page: Page, card: Locator, part: float, *, start: float = 1.0) -> None:
    """Take a card at a point of its diagonal, 1 being the right lower corner, and pull it along; the hand stays on."""
    found = rect(card)
    x, y = found["x"] + start * found["width"] - 6, found["y"] + start * found["height"] - 6
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - part * found["width"], y - part * found["height"], steps=6)


def opened(patron: Somebody, table: str) -> list[bool]:
    """Which cards of Player lie open for everybody."""
    return [card is not None for card in patron.view(table)["round"]["player"]["cards"]]


def test_a_fold_stays_where_it_was_let_go_and_only_its_patron_sees_it(house: House, door: Door) -> None:
    page, patron = squeezed(house, door, "squeezer")
    other = house.patron("neighbour")
    beside = door.open("/table/squeezer", other)
    expect(beside.locator(".hand .card-art.back").first).to_be_visible(timeout=PATIENCE)
    card, flap = page.locator(".sq-card").first, page.locator(".sq-flap").first
    assert axe_finds(page) == []

    pull(page, card, 0.4)
    expect(flap).to_be_visible()
    assert flap.locator("text").count() <= 1  # pips or the court's letter, and no index
    held = bent(card)
    assert 40 < held < 60  # 0.4 of the diagonal; at 0.82 of it the card is open
    page.mouse.up()
    assert (bent(card), flap.is_visible()) == (held, True)  # it lies as it was let go
    pull(page, card, 0.1, start=0.6)  # taken where its corner lies now, it goes on from there
    page.mouse.up()
    assert held + 8 < bent(card) < held + 16
    pull(page, card, -0.8, start=0.5)
    page.mouse.up()
    assert (bent(card), flap.is_visible()) == (0, False)  # laid flat again
    pull(page, card, -0.9)
    page.mouse.up()
    assert (bent(card), flap.is_visible()) == (0, False)  # a corner bends inwards only

    assert opened(patron, "squeezer") == [False, False]
    expect(beside.locator(".squeeze")).to_have_count(0)
    assert other.get("/api/tables/squeezer/held") == {}
    assert len(patron.get("/api/tables/squeezer/held")) == 2
    pull(page, card, 0.95)
    page.mouse.up()
    expect(page.locator(".sq-card")).to_have_count(1, timeout=PATIENCE)
    assert opened(patron, "squeezer") == [True, False]


def covers_the_screen(page: Page) -> None:
    """The two cards are whole, lie apart, and nothing else can be seen."""
    wide, high = page.viewport_size["width"], page.viewport_size["height"]  # type: ignore[index]  # always set here
    whole = rect(page.locator(".squeeze"))
    assert (whole["x"], whole["y"], whole["width"], whole["height"]) == (0, 0, wide, high)
    parts = [*page.locator(".sq-card").all(), *page.locator(".squeeze button").all()]
    boxes = [rect(each) for each in parts]
    assert len(boxes) == 5
    for box in boxes:
        assert 0 <= box["x"] <= wide - box["width"], (wide, high)
        assert 0 <= box["y"] <= high - box["height"], (wide, high)
    for one, other in combinations(boxes, 2):
        apart_x = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
        apart_y = one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"]
        assert apart_x or apart_y, (wide, high)
    assert boxes[0]["height"] > 0.3 * high
    assert sideways(page) == 0


def test_in_full_screen_the_cards_fill_every_screen_and_keep_their_fold(house: House, door: Door) -> None:
    page, patron = squeezed(house, door, "filler")
    first, second = page.locator(".sq-card").all()
    pull(page, first, 0.3)
    page.mouse.up()
    held, small = bent(first), rect(first)["height"]
    page.get_by_role("button", name="Full screen").click()
    expect(first).to_be_focused()
    assert rect(first)["height"] > 2 * small
    for wide, high in SIZES:
        page.set_viewport_size({"width": wide, "height": high})
        covers_the_screen(page)
        assert bent(first) == held
    assert axe_finds(page) == []
    page.keyboard.press("Escape")
    expect(page.locator(".squeeze:modal")).to_have_count(0)
    expect(page.get_by_role("button", name="Full screen")).to_be_focused()
    assert (bent(first), opened(patron, "filler")) == (held, [False, False])  # leaving it opens nothing

    page.keyboard.press("Enter")
    expect(page.locator(".squeeze:modal")).to_have_count(1)
    page.get_by_role("button", name="Back to the table").click()
    expect(page.locator(".squeeze:modal")).to_have_count(0)
    page.keyboard.press("Enter")
    pull(page, second, 0.9)
    page.mouse.up()
    until(lambda: opened(patron, "filler") == [False, True], "the second card to be open")
    expect(page.locator(".squeeze:modal .sq-card.open")).to_have_count(1, timeout=PATIENCE)  # seen as large
    page.locator(".sq-card").first.press("End")
    until(lambda: opened(patron, "filler")[:2] == [True, True], "both cards to be open")
    expect(page.locator(".squeeze:modal .sq-card.open")).to_have_count(0, timeout=PATIENCE)  # and the table is back


ENTERS_WHILE_A_DISPLAY_IS_LEFT = """() => {
    document.querySelector(".squeeze .sq-full").click();
    document.dispatchEvent(new Event("fullscreenchange"));  // of the display that was left a moment ago
    return document.querySelector(".squeeze").matches(":modal");
}"""


def test_whoever_goes_back_to_full_screen_at_once_stays_there(house: House, door: Door) -> None:
    """On a busy machine the browser tells late that the display is full no more: that is of the time before."""
    page, _ = squeezed(house, door, "returning")
    expect(page.get_by_role("button", name="Full screen")).to_be_visible()
    assert page.evaluate(ENTERS_WHILE_A_DISPLAY_IS_LEFT)
    page.get_by_role("button", name="Back to the table").click()
    expect(page.locator(".squeeze:modal")).to_have_count(0)


def test_a_card_is_bent_and_opened_with_keys_alone(house: House, door: Door) -> None:
    page, patron = squeezed(house, door, "typing")
    first = page.locator(".sq-card").first
    page.locator("body").press("Tab")
    for _ in range(60):
        if first.evaluate("(card) => card === document.activeElement"):
            break
        page.keyboard.press("Tab")
    expect(first).to_be_focused()
    expect(first).to_have_attribute("aria-label", "Bend card 1")
    seen = []
    for key in ("ArrowUp", "ArrowRight", "PageUp", "ArrowDown", "Home"):
        page.keyboard.press(key)
        seen.append(bent(first))
    assert 0 < seen[0] < seen[1] < seen[2] > seen[3] > seen[4] == 0
    expect(first).to_have_attribute("aria-valuetext", "0% bent")
    page.keyboard.press("End")
    until(lambda: opened(patron, "typing") == [True, False], "the first card to be open")
    expect(page.get_by_label("Bend card 3")).to_be_focused(timeout=PATIENCE)  # nobody has to look for where they are
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Open card 3")).to_be_focused()
    page.keyboard.press("Enter")
    until(lambda: opened(patron, "typing")[:2] == [True, True], "both cards to be open")


class Finger:
    """A finger on the glass."""

    def __init__(self, page: Page) -> None:
        self._session = page.context.new_cdp_session(page)

    def touch(self, kind: str, *point: float) -> None:
        """It comes down, moves, or is lifted."""
        points = [{"x": point[0], "y": point[1]}] if point else []
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def test_a_finger_squeezes_on_a_phone(house: House, door: Door) -> None:
    page, patron = squeezed(house, door, "thumb", phone=True)
    page.get_by_role("button", name="Full screen").tap()
    expect(page.locator(".squeeze:modal")).to_have_count(1)
    covers_the_screen(page)
    card = page.locator(".sq-card").first
    found = rect(card)
    x, y = found["x"] + found["width"] - 8, found["y"] + found["height"] - 8
    finger = Finger(page)
    finger.touch("touchStart", x, y)
    for part in (0.1, 0.2, 0.3):
        finger.touch("touchMove", x - part * found["width"], y - part * found["height"])
    held = until(lambda: 30 < bent(card) < 45 and bent(card), "the card to follow the finger")
    finger.touch("touchEnd")
    assert (bent(card), opened(patron, "thumb")) == (held, [False, False])


def test_when_the_time_is_up_the_dealer_opens_what_is_still_in_the_hand(quick: House, browser: Browser) -> None:
    door = Door(browser, quick)
    try:
        page, patron = squeezed(quick, door, "slow")
        page.get_by_role("button", name="Full screen").click()
        pull(page, page.locator(".sq-card").first, 0.5)  # and the hand stays on
        until(lambda: all(opened(patron, "slow")), "the dealer to open the cards")
        expect(page.locator("#said")).to_contain_text("Your time was up", timeout=PATIENCE)
        expect(page.locator(".squeeze")).to_have_count(0, timeout=PATIENCE)
        page.mouse.up()
        expect(page.locator(".hand.player .card-art.back")).to_have_count(0)
        assert page.evaluate("document.fullscreenElement") is None
        page.get_by_role("tab", name="History").click()  # the table can be used again
    finally:
        door.close()
    assert door.errors == []

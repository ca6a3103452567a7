"""A patron's phone in a real browser: everything of a round on one screen, also on its side and at double zoom."""

from collections.abc import Sequence
from functools import partial
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from browsing import CHROMIUM, NO_CHROMIUM, PATIENCE, Door, House, laid, sideways, speak, tap
from layout import WIDE, set_in, turn
from punto.rulebook import ids, load
from scenes import Scenes
from service_process import until

pytest_plugins = ("browser_fixtures",)
pytestmark = pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=NO_CHROMIUM)

ON_ITS_SIDE = ((844, 390), (932, 430), (667, 375))
ZOOMED = ((720, 450), (640, 360))
"""What is left of 1440 x 900 and 1280 x 720 at a zoom of 200%."""

SIZES = (*ON_ITS_SIDE, *ZOOMED, (360, 640), (375, 667), (390, 844), (1440, 900))
SMALLEST = ((320, 568), (568, 320))
DESKTOPS = ((820, 1180), (1024, 768), (1280, 720), (1366, 768), (1920, 1080))
Box = tuple[float, float, float, float]


def box(found: Locator) -> Box:
    """Left, top, right and lower edge of an element on the screen."""
    there = found.bounding_box()
    assert there is not None, found
    return there["x"], there["y"], there["x"] + there["width"], there["y"] + there["height"]


def overlap(one: Box, other: Box) -> bool:
    left, top, right, bottom = one
    return left < other[2] - 1 and other[0] < right - 1 and top < other[3] - 1 and other[1] < bottom - 1


def whole(page: Page, found: Locator) -> bool:
    """Whether an element lies on the screen with every edge."""
    left, top, right, bottom = box(found)
    screen = page.viewport_size
    assert screen is not None
    return left >= -1 and top >= -1 and right <= screen["width"] + 1 and bottom <= screen["height"] + 1


def lies_beside(offer: Locator, needed: Sequence[Locator]) -> bool:
    """Whether an offer covers nothing of what is needed."""
    over = box(offer)
    return not any(overlap(over, box(each)) for each in needed)


@pytest.mark.parametrize("book", ids())
def test_a_phone_on_its_side_has_hands_fields_chips_and_shoe_on_one_screen(house: House, door: Door, book: str) -> None:
    patron, table = house.patron(f"turner-{book}"), house.table(f"turned-{book}", book)
    patron.sit(table, 2)
    house.manager.do(table, "open-bets")
    page = door.open(f"/table/{table}", patron)
    expect(page.locator('.spot-box[data-bet="banker"].open')).to_be_visible(timeout=PATIENCE)
    for wide, high in (*ON_ITS_SIDE, *ZOOMED):
        turn(page, wide, high)
        assert sideways(page) == 0
        seen = [page.locator(each) for each in (".call", ".shoe", ".hands", ".purse", ".rack", ".acts")]
        seen += [page.locator(f'.spot-box[data-bet="{bet}"] > .spot') for bet in ("player", "banker", "tie")]
        assert [str(each) for each in seen if not whole(page, each)] == [], (wide, high)
        dock = box(page.locator(".dock"))
        lying = [box(each) for each in seen if each not in seen[3:6]]
        assert not any(overlap(dock, each) for each in lying), (wide, high)
        for below in (".seats", ".posted"):  # the dock cuts no line of text in two
            assert box(page.locator(below))[1] >= dock[1] - 1, (below, wide, high)
        page.evaluate("scrollTo(0, 0)")
    tap(page, "player")  # and it can be used as it is
    laid(page, "player", 50_00)


INSURED = tuple(book for book in ids() if load(book).insurance)


@pytest.mark.parametrize("book", INSURED)
@pytest.mark.parametrize("hand", ["player", "banker"])
def test_an_offer_covers_neither_the_hands_nor_the_wager_it_is_about(
    house: House, door: Door, book: str, hand: str
) -> None:
    """On every screen, in both languages and with wide letters, whatever lies between the hands and the wager."""
    patron, table = house.patron(f"insured-{book}-{hand}"), house.table(f"insured-{book}-{hand}", book)
    patron.sit(table, 3)
    house.manager.do(table, "open-bets")
    patron.bet(table, hand, 100_00)
    house.manager.do(table, "close-bets")
    house.deal(table, "2c 2d 2h 3s" if hand == "banker" else "3c 2d 3h 2s")
    page = door.open(f"/table/{table}", patron)
    offer = page.locator(".offer")
    for language, font in product(("en", "zh-Hant"), ("", WIDE)):
        speak(page, language)
        set_in(page, font)
        expect(offer).to_be_visible(timeout=PATIENCE)
        expect(offer.locator("p.small .quiet")).to_be_visible(timeout=PATIENCE)  # with its chances: as large as it gets
        for wide, high in (*SIZES, *SMALLEST, *DESKTOPS):
            turn(page, wide, high)
            field = page.locator(f'.spot-box[data-bet="{hand}"]')
            needed = [*page.locator(".slot").all(), page.locator(".points").first, page.locator(".points").last]
            needed += [field.locator(".mine"), field.locator(".spot-name")]
            assert len(needed) == 8
            until(
                partial(lies_beside, offer, needed),
                f"an offer beside what is needed: {language} {font} {wide} x {high}",
            )
            stake = box(field.locator(".mine"))
            assert stake[1] >= 0, (language, font, wide, high)
            if (wide, high) in SMALLEST:
                continue  # what is left of the offer there can be scrolled
            for each in offer.locator(".shares .button, .primary, .cover-row > .row:last-of-type .button").all():
                assert whole(page, each), (language, font, wide, high)


def test_the_page_lies_as_before_when_an_offer_is_declined(house: House, door: Door) -> None:
    patron, table = house.patron("declining"), house.table("declined", "da-hu-ying-xiong")
    patron.sit(table, 3)
    house.manager.do(table, "open-bets")
    patron.bet(table, "banker", 100_00)
    house.manager.do(table, "close-bets")
    page = door.open(f"/table/{table}", patron)
    turn(page, 320, 568)
    house.deal(table, "2c 2d 2h 3s")
    expect(page.locator(".offer p.small .quiet")).to_be_visible(timeout=PATIENCE)
    page.wait_for_function("() => scrollY > 0", timeout=PATIENCE)
    page.locator(".cover-row .button").last.click()
    expect(page.locator(".offer")).to_have_count(0, timeout=PATIENCE)
    page.wait_for_function("() => scrollY === 0", timeout=PATIENCE)


def test_an_offer_says_in_a_line_what_it_does_and_has_its_clauses_behind_a_tap(house: House, door: Door) -> None:
    patron, table = house.patron("reader"), house.table("read", "commission-insurance")
    patron.sit(table, 3)
    house.manager.do(table, "open-bets")
    patron.bet(table, "banker", 100_00)
    house.manager.do(table, "close-bets")
    house.deal(table, "2c 2d 2h 3s")
    page = door.open(f"/table/{table}", patron, phone=True)
    offer = page.locator(".offer")
    expect(offer.locator("p").nth(1)).to_contain_text("It wins if Player wins; a tie returns it.", timeout=PATIENCE)
    shown = offer.locator(".clause:visible")
    expect(shown).to_have_count(1)
    offer.locator("summary").click()
    clauses = page.locator(".offer .clause")
    expect(shown).to_have_count(clauses.count())
    assert clauses.count() > 1


@pytest.mark.parametrize("path", ["/train", "/shoe"])
def test_a_list_of_long_titles_has_the_whole_line_of_a_phone(house: House, door: Door, path: str) -> None:
    house.table(f"lists-{path[1:]}", "wu-song")
    page = door.open(path, phone=True)
    wide = page.locator("main .row .labelled", has=page.locator("select")).first
    wide.wait_for()
    assert wide.evaluate(
        """(field) => {
          const line = field.closest(".row");
          const { paddingLeft, paddingRight } = getComputedStyle(line);
          const room = line.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
          return Math.abs(field.offsetWidth - room) <= 1;
        }"""
    )


def test_every_tab_can_be_opened_while_a_result_is_told(house: House, door: Door) -> None:
    scenes = Scenes(house, "wu-song", "reached")
    scenes.no_chips()
    scenes.staked_of_all()
    scenes.offered_now()
    scene = scenes.paid()
    page = door.open(scene.path, scenes.patron, phone=True)
    scene.act(page)
    for wide, high in ((390, 844), (320, 568)):
        turn(page, wide, high)
        for tab in page.locator(".tab").all():
            tab.click()
            expect(tab).to_have_attribute("aria-selected", "true", timeout=PATIENCE)


FITS = "() => document.documentElement.scrollWidth <= document.documentElement.clientWidth"


@pytest.mark.parametrize("who", ["patron", "staff"])
def test_a_phone_leads_to_ones_own_sessions_in_every_language(house: House, door: Door, who: str) -> None:
    person = house.patron("session-patron") if who == "patron" else house.staff("session-staff", "pit-manager")
    page = door.open("/" if who == "patron" else "/train", person, phone=True)
    for language in ("en", "zh-Hant", "zh-Hans"):
        speak(page, language)
        for wide in (390, 360, 320):
            turn(page, wide, 640)
            page.wait_for_function(FITS, timeout=PATIENCE)  # once it is drawn for this screen
            top = [box(each) for each in page.locator("#top > *:visible:not(.grow)").all()]
            assert all(not overlap(one, other) for at, one in enumerate(top) for other in top[:at]), (language, wide)
            assert whole(page, page.locator("#top .who"))
            assert whole(page, page.locator("#top > button"))
    page.get_by_role("link", name=person.name).click()
    expect(page.locator("main h1")).to_have_text("您的登录工作阶段", timeout=PATIENCE)

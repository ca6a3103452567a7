"""No word is broken or cut off, and nothing lies over anything: every book, state, size and language, in a browser."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browsing import CHROMIUM, NO_CHROMIUM, PATIENCE, Door, House, coup, speak
from layout import WIDE, faults, set_in, turn
from punto.rulebook import ids
from scenes import Scene, Scenes

pytest_plugins = ("browser_fixtures",)
pytestmark = pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=NO_CHROMIUM)

UPRIGHT = ((360, 640), (390, 844), (320, 568))
ON_ITS_SIDE = ((844, 390), (932, 430), (667, 375), (568, 320))
LARGE = ((820, 1180), (1024, 768), (1366, 768), (1440, 900), (1920, 1080))
ZOOMED = ((720, 450), (640, 360))
"""What is left of 1440 x 900 and 1280 x 720 at a zoom of 200%."""

SIZES = (*UPRIGHT, *ON_ITS_SIDE, *LARGE, *ZOOMED)
LANGUAGES = ("en", "zh-Hant")
"""Simplified characters are as wide as traditional ones."""

GAMES = (("super-6", "lucky"), ("egalite", "ur-way"), ("dragon-bonus", "bonus"))
"""Public games with many bets, with choices, and with long names and pay tables."""

SCREENS = ((360, 640), (390, 844), (844, 390), (720, 450), (1440, 900), (1920, 1080))
VIEWS = {
    "/": ".tile",
    "/sessions": "table, .panel",
    "/shoe": ".shoe-tables",
    "/train?book=wu-song&layout=A&seed=7": ".t-wager",
    "/board/offered": ".board-offer",
    "/dealer": "#view a",
    "/dealer/offered": ".part-insurance",
    "/dealer/betting": ".bet-fields",
    "/pit": ".p-tile .money",
    "/pit/offered": ".part-journal li",
    "/pit/asked": ".case-cards .back",
    "/dealer/asked": ".case-cards .back",
    "/report": "#view table",
}
"""The pages that are no patron's table, each with what is there when it is drawn."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    found = House(tmp_path_factory.mktemp("house"), games=True)
    try:
        yield found
    finally:
        found.close()


def measure(
    door: Door, scene: Scene, languages: tuple[str, ...] = LANGUAGES, fonts: tuple[str, ...] = ("",)
) -> list[str]:
    """What is wrong with a scene, on every screen, in every language and font."""
    page = door.open(scene.path, scene.who)
    found = []
    for language in languages:
        page.locator(scene.landmark).first.wait_for(timeout=PATIENCE)
        if page.locator("#top select").is_visible():  # a scoreboard has none, once it is drawn
            speak(page, language)
            page.locator(scene.landmark).first.wait_for(timeout=PATIENCE)
        scene.act(page)
        for font, (wide, high) in product(fonts, SIZES):
            set_in(page, font)
            turn(page, wide, high)
            found += [f"{scene.path} {language} {wide} x {high} {font}: {each}" for each in faults(page)]
    page.context.close()
    return found


@pytest.mark.parametrize("book", ids())
def test_a_table_of_every_book_lies_well_on_every_screen_in_every_state(house: House, door: Door, book: str) -> None:
    """From no seat to a paid round, with chips of everybody on every field, and every tab beside the felt."""
    scenes = Scenes(house, book, book)
    found = []
    for step in (scenes.no_seat, scenes.no_chips, scenes.staked_by_others):
        found += measure(door, step())
    found += measure(door, scenes.staked(), fonts=("", WIDE))
    for step in (scenes.offered_now, scenes.paid, scenes.guide):
        found += measure(door, step())
    for tab in (scenes.history, scenes.odds, scenes.requests, scenes.limits, scenes.board):
        found += measure(door, tab(), ("en",))
    assert found == []


@pytest.mark.parametrize(("book", "layout"), GAMES)
def test_a_table_of_a_public_game_lies_well_on_every_screen(house: House, door: Door, book: str, layout: str) -> None:
    scenes = Scenes(house, book, f"game-{book}", layout)
    scenes.no_seat()
    scenes.no_chips()
    found = []
    for step in (scenes.staked_of_all, scenes.offered_now, scenes.paid):
        found += measure(door, step())
    assert found == []


@pytest.fixture(scope="module")
def evening(house: House) -> House:
    """Tables with patrons, roads and wagers: bets are open, insurance is offered, and somebody has to decide."""
    patron = house.patron("evening")
    commission = "commission-insurance"
    for table, book in (("offered", commission), ("asked", commission), ("betting", "dragon-tiger-mbs")):
        house.table(table, book)
        patron.sit(table, 3)
        for at, winner in enumerate("BPTB"):
            house.play(table, patron, coup(winner, at))
        house.manager.do(table, "open-bets")
        for bet, stake in (("banker", 150_00), ("tie", 50_00)):
            patron.bet(table, bet, stake)
    for table in ("offered", "asked"):
        house.manager.do(table, "close-bets")
        house.deal(table, "2c 2d 2h 3s")
    house.manager.do("asked", "draw")
    house.manager.do("asked", "report", fact="other", note="A drink was spilt.")
    return house


@pytest.mark.parametrize("path", VIEWS)
def test_every_other_page_lies_well_on_every_screen_in_any_font(evening: House, door: Door, path: str) -> None:
    page = door.open(path, evening.manager)
    found = []
    for language in LANGUAGES:
        page.locator(VIEWS[path]).first.wait_for(timeout=PATIENCE)
        if page.locator("#top select").is_visible():
            speak(page, language)
            page.locator(VIEWS[path]).first.wait_for(timeout=PATIENCE)
        for font, (wide, high) in product(("", WIDE), SCREENS):
            set_in(page, font)
            turn(page, wide, high)
            found += [f"{language} {wide} x {high} {font}: {each}" for each in faults(page)]
    assert found == []


@pytest.mark.parametrize("book", ids())
def test_the_dock_of_a_desktop_is_one_line_of_one_screen(house: House, door: Door, book: str) -> None:
    scenes = Scenes(house, book, f"dock-{book}")
    scenes.no_chips()
    scenes.waiting()
    page = door.open(scenes.open().path, scenes.patron)
    expect(page.locator('.spot-box[data-bet="banker"].open')).to_be_visible(timeout=PATIENCE)
    for wide, high in ((1280, 800), (1366, 768), (1440, 900), (1920, 1080)):
        turn(page, wide, high)
        boxes = [page.locator(what).bounding_box() for what in (".purse", ".rack", ".acts", ".auto")]
        middles = [each["y"] + each["height"] / 2 for each in boxes if each is not None]
        assert len(middles) == 4
        assert max(middles) - min(middles) < 12, (wide, high)
        assert max(each["y"] + each["height"] for each in boxes if each is not None) <= high, (wide, high)


@pytest.mark.parametrize("book", ids())
def test_a_phone_held_upright_has_hands_main_bets_and_chips_on_one_screen(house: House, door: Door, book: str) -> None:
    scenes = Scenes(house, book, f"upright-{book}")
    scenes.no_chips()
    scenes.waiting()
    page = door.open(scenes.open().path, scenes.patron)
    expect(page.locator('.spot-box[data-bet="banker"].open')).to_be_visible(timeout=PATIENCE)
    for wide, high in UPRIGHT:
        turn(page, wide, high)
        dock = page.locator(".dock").bounding_box()
        assert dock is not None
        for what in (".call", ".hands", '[data-bet="player"] > .spot', '[data-bet="banker"] > .spot'):
            there = page.locator(what).bounding_box()
            assert there is not None
            assert there["y"] >= 0, (what, wide, high)
            assert there["y"] + there["height"] <= dock["y"] + 1, (what, wide, high)

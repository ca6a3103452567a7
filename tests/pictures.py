"""Takes pictures of every view at eight sizes, to be looked at: `python tests/pictures.py FOLDER` (make pictures).

Each book has a table in mid-round with wagers on it and roads behind it; where it has insurance, an offer is open. A
patron's table is there in every state, in English and in Chinese; for Chinese the machine needs a font that has it.
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page

from browsing import PATIENCE, Door, House, Somebody, browsing, coup, speak
from punto.rulebook import ids
from scenes import Scenes

SIZES = {
    "wall": (1920, 1080),
    "desk": (1440, 900),
    "tablet": (820, 1180),
    "phone": (390, 844),
    "small-phone": (360, 640),
    "phone-on-its-side": (844, 390),
    "small-phone-on-its-side": (667, 375),
    "large-phone-on-its-side": (932, 430),
}
VIEWS = {
    "lobby": ("/", ".tile"),
    "board": ("/board/{table}", ".road-bead g g"),
    "shoe": ("/shoe", ".shoe-tables"),
    "trainer": ("/train?book=wu-song&layout=A&seed=7", ".t-wager"),
    "dealer": ("/dealer/{table}", ".next-button"),
    "pit": ("/pit", ".p-tile .money"),
    "pit-table": ("/pit/{table}", ".part-journal li"),
}
OF_STAFF = ("dealer", "pit", "pit-table")
ROUNDS = "BBPTPPBPBBBPTB"


def furnish(house: House, patron: Somebody, book: str) -> str:
    """A table with roads, where bets are open and some are laid."""
    table = house.table(book, book)
    patron.sit(table, 3)
    for at, winner in enumerate(ROUNDS):
        house.play(table, patron, coup(winner, at))
    house.manager.do(table, "open-bets")
    for bet, stake in (("banker", 150_00), ("tie", 50_00)):
        patron.bet(table, bet, stake)
    return table


def take(page: Page, landmark: str, folder: Path, name: str) -> None:
    """One picture of a page at each size."""
    page.locator(landmark).first.wait_for(timeout=PATIENCE)
    for size, (wide, high) in SIZES.items():
        page.set_viewport_size({"width": wide, "height": high})
        page.wait_for_load_state("networkidle")
        page.screenshot(path=folder / f"{name}.{size}.png")


def take_states(house: House, door: Door, book: str, folder: Path) -> None:
    """A patron's table from no seat to a paid round, in English and in Chinese."""
    scenes = Scenes(house, book, f"states-{book}")
    steps = (scenes.no_seat, scenes.no_chips, scenes.staked_of_all, scenes.offered_now, scenes.paid, scenes.guide)
    for step in steps:
        scene = step()
        for language in ("en", "zh-Hant", "zh-Hans"):
            page = door.open(scene.path, scene.who)
            speak(page, language)
            page.locator(scene.landmark).first.wait_for(timeout=PATIENCE)
            scene.act(page)
            take(page, "body", folder, f"{step.__name__}-{book}-{language}")
            page.context.close()


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as home, browsing() as browser:
        house = House(Path(home))
        door = Door(browser, house)
        try:
            patron = house.patron("ann")
            tables = [furnish(house, patron, book) for book in ids()]
            for table in tables:
                page = door.open(f"/table/{table}", patron)
                take(page, ".spot-box.open", folder, f"table-{table}")
                house.manager.do(table, "close-bets")
                house.deal(table, "2c 2d 2h 3s")
                page.locator(".card-art:not(.back)").first.wait_for(timeout=PATIENCE)
                take(page, ".call", folder, f"cards-{table}")
            for book in ids():
                take_states(house, door, book, folder)
            for view, (path, landmark) in VIEWS.items():
                who = house.manager if view in OF_STAFF else patron
                take(door.open(path.format(table=tables[0]), who), landmark, folder, view)
        finally:
            door.close()
            house.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))

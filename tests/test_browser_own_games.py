"""What is special in a game of one's own is seen in the browser: the card on the felt, bets that go by others."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browsing import CHROMIUM, NO_CHROMIUM, PATIENCE, Door, House, axe_finds, sideways, speak
from service_process import opening

pytest_plugins = ("browser_fixtures",)
pytestmark = pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=NO_CHROMIUM)

ECHO = """
base = "punto-banco"
id = "echo"
title = "Echo Baccarat (of Sevens)"
titles = { zh-Hant = "回聲百家樂", vi = "Tiếng Vang" }
operator = "a house"
approver = "nobody yet"
version = "1"
effective = 2025-01-01T00:00:00+00:00

[cards]
printed = { player-first = "7h", clause = "3.3" }

[bets.pair]
name = "Echo Pair"
names = { zh-Hant = "回聲對" }
clause = "2.9"
loses = "2.9"
needs = { bets = ["player", "banker"], clause = "2.9" }
not-with = { bets = "tie", clause = "2.9" }

[bets.half]
name = "Half"
names = { zh-Hant = "半注" }
clause = "2.10"
loses = "2.10"
at-most = { bets = "banker", share = "1/2", clause = "2.10" }

[[pays.more]]
bet = "pair"
when = { pairs = "both" }
odds = "100:1"
clause = "2.9"

[[pays.more]]
bet = "half"
when = { winner = "banker", margin = "5-9" }
odds = "2:1"
clause = "2.10"

[layouts.plain]
pays = ["player", "banker", "tie", "more"]
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    books = tmp_path_factory.mktemp("books")
    (books / "echo.toml").write_text(ECHO.lstrip(), encoding="utf-8")
    found = House(tmp_path_factory.mktemp("house"), books=books)
    found.staff("floor", "floor-manager")
    try:
        yield found
    finally:
        found.close()


def opened(house: House, name: str) -> str:
    """A table of the game, with its shoe loaded."""
    given = {**opening("punto-banco", auto=["announce", "settle"]), "book": "echo"}
    floor = house.person("floor")
    floor.do(name, str(given.pop("do")), **given)
    floor.do(name, "load-shoe")
    return name


def test_the_printed_card_lies_on_the_felt_before_anything_is_dealt_and_beside_what_is(
    house: House, door: Door
) -> None:
    """Player begins with the seven of hearts (3.3); with a two from the shoe that is a natural nine."""
    table, patron, floor = opened(house, "felt"), house.patron("ann"), house.person("floor")
    page = door.open(f"/table/{table}", patron)
    player = page.locator(".hand.player")
    expect(player.locator(".printed i").first.locator("svg")).to_have_count(1, timeout=PATIENCE)
    expect(player).to_contain_text("printed on the table: 7 of hearts")
    expect(page.locator(".hand.banker .printed svg")).to_have_count(0)
    assert axe_finds(page) == []
    patron.sit(table, 1, 1000_00)
    floor.do(table, "open-bets")
    floor.do(table, "close-bets")
    for _ in range(3):
        floor.do(table, "draw")
    expect(player.locator(".slot")).to_have_count(2, timeout=PATIENCE)
    expect(player.locator(".printed i").first.locator("svg")).to_have_count(1)
    floor.do(table, "expose", faces=["Kd", "2c", "5s"])
    expect(player.get_by_role("status")).to_have_text("9", timeout=PATIENCE)
    speak(page, "zh-Hant")
    expect(page.locator(".hand.player")).to_contain_text("檯面印有\uff1a紅心7", timeout=PATIENCE)


def test_the_guide_tells_of_the_card_and_of_bets_that_go_by_others(house: House, door: Door) -> None:
    page = door.open(f"/guide/{opened(house, 'guided')}")
    special = page.locator(".guide .panel").nth(2)
    for said in (
        "Player begins with the 7 of hearts, which is printed on the table.",
        "Echo Pair is taken only beside Player or Banker.",
        "Half is taken only beside Banker, and is at most 1/2 of what lies there.",
        "Tie is never taken together with Echo Pair.",
    ):
        expect(special).to_contain_text(said, timeout=PATIENCE)
    assert axe_finds(page) == []
    speak(page, "zh-Hant")
    for said in ("閒的第一張牌是印在檯面上的紅心7", "回聲對須與閒或庄同時下注。", "和不能與回聲對同時下注。"):
        expect(page.locator(".guide .panel").nth(2)).to_contain_text(said, timeout=PATIENCE)


@pytest.mark.parametrize(
    ("path", "place"), [("/", "article.tile"), ("/table/{}", "main"), ("/board/{}", "main"), ("/guide/{}", "h1")]
)
def test_the_game_is_called_in_chinese_as_its_file_says(house: House, door: Door, path: str, place: str) -> None:
    name = f"named-{'-'.join(path.split('/')[1:-1]) or 'lobby'}"
    patron, table = house.patron(name), opened(house, name)
    page = door.open("/", patron)
    for language, said in (("en", "Echo Baccarat"), ("zh-Hant", "回聲百家樂"), ("zh-Hans", "回声百家乐")):
        page.goto("/")
        speak(page, language)
        page.goto(path.format(table))
        expect(page.locator(place).filter(has_text=said).first).to_be_visible(timeout=PATIENCE)


def test_a_refusal_calls_bets_as_their_book_does(house: House, door: Door) -> None:
    patron, table, floor = house.patron("bea"), opened(house, "refusing"), house.person("floor")
    patron.sit(table, 1, 1000_00)
    floor.do(table, "open-bets")
    patron.bet(table, "banker", 50_00)
    page = door.open(f"/table/{table}", patron)
    speak(page, "zh-Hant")
    page.locator('.spot-box[data-bet="half"] .spot').first.click()
    expect(page.get_by_text("庄有 50，半注最多可下 25。").first).to_be_visible(timeout=PATIENCE)  # noqa: RUF001
    door.forgive("status of 409")


def test_a_refusal_over_the_last_field_of_a_row_stays_on_a_phone(house: House, door: Door) -> None:
    """A page that is wider than a phone is shown smaller, and says that the screen is as wide: that is no measure."""
    patron, table, floor = house.patron("phil"), opened(house, "on-a-phone"), house.person("floor")
    patron.sit(table, 1, 1000_00)
    floor.do(table, "open-bets")
    patron.bet(table, "banker", 50_00)
    page = door.open(f"/table/{table}", patron, phone=True)
    page.locator('.spot-box[data-bet="half"] .spot').first.tap()
    expect(page.locator(".refusal .clause")).to_be_visible(timeout=PATIENCE)
    right = "document.querySelector('.refusal').getBoundingClientRect().right"
    page.wait_for_function(f"{right} <= document.documentElement.clientWidth")
    assert sideways(page) == 0
    door.forgive("status of 409")

"""Bets of the first four cards in a real browser: one that is placed when they lie open, and one that they settle."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browsing import CHROMIUM, NO_CHROMIUM, PATIENCE, Door, House, Somebody, laid, tap
from own_head import head
from service_process import opening

pytest_plugins = ("browser_fixtures",)
pytestmark = pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=NO_CHROMIUM)

GAME = (
    head("second-chance", "Second chance").replace("punto-banco", "wu-song")
    + """
[bets.comeback]
name = "Comeback"
clause = "B.comeback"
loses = "B.comeback"
placed = { value = "after-first-four", when = { player-two-card = "0-5" }, clause = "R.late" }
[[pays.comeback]]
bet = "comeback"
when = { winner = "player" }
odds = "2:1"
clause = "P.comeback"

[bets.natural]
name = "Natural"
clause = "B.natural"
loses = "B.natural"
settled = { value = "first-four", clause = "R.early" }
[[pays.natural]]
bet = "natural"
when = { natural = ["player", "banker", "both"] }
odds = "1:1"
clause = "P.natural"
[layouts.late]
clause = "L.late"
positions = { min = 1, max = 9 }
pays = ["main", "comeback", "natural"]
"""
)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house with a game of its own."""
    books = tmp_path_factory.mktemp("books")
    for game in (GAME, INSURED):
        name = "second-chance" if game is GAME else "insured-chance"
        (books / f"{name}.toml").write_text(game, encoding="utf-8")
    found = House(tmp_path_factory.mktemp("house"), books=books)
    try:
        yield found
    finally:
        found.close()


def sat_down(house: House, table: str, name: str) -> Somebody:
    """A table of the game with a patron, bets open."""
    given = {**opening("wu-song", auto=["announce", "settle"]), "book": "second-chance", "layout": "late"}
    house.manager.do(table, str(given.pop("do")), **given)
    house.manager.do(table, "load-shoe")
    patron = house.patron(name)
    patron.sit(table, 2)
    house.manager.do(table, "open-bets")
    return patron


def won(house: House, table: str, patron: Somebody, bet: str) -> tuple[str, int]:
    """The result and the net of the last line on a bet."""
    lines = house.manager.view(table)["round"]["lines"][patron.name]
    [line] = [each for each in lines if each["bet"] == bet][-1:]
    return line["result"], line["net"]


def test_a_late_bet_is_placed_when_the_four_cards_lie_open_and_is_paid(house: House, door: Door) -> None:
    table = "late"
    patron = sat_down(house, table, "lia")
    page = door.open(f"/table/{table}", patron, wide=1280)
    late, player = (page.locator(f'.spot-box[data-bet="{bet}"]') for bet in ("comeback", "player"))
    expect(player).to_have_class(re.compile(r"\bopen\b"), timeout=PATIENCE)
    expect(late).not_to_have_class(re.compile(r"\bopen\b"))  # nothing is placed on it before the cards
    tap(page, "player")
    laid(page, "player", 50_00)

    # Player has 5, Banker 4: the window is open, for this bet alone.
    house.manager.do(table, "close-bets")
    house.deal(table, "Kh 3c 5d Ac")
    expect(late).to_have_class(re.compile(r"\bopen\b"), timeout=PATIENCE)
    expect(player).not_to_have_class(re.compile(r"\bopen\b"))
    tap(page, "comeback")
    laid(page, "comeback", 50_00)
    tap(page, "comeback")
    laid(page, "comeback", 100_00)

    # The next card closes it; Player has 8, and Banker stays under it.
    house.deal(table, "3h Kd")
    expect(late).not_to_have_class(re.compile(r"\bopen\b"), timeout=PATIENCE)
    expect(late).to_have_class(re.compile(r"\bwon\b"), timeout=PATIENCE)
    assert won(house, table, patron, "comeback") == ("win", 200_00)
    assert won(house, table, patron, "player") == ("win", 50_00)


def test_no_window_opens_where_the_book_has_none(house: House, door: Door) -> None:
    table = "shut"
    patron = sat_down(house, table, "max")
    page = door.open(f"/table/{table}", patron, wide=1280)
    tap(page, "player")
    laid(page, "player", 50_00)
    house.manager.do(table, "close-bets")
    house.deal(table, "Kh 3c 6d Ac")  # Player has 6: a card is due to Banker, but not to this bet
    cards = page.locator(".card-art:not(.back)")
    expect(cards).to_have_count(4, timeout=PATIENCE)
    expect(page.locator(".spot-box.open")).to_have_count(0, timeout=PATIENCE)


def test_a_bet_of_the_first_four_cards_is_paid_before_the_third(house: House, door: Door) -> None:
    table = "early"
    patron = sat_down(house, table, "eve")
    page = door.open(f"/table/{table}", patron, wide=1280)
    for bet in ("natural", "player"):
        tap(page, bet)
        laid(page, bet, 50_00)
    house.manager.do(table, "close-bets")
    house.deal(table, "Kh 3c 5d Ac")
    early, player = (page.locator(f'.spot-box[data-bet="{bet}"]') for bet in ("natural", "player"))
    expect(early).to_have_class(re.compile(r"\blost\b"), timeout=PATIENCE)
    expect(player).not_to_have_class(re.compile(r"\b(lost|won)\b"))
    assert won(house, table, patron, "natural") == ("lose", -50_00)
    house.deal(table, "3h Kd")
    expect(player).to_have_class(re.compile(r"\bwon\b"), timeout=PATIENCE)

    # In the next round it is paid while the other bets are open still; here both are decided at once.
    house.manager.do(table, "open-bets")
    tap(page, "natural")
    laid(page, "natural", 50_00)
    house.manager.do(table, "close-bets")
    house.deal(table, "9h 3c Kd Ac")
    expect(early).to_have_class(re.compile(r"\bwon\b"), timeout=PATIENCE)
    assert won(house, table, patron, "natural") == ("win", 50_00)


# Beside insurance

INSURED = GAME.replace("wu-song", "commission-insurance").replace("second-chance", "insured-chance")


@pytest.mark.parametrize("size", [(1280, 720), (390, 844), (844, 390), (1024, 600)])
def test_an_offer_of_insurance_leaves_the_fields_of_late_bets_free(
    house: House, door: Door, size: tuple[int, int]
) -> None:
    table = f"both-{size[0]}"
    given = {**opening("commission-insurance", auto=["announce", "offer", "settle"]), "book": "insured-chance"}
    house.manager.do(table, str(given.pop("do")), **{**given, "layout": "late"})
    house.manager.do(table, "load-shoe")
    patron = house.patron(f"ida-{size[0]}")
    patron.sit(table, 2)
    house.manager.do(table, "open-bets")
    page = door.open(f"/table/{table}", patron)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    tap(page, "banker")
    laid(page, "banker", 50_00)
    house.manager.do(table, "close-bets")
    house.deal(table, "2c 2d 2h 3s")  # Banker 5 against 4: cover is offered, and the Player draws
    offer = page.get_by_label("Insurance", exact=True)
    expect(offer).to_contain_text("2 to 1", timeout=PATIENCE)
    late = page.locator('.spot-box[data-bet="comeback"]')
    expect(late).to_have_class(re.compile(r"\bopen\b"), timeout=PATIENCE)
    tap(page, "comeback")
    laid(page, "comeback", 50_00)
    expect(offer).to_be_visible()

"""A round in Firefox and in WebKit, as the system has them: sit, chips, a bet, insurance, a squeeze, what is paid.

What Chromium does is shown by the other tests of the pages; here, that nothing is Chromium's alone.
"""

from collections.abc import Iterator

import pytest

from browsing import House
from service_process import opening, until
from webdrivers import MISSING, OPEN, OtherBrowser

STILL = """async (css) => {
  const look = () => {
    const { x, y, width, height } = document.querySelector(css).getBoundingClientRect();
    return [x, y, width, height];
  };
  const before = look();
  await new Promise((done) => setTimeout(done, 500));
  return String(before) === String(look()) && before;
}"""
"""Where an element lies, once it does not move any more: a browser takes its time to fill the screen."""
OUTSIDE = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    found = House(tmp_path_factory.mktemp("house"), pace=4)
    try:
        yield found
    finally:
        found.close()


@pytest.fixture(scope="module", params=list(OPEN))
def other(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[OtherBrowser]:
    name: str = request.param
    if why := MISSING[name]:
        pytest.skip(why)
    with OPEN[name](tmp_path_factory.mktemp(name)) as found:
        found.resize(1440, 900)
        yield found


def test_a_whole_round_is_played_without_an_error(house: House, other: OtherBrowser) -> None:
    patron = house.patron(f"{other.name.lower()}-patron")
    table = house.table(f"{other.name.lower()}-round", "commission-insurance")
    house.manager.do(table, "open-bets")
    other.enter(house.address, patron.token, f"/table/{table}")
    other.click(".asked .question .primary")  # a seat
    other.wait_for(".asked .question .lead", "How much in chips?")
    other.click(".asked .question .primary")
    until(lambda: patron.view(table)["patrons"][0]["balance"] == 5_000_00, "chips")
    other.click('.spot-box[data-bet="banker"].open .spot')
    other.wait_for('.spot-box[data-bet="banker"] .amount', "50")
    until(lambda: patron.view(table)["patrons"][0]["held"] == 50_00, "the wager")
    house.manager.do(table, "close-bets")
    house.deal(table, "2c 2d 2h 3s")
    other.click(".offer .primary")
    until(lambda: patron.view(table)["patrons"][0]["balance"] == 4_925_00, "cover of 25")
    house.deal(table, "4c Ks")
    other.wait_for(".result-panel .lines", "In all")
    other.wait_for(".call", "Player wins 8 to 5")
    other.click(".result-panel .line summary")
    other.wait_for(".result-panel .clause-list li", "RWS")
    other.click(".tabs .tab:nth-child(2)")
    other.wait_for(".tab-panel .past")
    assert patron.view(table)["patrons"][0]["balance"] == 5_000_00  # 50 lost, 25 won at 2 to 1
    for wide, high in ((390, 844), (844, 500), (1440, 900)):
        other.resize(wide, high)
        assert other.run(OUTSIDE) <= 0, (wide, high)
    assert other.errors() == []


def test_a_card_is_squeezed_in_full_screen(house: House, other: OtherBrowser) -> None:
    patron, table = house.patron(f"{other.name.lower()}-squeezer"), f"{other.name.lower()}-squeeze"
    given = opening("dragon-tiger-mbs", auto=["announce", "offer"], shoe="virtual", face_down=True, method="A")
    house.manager.do(table, str(given.pop("do")), **given)
    patron.sit(table, 2)
    other.enter(house.address, patron.token, f"/table/{table}")
    until(lambda: (patron.view(table)["round"] or {}).get("phase") == "betting", "bets to be opened")
    patron.bet(table, "player", 100_00)
    house.manager.do(table, "close-bets")
    other.click(".sq-full")
    other.wait_for(".squeeze:modal .sq-card")
    x, y, wide, high = other.wait(STILL, ".sq-card")
    corner = x + wide - 6, y + high - 6
    other.pull(corner, (corner[0] - 0.4 * wide, corner[1] - 0.4 * high))
    bent = other.run("() => Number(document.querySelector('.sq-card').getAttribute('aria-valuenow'))")
    assert 40 < bent < 60  # and it stays, though the hand is off
    assert other.run("() => getComputedStyle(document.querySelector('.sq-flap')).visibility") == "visible"
    assert patron.view(table)["round"]["player"]["cards"] == [None, None]
    other.pull((corner[0] - 0.4 * wide, corner[1] - 0.4 * high), (corner[0] - 0.95 * wide, corner[1] - 0.95 * high))
    until(lambda: patron.view(table)["round"]["player"]["cards"][0], "the card to be open")
    other.wait_for(".squeeze:modal .sq-card.open")
    assert other.errors() == []


def test_an_error_of_a_page_would_be_noted(house: House, other: OtherBrowser) -> None:
    """The house answers with nothing that a page can read, and the page says so: else the tests above prove nothing."""
    other.enter(house.address, house.manager.token, "/train")
    other.wait_for("main h1")
    assert other.errors() == []
    other.run("() => { window.fetch = async () => ({}); window.dispatchEvent(new Event('language')); }")
    until(other.errors, "the page's error", 60)

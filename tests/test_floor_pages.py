"""What the pages for the table crew promise: buttons that are there, and decisions that come out so at a table."""

import importlib
import re
from contextlib import closing
from pathlib import Path

import pytest
from litestar.testing import TestClient

import punto
from patient_settings import settings
from punto.journal import Journal
from punto.rulebook import ids, load
from punto.rulebook.facts import FACTS
from punto.scenario import play, read
from punto.service.accounts.account import Account, HeldPost
from punto.service.accounts.at_table import given_by
from punto.service.accounts.tokens import Denied
from punto.service.http.app import build
from punto.table import act, commands
from service_process import opening
from test_doors import Doors

from console import DOCS

PHRASE = re.compile(r'(?:"[^"]+"|[\w-]+): \[\s*"([^"]*)",\s*"[^"]*",?\s*\]')
SOURCES = sorted((Path(punto.__file__).parent / "web").rglob("*.js"))
NAMED = re.compile(r"(?<![*\w])\*([^*\n]+)\*(?![*\w])")
NO_BUTTONS = {
    "dealing.md": set(),
    "disputes.md": {"rests on", "patron agrees", "Dealer, since 02:14"},
    "relief.md": {"acting", "Dealer, since 02:14"},
    "irregularities.md": {"Not told"},
    "deciding.md": {"Speaks for the house", "The cut card is out", "Not told"},
    "trainer.md": set(),
}
"""What is in italics on a page, and no button, heading or name of a screen."""


def shown() -> set[str]:
    """Every phrase of the pages and every name of a fact, as the screens show them in English."""
    phrases = {each[1] for source in SOURCES for each in PHRASE.finditer(source.read_text(encoding="utf-8"))}
    return phrases | {fact.names[0] for fact in FACTS.values()}


@pytest.mark.parametrize("page", NO_BUTTONS)
def test_every_button_that_a_page_names_is_there(page: str) -> None:
    text = " ".join((DOCS / page).read_text(encoding="utf-8").split())
    named = set(NAMED.findall(text)) - NO_BUTTONS[page]
    phrases = [phrase for phrase in shown() if len(re.sub(r"\{.*?\}", "", phrase)) >= 3]
    patterns = [re.compile(re.sub(r"\\\{.*?\\\}", ".+", re.escape(phrase))) for phrase in phrases]
    assert named
    assert sorted(each for each in named if not any(pattern.fullmatch(each) for pattern in patterns)) == []


def told(story: str) -> str:
    """Where a story goes otherwise than told; nothing where it does not."""
    played = play(read("scenario A story of the pages\n" + story))
    return "\n".join(f"line {each.line}: {each.expected}\n  found: {each.found}" for each in played.differences)


RWS = "2025-03-01T20:00:00+08:00 decks=8 minimum=10 differential=1000"
DEALT = "draw\n" * 4


def test_one_neighbour_who_was_not_asked_is_no_insurance_that_was_not_offered() -> None:
    story = f"""open-table commission-insurance {RWS}
load-shoe
sit ann 1
buy-in ann 1000
sit bob 2
buy-in bob 1000
open-bets
place ann player 100
place bob player 100
close-bets
{DEALT}expose Kh Kc 6d 3d
offer-insurance
insure ann player 20
report insurance-neglected by bob
  refused
insure bob player 20
draw
report insurance-neglected by bob
  refused
insure bob player 5
  refused
report other note="Bob was not asked"
  asks refer to=table-game-shift-manager
"""
    assert told(story) == ""


@pytest.mark.parametrize(
    ("opening", "clause"),
    [
        (f"open-table commission-insurance {RWS} face-down=yes\nload-shoe", "3.9"),
        (f"open-table da-hu-ying-xiong {RWS} face-down=yes\nload-shoe", "3.9"),
        (f"open-table wu-song {RWS} face-down=yes\nload-shoe", "3.9"),
        (f"open-table dragon-tiger-hoiana {RWS} layout=2 maximum=5000 face-down=yes\nload-shoe\nburn", "4.7"),
    ],
)
def test_of_equal_bets_the_earlier_one_may_ask_for_the_cards(opening: str, clause: str) -> None:
    story = f"""{opening}
sit ann 1
buy-in ann 1000
sit bob 2
buy-in bob 1000
open-bets
place bob player 100
place ann player 100
close-bets
ask-squeeze ann player
  refused {clause}
ask-squeeze bob player
"""
    assert told(story) == ""


PAID = f"""sit ann 1
buy-in ann 1000
open-bets
place ann player 100
close-bets
{DEALT}expose 9h 2c Kd 5s
announce result
settle
report wrong-call cards=1 faces=4c
"""


@pytest.mark.parametrize(
    ("opening", "follows"),
    [
        (f"open-table commission-insurance {RWS}\nload-shoe", "  ann has 1000"),
        (f"open-table da-hu-ying-xiong {RWS}\nload-shoe", "  ann has 1000"),
        (f"open-table wu-song {RWS}\nload-shoe", "  ann has 1000"),
        (f"open-table dragon-tiger-hoiana {RWS} layout=2 maximum=5000\nload-shoe\nburn", "  ann has 1000"),
        (
            f"open-table dragon-tiger-mbs {RWS} maximum=5000 face-down=yes method=B by pit-manager\nload-shoe",
            "  asks refer to=gaming-shift-manager\n  ann has 1100",
        ),
    ],
)
def test_a_card_misread_and_paid_is_paid_again_but_at_mbs_where_somebody_rules(opening: str, follows: str) -> None:
    assert told(f"{opening}\n{PAID}{follows}\n") == ""


@pytest.mark.parametrize("book", ids())
def test_who_has_a_dispute_at_first_is_told(book: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the ranks above the dealer where the book has a procedure, else with the one that rules on the rest."""
    page = (DOCS / "disputes.md").read_text(encoding="utf-8")
    monkeypatch.syspath_prepend(DOCS)
    name = importlib.import_module("irregularities").SHORT[book]
    row = next(line for line in page.partition("## Settle it")[2].splitlines() if name in line)
    found = load(book)
    residual = found.point("authority", "residual")
    assert residual is not None
    has_procedure = found.point("disputes", "escalation") is not None
    first = found.ranks[1] if has_procedure else (str(residual.by),)
    assert " or ".join(rank.replace("-", " ") for rank in first) in row
    assert has_procedure == ("no procedure" not in row)


def test_a_dispute_stops_no_game_and_its_decision_moves_no_chips() -> None:
    story = f"""open-table wu-song {RWS}
load-shoe
sit ann 1
buy-in ann 1000
open-bets
place ann player 100
close-bets
{DEALT}raise-dispute ann says="I had 200" by dealer
expose 9h 2c Kd 5s
settle
  ann has 1100
resolve 0 references= says="It was 100" by pit-manager
  refused 5.18
resolve 0 references= says="It was 200" by table-game-shift-manager
  ann has 1100
open-bets
"""
    assert told(story) == ""


def test_no_bets_are_opened_after_the_last_hand() -> None:
    story = f"""open-table wu-song {RWS}
load-shoe
sit ann 1
buy-in ann 1000
open-bets
last-hand
place ann player 100
close-bets
{DEALT}expose 9h 2c Kd 5s
settle
open-bets
  refused
"""
    assert told(story) == ""


def test_who_takes_over_in_the_middle_of_a_hand_has_the_post_with_the_first_command() -> None:
    story = f"open-table wu-song {RWS}\nload-shoe\nsit ann 1\nbuy-in ann 1000\nopen-bets\nplace ann player 100\n"
    table = play(read("scenario A relief\n" + story)).table
    assert table is not None
    relief = Account("relief", "staff", posts={"*": HeldPost("dealer")}, person="p-relief")
    for command in given_by(relief, commands.CloseBets(), table, "one"):
        table, _ = act(table, command)
    assert table.posts["p-relief"].rank == "dealer"
    assert table.round is not None
    assert table.round.phase == "closed"
    stranger = Account("stranger", "staff", person="p-stranger")
    with pytest.raises(Denied, match="You hold no post at this table"):
        given_by(stranger, commands.Draw(), table, "one")


def test_a_rack_card_fits_on_the_paper_that_the_page_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """A4 is 210 by 297 mm and A3 420 by 297, of which a browser leaves a centimetre free on each side."""
    monkeypatch.syspath_prepend(DOCS)
    drawings = importlib.import_module("rack_card").drawings
    sizes = {
        name: tuple(float(each) for each in re.findall(r'(?:width|height)="([\d.]+)mm"', svg[:200]))
        for name, svg in drawings()
    }
    assert {size[0] for name, size in sizes.items() if name.startswith("rack-cards/")} == {100}
    assert max(size[1] for name, size in sizes.items() if name.startswith("rack-cards/")) <= 277
    assert max(size[0] for name, size in sizes.items() if name.startswith("layouts/")) <= 400
    assert max(size[1] for name, size in sizes.items() if name.startswith("layouts/")) <= 277


def test_a_drill_is_kept_nowhere(tmp_path: Path) -> None:
    """Whoever asks for one needs no account, and the chains of the house and its tables are as they were."""
    database = f"sqlite:///{tmp_path}/house.db"
    given = settings(None, {}, database=database, key_file=str(tmp_path / "house.key"), money="play")
    with TestClient(build(given)) as client, closing(Journal(database)) as journal:
        people = Doors(client)
        assert people.do(people.lee, opening("wu-song")).status_code == 200
        before = {chain: journal.head(chain) for chain in journal.chains()}
        asked = {kind: client.get(f"/api/drills/{kind}?book=wu-song&seed=12") for kind in ("payout", "irregularity")}
        assert {each.status_code for each in asked.values()} == {200}
        nothing = [0 for _ in asked["payout"].json()["wagers"]]
        drill: dict[str, object] = {"book": "wu-song", "seed": 12}
        paid = drill | {"layout": asked["payout"].json()["layout"], "answers": nothing}
        assert client.post("/api/drills/payout", json=paid).is_success
        assert client.post("/api/drills/irregularity", json=drill | {"answer": 0}).is_success
        assert {chain: journal.head(chain) for chain in journal.chains()} == before
        assert before

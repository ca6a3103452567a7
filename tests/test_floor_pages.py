"""What the pages for the table crew promise: buttons that are there, and decisions that come out so at a table."""

import importlib
import itertools
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


NAMES_A_RANK = re.compile(
    r"Decided by: (?:house \()?([a-z ]+)|goes to the ([a-z ]+)|The ([a-z ]+) comes to the table|"
    r"the ([a-z ]+) must confirm|the ([a-z ]+) rules instead"
)
"""Where the list of what goes wrong names a rank."""


def short_names(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The books as the pages call them."""
    monkeypatch.syspath_prepend(DOCS)
    found: dict[str, str] = importlib.import_module("irregularities").SHORT
    return found


def part(page: str, anchor: str) -> str:
    """What stands under a heading of a page, until the next one."""
    text = (DOCS / page).read_text(encoding="utf-8")
    found = re.search(rf"^#+ [^\n]*\{{#{anchor}\}}\n(.*?)(?=^#|\Z)", text, re.M | re.S)
    assert found is not None, (page, anchor)
    return found[1]


def deciding(fact: str) -> dict[str, str]:
    """What the page on who decides says of a fact, by the name of the book on top of the column."""
    rows = [re.split(r" ?\| ?", line.strip("| \n")) for line in part("deciding.md", "decisions").splitlines() if line]
    table = [row for row in rows if row[0] == "what" or row[0].startswith(f"**{FACTS[fact].names[0]}**")]
    return {column[0]: " / ".join(column[1:]) for column in zip(*table, strict=True)}


@pytest.mark.parametrize("name", ids())
def test_both_pages_name_the_same_ranks_for_what_goes_wrong(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A dash on the page of who decides is never beside a rank in the list, and the other way round."""
    column, book = short_names(monkeypatch)[name], load(name)
    ranks = {rank.replace("-", " ") for tier in book.ranks for rank in tier}
    for fact in dict.fromkeys(row.fact for row in book.irregularities):
        listed = part("irregularities.md", f"{name}-{fact}")
        named = {next(filter(None, groups)) for groups in NAMES_A_RANK.findall(listed)}
        assert named <= ranks, (fact, named)
        told = deciding(fact).get(column, "").lower()
        longest = re.findall("|".join(sorted(ranks, key=len, reverse=True)), told)
        assert set(longest) == named, (fact, told)


@pytest.mark.parametrize(
    ("name", "fact", "rank", "clause"),
    [
        ("dragon-tiger-hoiana", "exposed-card", "Assistant director", "7.20"),
        ("dragon-tiger-hoiana", "wrong-number", "Assistant director", "7.20"),
        ("dragon-tiger-mbs", "excess-card", "Gaming shift manager", "6.1"),
        ("dragon-tiger-mbs", "wrong-area", "Gaming shift manager", "6.1"),
        ("dragon-tiger-mbs", "left-over", "Gaming shift manager", "6.1"),
        ("dragon-tiger-mbs", "interruption", "Gaming shift manager", "6.1"),
        ("dragon-tiger-mbs", "wrong-call", "Gaming shift manager", "6.1"),
        ("dragon-tiger-mbs", "cards-carried-off", "Gaming shift manager", "5.11.1"),
    ],
)
def test_what_goes_to_a_rank_is_on_the_page_of_who_decides(
    name: str, fact: str, rank: str, clause: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Hoiana 7.20 and MBS 6.1 send what their rules do not cover to a rank; MBS 5.11.1 wants one to be there."""
    told = deciding(fact)[short_names(monkeypatch)[name]]
    assert f"{rank} ([{clause}]" in told


AT_MBS = "open-table dragon-tiger-mbs {rws} maximum=5000 face-down=yes method=B by pit-manager\nload-shoe"
AT_HOIANA = "open-table dragon-tiger-hoiana {rws} layout=2 maximum=5000\nload-shoe\nburn"
BETTING = """
sit ann 1
buy-in ann 1000
open-bets
place ann player 100
close-bets
draw
draw
draw
draw
"""


@pytest.mark.parametrize(
    ("name", "opening", "happens", "asks", "says"),
    [
        (
            "dragon-tiger-mbs",
            AT_MBS,
            "report foreign-card",
            "replace-cards to=pit-supervisor",
            "Pit supervisor ([5.13]",
        ),
        (
            "dragon-tiger-mbs",
            AT_MBS,
            "report wrong-area cards=1 reconstructible=no",
            "refer to=gaming-shift-manager",
            "",
        ),
        (
            "dragon-tiger-hoiana",
            AT_HOIANA,
            "report wrong-area cards=1",
            "permit to=shift-manager",
            "Shift manager ([7.9]",
        ),
        (
            "commission-insurance",
            "open-table commission-insurance {rws}\nload-shoe",
            "expose 9h 2c Kd 5s\nannounce result\nsettle\nreport wrong-number reconstructible=no",
            "reversal to=pit-manager",
            "Pit manager ([AMB-18]",
        ),
    ],
)
def test_the_table_asks_whom_the_page_names(
    name: str, opening: str, happens: str, asks: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert told(f"{opening.format(rws=RWS)}{BETTING}{happens}\n  asks {asks}\n") == ""
    fact = re.findall(r"report ([\w-]+)", happens)[0]
    rank = asks.partition("to=")[2].replace("-", " ").capitalize()
    assert (says or rank) in deciding(fact)[short_names(monkeypatch)[name]]


def test_every_word_that_the_list_links_to_is_explained() -> None:
    page = (DOCS / "irregularities.md").read_text(encoding="utf-8")
    linked = {each.lower() for each in re.findall(r"\[([^\]]+)\]\(#words\)", page)}
    explained = [line.split("|")[1].strip() for line in part("irregularities.md", "words").splitlines() if "|" in line]
    assert linked
    said = " ".join(explained).lower()
    assert sorted(each for each in linked if re.sub(r"(method) .*", r"\1", each) not in said) == []


@pytest.mark.parametrize("name", ids())
def test_every_choice_of_a_bet_says_what_comes_back(name: str) -> None:
    """AMB-14: only what is undecided, in each book; RWS 5.12.3 (Wu Song 5.13.3), MBS 5.8.2.2, Hoiana 7.13.1."""
    rows = [line.split("|") for line in part("irregularities.md", f"{name}-choices").splitlines() if "|" in line]
    chosen = [(row[1].strip(), row[2].strip(), row[3].strip()) for row in rows[2:]]
    starts = [at for at, row in enumerate(chosen) if row[0]] + [len(chosen)]
    for first, last in itertools.pairwise(starts):
        group = chosen[first:last]
        if any(row[1] == "take the wager back" for row in group):
            assert any(row[1].startswith("Who takes back gets every wager") for row in group), group[0]
    assert any("not decided yet" in says and "AMB-14" in clause for _, says, clause in chosen)


def test_a_layout_that_prints_otherwise_than_it_pays_is_told_beside_the_pays() -> None:
    """MBS App.K prints Small Tiger at 25 to 1, and both small bets with three cards; 4.3 is paid (AMB-40)."""
    pays = part("bets.md", "dragon-tiger-mbs-a")
    assert re.search(r"\*\*Small Tiger\*\* \|.*22 to 1.*AMB-40", pays)
    assert re.search(r"\*\*Small Dragon\*\* \|.*15 to 1.*AMB-40", pays)
    assert "layout K**: The print on this layout" in pays
    assert "AMB-40" not in part("bets.md", "dragon-tiger-hoiana-1")


@pytest.mark.parametrize(
    ("name", "most", "never_lose"),
    [
        ("commission-insurance", "no more may be won by it than that bet", ["Player 9 against Banker 0-6"]),
        (
            "da-hu-ying-xiong",
            "no more may be laid on it than that bet",
            ["Banker 1-6 against Player 0", "Player 9 against Banker 0-6"],
        ),
    ],
)
def test_how_much_may_be_insured_stands_above_its_odds(name: str, most: str, never_lose: list[str]) -> None:
    """By 3.12.2 of each; a hand of 9 loses to none, and none loses to a hand of 0 (AMB-52)."""
    says = part("bets.md", f"{name}-insurance")
    assert most in says
    assert "seated or standing" in says  # 5.3
    rows = [line.split("|") for line in says.splitlines() if "cannot lose" in line]
    assert [row[2].strip() for row in rows] == never_lose
    order = re.findall(r"^\| (After [^|]*?) \| (Player|Banker)", says, re.M)
    windows = ("After four cards", "After the Player's third card")
    assert list(dict.fromkeys(order)) == [(window, hand) for window in windows for hand in ("Banker", "Player")]


def test_a_free_hand_has_one_name_in_chinese() -> None:
    page = (DOCS / "chinese.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.startswith("| Free hand")]
    assert len(rows) == 2
    assert all("飛牌" in row and "飞牌" in row for row in rows)


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

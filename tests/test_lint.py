"""The linter: what is wrong or remarkable in a book."""

from pathlib import Path

import pytest

import punto.rulebook
from own_head import head
from punto.coup import OUTCOMES
from punto.lint import Finding, lint, outcomes
from punto.lint.rounding import cover_left
from punto.odds import full_shoe, insurance_odds
from punto.rulebook import Book, ids, load, parse, source

BOOKS = Path(punto.rulebook.__file__).parent / "books"


def changed(book: str, *changes: tuple[str, str]) -> Book:
    text = (BOOKS / f"{book}.toml").read_text()
    for before, after in changes:
        assert before in text
        text = text.replace(before, after, 1)
    return parse(text.encode(), "mine.toml")


def found(book: Book, kind: str) -> list[Finding]:
    return [each for each in lint(book) if each.kind == kind]


@pytest.mark.parametrize(
    ("book", "kinds"),
    [
        ("commission-insurance", ["unverified", "rounding", *["favourable"] * 12]),
        ("da-hu-ying-xiong", ["unverified", "unverified", "rounding", "rounding"]),
        ("dragon-tiger-hoiana", ["unverified", "rounding", "rounding"]),
        ("dragon-tiger-mbs", ["print", "print", "rounding"]),
        ("wu-song", ["rounding"]),
    ],
)
def test_the_five_books_have_no_fault(book: str, kinds: list[str]) -> None:
    """What remains is what the texts do not tell, the print of layout K, and what rounding up does to Banker."""
    assert [(each.severity, each.kind) for each in lint(load(book))] == [("finding", kind) for kind in kinds]


def test_every_insurance_cell_of_both_books_can_be_offered() -> None:
    """Finding 1 of the analysis: 83 cells and 73 cells, none dead."""
    for book, cells in (("da-hu-ying-xiong", 83), ("commission-insurance", 73)):
        insurance = load(book).insurance
        assert insurance is not None
        assert sum(len(row.own) * len(row.opposite) for row in insurance.rows) == cells
        assert found(load(book), "dead-cell") == []


def test_layout_k_contradicts_the_body() -> None:
    """AMB-40: Small Dragon and Small Tiger on three cards, Small Tiger at 25 to 1."""
    dragon, tiger = found(load("dragon-tiger-mbs"), "print")
    assert "prints Small Dragon, Player wins on 7 with three cards, at 15 to 1" in dragon.says
    assert "prints Small Tiger, Banker wins on 6 with three cards, at 25 to 1" in tiger.says
    assert "Banker wins on 6 with two cards at 22 to 1" in tiger.says
    assert (tiger.where, tiger.clause, tiger.readings) == ("layout K", "App.K", ("AMB-40",))


def test_rows_that_overlap_and_pay_differently_are_a_fault() -> None:
    book = changed("wu-song", ('points = "1-5,8-9" }', 'points = "1-6,8-9" }'))
    [overlap] = found(book, "overlap")
    assert (overlap.severity, overlap.where) == ("fault", "layout A, banker")
    assert "Banker wins on 6-7' and 'Banker wins on 1-6, 8-9' overlap and pay differently" in overlap.says


def test_rows_that_overlap_and_pay_the_same_are_a_finding() -> None:
    book = changed(
        "dragon-tiger-mbs",
        (
            'when = { player-points = 7, banker-points = 6, cards = 5 }\nodds = "40:1"',
            'when = { player-points = 7, banker-points = 6, cards = [5, 6] }\nodds = "100:1"',
        ),
    )
    assert [each.severity for each in found(book, "overlap")] == ["finding"]


def test_a_row_that_no_coup_can_meet_is_found() -> None:
    """A two-card Player 1 always draws, or loses to a natural: it cannot win."""
    book = changed(
        "wu-song",
        ('when = { winner = "player", points = 1 }', 'when = { winner = "player", points = 1, player-cards = 2 }'),
    )
    [unreachable] = found(book, "unreachable")
    assert unreachable.where == "pays.wu-dalang, wu-dalang"
    assert unreachable.says == "no coup can meet this row: Player wins on 1 with two cards."


def test_a_cell_that_can_never_be_offered_is_found() -> None:
    """Player 7 against Banker 6 on four cards: both stand, so nothing is left to insure."""
    book = changed(
        "commission-insurance",
        (
            'own = 7\nopposite = "0-5"\nodds = "4:1"\nclause = "4.1.3#S4-P7-B0-5"',
            'own = 7\nopposite = "0-6"\nodds = "4:1"\nclause = "4.1.3#S4-P7-B0-5"',
        ),
    )
    [dead] = found(book, "dead-cell")
    assert dead.says == "can never be offered: Player 7 against 6."


def test_two_prices_for_one_cell_are_a_fault() -> None:
    book = changed("commission-insurance", ("own = 5\nopposite = 4\n", 'own = "5-6"\nopposite = 4\n'))
    [overlap] = found(book, "overlap")
    assert overlap.severity == "fault"


def test_a_fact_whose_rows_leave_a_case_open_is_found() -> None:
    """Without the row for other causes nobody knows what an interruption leads to but a power failure."""
    book = changed(
        "dragon-tiger-mbs", ('when = { cause = "other" }\ndo = ["refer"]', 'when = { cause = "power" }\ndo = ["refer"]')
    )
    cases = [each.says for each in found(book, "open-case")]
    assert len(cases) == 2
    assert "cause: other, outcome: established" in cases[0]


def test_a_rule_behind_one_that_covers_it_is_found() -> None:
    book = changed("wu-song", ('fact = "interruption"\nwhen = { outcome = "established" }', 'fact = "interruption"'))
    [hidden] = found(book, "unreachable")
    assert hidden.where == "irregularity interruption, row 2"


@pytest.mark.parametrize(
    ("before", "after", "kind", "says"),
    [
        ('"3.9" = "pit-supervisor"\n', "", "authority", "no rank speaks for the House"),
        ('"5.1" = "dealer"', '"9.9" = "dealer"', "unknown-clause", "no clause 9.9"),
        ('reading = "AMB-85"', 'reading = "AMB-999"', "unknown-reading", "no reading AMB-999"),
        ('    "burn-missed",\n', "", "open-case", "not said to be silent"),
        ('    "burn-missed",\n', '    "burn-missed",\n    "interruption",\n', "open-case", "yet has rows"),
        ("positions = { min = 1, max = 6 }", "positions = { min = 1 }", "unverified", "no greatest number"),
    ],
)
def test_what_is_missing_from_a_book_is_found(before: str, after: str, kind: str, says: str) -> None:
    assert any(says in each.says for each in found(changed("wu-song", (before, after)), kind))


OWN = """
base = "punto-banco"
id = "own"
title = "Own"
operator = "House"
approver = "nobody yet"
version = "1"
effective = 2026-01-01T00:00:00+00:00

[layouts.plain]
clause = "L"
pays = ["player", "banker", "tie", "own"]
"""


CLAUSE = 'clause = "P"\n'


def own_bet(bet: str, does: str) -> Book:
    rows = f'[bets.own]\nname = "Own"\n{bet}\nclause = "B"\nloses = "B"\n[[pays.own]]\nbet = "own"\n{does}\n'
    return parse(f'{OWN}{rows}clause = "P"\n'.encode(), "own.toml")


@pytest.mark.parametrize(
    "does",
    [
        'when = { winner = "tie" }\nresult = "stand-off"',
        'when = { all-cards = { colour = "red" } }\nby = "cards"\nodds = { 4 = "stand-off", 5 = "stand-off" }',
    ],
)
def test_a_bet_that_nobody_can_win_is_a_fault(does: str) -> None:
    [fault] = found(own_bet("", does), "unreachable")
    assert (fault.severity, fault.line) == ("fault", 18)
    assert "no row of Own has odds, so that nobody can win it." in fault.says
    assert found(own_bet("", 'when = { winner = "tie" }\nodds = "8:1"'), "unreachable") == []


@pytest.mark.parametrize(
    ("choose", "looks", "does_not"),
    [
        ('{ ranks = "A567K" }', '{ all-cards = { ranks = "chosen", count = 3 } }', '{ all-cards = { ranks = "5" } }'),
        ('"points"', '{ winner = "tie", points = "chosen" }', '{ winner = "tie", points = 6 }'),
    ],
)
def test_a_choice_that_no_row_looks_at_is_a_fault(choose: str, looks: str, does_not: str) -> None:
    """Who forgets "chosen" would offer as many bets that all do the same."""
    [fault] = found(own_bet(f"choose = {choose}", f'when = {does_not}\nodds = "8:1"'), "unreachable")
    assert (fault.severity, fault.line) == ("fault", 15)
    assert "whatever the patron chooses, the bet does the same" in fault.says
    assert found(own_bet(f"choose = {choose}", f'when = {looks}\nodds = "8:1"'), "unreachable") == []


@pytest.mark.parametrize(
    ("name", "names", "line"),
    [("Tide", "紅河", 26), ("own", "潮", 25), ("Own", "紅河", 25), ("Tide", "潮", None)],
)
def test_two_bets_of_one_name_in_any_language_are_found(name: str, names: str, line: int | None) -> None:
    row = 'when = { winner = "tie" }\nodds = "8:1"\nclause = "P"\n'
    other = f'[bets.other]\nname = "{name}"\nnames = {{ zh-Hant = "{names}" }}\nclause = "B"\nloses = "B"\n'
    book = own_bet(
        'names = { zh-Hant = "紅河" }', f'{row}\n{other}[[pays.own]]\nbet = "other"\n{row.removesuffix(CLAUSE)}'
    )
    said = found(book, "same-name")
    assert [each.line for each in said][:1] == ([] if line is None else [line])
    assert {each.severity for each in said} <= {"finding"}


def test_a_clause_that_the_book_does_not_have_is_a_fault() -> None:
    book = changed("wu-song", ('clause = "4.1.10#wu-dalang"', 'clause = "4.1.11"'))
    [unknown] = found(book, "unknown-clause")
    assert (unknown.severity, unknown.says) == ("fault", "the book has no clause 4.1.11.")


def test_a_book_of_ones_own_has_no_index_to_check_against() -> None:
    assert [each.kind for each in lint(changed("wu-song", ('id = "wu-song"', 'id = "mine"')))] == [
        "no-index",
        "rounding",
    ]


def test_a_clause_index_beside_the_file_is_used(tmp_path: Path) -> None:
    text = (BOOKS / "wu-song.toml").read_text().replace('id = "wu-song"', 'id = "mine"')
    (tmp_path / "mine.toml").write_text(text)
    index = tmp_path / "mine.clauses.csv"
    index.write_text((BOOKS.parent / "clauses/wu-song.csv").read_text())
    assert [each.kind for each in lint(load(str(tmp_path / "mine.toml")))] == ["rounding"]
    index.write_text("clause,kind,nature,summary\n1.1,definition,rule,The table of play.\n")
    assert {each.kind for each in lint(load(str(tmp_path / "mine.toml")))} == {"unknown-clause", "rounding"}
    assert len([each for each in lint(load(str(tmp_path / "mine.toml"))) if each.severity == "fault"]) == 1
    index.write_text("a,b\n1,2\n")
    assert [(each.severity, each.kind) for each in lint(load(str(tmp_path / "mine.toml")))] == [
        ("fault", "index"),
        ("finding", "rounding"),
    ]


def test_outcomes_of_a_pattern() -> None:
    """Of 2,000 outcomes a tenth are ties; Banker wins on 6 with two cards against 0 to 5, in ten ways each."""
    rows = load("da-hu-ying-xiong").pays
    assert len(outcomes(rows["main"][-1].when)) == OUTCOMES / 10
    assert len(outcomes(rows["tigers"][0].when)) == 6 * 2 * 5


def test_twelve_cells_of_the_commission_book_favour_the_patron() -> None:
    """The analysis counts twelve with eight decks, Banker 6 against Player 5 the worst at 8.44% of the stake."""
    cells = found(load("commission-insurance"), "favourable")
    assert len(cells) == 12
    worst = [each for each in cells if "8.44%" in each.says]
    assert [(each.clause, each.says[:28]) for each in worst] == [("4.1.3", "Banker 6 against 5 at 3 to 1")]
    assert found(load("da-hu-ying-xiong"), "favourable") == []


def test_a_bet_that_favours_the_patron_is_found() -> None:
    book = changed("wu-song", ('odds = "150:1"', 'odds = "300:1"'))
    [bet] = found(book, "favourable")
    assert bet.where == "layout A, wu-dalang"


CHOICE = """
[bets.light]
name = "Light"
choose = "suit"
clause = "3.7"
loses = "3.7"
[[pays.wu-song]]
bet = "light"
when = { player-first = { suits = "chosen" } }
by = "chosen"
odds = { c = "%s", d = "4:1", h = "4:1", s = "4:1" }
clause = "4.1.9"
"""


def test_what_is_found_of_every_choice_of_a_bet_is_told_once_of_the_bet() -> None:
    """One suit in four: 4 to 1 leaves the patron a quarter of the stake, 2 to 1 the house."""
    text = source("wu-song").decode()
    [alike] = found(parse((text + CHOICE % "4:1").encode(), "mine.toml"), "favourable")
    assert alike.where.endswith(", light")
    assert "25.00%" in alike.says
    some = found(parse((text + CHOICE % "2:1").encode(), "mine.toml"), "favourable")
    assert [each.where.rpartition(", ")[2] for each in some] == ["light-d", "light-h", "light-s"]


@pytest.mark.parametrize("name", ids())
def test_rounding_that_takes_the_edge_of_a_bet_away_is_found(name: str) -> None:
    """One chip on Banker, rounded up, is paid even money. Of 4998398275503360 deals Banker wins 2292252566437888 and
    Player 2230518282592256 (published): the patron's edge is 1.2351%.
    """
    of_bets = [each for each in found(load(name), "rounding") if each.where != "insurance"]
    for each in of_bets:
        assert each.where.endswith(", banker")
        assert "-1.24%" in each.says
    assert of_bets


def test_rounding_that_takes_the_edge_of_cover_away_is_found() -> None:
    """Published of Banker 6 against Player 5 at 3 to 1: an edge of 8.4397% for the patron, who wins 0.248909 of all.

    One chip at 5 to 2, rounded up, is paid as much.
    """
    [told] = [each for each in found(load("da-hu-ying-xiong"), "rounding") if each.where == "insurance"]
    assert "in 17 of 83 cells; with Banker 4 against 0 at 3 to 2" in told.says
    cells = insurance_odds(load("da-hu-ying-xiong"), full_shoe(8))
    four = [each for each in cells if each.row.stage == "four-cards" and each.row.hand == "banker"]
    [six] = [each for each in four if (each.own, each.opposite) == (6, 5)]
    assert f"{float(cover_left(six)):.6f}" == "-0.084397"
    assert abs(float(six.edge) - (0.248909 / 2 - 0.084397)) < 1e-6


COMMISSION = """
[[pays.banker]]
bet = "banker"
when = { winner = "banker" }
odds = "1:1"
commission = "5%"
clause = "P.banker#win"

[[pays.banker]]
bet = "banker"
when = { winner = "tie" }
result = "stand-off"
clause = "P.banker#tie"
"""
POLICY = '\n[policy]\npayout-rounding = {{ value = "{0}", choices = ["{0}"], reading = "AMB-30", clause = "4.4" }}\n'


@pytest.mark.parametrize(
    ("text", "stake", "edge"),
    [
        # half a chip and more is rounded to one: a stake of one is paid even money
        (POLICY.format("nearest"), "0.01", "-1.24%"),
        # no commission on a stake of one chip
        (
            COMMISSION
            + '\n[money]\ncommission = { value = "at-once", clause = "4.2" }\n'
            + 'commission-rounding = { value = "down", clause = "4.3" }\n'
            + POLICY.format("exact"),
            "0.01",
            "-1.24%",
        ),
        # one in a hundred of a unit is paid a whole one: 99 times the stake more on all that Banker wins
        (
            '\n[money]\npayout-unit = { value = "1", clause = "4.4" }\n' + POLICY.format("up"),
            "0.01",
            "-4541.35%",
        ),
        (POLICY.format("down"), None, None),
        (POLICY.format("exact"), None, None),
    ],
)
def test_every_rounding_that_a_book_has_is_looked_at(text: str, stake: str | None, edge: str | None) -> None:
    """Expected of Banker: even money leaves -1.2351%, from the published counts; -1.2351% - 99 x 0.458597."""
    book = parse((head() + text).encode(), "mine.toml")
    told = [each.says for each in found(book, "rounding") if each.where.endswith(", banker")]
    if stake is None:
        assert told == []
    else:
        [says] = told
        assert f"a stake of {stake} in chips of 0.01 leaves the house an edge of {edge} with 8 decks." in says


def test_all_books_are_linted_quickly_enough_to_run_always() -> None:
    assert sum(len(lint(load(book))) for book in ids()) == 6 + 12 + 7

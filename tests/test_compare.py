"""Two books told apart by a story, or proven equal. What the changed books say is written into them by hand."""

import re
from fractions import Fraction
from pathlib import Path

import pytest
from typer.testing import CliRunner

from punto.compare import prove
from punto.compare.forms import differing
from punto.compare.prices import pays_alike, price
from punto.coup import outcome
from punto.odds import deals, deals_apart, full_shoe
from punto.rulebook import Book, Library, ids, load, menu, parse, source
from punto.rulebook.changes import BadChange, with_changes
from punto.scenario import play, read
from whole_app import app

RUN = CliRunner()


def changed(book: str, before: str, after: str) -> Book:
    """A shipped book with one place of its text changed."""
    text = source(book).decode()
    assert before in text
    return parse(text.replace(before, after, 1).encode(), "mine.toml")


def check_witnesses(a: Book, b: Book) -> list[str]:
    """Every part that differs has a story that each book goes through as told, and that the other does not."""
    found = prove(a, b).found
    for each in found:
        assert each.witness is not None, each.part
        ours, theirs = read(each.witness.scenario_a), read(each.witness.scenario_b)
        first, second = Library().with_book(a), Library().with_book(b)
        assert play(ours, first).as_told, each.part
        assert play(theirs, second).as_told, each.part
        assert not play(ours, second).as_told, each.part
        assert not play(theirs, first).as_told, each.part
    return [each.part for each in found]


CHANGES = {
    "an odd": ("commission-insurance", 'odds = "8:1"', 'odds = "9:1"', "bet tie"),
    "commission": ("commission-insurance", 'odds = "0.95:1"', 'odds = "0.96:1"', "bet banker"),
    "what a row is about": (
        "wu-song",
        'when = { winner = "tie", points = "6-7" }',
        'when = { winner = "tie", points = "6-8" }',
        "bet tie",
    ),
    "the result of a row": (
        "commission-insurance",
        'when = { winner = "tie" }\nresult = "stand-off"',
        'when = { winner = "tie" }\nodds = "1:1"',
        "bet player",
    ),
    "a price of insurance": (
        "commission-insurance",
        'odds = "3:2"   # printed as 1.5 to 1',
        'odds = "2:1"',
        "insurance third-card banker",
    ),
    "a cell of insurance": (
        "commission-insurance",
        'own = 7\nopposite = "0-6"',
        'own = 7\nopposite = "0-5"',
        "insurance third-card player",
    ),
    "the cap of insurance": (
        "commission-insurance",
        'cap = { on = "payout"',
        'cap = { on = "stake"',
        "insurance cap",
    ),
    "decks": ("wu-song", "decks = { min = 4, max = 10", "decks = { min = 4, max = 9", "decks"),
    "the day": ("wu-song", "effective = 2024-12-06T08", "effective = 2024-12-06T09", "effective"),
    "boxes": ("wu-song", "positions = { min = 1, max = 6 }", "positions = { min = 1, max = 7 }", "layout A"),
    "a maximum": (
        "commission-insurance",
        'over-maximum = { value = "as-excess"',
        'over-maximum = { value = "to-maximum"',
        "limits over-maximum",
    ),
    "a floor": (
        "commission-insurance",
        'pro-rata-floor = { value = "minimum"',
        'pro-rata-floor = { value = "none"',
        "limits pro-rata-floor",
    ),
    "under the minimum": (
        "commission-insurance",
        'under-minimum-late = { value = "settle"',
        'under-minimum-late = { value = "settle-once"',
        "limits under-minimum-late",
    ),
    "wagers in an area": (
        "dragon-tiger-mbs",
        "wagers-per-area = { value = 3",
        "wagers-per-area = { value = 2",
        "betting wagers-per-area",
    ),
    "a remedy": (
        "commission-insurance",
        'do = ["continue"]\nclause = ["5.4.1", "5.4"]',
        'do = ["void"]\nclause = ["5.4.1", "5.4"]',
        "irregularity interruption",
    ),
    "an offer": ("wu-song", 'scope = "undecided"', 'scope = "all"', "offer dealing-error"),
    "a rank": (
        "commission-insurance",
        'by = "table-game-shift-manager", clause = "5.18"',
        'by = "pit-manager", clause = "5.18"',
        "authority residual",
    ),
    "who speaks for the House": ("wu-song", '"5.1" = "dealer"', '"5.1" = "pit-manager"', "who speaks for the House"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_every_kind_of_change_is_shown_by_a_story_that_runs(name: str) -> None:
    book, before, after, part = CHANGES[name]
    assert check_witnesses(load(book), changed(book, before, after)) == [part]


HOUSE = Path(__file__).parent.parent / "mutants/books/house-insured.toml"
OWN_RULES = {
    "how commission is rounded": ('commission-rounding = { value = "up"', 'commission-rounding = { value = "down"'),
    "when commission is taken": ('commission = { value = "on-record"', 'commission = { value = "at-once"'),
    "when a debt is collected": ('["shoe-end", "leaving", "demand"]', '["leaving", "demand"]'),
    "what a payout is counted on": ('payout-scope = { value = "patron"', 'payout-scope = { value = "box"'),
    "how much may lie beside": ('share = "1/4"', 'share = "1/5"'),
    "what may be ruled": ('choices = ["exact", "up"]', 'choices = ["exact", "up", "down"]'),
}
PARTS = {
    "how commission is rounded": ["bet banker"],
    "when commission is taken": ["money commission"],
    "when a debt is collected": ["money commission-collected"],
    "what a payout is counted on": ["limits payout-scope"],
    "how much may lie beside": ["companions banker-pair"],
    "what may be ruled": ["policy payout-rounding"],
}


@pytest.mark.parametrize("name", OWN_RULES)
def test_changes_of_rules_that_only_some_books_have_are_shown_too(name: str) -> None:
    text = HOUSE.read_text(encoding="utf-8")
    before, after = OWN_RULES[name]
    assert before in text
    assert check_witnesses(load(str(HOUSE)), parse(text.replace(before, after).encode(), "mine.toml")) == PARTS[name]


def test_two_bets_that_never_lie_together_are_so_whichever_says_it() -> None:
    text = HOUSE.read_text(encoding="utf-8")
    turned = text.replace('[bets.tie]\nnot-with = { bets = "banker-pair", clause = "H.1" }\n\n', "").replace(
        "[bets.banker-pair]\n", '[bets.banker-pair]\nnot-with = { bets = "tie", clause = "H.1" }\n'
    )
    assert turned != text
    assert prove(load(str(HOUSE)), parse(turned.encode(), "mine.toml")).equal


def test_a_second_change_does_not_hide_the_first() -> None:
    text = source("wu-song").decode()
    text = text.replace("max = 10", "max = 9", 1).replace('scope = "undecided"', 'scope = "all"', 1)
    assert check_witnesses(load("wu-song"), parse(text.encode(), "mine.toml")) == ["decks", "offer dealing-error"]


# What counts as equal


@pytest.mark.parametrize("book", ids())
def test_a_book_is_equal_to_itself_under_other_words(book: str) -> None:
    """Another title and operator, another name for every bet, and every clause renumbered."""
    text = source(book).decode()
    text = re.sub(r'^(title|operator|approver|version) = ".*"', r'\1 = "Other"', text, flags=re.MULTILINE)
    text = re.sub(r'^name = "', 'name = "My ', text, flags=re.MULTILINE)
    text = re.sub(r'"(\d+(?:\.[0-9A-Za-z]+)+(?:#[^"]*)?)"', r'"9\1"', text)
    assert prove(load(book), parse(text.encode(), "mine.toml")).equal


def _blocks(text: str) -> list[str]:
    """The tables of a book, each with its lines."""
    return re.split(r"(?m)^(?=\[)", text)


@pytest.mark.parametrize("book", ids())
def test_order_says_nothing_where_rows_do_not_overlap(book: str) -> None:
    """All tables of the file the other way round, but for the rows about one fact, where the first one counts."""
    head, *blocks = _blocks(source(book).decode())
    kept = [each for each in blocks if each.startswith("[[irregularity]]")]
    rest = [each for each in blocks if not each.startswith("[[irregularity]]")]
    shuffled = "".join([head, *(f"{each.rstrip()}\n\n" for each in (*reversed(rest), *kept))])
    assert prove(load(book), parse(shuffled.encode(), "mine.toml")).equal


RED = '{ player-start = { colour = "red" } }'
WORDINGS = {
    "a colour by the other": '{ player-start = { colour = "black", count = 0 } }',
    "two cards of a colour": '{ player-start = { colour = "red", count = 2 } }',
    "one after the other": '{ player-first = { colour = "red" }, player-second = { suits = "hd" } }',
    "whatever wins": '{ player-start = { colour = "red" }, winner = ["player", "banker", "tie"] }',
}


@pytest.mark.parametrize("wording", WORDINGS.values(), ids=WORDINGS)
def test_two_wordings_of_a_bet_on_cards_are_one_where_they_pay_the_same(wording: str) -> None:
    a, b = load("match"), changed("match", RED, wording)
    assert differing(a, b) == ["bet player-red"]  # by its rows alone
    assert prove(a, b, alike=pays_alike).equal


def test_a_bet_on_cards_that_pays_otherwise_is_shown_by_a_coup_and_priced() -> None:
    """Two reds that are not both hearts, from 416 cards of which 208 are red and 104 hearts."""
    a, b = load("match"), changed("match", RED, '{ player-start = { suits = "h" } }')
    assert check_witnesses(a, b) == ["bet player-red"]
    ours, theirs = (menu(book, "colours")["player-red"] for book in (a, b))
    shoe = full_shoe(8)
    chance = Fraction(208 * 207 - 104 * 103, 416 * 415)
    assert Fraction(deals_apart(ours, theirs, shoe), deals(shoe)) == chance


ALWAYS_SO = {
    "Banker wins on 6 with two cards only when Player drew": (
        "dragon-tiger-mbs",
        'when = { winner = "banker", points = 6, banker-cards = 2 }',
        'when = { winner = "banker", points = 6, banker-cards = 2, player-cards = 3 }',
    ),
    "nobody wins with no points": (
        "wu-song",
        'when = { winner = "banker", points = "1-5,8-9" }',
        'when = { winner = "banker", points = "0-5,8-9" }',
    ),
    "7 against 6 is a win of Player": (
        "dragon-tiger-mbs",
        "when = { player-points = 7, banker-points = 6, cards = 6 }",
        'when = { winner = "player", points = 7, banker-points = 6, cards = 6 }',
    ),
    "a pair told by its cards": (
        "commission-insurance",
        'when = { pairs = ["player", "both", "twin"] }',
        'when = { player-start = { same = "rank" } }',
    ),
}


@pytest.mark.parametrize("name", ALWAYS_SO)
def test_wordings_that_differ_only_where_no_cards_can_lead_are_one(name: str) -> None:
    """What the Table of Play never deals is never settled, so it tells no two bets apart."""
    book, before, after = ALWAYS_SO[name]
    assert prove(load(book), changed(book, before, after), alike=pays_alike).equal


def test_when_a_bet_is_paid_is_no_matter_of_what_it_pays() -> None:
    """A pair is paid with the first four cards or at the end: one part differs, and its pay does not."""
    own = Path(__file__).parent.parent / "mutants/books/house-early.toml"
    text = own.read_text(encoding="utf-8")
    early = '[bets.player-pair]\nsettled = { value = "first-four", clause = "E.1" }\n'
    assert early in text
    a, b = load(str(own)), parse(text.replace(early, "").encode(), "mine.toml")
    assert check_witnesses(a, b) == ["moments player-pair"]


def test_rows_of_different_facts_may_change_places() -> None:
    head, *blocks = _blocks(source("wu-song").decode())
    rows = [each for each in blocks if each.startswith("[[irregularity]]")]
    rest = [each for each in blocks if not each.startswith("[[irregularity]]")]
    by_fact = sorted(rows, key=lambda each: each.split('fact = "')[1].partition('"')[0], reverse=True)
    text = "".join([head, *(f"{each.rstrip()}\n\n" for each in (*rest, *by_fact))])
    assert prove(load("wu-song"), parse(text.encode(), "mine.toml")).equal


@pytest.mark.parametrize("book", [book for book in ids() if load(book).house_ranks])
def test_a_row_that_another_always_goes_before_says_nothing(book: str) -> None:
    """Every row about an irregularity once more at the end of the book, under a clause that the House speaks by."""
    text, house = source(book).decode(), next(iter(load(book).house_ranks))
    rows = [each for each in _blocks(text) if each.startswith("[[irregularity]]")]
    again = "\n".join(re.sub(r"(?m)^clause = .*$", f'clause = "{house}"', each) for each in rows)
    assert prove(load(book), parse(f"{text.rstrip()}\n\n{again}".encode(), "mine.toml")).equal


def test_other_ids_are_the_same_bets_layouts_offers_and_ranks() -> None:
    text = source("wu-song").decode()
    for before, after in (
        ("wu-dalang", "elder-brother"),
        ("[layouts.A]", "[layouts.Z]"),
        ("dealing-error]", "mistake]"),
        ('offer = "dealing-error"', 'offer = "mistake"'),
        ("pit-manager", "floor-boss"),
    ):
        assert before in text
        text = text.replace(before, after)
    proof = prove(load("wu-song"), parse(text.encode(), "mine.toml"))
    assert proof.equal
    assert set(proof.renamed) == {"elder-brother", "Z", "mistake", "floor-boss"}


def test_a_renamed_bet_that_pays_otherwise_is_shown_in_its_own_words() -> None:
    text = source("wu-song").decode().replace('id = "wu-song"', 'id = "my-game"').replace("pit-manager", "floor-boss")
    mine = parse(text.replace("max = 10", "max = 9", 1).encode(), "mine.toml")
    [found] = prove(load("wu-song"), mine).found
    assert found.witness is not None
    assert "open-table my-game" in found.witness.scenario_b
    assert play(read(found.witness.scenario_b), Library().with_book(mine)).as_told


def test_player_and_banker_are_no_mere_names() -> None:
    """The engine knows them by their ids, for insurance: called otherwise, they are other bets."""
    text = source("wu-song").decode().replace("[bets.tie]", "[bets.draw]").replace('bet = "tie"', 'bet = "draw"')
    parts = {each.part for each in prove(load("wu-song"), parse(text.encode(), "mine.toml"), states=1).found}
    assert {"bet tie", "bet draw"} <= parts


# What it costs


def test_a_higher_price_for_a_tie_is_priced_by_how_often_a_tie_comes() -> None:
    """One unit more whenever a tie comes: the edge falls by the chance of a tie, which is 9.5156%."""
    a, b = load("commission-insurance"), changed("commission-insurance", 'odds = "8:1"', 'odds = "9:1"')
    proof = prove(a, b)
    prices = price(a, b, proof.found)
    [edge] = prices.edges
    assert edge.what == "tie"
    assert edge.layouts == tuple(a.layouts)
    assert edge.change == -prices.chances["bet tie"]
    assert f"{float(prices.chances['bet tie']):.4%}" == "9.5156%"
    assert {outcome(index).winner for index in proof.found[0].outcomes} == {"tie"}


def test_a_price_of_insurance_is_priced_cell_by_cell() -> None:
    book, before, after, _ = CHANGES["a price of insurance"]
    a, b = load(book), changed(book, before, after)
    proof = prove(a, b)
    [edge] = price(a, b, proof.found).edges
    assert edge.what == "insurance third-card banker 4 against 3"
    assert edge.change is not None
    assert edge.change < 0
    assert Fraction(0) < price(a, b, proof.found).chances["insurance third-card banker"] < Fraction(1, 50)


def test_a_price_that_only_one_book_has_is_shown_whichever_it_is() -> None:
    """A cover that is offered at a table of the second book alone is struck there."""
    row = 'hand = "banker"\nown = 1\nopposite = 1'
    a, b = load("commission-insurance"), changed("commission-insurance", row, row.replace("banker", "player"))
    parts = ["insurance third-card banker", "insurance third-card player"]
    assert sorted(check_witnesses(a, b)) == sorted(check_witnesses(b, a)) == parts


def test_a_layout_without_its_main_bets_is_shown_bet_by_bet() -> None:
    carried = 'clause = "App.E"\npositions = { min = 1, max = 7 }\npays = ["main", "pairs"]'
    a, b = load("commission-insurance"), changed("commission-insurance", carried, carried.replace('"main", ', ""))
    assert sorted(check_witnesses(a, b)) == sorted(check_witnesses(b, a)) == ["bet banker", "bet player", "bet tie"]


def test_a_reason_that_is_due_anyway_and_a_row_that_says_what_is_done_anyway_are_no_difference() -> None:
    """Discretion in Wu Song is reasonable (5.8), and errors of earlier rounds stand whatever they are (5.12)."""
    ask = '{ decide = "reconstructible", by = "house", reason = true }'
    row = 'fact = "unshuffled"\ndo = ["stand"]\nclause = "5.6"\n'
    assert prove(load("wu-song"), changed("wu-song", ask, ask.replace("true", "false"))).equal
    assert prove(load("wu-song"), changed("wu-song", f"[[irregularity]]\n{row}", "")).equal
    assert check_witnesses(load("wu-song"), changed("wu-song", row, row.replace("stand", "refer"))) == [
        "irregularity unshuffled"
    ]


# Clauses, and who speaks for the House under them

NOBODY_IS_ASKED = {
    "a point": ('opens = { value = "opening-call", clause = "3.3" }', '"3.3"', '"4.2.2"'),
    "a step": ('{ stand = "earlier", clause = "5.5#effect" }', '"5.5#effect"', '"4.2.2"'),
    "a policy": ('reading = "AMB-11", clause = "5.4" }', '"5.4"', '"4.2.2"'),
}


@pytest.mark.parametrize("name", NOBODY_IS_ASKED)
def test_a_clause_is_but_a_number_where_the_house_is_not_asked(name: str) -> None:
    """Under 4.2.2 the Pit Manager speaks for the House; but at these places nobody decides anything."""
    place, before, after = NOBODY_IS_ASKED[name]
    proof = prove(load("commission-insurance"), changed("commission-insurance", place, place.replace(before, after)))
    assert proof.equal, proof.found


HOUSE_IS_ASKED = {
    "for the cards of a hand": ('squeezer = { value = "seated-highest", by = "house", clause = "3.9"', "3.9", "4.2.2"),
    "for the Banker's third card": (
        'waived = { value = "banker-third-first", by = "house", clause = "3.14"',
        "3.14",
        "5.1",
    ),
    "at a step of a row": ('{ decide = "reconstructible", by = "house" }', "}", ', clause = "4.2.2" }'),
    "by the rank that speaks anyway": (
        'squeezer = { value = "seated-highest", by = "house", clause = "3.9"',
        "3.9",
        "3.3",
    ),
}


@pytest.mark.parametrize("name", HOUSE_IS_ASKED)
def test_a_clause_that_leads_to_another_rank_is_shown_by_a_story(name: str) -> None:
    """A book says who speaks for the House clause by clause (AMB-70), and a table may name a higher rank for each."""
    place, before, after = HOUSE_IS_ASKED[name]
    book = changed("commission-insurance", place, place.replace(before, after))
    assert check_witnesses(load("commission-insurance"), book) == ["who speaks for the House"]


# What is said where nothing is done


def test_what_differs_in_words_alone_is_said_and_counts_as_equal() -> None:
    """What is on the display binds nobody."""
    book = changed("dragon-tiger-hoiana", 'pictures = { value = "illustration-only", clause = "3#images" }', "")
    proof = prove(load("dragon-tiger-hoiana"), book)
    assert proof.equal
    assert proof.words == ("display pictures",)


# The command


def test_the_command_proves_prices_and_writes_stories_that_run(tmp_path: Path) -> None:
    folder = tmp_path / "told"
    told = RUN.invoke(
        app, ["diff", "commission-insurance", "--set", 'pays.main[4].odds="9:1"', "--witnesses", str(folder)]
    )
    assert told.exit_code == 0
    assert "Different: 1 part" in told.stdout
    assert "9.515597%" in told.stdout
    ran = RUN.invoke(app, ["scenario", "run", str(folder / "bet-tie.a.scenario")])
    assert (ran.exit_code, "1 of 1 as told." in ran.stdout) == (0, True)
    own = ["--book", str(folder / "b.toml")]
    ran = RUN.invoke(app, ["scenario", "run", str(folder / "bet-tie.b.scenario"), *own])
    assert (ran.exit_code, "1 of 1 as told." in ran.stdout) == (0, True)
    assert RUN.invoke(app, ["scenario", "run", str(folder / "bet-tie.b.scenario")]).exit_code == 1


def test_the_command_says_that_books_are_equal() -> None:
    told = RUN.invoke(app, ["diff", "wu-song", "--set", 'title="Another"', "--prove"])
    assert told.exit_code == 0
    assert "Equal: wu-song and wu-song as changed pay and do the same." in told.stdout


def test_two_books_of_one_id_are_told_apart_above_their_columns(tmp_path: Path) -> None:
    """The changed one says so; another file, or another edition, goes by the name that it was given by."""
    change = ["--set", 'pays.main[4].odds="9:1"']
    earlier = "92b62c473e0d50d2bab6a73e5e96ca83f5a6b3c679210492081d0cc840967c10"
    file = tmp_path / "w.toml"
    file.write_bytes(source("wu-song").replace(b'"36:1"', b'"38:1"'))
    for given, names in (
        (["commission-insurance", *change], ["commission-insurance", "commission-insurance as changed"]),
        (["commission-insurance", "commission-insurance", *change], ["commission-insurance as changed"]),
        (["wu-song", str(file)], ["wu-song", "w.toml"]),
        ([earlier, str(file)], ["wu-song 92b62c473e0d", "w.toml"]),
    ):
        told = RUN.invoke(app, ["diff", *given], env={"COLUMNS": "400"})
        assert told.exit_code == 0
        head = next(line for line in told.stdout.splitlines() if line.startswith(" point"))
        columns = [each.rpartition("/")[2] for each in re.split(r"\s{2,}", head.strip())[1:]]
        assert columns[-len(names) :] == names


def test_a_change_must_name_a_value() -> None:
    for change in ("decks.most=9", "decks.max", "decks.max=", "[0]x=1", "pays.main[99].odds=1"):
        with pytest.raises(BadChange):
            with_changes(source("wu-song"), [change])


@pytest.mark.parametrize("book", ids())
def test_a_book_written_anew_says_the_same(book: str) -> None:
    assert prove(load(book), parse(with_changes(source(book), []), "mine.toml")).equal


def test_the_house_may_be_the_one_that_gathers_what_a_dispute_needs() -> None:
    """It speaks by a rank there as anywhere (AMB-70), and the dispute goes on."""
    book = changed(
        "dragon-tiger-hoiana",
        'gathering = { value = "information-and-surveillance", by = "pit-manager"',
        'gathering = { value = "information-and-surveillance", by = "house"',
    )
    told = (Path(__file__).parent.parent / "scenarios/dragon-tiger-hoiana/dispute-and-complaint.scenario").read_text()
    assert play(read(told), Library().with_book(book)).as_told


# Whole games beside one another

MOON = """
base = "punto-banco"
id = "moon"
title = "Moon"
operator = "Another house"
approver = "nobody"
version = "2"
effective = 2026-02-01T00:00:00+08:00
decks = { counts = [6, 8] }
remove = ["pays.tie", "layouts.plain"]

[bets.moon]
name = "Moon"
clause = "M.moon"
loses = "M.moon"
needs = { bets = ["player", "banker"], clause = "M.needs" }

[[pays.moon-tie]]
bet = "tie"
when = { winner = "tie" }
by = "cards"
odds = { 4 = "10:1", 5 = "8:1", 6 = "7:1" }
clause = "M.tie"

[[pays.moon]]
bet = "moon"
when = { winner = "banker", points = 7, banker-cards = 3 }
odds = "40:1"
clause = "M.moon"

[layouts.moon]
clause = "M.layout"
positions = { min = 1, max = 7 }
pays = ["player", "banker", "moon-tie", "moon"]
"""


def test_each_part_of_a_changed_copy_is_shown_by_a_story_about_it() -> None:
    """Another day, other decks, a layout of another name with fewer boxes, another tie and a bet of its own.

    Each is a part; Player and Banker are paid alike, and a bet's companions are told with the bet. What is about pay is
    shown when a round is paid, at a table that both books open; and B speaks of itself.
    """
    a, b = load("punto-banco"), parse(MOON.encode(), "moon.toml")
    proof = prove(a, b)
    assert [each.part for each in proof.found] == ["decks", "effective", "layout plain", "bet tie", "bet moon"]
    assert proof.renamed == {"moon": "plain"}
    ends = {}
    for each in proof.found:
        assert each.witness is not None
        ends[each.part] = each.witness.commands[-1].split()[0], len(each.witness.commands)
        assert "punto-banco" not in each.witness.b
        assert play(read(each.witness.scenario_a), Library().with_book(a)).as_told
        assert play(read(each.witness.scenario_b), Library().with_book(b)).as_told
        if each.part != "effective":
            assert "2026-02-01T00:00:00+08:00" in each.witness.commands[0]
    assert {part for part, (_, length) in ends.items() if length == 1} == {"decks", "effective", "layout plain"}
    assert ends["bet tie"][0] == "settle"
    assert ends["bet moon"][0] == "place"
    assert ends["layout plain"][0] == "open-table"
    of_layout = next(each.witness for each in proof.found if each.part == "layout plain")
    assert of_layout is not None
    assert ("positions=9" in of_layout.a, "positions=7" in of_layout.b) == (True, True)


def test_what_lies_on_a_layout_of_one_book_only_is_told_with_that_layout() -> None:
    """Punto banco has one layout; Super 6 has four of which one corresponds, and on it Banker and a bet differ."""
    proof = prove(load("punto-banco"), load("super-6"), states=5)
    assert {each.part for each in proof.found} == {
        *("bet banker", "bet super-6"),
        *("layout super-six", "layout lucky", "layout tiger"),
    }
    for each in proof.found:
        assert each.witness is not None
        if each.part.startswith("layout "):
            assert each.part.removeprefix("layout ") in each.witness.a
    assert proof.renamed == {"punto-2000": "plain"}


def test_a_layout_under_another_name_is_no_difference_and_its_day_is_one() -> None:
    """A layout that pays something else corresponds to the one that it is most like, so only that bet differs."""
    text = source("wu-song").decode().replace("[layouts.F]", "[layouts.mine]").replace('"36:1"', '"38:1"')
    later = text.replace("effective = 2024-12-06", "effective = 2026-12-06")
    mine = parse(text.encode(), "mine.toml")
    proof = prove(load("wu-song"), mine, states=1)
    assert proof.renamed == {"mine": "F"}
    assert all(each.part.startswith("bet ") for each in proof.found)
    both = prove(load("wu-song"), parse(later.encode(), "mine.toml"), states=1)
    assert [each.part for each in both.found] == ["effective", *(each.part for each in proof.found)]
    assert all(each.witness is not None for each in both.found)


def test_a_story_that_ends_where_another_part_differs_shows_nothing() -> None:
    """A rule about wagers is not shown by a table that one of the books does not open."""
    text = source("commission-insurance").decode()
    for before, after in (
        ('over-maximum = { value = "as-excess"', 'over-maximum = { value = "to-maximum"'),
        ("effective = 2019-09-16", "effective = 2027-09-16"),
    ):
        assert before in text, before
        text = text.replace(before, after, 1)
    found = {each.part: each for each in prove(load("commission-insurance"), parse(text.encode(), "m.toml")).found}
    assert set(found) == {"effective", "limits over-maximum"}
    told = found["limits over-maximum"].witness
    assert told is not None
    assert len(told.commands) > 1

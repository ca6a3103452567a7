"""The words of pay rows: what they mean on coups told by hand, and how many deals meet them, by a second method."""

import itertools
import random
import re
from collections.abc import Callable, Sequence
from math import perm
from pathlib import Path

import pytest
from msgspec import structs

from punto.coup import Card, Coup, card, cards, deal, deal_from, outcome, possible
from punto.lint import check_prints, lint
from punto.odds import bet_odds, full_shoe, outcome_counts
from punto.odds.bets import matches
from punto.odds.by_cards import CardCounter
from punto.odds.card_classes import CARDS
from punto.report import certificate, confirm, expose_book, html
from punto.report.pack.chinese import in_chinese
from punto.rulebook import BadBook, Basis, Book, Pattern, PrintedCard, Row, menu, source
from punto.rulebook.differences import differences
from punto.rulebook.loader import parse
from punto.rulebook.patterns import GROUPS, LIKENESSES, CardTest
from punto.rulebook.standing import standing
from punto.rulebook.vocabulary import PATTERN
from punto.rulebook.words import pattern_in_words
from punto.scenario import play, read
from punto.settlement import Wager, settle
from ranks_asked import with_ranks_asked

BASE = source("commission-insurance").decode()


def book_with(added: str, layout_group: str = "side") -> Book:
    """Commission Baccarat with some more bets on its first layout."""
    named = BASE.replace('id = "commission-insurance"', 'id = "with-side-bets"', 1)
    at = named.index("pays = [", named.index("[layouts."))
    return parse((named[: at + 8] + f'"{layout_group}", ' + named[at + 8 :] + added).encode(), "side.toml")


def bet(name: str, *rows: str, more: str = "") -> str:
    text = f'\n[bets.{name}]\nname = "{name.title()}"\nclause = "3.4"\nloses = "3.16"\n{more}\n'
    return text + "".join(f'[[pays.side]]\nbet = "{name}"\nclause = "3.4"\n{row}\n' for row in rows)


def rows_of(*rows: str, more: str = "") -> tuple[Row, ...]:
    return menu(book_with(bet("extra", *rows, more=more)))["extra"].rows


def won(rows: tuple[Row, ...], dealt: str) -> str:
    """What the first row that a coup meets pays."""
    coup = deal(dealt)
    row = next((row for row in rows if row.when.holds(coup, outcome(coup.outcome))), None)
    return "lost" if row is None else row.odds.text if row.odds else row.result


# The words, on coups told by hand


def test_dragon_bonus_pays_by_the_margin_a_natural_win_even_and_a_natural_tie_comes_back() -> None:
    rows = rows_of(
        'when = { winner = "player", natural = ["player", "both"] }\nodds = "1:1"',
        'when = { winner = "player" }\nby = "margin"\n'
        'odds = { 4 = "1:1", 5 = "2:1", 6 = "4:1", 7 = "6:1", 8 = "10:1", 9 = "30:1" }',
        'when = { winner = "tie", natural = "both" }\nresult = "stand-off"',
        more="in-order = true",
    )
    assert won(rows, "9h Kd Kd Ks") == "1:1", "nine to nothing, but a natural"
    assert won(rows, "2h Kd 2d Ks 5c Kh") == "30:1", "nine to nothing with three cards"
    assert won(rows, "3h Kd 4d 3s Kc") == "1:1"
    assert won(rows, "4h Kd 3d 4s Kc") == "lost", "by three"
    assert won(rows, "9h 9d Kd Ks") == "stand-off"
    assert won(rows, "7h 7d Kd Ks") == "lost", "a tie without a natural"


def test_lucky_six_pays_by_the_cards_of_the_winner_and_the_frog_looks_at_the_loser() -> None:
    lucky = rows_of('when = { winner = "banker", points = 6 }\nby = "winner-cards"\nodds = { 2 = "12:1", 3 = "20:1" }')
    assert won(lucky, "2h Kd Kd 6s 3c") == "12:1"
    assert won(lucky, "2h 2d Kd 2s 2c 2h") == "20:1"
    frog = rows_of('when = { points = 9, loser-points = 7, cards = 4 }\nodds = "90:1"')
    assert won(frog, "9h 7d Kd Ks") == won(frog, "7h 9d Kd Ks") == "90:1"
    assert won(frog, "9h 9d Kd Ks") == "lost", "in a tie nobody loses"


def test_not_any_otherwise_and_a_loss_before_a_wider_row() -> None:
    kill = rows_of(
        'when = { player-points = 6, player-cards = 3, not = { winner = "player" } }\nodds = "30:1"',
        'when = { any = [{ winner = "banker", points = 9, winner-cards = 3 }, { sum = 0 }] }\nodds = "5:1"',
    )
    assert won(kill, "2h 7d 2d Ks 2c") == "30:1"
    assert won(kill, "2h 3d 2d Ks 2c 2d") == "lost", "six wins"
    assert won(kill, "Kh Kd Kd Ks Kc Kh") == "5:1"
    big = rows_of('when = { cards = 4 }\nresult = "lost"', 'when = "otherwise"\nodds = "0.54:1"')
    assert won(big, "9h 7d Kd Ks") == "lose"
    assert won(big, "2h 7d 2d Ks 2c") == "0.54:1"


@pytest.mark.parametrize(
    ("when", "holds", "fails"),
    [
        ('{ player-start = { same = ["rank", "suit"] } }', "6h 2c 6h 5d Kc", "6h 2c 6d 5d Kc"),
        ('{ player-start = [{ same = "suit" }, { ranks = "K", count = 1 }, { ranks = "Q", count = 1 }] }',
         "Kh 9c Qh Kd", "Kh 9c Kh Kd"),
        ('{ player-third = "8" }', "2h 3c Kd Ks 8h", "2h 3c Kd Ks 7h 2d"),
        ('{ player-third = { ranks = "8", count = 0 } }', "9h 3c Kd Ks", "2h 3c Kd Ks 8h"),
        ('{ all-cards = { colour = "red" } }', "9h 3d Kd Kh", "9h 3d Kd Ks"),
        ('{ all-cards = { of-a-kind = [3, 2] } }', "Kh Kd Ks 2s 2c Kc", "Kh Qd 3s 2s 2c Jc"),
        ('{ first-four = { ranks = "9", count = 2, same = "suit" } }', "9h 9h Kd 2s", "9h 9d Kd 2s"),
        ('{ first-cards = { same = "colour" }, banker-two-card = 3 }', "9h 2d Kd As", "9h 2s Kd As"),
        ('{ third-cards = { suits = "s" } }', "2h 3c Kd Ks 7s 2s", "2h 3c Kd Ks 7h 2s"),
        ('{ winner = "tie", all-cards = { ranks = "6789", count = 0 } }', "Kh Kd Ks Js Tc Kc", "7h 7d Ks Js"),
        ('{ player-hand = { run = 3 } }', "Qh Kd Ks 2s Ac 5d", "Kh Kd 2s 2s Ac 5d"),
        ('{ player-hand = { run = 3, same = "suit" } }', "2h Kd 3h 2s Ah 5d", "2h Kd 3h 2s Ac 5d"),
        ('{ all-cards = { of-a-kind = 4, kind = "suit" } }', "9h 2h Kh Ah", "9h 2h Kh As"),
        ('{ first-four = { of-a-kind = [2, 2], kind = "colour" } }', "9h 2d Ks Ac", "9h 2d Kh As"),
        ('{ player-first = { higher = "banker-first" } }', "9h 2h Kh Ah", "Ah 2h 8h Ah"),
        ('{ player-first = { higher = "banker-first", aces = "high" } }', "Ah 2h 8h Ah", "2h Ah 7h 8h"),
        ('{ player-third = { higher = "banker-third" } }', "2h 3c Kd Ks 7s 2s", "2h 7c Kd Ks 7s"),
        ('{ all-cards = { sum = "9" } }', "9h Kh Kh Kh", "9h Kh Kh Ah"),
        ('{ all-cards = { sum = 39, counting = "pips" } }', "9h Kh Th Jh", "9h Kh Kh Ah"),
        ('{ first-cards = { sum = "20-26", counting = "ranks" } }', "Kh 7d Kh 2h", "9h Th Kh Ah"),
    ],
)  # fmt: skip
def test_card_tests(when: str, holds: str, fails: str) -> None:
    rows = rows_of(f'when = {when}\nodds = "1:1"')
    assert won(rows, holds) == "1:1"
    assert won(rows, fails) == "lost"


def test_a_bet_with_a_choice_is_a_bet_for_each_value() -> None:
    book = book_with(
        bet(
            "egalite",
            'when = { winner = "tie", points = "chosen" }\nby = "chosen"\nodds = { "0-5" = "150:1", "6-9" = "45:1" }',
            more='choose = "points"',
        )
        + bet(
            "dragon",
            'when = { all-cards = { ranks = "chosen", count = "1-6" } }\nby = "count"\n'
            'odds = { 1 = "1:1", "2-6" = "3:1" }',
            more='choose = "rank"',
        )
        + bet("lucky-suit", 'when = { player-start = { suits = "chosen" } }\nodds = "14:1"', more='choose = "suit"')
    )
    carried = menu(book)
    assert [name for name in carried.bets if name.startswith("egalite")] == [f"egalite-{at}" for at in range(10)]
    assert carried["egalite-6"].bet.name == "Egalite 6"
    assert won(carried["egalite-6"].rows, "6h 6d Ks Ts") == "45:1"
    assert won(carried["egalite-7"].rows, "6h 6d Ks Ts") == "lost"
    assert won(carried["dragon-k"].rows, "Kh 9d Ks Ts") == "3:1"
    assert won(carried["dragon-t"].rows, "Kh 9d Ks Ts") == "1:1"
    assert won(carried["lucky-suit-h"].rows, "Kh 9d 9h Ts") == "14:1"
    assert {carried[f"lucky-suit-{suit}"].bet.choice_of for suit in "cdhs"} == {"lucky-suit"}


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ('when = { player-start = { same = "colors" } }\nodds = "1:1"', "'colors' is none of rank, suit or colour."),
        ('when = { player-start = {} }\nodds = "1:1"', 'must say what holds of the cards, like "8" for a rank'),
        ('when = { player-start = "1X" }\nodds = "1:1"', "'1X' is not made of the letters A23456789TJQK."),
        ('when = { player-third = { of-a-kind = 1 } }\nodds = "1:1"', "must be a number of cards from 2 to 6"),
        ('when = { player-hand = { run = 1 } }\nodds = "1:1"', "must be a whole number from 2 to 6."),
        ('when = { player-hand = { aces = "high" } }\nodds = "1:1"', "goes with higher, which is not here."),
        ('when = { player-hand = { higher = "player-first" } }\nodds = "1:1"', "names cards of player-hand itself"),
        ('when = { player-hand = { straight = 3 } }\nodds = "1:1"', "Cards in a row are a run: write player-hand"),
        ('when = { player-first = { sum = 3, counting = "pip" } }\nodds = "1:1"', "is none of values, pips or ranks."),
        ('when = { winner = "tie", points = "chosen" }\nodds = "1:1"', 'write choose = "points".'),
        ('when = { winner = "tie" }\nby = "margin"\nodds = "1:1"', "goes with a table of odds by number."),
        ('when = { winner = "tie" }\nodds = {}', 'must name numbers and their odds, like 4 = "1:1".'),
        ('when = { winner = "tie" }\nodds = { "1-4" = "1:1", 4 = "2:1" }', "4 stands here twice."),
        ('when = { winner = "tie" }\nby = "count"\nodds = { 1 = "1:1" }', "count needs one test of cards in `when`."),
        ('when = { winner = "tie" }\nby = "chosen"\nodds = { 1 = "1:1" }', 'choose = "points", "rank" or "suit".'),
    ],
)
def test_what_is_written_wrong_is_told_with_its_line(row: str, says: str) -> None:
    with pytest.raises(BadBook) as refused:
        rows_of(row)
    [fault] = refused.value.faults
    assert says in fault.says
    assert fault.line > BASE.count("\n")


# In order


def overlaps(*rows: str, more: str = "") -> list[str]:
    book = book_with(bet("extra", *rows, more=more))
    return [each.kind for each in lint(book) if "extra" in each.where and each.kind in ("overlap", "unreachable")]


def test_an_exception_stands_before_its_rule_and_what_is_never_reached_is_told() -> None:
    six, wins = 'when = { winner = "banker", points = 6 }\nodds = "1:2"', 'when = { winner = "banker" }\nodds = "1:1"'
    assert overlaps(six, wins) == []
    assert overlaps(wins, six) == ["unreachable"]
    suited, paired = (f'when = {{ player-start = {{ same = "{each}" }} }}\nodds = "1:1"' for each in ("suit", "rank"))
    assert overlaps(suited, paired) == ["overlap"]
    assert overlaps(
        suited, paired, 'when = { player-start = { same = ["suit", "rank"] } }\nodds = "9:1"', more="in-order = true"
    ) == ["unreachable"]
    natural, by_margin = 'when = { natural = "both" }\nodds = "1:1"', 'when = { winner = "banker" }\nodds = "2:1"'
    assert overlaps(natural, by_margin) == ["overlap"]
    assert overlaps(natural, by_margin, more="in-order = true") == []


@pytest.mark.parametrize(
    ("more", "rows"),
    [
        (
            "",
            (
                'when = { winner = "banker", natural = ["banker", "both"] }\nodds = "1:1"',
                'when = { winner = "banker" }\nby = "margin"\nodds = { 4 = "1:1", 5 = "2:1", 6 = "4:1", 9 = "30:1" }',
            ),
        ),
        (
            'choose = "points"',
            (
                'when = { winner = "tie", points = "chosen" }\nodds = "9:1"',
                'when = { cards = 5, player-points = "chosen" }\nodds = "7:1"',
            ),
        ),
    ],
)
def test_rows_that_one_table_stands_for_overlap_with_another_once(more: str, rows: tuple[str, str]) -> None:
    """One mistake is one fault, however many numbers or choices the table has."""
    book = book_with(bet("extra", *rows, more=more))
    assert [(each.kind, each.severity) for each in lint(book) if each.kind == "overlap"] == [("overlap", "fault")]


@pytest.mark.parametrize(
    ("rows", "severity"),
    [
        # four fours are two naturals of 8 and four of a kind
        (('{ natural = "both" }', "{ first-four = { of-a-kind = 3 } }"), "fault"),
        # a suited natural lies within naturals; suited hands need not be naturals
        (('{ natural = "both", player-start = { same = "suit" } }', '{ natural = "both" }'), None),
        (('{ natural = "both" }', '{ player-start = { same = "suit" } }'), "fault"),
        # first cards of one rank are never higher than each other
        (('{ player-first = { higher = "banker-first" } }', '{ first-cards = { same = "rank" } }'), None),
        # 4 to 7 with two cards, and a total of 8 that an ace makes of 7
        (('{ player-two-card = "4-7" }', "{ player-points = 8 }"), "fault"),
        (("{ player-two-card = 5 }", "{ player-two-card = 6 }"), None),
    ],
)
def test_rows_on_cards_that_overlap_and_pay_differently_are_a_fault(
    rows: tuple[str, str], severity: str | None
) -> None:
    """As of rows on outcomes, unless the bet says that they are meant in order."""
    rows_of_bet = [f'when = {when}\nodds = "{paid}"' for when, paid in zip(rows, ("1:1", "2:1"), strict=True)]
    book = book_with(bet("extra", *rows_of_bet))
    assert [each.severity for each in lint(book) if each.kind == "overlap"] == ([severity] if severity else [])
    meant = book_with(bet("extra", *rows_of_bet, more="in-order = true"))
    assert [each for each in lint(meant) if each.kind == "overlap"] == []


@pytest.mark.parametrize("when", ['{ banker-start = { same = "suit" } }', '{ banker-two-card = "6-7" }'])
def test_a_bet_on_a_hand_that_looks_at_cards_is_told_what_a_tie_does(when: str) -> None:
    """A tie that no row is about is told, one that a row says to be lost is not."""
    first = f'[[pays.main]]\nbet = "banker"\nwhen = {{ any = [{{ winner = "banker" }}], {when[2:-2]} }}\nodds = "2:1"\n'
    text = BASE.replace("[[pays.main]]", f'{first}clause = "4.1"\n\n[[pays.main]]', 1)
    assert [each for each in lint(parse(text.encode(), "mine.toml")) if each.kind == "tie"] == []
    tie = re.search(r'\[\[pays\.main\]\]\nbet = "banker"\nwhen = \{ winner = "tie" \}\nresult = "stand-off"\n', text)
    assert tie
    without = text.replace(tie[0], tie[0].replace('winner = "tie"', 'winner = "banker", points = 1'))
    told = [each for each in lint(parse(without.encode(), "mine.toml")) if each.kind == "tie"]
    assert {each.where.rpartition(" ")[2] for each in told} == {"banker"}
    lost = text.replace(tie[0], tie[0].replace("stand-off", "lost"))
    assert [each for each in lint(parse(lost.encode(), "mine.toml")) if each.kind == "tie"] == []


@pytest.mark.parametrize(
    ("print_when", "odds", "agrees"),
    [
        ('{ player-start = { same = ["suit", "rank"] } }', "9:1", True),
        ('{ player-start = { same = "suit" } }', "9:1", False),
        ('{ player-start = { same = "suit" }, not = { player-start = { same = "rank" } } }', "5:2", True),
        ('{ winner = "tie" }', "5:2", False),
    ],
)
def test_a_print_is_held_against_rows_on_cards(print_when: str, odds: str, agrees: bool) -> None:
    rows = ('{ player-start = { same = ["suit", "rank"] } }', "9:1"), ('{ player-start = { same = "suit" } }', "5:2")
    body = bet("extra", *(f'when = {when}\nodds = "{paid}"' for when, paid in rows))
    printed = f'\n[[layouts.A.print]]\nbet = "extra"\nwhen = {print_when}\nodds = "{odds}"\nclause = "App.A"\n'
    book = book_with(body + printed)
    assert [each.agrees for each in check_prints(book, book.layouts["A"]) if each.printed.bet == "extra"] == [agrees]
    told = [each.kind for each in lint(book) if each.kind == "print" and "Extra" in each.says]
    assert told == ([] if agrees else ["print"])


def test_a_row_of_which_earlier_rows_on_cards_leave_nothing_is_a_fault() -> None:
    """Also where it looks at the outcome alone; a row that no deal can meet at all is a finding."""
    always = 'when = { player-hand = { ranks = "A", count = "0-3" } }\nodds = "1:9"'
    ace, black = (
        f'when = {{ player-first = {{ ranks = "A"{more} }} }}\nodds = "9:1"' for more in ("", ', suits = "s"')
    )
    tie = 'when = { winner = "tie" }\nodds = "8:1"'
    third = 'when = { player-cards = 2, player-third = "A" }\nodds = "8:1"'
    for rows, severity in (
        ((always, tie), "fault"),
        ((ace, black), "fault"),
        ((black, ace), None),
        ((third,), "finding"),
    ):
        book = book_with(bet("extra", *rows))
        found = [each.severity for each in lint(book) if each.kind == "unreachable" and "extra" in each.where]
        assert found == ([] if severity is None else [severity]), rows


def test_a_comparison_tells_when_rows_that_overlap_change_places() -> None:
    """The first row that matches counts, so the two books pay 6 differently; rows apart may stand in any order."""
    six, wins = 'when = { winner = "banker", points = 6 }\nodds = "1:2"', 'when = { winner = "banker" }\nodds = "1:1"'
    one, other = (book_with(bet("extra", *rows)) for rows in ((six, wins), (wins, six)))
    assert [each.point for each in differences(one, other)] == ["bet extra"]
    tie = 'when = { winner = "tie" }\nodds = "8:1"'
    one, other = (book_with(bet("extra", *rows)) for rows in ((tie, wins), (wins, tie)))
    assert differences(one, other) == []


# Counted exactly

SMALL_SHOE = tuple(cards("Ah 2h 3s 4d 6h 8c 9h Kh"))


def random_test(chance: random.Random, groups: Sequence[str] = GROUPS) -> CardTest:
    ranks = frozenset(chance.sample(range(1, 14), chance.randint(1, 6))) if chance.random() < 0.5 else None
    suits = frozenset(chance.sample("cdhs", chance.randint(1, 3))) if chance.random() < 0.4 else None
    count = frozenset(chance.sample(range(5), chance.randint(1, 3))) if chance.random() < 0.5 else None
    same = tuple(chance.sample(LIKENESSES, chance.randint(0, 2)))
    kinds = chance.choice([(), (), (2,), (2, 2), (3,)])
    return with_ranks_asked(chance, CardTest(chance.choice(groups), ranks, suits, count, same, kinds))


def random_field(chance: random.Random, name: str) -> tuple[str, frozenset[int | str]]:
    values: list[int | str] = list(PATTERN[name])
    return name.replace("-", "_"), frozenset(chance.sample(values, chance.randint(1, len(values))))


def random_pattern(chance: random.Random, depth: int = 1) -> Pattern:
    names = chance.sample(list(PATTERN), chance.randint(0, 2))
    fields = tuple(random_field(chance, name) for name in names)
    tests = tuple(random_test(chance) for _ in range(chance.randint(0, 2)))
    several = tuple(random_pattern(chance, 0) for _ in range(chance.choice([0, 0, 2]) * depth))
    none = tuple(random_pattern(chance, 0) for _ in range(chance.choice([0, 0, 1]) * depth))
    return Pattern(fields, tests, several, none)


def random_rows(seed: int) -> tuple[Row, ...]:
    chance = random.Random(f"rows {seed}")
    template = rows_of('when = { winner = "tie" }\nodds = "1:1"')[0]
    return tuple(
        Row("extra", random_pattern(chance), "win", template.odds, template.basis) for _ in range(chance.randint(1, 3))
    )


def dealt_by_hand(shoe: tuple[Card, ...]) -> list[tuple[Coup, int]]:
    """Every coup that a shoe of different cards can deal, and how many deals of six cards begin with it."""
    found: dict[tuple[Card, ...], list[Coup]] = {}
    for six in itertools.permutations(shoe, 6):
        coup = deal_from(six)
        found.setdefault(coup.cards, []).append(coup)
    return [(coups[0], len(coups)) for coups in found.values()]


@pytest.fixture(scope="module")
def small_deals() -> list[tuple[Coup, int]]:
    return dealt_by_hand(SMALL_SHOE)


def rows_of_hands(seed: int) -> tuple[Row, ...]:
    """Rows with tests of whole hands: of one of them, or of both."""
    chance = random.Random(f"hands {seed}")
    template = rows_of('when = { winner = "tie" }\nodds = "1:1"')[0]
    groups = chance.choice([["player-hand"], ["banker-hand"], ["player-hand", "banker-hand"]])
    names = [name for name in PATTERN if name != "pairs" and not name.endswith("two-card") and name != "natural"]

    def pattern(depth: int) -> Pattern:
        tests = tuple(random_test(chance, groups) for _ in range(chance.randint(1, 2)))
        none = (pattern(0),) if depth and chance.random() < 0.3 else ()
        return Pattern((random_field(chance, chance.choice(names)),) if chance.random() < 0.5 else (), tests, (), none)

    return tuple(Row("extra", pattern(1), "win", template.odds, template.basis) for _ in range(chance.randint(1, 2)))


def met_by_hand(rows: tuple[Row, ...], dealt: list[tuple[Coup, int]]) -> list[int]:
    """How many deals meet each row before any other, each looked at by itself."""
    found = [0] * len(rows)
    for coup, number in dealt:
        seen = outcome(coup.outcome)
        met = next((at for at, row in enumerate(rows) if row.when.holds(coup, seen)), None)
        if met is not None:
            found[met] += number
    return found


@pytest.fixture(params=["hands by kind", "hands one by one"])
def counting(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways to go through the hands of a shoe, whichever would be quicker."""
    if request.param == "hands one by one":
        monkeypatch.setattr("punto.odds.by_cards._MANY", 0)
    return str(request.param)


@pytest.mark.usefixtures("counting")
@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("made", [random_rows, rows_of_hands])
def test_random_rows_are_counted_as_by_dealing_every_card(
    made: Callable[[int], tuple[Row, ...]], seed: int, small_deals: list[tuple[Coup, int]]
) -> None:
    rows = made(seed)
    shoe = [SMALL_SHOE.count(each) for each in CARDS]
    assert CardCounter(rows).count(shoe) == met_by_hand(rows, small_deals)


REPEATED = tuple(cards("Ah Ah Ah 6h 6h 8c Kd Kd"))
"""A shoe in which both hands, and one hand, can have the same card several times."""


@pytest.mark.usefixtures("counting")
@pytest.mark.parametrize("made", [random_rows, rows_of_hands])
@pytest.mark.parametrize("place", [None, 0, 1, 2, 3])
def test_rows_are_counted_as_by_dealing_every_card_where_cards_repeat_and_beside_a_printed_one(
    made: Callable[[int], tuple[Row, ...]], place: int | None
) -> None:
    printed = None if place is None else PrintedCard(place, card("Ah"), Basis())
    dealt: dict[tuple[Card, ...], list[Coup]] = {}
    for drawn in itertools.permutations(REPEATED, 6 if printed is None else 5):
        coup = deal_from(drawn if printed is None else (*drawn[: printed.place], printed.card, *drawn[printed.place :]))
        dealt.setdefault(coup.cards, []).append(coup)
    deals = [(coups[0], len(coups)) for coups in dealt.values()]
    shoe = [REPEATED.count(each) for each in CARDS]
    for seed in range(100, 125):
        rows = made(seed)
        assert CardCounter(rows, printed).count(shoe) == met_by_hand(rows, deals), seed


@pytest.mark.usefixtures("counting")
def test_two_bets_are_counted_jointly_as_by_dealing_every_card(small_deals: list[tuple[Coup, int]]) -> None:
    shoe = [SMALL_SHOE.count(each) for each in CARDS]
    for seed in range(20):
        one, other = random_rows(seed), random_rows(seed + 50)
        expected: dict[tuple[int, int], int] = {}
        for coup, number in small_deals:
            seen = outcome(coup.outcome)
            met = tuple(
                next((at for at, row in enumerate(rows) if row.when.holds(coup, seen)), -1) for rows in (one, other)
            )
            expected[met[0], met[1]] = expected.get((met[0], met[1]), 0) + number
        assert CardCounter((*one, *other)).together(shoe, len(one)) == expected, seed


POKER = (
    '{ all-cards = { same = "suit" } }',
    "{ all-cards = { of-a-kind = 5 } }",
    "{ all-cards = { of-a-kind = 4 } }",
    "{ all-cards = { of-a-kind = [3, 3] } }",
    "{ all-cards = { of-a-kind = [3, 2] } }",
    "{ all-cards = { of-a-kind = 3 } }",
    "{ all-cards = { of-a-kind = [2, 2, 2] } }",
    "{ all-cards = { of-a-kind = [2, 2] } }",
    '{ all-cards = { suits = "h", count = "3-6" }, any = [{ sum = "0-9" }, { third-cards = { colour = "red" } }] }',
)


def test_a_bet_that_looks_at_all_ranks_and_suits_at_once_is_counted_from_a_whole_shoe() -> None:
    """What would be thousands of millions of deals card by card; without the order of rows it adds up the same."""
    rows = rows_of(*(f'when = {each}\nodds = "2:1"' for each in POKER), more="in-order = true")
    shoe = full_shoe(8, by_suit=True)
    counted = CardCounter(rows).count(shoe)
    lost = CardCounter((structs.replace(rows[0], when=Pattern(none=tuple(row.when for row in rows))),)).count(shoe)
    assert sum(counted) + sum(lost) == perm(416, 6)
    [flush] = CardCounter(rows[:1]).count(shoe)
    assert counted[0] == flush
    suits = [frozenset({suit}) for suit in "cdhs"]
    by_suit = [structs.replace(rows[0], when=Pattern(cards=(CardTest("all-cards", suits=suit),))) for suit in suits]
    assert sum(CardCounter(tuple(by_suit)).count(shoe)) == flush


def rows_of_many_tests(seed: int) -> tuple[Row, ...]:
    """A bet of twelve different tests: as rows, joined by `any`, or none of which may hold."""
    chance = random.Random(f"many {seed}")
    template = rows_of('when = { winner = "tie" }\nodds = "1:1"')[0]
    each = tuple(Pattern(cards=(random_test(chance),)) for _ in range(12))
    patterns = (each, (Pattern(any=each),), (Pattern(none=each),))[seed % 3]
    return tuple(structs.replace(template, when=pattern) for pattern in patterns)


def test_bets_of_many_tests_are_counted_the_same_in_both_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole and depleted shoes, with suits that can be exchanged and without."""
    chance = random.Random(12)
    depleted = [chance.randint(0, 8) for _ in CARDS]
    shoes = [full_shoe(8, by_suit=True), depleted, [depleted[at - at % 4] for at in range(len(CARDS))]]
    for seed in range(6):
        rows = rows_of_many_tests(seed)
        monkeypatch.setattr("punto.odds.by_cards._MANY", 10**12)
        by_kind = CardCounter(rows)
        monkeypatch.setattr("punto.odds.by_cards._MANY", 0)
        one_by_one = CardCounter(rows)
        for shoe in shoes:
            assert by_kind.count(shoe) == one_by_one.count(shoe), seed


def test_what_an_outcome_tells_is_counted_the_same_by_cards() -> None:
    """Two ways to count: the 2,000 outcomes, and the cards."""
    chance = random.Random(7)
    counts = outcome_counts(full_shoe(6))
    for _ in range(8):
        names = [name for name in chance.sample(list(PATTERN), 2) if not name.endswith("two-card")]
        fields = tuple(random_field(chance, name) for name in names)
        pattern = Pattern(fields)
        row = rows_of('when = { winner = "tie" }\nodds = "1:1"')[0]
        [by_cards] = CardCounter((Row("x", pattern, "win", row.odds, row.basis),)).count(full_shoe(6, by_suit=True))
        assert by_cards == int(matches(pattern) @ counts)


# Told before the coup has ended


@pytest.mark.parametrize("seed", range(40))
def test_what_is_told_early_is_never_wrong(seed: int) -> None:
    """Some cards of a coup lie open; whatever is said of a pattern then holds for every coup that can still come."""
    chance = random.Random(f"early {seed}")
    pattern = random_pattern(chance)
    for _ in range(60):
        coup = deal_from(tuple(chance.choice(CARDS) for _ in range(6)))
        hands = ((*coup.player, None)[:3], (*coup.banker, None)[:3])
        player, banker = (tuple(each if chance.random() < 0.7 else None for each in hand) for hand in hands)
        shown = (player, banker)
        seen = [outcome(index) for index in possible(*shown)]
        told = pattern.told(shown, seen)
        assert told in (None, pattern.holds(coup, outcome(coup.outcome))), (shown, coup)


# At the table and in a settlement

PERFECT = bet("perfect", 'when = { player-start = { same = ["rank", "suit"] } }\nodds = "25:1"')


def test_a_bet_on_suits_is_settled_by_the_cards_and_needs_their_suits() -> None:
    book = book_with(PERFECT)
    [line] = settle(book, deal("6h 2c 6h 5d 4c"), [Wager("perfect", 1000)])
    assert (line.net, line.says) == (
        25000,
        "Player 6h 6h 4c, Banker 2c 5d: 10.00 on Perfect wins 250.00 at 25 to 1.",
    )
    with pytest.raises(ValueError, match=r"Perfect looks at suits: every card needs its own, like 6h\."):
        settle(book, deal("6 2c 6h 5d 4c"), [Wager("perfect", 1000)])
    assert bet_odds(menu(book), full_shoe(8))["perfect"].hit == pytest.approx(7 / 415)


def test_a_decided_bet_on_cards_stands_so_before_the_coup_ends() -> None:
    priced = menu(book_with(PERFECT))["perfect"]
    nothing = (None, None, None)
    for faces, stands in (("6h 6h", "won"), ("6h 6d", "lost"), ("6h", "open")):
        player = (*map(card, faces.split()), *nothing)[:3]
        assert standing(priced, possible(player, nothing), (player, nothing)) == stands


def test_a_table_deals_a_book_with_such_bets(tmp_path: Path) -> None:
    named = BASE.replace('id = "commission-insurance"', 'id = "with-side-bets"', 1)
    at = named.index("pays = [", named.index("[layouts."))
    text = named[: at + 8] + '"side", ' + named[at + 8 :] + PERFECT
    (tmp_path / "side.toml").write_text(text, encoding="utf-8")
    story = """scenario A perfect pair
open-table side.toml 2025-03-01T20:00:00+08:00 decks=8 minimum=10 differential=100000
load-shoe
sit ann 1
buy-in ann 1000
open-bets
place ann perfect 10
close-bets
draw
draw
draw
draw
expose 6 2c 6h 5d
  refused
expose 6h 2c 6h 5d
draw
expose 4c
settle
  line ann perfect win 250
"""
    played = play(read(story, str(tmp_path / "a.scenario")))
    assert played.as_told, played.differences


def test_a_certificate_has_bets_on_cards_dealt_and_counted() -> None:
    book = book_with(PERFECT)
    confirmed, exposed = confirm(book, shoes=200), expose_book(book, shoes=2)
    says = html(certificate(book, None, 8, confirmed, exposed)).decode()
    assert "Perfect" in [each.name for bets in confirmed.bets.values() for each in bets]
    assert "Perfect" in [name for named in exposed.groups.values() for _, name in named]
    assert "Left out" not in says
    assert "taken to be paid its best row on every coup" in says


@pytest.mark.parametrize("seed", range(60))
def test_every_pattern_can_be_said_in_chinese(seed: int) -> None:
    pattern = random_pattern(random.Random(f"chinese {seed}"))
    told = in_chinese(pattern_in_words(pattern).message)
    named = {"none", "player", "banker", "both", "twin"}
    assert set(re.findall("[a-z]{2,}", told)) <= named, told


def test_patterns_in_words() -> None:
    rows = rows_of(
        'when = { winner = "banker", points = 9, loser-points = "0-7", margin = 9 }\nodds = "1:1"',
        'when = { player-start = [{ same = ["rank", "suit"] }, { ranks = "JQK" }] }\nodds = "1:1"',
        'when = { all-cards = { of-a-kind = [3, 2] }, not = { sum = 0 } }\nodds = "1:1"',
        'when = { all-cards = { colour = "red", count = "2-4" } }\nodds = "1:1"',
        'when = { not = { first-four = { of-a-kind = 2, kind = "suit" } } }\nodds = "1:1"',
        'when = "otherwise"\nresult = "lost"',
        more="in-order = true",
    )
    assert [str(pattern_in_words(row.when)) for row in rows] == [
        "Banker wins on 9 against 0-7 by 9",
        "One rank and suit among the Player's first two cards and only J, Q or K among the Player's first two cards",
        "Three of one rank and two of another among the cards, but not: totals of 0 together",
        "2-4 red cards among the cards",
        "Not: two of one suit among the first four cards",
        "Otherwise",
    ]
    natural = rows_of('when = { winner = "player", natural = ["player", "both"], banker-two-card = 7 }\nodds = "1:1"')
    assert str(pattern_in_words(natural[0].when)) == (
        "Player wins with a natural in the Player hand and 7 on the Banker's first two cards"
    )


@pytest.mark.parametrize(
    ("when", "says"),
    [
        (
            '{ winner = "banker", points = 6, banker-cards = 3, cards = 6, natural = "none" }',
            "Banker wins on 6 with three cards, with six cards on the table, with no natural",
        ),
        (
            '{ winner = "tie", points = 6, cards = 6, any = [{ natural = "none" }, { pairs = "twin" }] }',
            "Tie on 6 with six cards on the table, no natural or both hands hold the same pair",
        ),
        ('{ winner = "banker", points = 6, banker-cards = 3 }', "Banker wins on 6 with three cards"),
    ],
)
def test_parts_of_a_long_row_are_divided_by_commas(when: str, says: str) -> None:
    text = (
        source("punto-banco")
        .decode()
        .replace('when = { winner = "tie" }\nodds = "8:1"', f'when = {when}\nodds = "8:1"')
    )
    [row] = parse(text.encode(), "mine.toml").pays["tie"]
    assert str(pattern_in_words(row.when)) == says

"""What can still happen after some cards are exposed, and which bets that decides."""

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations, product
from random import Random

import pytest

from punto.coup import (
    OUTCOMES,
    Card,
    banker_draws,
    card,
    deal_from,
    outcome,
    possible,
    reachable_outcomes,
    result_fixed,
)
from punto.rulebook import Menu, Refused, established, load, menu, standing

import second

Hand = tuple[Card | None, Card | None, Card | None]
NOTHING: Hand = (None, None, None)
RANKS = range(1, 14)
MAIN = ("player", "banker", "tie")
PAIR_BETS = ("player-pair", "banker-pair", "tiger-pair")

# A layout of every book and list of bets for which figures were worked out.
LISTS = {
    "dhyx": ("da-hu-ying-xiong", "A"),
    "wusong A-D": ("wu-song", "A"),
    "wusong E-F": ("wu-song", "E"),
    "dt-mbs": ("dragon-tiger-mbs", "A"),
    "cbi": ("commission-insurance", "A"),
    "dt-hoiana": ("dragon-tiger-hoiana", "1"),
}


def laid(*ranks: int | None) -> Hand:
    first, last, third = (Card(rank) if rank else None for rank in (*ranks, None, None, None)[:3])
    return first, last, third


def of_total(points: int) -> tuple[int, int]:
    """Two cards of this total that are no pair."""
    return (10, points) if points else (10, 11)


def menus() -> Iterator[tuple[str, Menu]]:
    return ((name, menu(load(book), layout)) for name, (book, layout) in LISTS.items())


# --- The second method: every card there is in every unknown place, drawn by the second implementation. ---


def brute(player: Hand, banker: Hand) -> set[int]:
    """A third card counts by its value only, so pictures are left out there."""
    places = [player[0], banker[0], player[1], banker[1]]
    ranks = [RANKS if each is None else (each.rank,) for each in places]
    thirds = [range(1, 11) if each is None else (each.rank,) for each in (player[2], banker[2])]
    found = set()
    for a, b, c, d in product(*ranks):
        for drawn, last in product(*thirds):
            coup = second.draw(a, b, c, d, drawn, last)
            if coup.player_cards == 2:  # then the fifth card of the shoe is the Banker's
                coup = second.draw(a, b, c, d, last, last)
            if (player[2] and coup.player_cards == 2) or (banker[2] and coup.banker_cards == 2):
                continue
            pairs = 1 if coup.player_pair else 0
            if coup.banker_pair:
                pairs = 4 if coup.banker_pair == coup.player_pair else pairs + 2
            cards = 2 * (coup.player_cards - 2) + coup.banker_cards - 2
            found.add(200 * (coup.player % 10) + 20 * (coup.banker % 10) + 5 * cards + pairs)
    return found


@pytest.mark.parametrize("unknown", range(5))
def test_a_second_method_finds_the_same_outcomes(unknown: int) -> None:
    dice = Random(unknown)
    samples = (30, 20, 12, 3, 1)[unknown]
    empty = 0
    for places in combinations(range(6), unknown):
        for _ in range(samples):
            ranks = [None if place in places else dice.choice(RANKS) for place in range(6)]
            player, banker = laid(*ranks[:3]), laid(*ranks[3:])
            expected = brute(player, banker)
            assert possible(player, banker) == expected, (player, banker)
            empty += not expected
    if unknown < 3:
        assert empty  # hands that contradict the Table of Play came up too


def test_with_nothing_exposed_every_outcome_the_cards_can_make_is_possible() -> None:
    assert possible(NOTHING, NOTHING) == reachable_outcomes()


def test_a_finished_coup_leaves_its_own_outcome() -> None:
    dice = Random(6)
    for _ in range(500):
        coup = deal_from(tuple(Card(dice.choice(RANKS)) for _ in range(6)))
        player, banker = ((*hand, None)[:3] for hand in (coup.player, coup.banker))
        left = possible(player, banker)
        assert left == {coup.outcome}
        assert result_fixed(left) == coup.winner


def test_what_can_happen_only_shrinks_as_cards_are_exposed() -> None:
    dice = Random(7)
    for _ in range(100):
        coup = deal_from(tuple(Card(dice.choice(RANKS)) for _ in range(6)))
        slots: list[Card | None] = [None] * 6
        before = possible(NOTHING, NOTHING)
        hands = [*enumerate(coup.player), *enumerate(coup.banker, start=3)]
        dice.shuffle(hands)
        for place, each in hands:
            slots[place] = each
            after = possible(tuple(slots[:3]), tuple(slots[3:]))
            assert coup.outcome in after
            assert after <= before
            before = after


def test_suits_do_not_matter_and_equal_possibilities_are_one_set() -> None:
    hearts = possible((card("3h"), card("Kh"), None), NOTHING)
    assert possible((card("Qs"), card("3"), None), NOTHING) is hearts


def test_an_exposed_third_card_tells_of_the_cards_before_it() -> None:
    drew = possible((card("3"), None, card("K")), NOTHING)
    assert {outcome(index).player_cards for index in drew} == {3}
    assert {outcome(index).pairs for index in drew} == {"none", "banker"}  # two threes would have stood on 6
    assert {outcome(index).player_points for index in drew} == set(range(6))


@pytest.mark.parametrize(
    ("player", "banker"),
    [
        (laid(9, 13, 2), NOTHING),  # a natural takes no card
        (laid(6, 13, 2), NOTHING),  # the Player stands on 6
        (laid(1, 1, 2), laid(8, 13)),  # against a natural nobody draws
        (NOTHING, laid(7, 13, 2)),  # the Banker stands on 7
        (laid(7, 13), laid(6, 13, 1)),  # and on 6 when the Player stood
        (laid(1, 1, 8), laid(3, 13, 1)),  # and on 3 against an 8
    ],
)
def test_cards_that_contradict_the_table_of_play_leave_nothing(player: Hand, banker: Hand) -> None:
    left = possible(player, banker)
    assert left == frozenset()
    assert result_fixed(left) is None
    assert standing(menu(load("wu-song"))["tie"], left) == "open"


# --- When each bet is decided. ---

# Lost on the Player's two cards; lost on the Banker's two; won at these four-card totals; of the 100
# four-card totals so many lost and open; and with the Banker still to draw after the Player's third
# card, lost unless the Player has one of these points.
DECIDED: dict[str, tuple[str, str, list[tuple[int, int]] | int, int, int, str]] = {
    "player": ("", "", 18, 18, 60, "0123456789"),
    "banker": ("", "", 18, 18, 60, "0123456789"),
    "tie": ("", "", [(6, 6), (7, 7), (8, 8), (9, 9)], 36, 60, "0123456789"),
    "tiger-tie": ("789", "789", [(6, 6)], 55, 44, "6"),
    "tiger": ("6789", "789", [], 59, 41, "012345"),
    "big-tiger": ("6789", "789", [], 62, 38, "012345"),
    "small-tiger": ("6789", "012345789", [], 94, 6, ""),
    "banker-big-7": ("789", "789", [], 54, 46, "0123456"),
    "banker-small-7": ("789", "012345689", [(6, 7)], 93, 6, ""),
    "player-big-7": ("6789", "789", [], 58, 42, "7"),
    "player-small-7": ("012345689", "789", [(7, 6)], 93, 6, ""),
    "big-dragon": ("6789", "789", [], 58, 42, "7"),
    "small-dragon": ("012345689", "789", [(7, 6)], 93, 6, ""),
    "dragon-tiger": ("689", "789", [(7, 6)], 53, 46, "7"),
    "wu-song": ("6789", "789", [], 63, 37, "6"),
    "wu-dalang": ("6789", "789", [], 71, 29, "1"),
}


def test_every_bet_that_is_no_pair_bet_has_its_figures() -> None:
    assert {bet for _, each in menus() for bet in each.bets} - set(PAIR_BETS) == set(DECIDED)


@pytest.mark.parametrize("bet", DECIDED)
def test_when_a_bet_is_decided(bet: str) -> None:
    player_lost, banker_lost, won, lost, still_open, unless = DECIDED[bet]
    for _, each in menus():
        if bet not in each.bets:
            continue
        priced = each[bet]
        for one, other in product(RANKS, repeat=2):  # one hand alone never wins such a bet
            total = str((Card(one).value + Card(other).value) % 10)
            two = laid(one, other)
            assert standing(priced, possible(two, NOTHING)) == ("lost" if total in player_lost else "open")
            assert standing(priced, possible(NOTHING, two)) == ("lost" if total in banker_lost else "open")
            assert standing(priced, possible(laid(one), laid(other))) == "open"
        cells = {
            (player, banker): standing(priced, possible(laid(*of_total(player)), laid(*of_total(banker))))
            for player, banker in product(range(10), repeat=2)
        }
        winning = [cell for cell, found in cells.items() if found == "won"]
        assert winning == won if isinstance(won, list) else len(winning) == won
        counted = Counter(cells.values())
        assert (counted["lost"], counted["open"]) == (lost, still_open)
        assert counted["stand-off"] == (4 if bet in ("player", "banker") else 0)
        for player, banker, drawn in product(range(6), range(7), range(1, 11)):
            if banker_draws(player, banker, drawn % 10):
                left = possible(laid(*of_total(player), drawn), laid(*of_total(banker)))
                points = str((player + drawn) % 10)
                assert standing(priced, left) == ("open" if points in unless else "lost")


def test_a_fifth_card_of_the_banker_decides_everything() -> None:
    for player, banker, last in product((6, 7), range(6), RANKS):
        assert len(possible(laid(*of_total(player)), laid(*of_total(banker), last))) == 1


def test_pair_bets() -> None:
    wu_song, da_hu = menu(load("wu-song")), menu(load("da-hu-ying-xiong"))
    for ranks in product(RANKS, repeat=2):
        two, found = laid(*ranks), "won" if ranks[0] == ranks[1] else "lost"
        for player, banker, own, other in (
            (two, NOTHING, "player-pair", "banker-pair"),
            (NOTHING, two, "banker-pair", "player-pair"),
        ):
            left = possible(player, banker)
            assert standing(wu_song[own], left) == found
            assert standing(wu_song[other], left) == "open"
            assert standing(da_hu["tiger-pair"], left) == ("won" if found == "won" else "open")
    tiger_pair = da_hu["tiger-pair"]
    assert standing(tiger_pair, possible(laid(2, 3), laid(5))) == "open"
    assert standing(tiger_pair, possible(laid(2, 3), laid(5, 6))) == "lost"
    assert standing(tiger_pair, possible(laid(2, 3), laid(5, 5))) == "won"


def test_a_certain_stand_off_is_neither_won_nor_lost() -> None:
    each = menu(load("commission-insurance"))
    sevens = possible(laid(10, 7), laid(13, 7))
    assert result_fixed(sevens) == "tie"
    assert [standing(each[bet], sevens) for bet in MAIN] == ["stand-off", "stand-off", "won"]
    assert not established(each, sevens, ["player", "banker"])
    assert established(each, sevens, ["player", "tie"])
    assert not established(each, sevens, [])


def test_a_bet_that_cannot_win_but_may_stand_off_is_open() -> None:
    left = possible(laid(10, 9), NOTHING)
    assert standing(menu(load("wu-song"))["banker"], left) == "open"
    assert result_fixed(left) is None


def test_established_refuses_a_bet_the_layout_does_not_carry() -> None:
    with pytest.raises(Refused, match="Layout F does not carry Wu Song"):
        established(menu(load("wu-song"), "F"), reachable_outcomes(), ["wu-song"])


def test_standings_follow_the_verdicts() -> None:
    words = {"win": "won", "lose": "lost", "stand-off": "stand-off"}
    for _, each in menus():
        for priced in each.bets.values():
            for index in range(0, OUTCOMES, 7):
                assert standing(priced, frozenset({index})) == words[priced.verdict(index).result]


# --- Shares of all deals, from a shoe without end: every rank as likely at every place. ---

STAGES: dict[str, str] = {
    "P1": "p",
    "P1 B1": "pb",
    "P1 P2": "pP",
    "B1 B2": "bB",
    "P1 B1 P2": "pbP",
    "P1 B1 B2": "pbB",
    "four": "pPbB",
}

# By stage: A, any bet of the list is won or lost; N, any but the pair bets; M, any of Player, Banker
# and Tie; R, the result is fixed.
NONE = (0.0, 0.0, 0.0, 0.0)
SHARES: dict[str, dict[str, tuple[float, float, float, float]]] = {
    "dhyx": {
        "P1 P2": (0.432, 0.379, 0, 0),
        "B1 B2": (0.917, 0.905, 0, 0),
        "four": (1, 0.973, 0.379, 0.379),
    },
    "wusong A-D": {
        "P1 P2": (1, 0.379, 0, 0),
        "B1 B2": (1, 0.905, 0, 0),
        "four": (1, 1, 0.379, 0.379),
    },
    "wusong E-F": {"P1 P2": (1, 1, 0, 0), "B1 B2": (1, 1, 0, 0), "four": (1, 1, 0.379, 0.379)},
    "dt-mbs": {"P1 P2": (1, 1, 0, 0), "B1 B2": (0.905, 0.905, 0, 0), "four": (1, 1, 0.379, 0.379)},
    "cbi": {"P1 P2": (1, 0, 0, 0), "B1 B2": (1, 0, 0, 0), "four": (1, 0.379, 0.379, 0.379)},
    "dt-hoiana": {"P1 P2": (1, 1, 0, 0), "B1 B2": (1, 0.905, 0, 0), "four": (1, 1, 0.379, 0.379)},
}
for _stages in SHARES.values():  # one card of the other hand changes nothing
    _stages |= {"P1": NONE, "P1 B1": NONE, "P1 B1 P2": _stages["P1 P2"], "P1 B1 B2": _stages["B1 B2"]}


@cache
def at_stage(stage: str) -> Counter[frozenset[int]]:
    """How often each set of outcomes is left at a stage."""
    seen = STAGES[stage]
    found: Counter[frozenset[int]] = Counter()
    for ranks in product(RANKS, repeat=len(seen)):
        shown: dict[str, int] = dict(zip(seen, ranks, strict=True))
        found[possible(laid(shown.get("p"), shown.get("P")), laid(shown.get("b"), shown.get("B")))] += 1
    return found


@cache
def third_card() -> Counter[frozenset[int]]:
    """The same after the Player's third card, where the Banker is still to draw."""
    found: Counter[frozenset[int]] = Counter()
    totals = Counter((Card(one).value + Card(other).value) % 10 for one, other in product(RANKS, repeat=2))
    for player, banker, drawn in product(range(6), range(7), RANKS):
        if banker_draws(player, banker, Card(drawn).value):
            # no pair here: the pair bets are decided by now, and the others do not look at pairs
            left = possible(laid(*of_total(player), drawn), laid(*of_total(banker)))
            found[left] += totals[player] * totals[banker]
    return found


def share(found: Counter[frozenset[int]], chosen: Iterable[frozenset[int]]) -> float:
    return sum(found[left] for left in chosen) / found.total()


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("name", LISTS)
def test_shares_by_stage(name: str, stage: str) -> None:
    book, layout = LISTS[name]
    each, found = menu(load(book), layout), at_stage(stage)
    no_pairs = [bet for bet in each.bets if bet not in PAIR_BETS]
    shares = [
        share(found, (left for left in found if established(each, left, bets))) for bets in (each.bets, no_pairs, MAIN)
    ]
    shares.append(share(found, (left for left in found if result_fixed(left))))
    assert shares == pytest.approx(SHARES[name][stage], abs=0.0005)


# Won and lost after three cards in dealing order, after four, and after the Player's third card with
# the Banker to draw. On the first two cards every bet is open.
BY_BET: dict[str, tuple[tuple[float, float], tuple[float, float], tuple[float, float] | None]] = {
    "player": ((0, 0), (0.171, 0.171), (0, 0)),
    "banker": ((0, 0), (0.171, 0.171), (0, 0)),
    "tie": ((0, 0), (0.036, 0.343), (0, 0)),
    "tiger-tie": ((0, 0.284), (0.009, 0.523), (0, 0.912)),
    "tiger": ((0, 0.379), (0, 0.564), (0, 0.352)),
    "big-tiger": ((0, 0.379), (0, 0.596), (0, 0.352)),
    "small-tiger": ((0, 0.379), (0, 0.941), (0, 1)),
    "tiger-pair": ((0.077, 0), (0.148, 0.852), None),
    "player-pair": ((0.077, 0.923), (0.077, 0.923), None),
    "banker-pair": ((0, 0), (0.077, 0.923), None),
    "wu-song": ((0, 0.379), (0, 0.600), (0, 0.912)),
    "wu-dalang": ((0, 0.379), (0, 0.687), (0, 0.895)),
    "banker-big-7": ((0, 0.284), (0, 0.514), (0, 0.264)),
    "banker-small-7": ((0, 0.284), (0.009, 0.932), (0, 1)),
    "player-big-7": ((0, 0.379), (0, 0.555), (0, 0.905)),
    "player-small-7": ((0, 0.905), (0.009, 0.932), (0, 1)),
    "dragon-tiger": ((0, 0.284), (0.009, 0.505), (0, 0.905)),
    "big-dragon": ((0, 0.379), (0, 0.555), (0, 0.905)),
    "small-dragon": ((0, 0.905), (0.009, 0.932), (0, 1)),
}


@pytest.mark.parametrize("name", LISTS)
def test_shares_by_bet(name: str) -> None:
    book, layout = LISTS[name]
    for bet, priced in menu(load(book), layout).bets.items():
        three, four, drawn = BY_BET[bet]
        for found, expected in (
            (at_stage("P1"), (0, 0)),
            (at_stage("P1 B1"), (0, 0)),
            (at_stage("P1 B1 P2"), three),
            (at_stage("four"), four),
            (third_card(), drawn),
        ):
            standings = {left: standing(priced, left) for left in found}
            if expected is None:
                assert "open" not in standings.values()
                continue
            shares = [share(found, (left for left in found if standings[left] == word)) for word in ("won", "lost")]
            assert shares == pytest.approx(expected, abs=0.0005), (bet, expected)
            stand_off = share(found, (left for left in found if standings[left] == "stand-off"))
            ties = 0.036 if found is at_stage("four") and bet in ("player", "banker") else 0
            assert stand_off == pytest.approx(ties, abs=0.0005)


@pytest.mark.parametrize("name", LISTS)
def test_with_the_banker_to_draw_a_side_bet_is_decided_and_the_result_open(name: str) -> None:
    book, layout = LISTS[name]
    each = menu(load(book), layout)
    no_pairs = [bet for bet in each.bets if bet not in PAIR_BETS]
    for left in third_card():
        assert established(each, left, each.bets)
        assert established(each, left, no_pairs) == (name != "cbi")
        assert not established(each, left, MAIN)
        assert result_fixed(left) is None


def test_the_earliest_card_that_decides_some_bet() -> None:
    """In dealing order the third card, in Da Hu Ying Xiong the fourth unless the Player has a pair or 6 and more."""
    for name, each in menus():
        for one, other in product(RANKS, repeat=2):
            total = (Card(one).value + Card(other).value) % 10
            after_three = established(each, possible(laid(one, other), laid(5)), each.bets)
            assert after_three == (name != "dhyx" or one == other or total >= 6)
            banker_first = established(each, possible(NOTHING, laid(one, other)), each.bets)
            still_open = total == 6 and (name == "dt-mbs" or (name == "dhyx" and one != other))
            assert banker_first != still_open

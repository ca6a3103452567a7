"""Bets that look at cards are dealt: against shoes dealt by hand, exact counts, and settlement coup by coup."""

import random
from collections import Counter
from fractions import Fraction
from functools import cache
from pathlib import Path

import msgspec
import numpy as np
import pytest

from punto.coup import Card, Coup, cards, deal
from punto.exposure import countermeasures, exact_edges, expose, next_round, removal
from punto.exposure.card_nets import card_nets
from punto.exposure.taken_cards import LANES
from punto.kernels.draw import RANK_ORDER
from punto.odds import bet_odds, full_shoe, net_vector, without
from punto.rulebook import Bet, Menu, Odds, Pattern, Priced, Row, load, menu
from punto.rulebook.patterns import GROUPS, PLACES, CardTest
from punto.simulation import Dealing, by_shoe, deal_cards, simulate
from punto.simulation import load as load_tally
from punto.simulation.card_bets import card_bets
from punto.simulation.tally import load_kept
from ranks_asked import with_ranks_asked
from seeds import seed_of
from test_published_bets import book

from shoe_by_hand import dealt_by_hand, faces_by_hand

DEALINGS = [Dealing(), Dealing(decks=1, cut=6, burn=7), Dealing(decks=12, rounds=40), Dealing(decks=6, cut=20, burn=12)]

PUBLISHED = (
    "fab4-pair",
    "perfect-pair-25-200",
    "perfect-pairs-pa",
    "banker-suited-pair",
    "majestic-match",
    "lucky-nines-redrock",
    "all-red",
    "player-red",
    "monkey",
    "bellagio-player",
    "matching-dragon-1-7",
    "matching-dragon-2-k",
    "3g8-200",
    "high-tie-max",
)
"""Suits, colours, three of a kind, chosen ranks, positions: a slice of what is published."""


FEW = ("lucky-nines-redrock", "bellagio-player", "player-red")


@cache
def published() -> Menu:
    found = menu(book())
    return Menu(found.book, found.layout, {bet: found[bet] for bet in PUBLISHED})


def few() -> dict[str, Priced]:
    return {bet: published()[bet] for bet in FEW}


# The shoe


@pytest.mark.parametrize("dealing", DEALINGS)
def test_a_shoe_is_dealt_by_rank_and_suit_as_by_hand(dealing: Dealing) -> None:
    for number in (0, 3):
        assert deal_cards(7, number, dealing) == faces_by_hand(7, number, dealing)


def test_suits_change_nothing_of_the_ranks() -> None:
    ranks = [tuple(card.rank for card in cards) for cards in deal_cards(1, 5)]
    assert ranks == dealt_by_hand(1, 5, Dealing())


def test_a_whole_deck_comes_out() -> None:
    """One deck dealt nearly to its end: no card twice, and every suit as often as the ranks allow."""
    dealt = Counter(str(card) for cards in deal_cards(2, 0, Dealing(decks=1, cut=6)) for card in cards)
    assert max(dealt.values()) == 1
    assert len(dealt) >= 44
    assert RANK_ORDER[0] == 9


# Kernel against settlement


def counted_by_settling(bets: dict[str, Priced], dealing: Dealing, seed: int, shoes: int) -> dict[str, tuple[int, ...]]:
    """By bet the rounds that each row takes and those that none does, coup by coup."""
    found = {name: [0] * (len(priced.rows) + 1) for name, priced in bets.items()}
    for number in range(shoes):
        for dealt in faces_by_hand(seed, number, dealing):
            coup = deal(" ".join(map(str, dealt)))
            for name, priced in bets.items():
                row = priced.row_of(coup)
                found[name][len(priced.rows) if row is None else priced.rows.index(row)] += 1
    return {name: tuple(counts) for name, counts in found.items()}


def settled_alike(bets: dict[str, Priced], dealing: Dealing, seed: int, shoes: int = 4) -> None:
    tally = simulate(dealing, seed=seed, shoes=shoes, cards=bets)
    assert tally.rows == counted_by_settling(bets, dealing, seed, shoes)
    for name, priced in bets.items():
        nets = [*(row.odds.fraction if row.odds else 0 for row in priced.rows), -1]
        won = sum(net * count for net, count in zip(nets, tally.rows[name], strict=True))
        assert tally.bets[name].net == won * tally.bets[name].unit


@pytest.mark.parametrize("dealing", DEALINGS)
def test_published_bets_are_counted_as_coups_are_settled(dealing: Dealing) -> None:
    settled_alike(published().bets, dealing, seed=3, shoes=2)


def random_test(chance: random.Random) -> CardTest:
    group = chance.choice(GROUPS)
    size = len(PLACES[group])
    ranks = frozenset(chance.sample(range(1, 14), chance.randint(1, 8))) if chance.random() < 0.5 else None
    suits = frozenset(chance.sample("cdhs", chance.randint(1, 3))) if chance.random() < 0.3 else None
    count = frozenset(chance.sample(range(size + 1), chance.randint(1, size))) if chance.random() < 0.5 else None
    same = tuple(each for each in ("rank", "suit", "colour") if size > 1 and chance.random() < 0.2)
    kinds = ((), (2,), (2, 2), (3,), (3, 2))[chance.randrange(5)] if size > 2 and chance.random() < 0.3 else ()
    return with_ranks_asked(chance, CardTest(group, ranks, suits, count, same, kinds))


def random_pattern(chance: random.Random, depth: int = 0) -> Pattern:
    fields: list[tuple[str, frozenset[int | str]]] = []
    if chance.random() < 0.4:
        fields.append(("winner", frozenset(chance.sample(["player", "banker", "tie"], 2))))
    if chance.random() < 0.2:
        fields.append(("player_two_card", frozenset(chance.sample(range(10), 4))))
    if chance.random() < 0.2:
        fields.append(("pairs", frozenset(chance.sample(["none", "player", "banker", "both", "twin"], 3))))
    if chance.random() < 0.2:
        fields.append(("cards", frozenset(chance.sample([4, 5, 6], 2))))
    cards = tuple(random_test(chance) for _ in range(chance.randint(1, 2)))
    inner = [random_pattern(chance, depth + 1) for _ in range(2)] if depth < 1 and chance.random() < 0.4 else []
    either, none = (tuple(inner), ()) if chance.random() < 0.5 else ((), tuple(inner[:1]))
    return Pattern(tuple(fields), cards, either, none)


def random_bet(chance: random.Random, name: str) -> Priced:
    like = published()["all-red"]
    rows = []
    for at in range(chance.randint(1, 3)):
        row = like.rows[0]
        rows.append(Row(name, random_pattern(chance), "win", Odds(f"{at + 1}:2", at + 1, 2), row.basis))
    bet: Bet = like.bet
    return Priced(bet, tuple(rows))


@pytest.mark.parametrize("game", range(8))
def test_random_patterns_are_counted_as_coups_are_settled(game: int) -> None:
    """Three bets of random patterns in a game, two shoes of each: each round falls into the row that settles it."""
    chance = random.Random(seed_of(f"random card bets {game}"))  # patterns, not secrets
    bets = {f"bet-{at}": random_bet(chance, f"bet-{at}") for at in range(3)}
    settled_alike(bets, Dealing(decks=chance.choice((1, 4, 8))), seed=game, shoes=2)


def test_bets_that_ask_too_much_at_once_are_counted_in_several_passes() -> None:
    bets = {bet: menu(book())[bet] for bet in menu(book()).bets if bet.startswith("matching-dragon-1")}
    found = card_bets(bets)
    assert found is not None
    assert len(found.passes) > 1
    assert set(found.names) == set(bets)
    settled_alike(bets, Dealing(rounds=60), seed=11, shoes=1)


# Against exact counts


def test_frequencies_are_the_exact_ones() -> None:
    """Each row of each bet within 4.5 standard errors of its exact share: chance leaves one run in ten thousand."""
    bets, rounds = published().bets, 69 * 8192
    tally = simulate(Dealing(rounds=69), seed=seed_of("published card bets"), shoes=8192, cards=bets)
    exact = bet_odds(published(), full_shoe(8))
    for name in bets:
        for each, count in zip(exact[name].rows, tally.rows[name], strict=False):
            share = float(each.probability)
            assert abs(count - share * rounds) < 4.5 * (share * (1 - share) * rounds) ** 0.5 + 1, (name, count, share)
        edge = tally.edge(name, 0.9999)
        assert edge.low is not None
        assert edge.high is not None
        assert edge.low <= float(exact[name].edge) <= edge.high


# A run


def test_outcomes_and_situations_are_those_of_a_run_without_cards() -> None:
    dealing, bets = Dealing(burn=5), few()
    plain = simulate(dealing, seed=4, shoes=300)
    for chosen in (bets, {"monkey": published()["monkey"]}):
        found = simulate(dealing, seed=4, shoes=300, cards=chosen)
        assert found.digest == plain.digest
        assert found.rounds_squared == plain.rounds_squared


def test_a_run_is_split_kept_and_gone_on_with(tmp_path: Path) -> None:
    bets = few()
    nets = {"player": net_vector(menu(load("wu-song"))["player"])}
    whole = simulate(Dealing(), seed=6, shoes=200, nets=nets, cards=bets, block=32)
    parts = [simulate(Dealing(), seed=6, shoes=100, first=at, nets=nets, cards=bets, block=32) for at in (100, 0)]
    assert parts[0] + parts[1] != whole  # a block was cut in two
    assert (parts[0] + parts[1]).rows == whole.rows
    halves = [
        simulate(Dealing(), seed=6, shoes=n, first=at, nets=nets, cards=bets, block=32)
        for at, n in ((0, 96), (96, 104))
    ]
    halves[0].save(tmp_path / "half.json")
    again = load_tally(tmp_path / "half.json")
    assert again + halves[1] == whole
    assert load_kept(tmp_path / "half.json")[1]


def test_a_kept_count_of_a_row_cannot_be_changed(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    tally = simulate(Dealing(), seed=6, shoes=20, cards={"all-red": published()["all-red"]})
    tally.save(file)
    won, lost = tally.rows["all-red"]
    file.write_text(file.read_text().replace(f'"all-red":[{won},{lost}]', f'"all-red":[{won + 1},{lost - 1}]'))
    with pytest.raises(ValueError, match="have been changed"):
        load_tally(file)


def test_the_bets_are_part_of_a_run() -> None:
    one, other = (simulate(Dealing(), seed=6, shoes=20, cards={bet: published()[bet]}) for bet in ("all-red", "monkey"))
    with pytest.raises(ValueError, match="different bets"):
        one + other


def test_a_bankroll_follows_a_bet_on_cards() -> None:
    """The bankroll at the end of each shoe is what settling its coups gives."""
    red, shoes = published()["player-red"], 20
    found = by_shoe(Dealing(), seed=9, shoes=shoes, cards={"red": red}, quantiles=[0.0, 1.0])
    ends = []
    for number in range(shoes):
        coups = [deal(" ".join(map(str, cards))) for cards in faces_by_hand(9, number, Dealing())]
        ends.append(sum(won(red, coup) for coup in coups))
    assert found.bankrolls["red"].final == (float(min(ends)), float(max(ends)))


def won(priced: Priced, coup: Coup) -> float:
    row = priced.row_of(coup)
    return -1.0 if row is None or row.odds is None else float(row.odds.fraction)


def test_cards_are_told_apart_as_the_books_do() -> None:
    """The order of the faces: a card's height times four, and its suit."""
    found = card_bets({"red": published()["player-red"]})
    assert found is not None
    assert np.asarray(found.steps)[:, 0].tolist() == [0, 2]
    assert str(Card(1, "c")) == "Ac"


# Exposure


def net_by_counting(priced: Priced, shoe: tuple[int, ...]) -> Fraction:
    """The patron's edge from one composition, by the counter of exact odds."""
    return -bet_odds(Menu(published().book, published().layout, {"it": priced}), shoe)["it"].edge


SHOES = (
    full_shoe(8, by_suit=True),
    without(full_shoe(6, by_suit=True), cards("Ah Ah Kd 7s 7s 7s 7c 6d 6d 2c Tc Th")),
    tuple((7 * at + at // 5) % 3 for at in range(52)),
)


@pytest.mark.parametrize("bet", PUBLISHED)
def test_edges_by_terms_are_those_by_counting(bet: str) -> None:
    """The sum over sets of cards, against the counting of deals, from full and from depleted shoes."""
    one = Menu(published().book, published().layout, {bet: published()[bet]})
    for shoe in SHOES:
        assert exact_edges(one, shoe)[bet] == net_by_counting(published()[bet], shoe)


@pytest.mark.parametrize("game", range(4))
def test_edges_of_random_patterns_are_those_by_counting(game: int) -> None:
    """Two tests of the first four cards at random; whole coups would take long."""
    chance = random.Random(seed_of(f"random card edges {game}"))
    tests = [test for test in (random_test(chance) for _ in range(200)) if "hand" not in test.group]
    starts = [test for test in tests if "third" not in test.group and test.group != "all-cards" and not test.same]
    like = published()["all-red"]
    row = msgspec.structs.replace(like.rows[0], when=Pattern((), tuple(starts[:2])))
    bet = Priced(like.bet, (row,))
    one = Menu(published().book, published().layout, {"bet": bet})
    for shoe in SHOES:
        assert exact_edges(one, shoe)["bet"] == net_by_counting(bet, shoe)


def test_many_compositions_at_once_have_the_sums_of_each_alone() -> None:
    """More than are counted side by side, and some left over."""
    on_cards = {"perfect-pair": menu(load("pairs-and-size"), "menu")["perfect-pair"]}
    nets = card_nets(on_cards)
    assert nets is not None
    chance = np.random.default_rng(7)
    shoes = chance.integers(0, 9, (2 * LANES + 3, 52)).astype(np.uint8)
    alone = [nets.sums(each[None])[0].tolist() for each in shoes]
    assert nets.sums(shoes).tolist() == alone
    assert len({each for [each] in alone}) == len(shoes)


def test_exposure_plays_bets_on_cards_beside_others() -> None:
    """Round by round as by hand: one unit whenever the edge from the unseen cards is the patron's."""
    whole = menu(load("match"), "colours")
    found = Menu(whole.book, whole.layout, {bet: whole[bet] for bet in ("player-red", "tie")})
    run = expose(found, Dealing(decks=1, cut=10), seed=5, shoes=6)
    favourable, gained, rounds = 0, 0.0, 0
    for number in range(6):
        left = list(full_shoe(1, by_suit=True))
        for dealt in faces_by_hand(5, number, Dealing(decks=1, cut=10)):
            edge = net_by_counting(found["player-red"], tuple(left))
            rounds += 1
            if edge > 0:
                favourable += 1
                gained += float(edge)
            for card in dealt:
                left[(card.rank - 1) * 4 + "cdhs".index(card.suit or "")] -= 1
    red = run.perfect("player-red")
    assert run.rounds == rounds
    assert favourable > 0
    assert red.share.value == pytest.approx(favourable / rounds)
    assert red.per_shoe.value == pytest.approx(gained / 6, abs=1e-8)
    plain = expose(Menu(found.book, found.layout, {"tie": found["tie"]}), Dealing(decks=1, cut=10), seed=5, shoes=6)
    assert run.perfect("tie") == plain.perfect("tie")


def test_what_a_removed_card_does_is_the_mean_over_its_suits() -> None:
    """Player Red at 2 to 1: without a card there are 25.5 of 51 red ones on average, whatever the rank."""
    colours = menu(load("match"), "colours")
    found = removal(Menu(colours.book, colours.layout, {"player-red": colours["player-red"]}), decks=1)["player-red"]
    pairs = [Fraction(red * (red - 1), 51 * 50) * 3 - 1 for red in (26, 25)]
    assert set(found) == {sum(pairs) / 2 - (Fraction(26 * 25, 52 * 51) * 3 - 1)}


def test_a_live_table_is_told_the_edge_of_a_bet_on_suits() -> None:
    colours = menu(load("match"), "colours")
    seen = cards("Ac As 2c 2s 3c 3s Kc Ks")
    assert next_round(colours, seen, decks=1)["player-red"] == Fraction(26 * 25, 44 * 43) * 3 - 1
    with pytest.raises(ValueError, match="needs one, like"):
        next_round(colours, [Card(1)], decks=1)


def test_countermeasures_protect_a_bet_on_cards() -> None:
    colours = menu(load("match"), "colours")
    found = countermeasures(colours, "player-red", Dealing(decks=1, cut=10), seed=1, shoes=40, decks=(2,), odds=[1])
    measured = {each.kind: each for each in found}
    assert measured["odds"].house_edge == pytest.approx(1 - 2 * 26 * 25 / (52 * 51))
    assert measured["as it is"].units > measured["decks"].units > measured["odds"].units

"""What a card counter could win: exact edges, perfect play, counts, insurance and countermeasures."""

from fractions import Fraction
from pathlib import Path

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from altered import altered
from punto.coup import OUTCOMES, Card, cards, outcome
from punto.exposure import (
    BadExposure,
    DealingProcedure,
    Exposure,
    best_count,
    correlation,
    count,
    countermeasures,
    edges,
    exact_edges,
    expose,
    load_exposure,
    nets,
    nets_of,
    next_round,
    offers_of,
    removal,
    tag_systems,
)
from punto.exposure.composition_edges import exact_edges_of
from punto.exposure.dealt_rounds import deal_rounds
from punto.exposure.net_sums import net_sums
from punto.kernels.draw import rank_of
from punto.odds import BadComposition, bet_odds, deals, full_shoe, offer_odds, outcome_counts, without
from punto.rulebook import Refused, ids, load, menu
from punto.simulation import BadTally, Dealing, deal_shoe, simulate

EXAMPLE = Path(__file__).parent.parent / "examples" / "banker-7-at-40.toml"
BIG_TIGER = count("big-tiger", "0,0,−1,−1,−1,−2,+1,+2,+2,0", 8)  # noqa: RUF001  # as it is printed
BANKER_7 = count("banker-big-7", "0,0,0,-1,-1,-1,-1,2,2,0", 4)
GRAIN = 2.0**-36


# Exact edges


@pytest.mark.parametrize("book", ids())
@pytest.mark.parametrize("decks", [1, 8])
def test_with_no_card_gone_every_edge_is_that_of_the_odds(book: str, decks: int) -> None:
    for layout in load(book).layouts:
        carried = menu(load(book), layout)
        odds = bet_odds(carried, full_shoe(decks))
        assert exact_edges(carried, full_shoe(decks)) == {name: -each.edge for name, each in odds.items()}


@settings(max_examples=40, deadline=None)
@given(shoe=st.lists(st.integers(0, 32), min_size=13, max_size=13), book=st.sampled_from(ids()))
def test_from_any_composition_every_edge_is_that_of_the_odds(shoe: list[int], book: str) -> None:
    carried = menu(load(book))
    if sum(shoe) < 6:
        with pytest.raises(BadComposition, match="a coup may need six"):
            edges(carried, shoe)
        return
    exact = {name: -each.edge for name, each in bet_odds(carried, shoe).items()}
    assert exact_edges(carried, shoe) == exact
    assert edges(carried, shoe)[0] == pytest.approx([float(edge) for edge in exact.values()], rel=1e-14, abs=1e-15)


def test_many_compositions_at_once_are_each_as_good_as_alone() -> None:
    """More than fill the lanes of a vector, and a number that leaves some of them over."""
    carried = menu(load("wu-song"))
    shoes = np.random.default_rng(1).integers(1, 33, size=(77, 13))
    together = edges(carried, shoes)
    assert np.array_equal(together, np.concatenate([edges(carried, shoe) for shoe in shoes]))


def test_a_bet_on_points_and_pairs_together_is_counted_too() -> None:
    """No book has such a bet: Banker wins with 6, and both hands have pairs."""
    vector = [
        30 if (seen := outcome(at)).winner == "banker" and seen.points == 6 and at % 5 > 2 else -1
        for at in range(OUTCOMES)
    ]
    named = nets({"mixed": vector, "even": [1 if outcome(at).winner == "player" else -1 for at in range(OUTCOMES)]})
    assert named.plain.tolist() == [False, True]
    shoe = without(full_shoe(6), cards("6h 6c 6d 9s 9h Kd"))
    exact = Fraction(sum(int(n) * net for n, net in zip(outcome_counts(shoe), vector, strict=True)), deals(shoe))
    assert exact_edges_of(named, shoe)["mixed"] == exact


def test_effects_of_removal_are_those_published() -> None:
    """Removing one card of eight decks: the chance of Player (excelpunks.com, Baccarat Concepts 16)."""
    published = {4: -4.35175e-05, 13: -3.7381e-05, 1: -2.95798e-05, 3: -2.17068e-05}
    named = nets({"player": [1 if outcome(at).winner == "player" else 0 for at in range(OUTCOMES)]})
    full = full_shoe(8)
    whole = exact_edges_of(named, full)["player"]
    for rank, change in published.items():
        after = exact_edges_of(named, without(full, [Card(rank)]))["player"]
        assert float(after - whole) == pytest.approx(change, abs=5e-11)


def test_effects_of_removal_add_up_to_almost_nothing() -> None:
    """A bet's edge does not change on the average by a card unseen: the mean over all cards is exactly nothing."""
    for name, effects in removal(menu(load("dragon-tiger-mbs")), 6).items():
        assert sum(effects) == 0, name


def test_the_next_round_of_a_live_table_has_the_edges_of_the_odds() -> None:
    carried = menu(load("wu-song"))
    gone = cards("6h 6c Kd 9s 9h 3d 8c 8d 8h 2s Ah 7d 7c")
    exact = bet_odds(carried, without(full_shoe(8), gone))
    assert next_round(carried, gone) == {name: -each.edge for name, each in exact.items()}


def test_what_would_not_fit_is_refused() -> None:
    with pytest.raises(BadExposure, match="more than 64 bits hold"):
        exact_edges_of(nets({"moon": [10_000] * OUTCOMES}), full_shoe(8))
    with pytest.raises(BadComposition, match="at most 48 cards"):
        edges(menu(load("wu-song")), [49] * 13)


# Shoes


@pytest.mark.parametrize(
    "dealing", [Dealing(), Dealing(decks=1, cut=6, burn=7), Dealing(rounds=40), Dealing(6, 52, 6)], ids=str
)
def test_the_shoes_are_those_of_the_simulation(dealing: Dealing) -> None:
    plain = DealingProcedure(dealing.decks, dealing.cut, dealing.burn, dealing.rounds)
    found = deal_rounds(plain, 5, 100, 20)
    start = 0
    for shoe, end in enumerate(found.ends.tolist()):
        rounds = [tuple(rank_of(int(height)) for height in each if height >= 0) for each in found.cards[start:end]]
        assert rounds == deal_shoe(5, 100 + shoe, dealing)
        seen = sum(len(each) for each in rounds[:-1])
        assert int(found.unseen[end - 1].sum()) == dealing.cards - seen
        assert int(found.left[end - 1]) == dealing.cards - dealing.burn - seen
        start = end
    assert expose(menu(load("wu-song")), dealing, seed=5, shoes=20).rounds == simulate(dealing, seed=5, shoes=20).rounds


def test_by_the_casinos_procedure_a_card_is_turned_up_and_one_more_round_is_dealt() -> None:
    found = deal_rounds(DealingProcedure(cut=14, casino=True), 3, 0, 60)
    start, burns = 0, set()
    for end in found.ends.tolist():
        first = np.flatnonzero(found.unseen[start] != 32)
        assert len(first) == 1, "one card was seen before the first round"
        burnt = min(int(first[0]) + 1, 10)
        assert int(found.left[start]) == 415 - burnt
        burns.add(burnt)
        assert (found.left[start : end - 1] > 14).all(), "until then the cut card had not come out"
        assert 9 <= int(found.left[end - 1]) <= 14, "the round after the one in which it did"
        assert (found.unseen[start:end].sum(axis=1) == found.left[start:end] + burnt).all()
        start = end
    assert len(burns) > 5
    with pytest.raises(BadExposure, match="11 or more do"):
        DealingProcedure(casino=True, cut=10)


# What is noted, by another way


def by_hand(
    book: str, dealing: Dealing, seed: int, shoes: int
) -> tuple[dict[str, list[Fraction]], dict[int, list[Fraction]]]:
    """The edges of every bet and offer that favoured the player, by `punto.odds`, round by round."""
    carried, cover = menu(load(book)), offers_of(load(book), dealing.decks)
    won: dict[str, list[Fraction]] = {name: [] for name in carried.bets}
    offered: dict[int, list[Fraction]] = {}
    places = {(each.row.stage, each.row.hand, each.own, each.opposite): at for at, each in enumerate(cover.cells)}
    for number in range(shoes):
        shoe = full_shoe(dealing.decks)
        for ranks in deal_shoe(seed, number, dealing):
            drawn = [Card(rank) for rank in ranks]
            for name, odds in bet_odds(carried, shoe).items():
                if odds.edge < 0:
                    won[name].append(-odds.edge)
            values = [card.value for card in drawn]
            player_drew = (
                (values[0] + values[2]) % 10 < 6
                and (values[1] + values[3]) % 10 < 8
                and max((values[0] + values[2]) % 10, (values[1] + values[3]) % 10) < 8
            )
            for seen in (4, 5) if player_drew else (4,):
                for hand in ("player", "banker"):
                    try:
                        cell = offer_odds(load(book), drawn[:seen], hand, without(shoe, drawn[:seen]))
                    except Refused:
                        continue
                    at = places[cell.row.stage, hand, cell.own, cell.opposite]
                    offered.setdefault(at, []).append(-cell.edge)
            shoe = without(shoe, drawn)
    return won, offered


@pytest.mark.parametrize(
    ("book", "dealing"), [("commission-insurance", Dealing(2, 10)), ("da-hu-ying-xiong", Dealing(1, 8))]
)
def test_perfect_play_and_insurance_are_what_the_odds_say_round_by_round(book: str, dealing: Dealing) -> None:
    found = expose(menu(load(book)), dealing, seed=2, shoes=8, cover=load(book))
    won, offered = by_hand(book, dealing, 2, 8)
    for name, gains in won.items():
        worth = found.perfect(name)
        assert worth.share.value * found.rounds == pytest.approx(len(gains))
        assert worth.per_shoe.value * 8 == pytest.approx(float(sum(gains)), abs=GRAIN * (len(gains) + 1))
    assert any(offered.values())
    for at, (met, _) in enumerate(found.offers):
        every = offered.get(at, [])
        good = [edge for edge in every if edge > 0]
        assert met == len(every)
        assert found.offer(at).share.value * found.rounds == pytest.approx(len(good))
        assert found.offer(at).per_shoe.value * 8 == pytest.approx(float(sum(good)), abs=GRAIN * (len(good) + 1))


def test_a_count_bets_from_its_trigger_on() -> None:
    carried = menu(load("wu-song"))
    half = count("tie", "1,1,1,0,0,0,-1,-1,-1,0", "1.5")
    found = expose(carried, seed=4, shoes=30, counts=[BIG_TIGER, half])
    dealt = deal_rounds(DealingProcedure(), 4, 0, 30)
    every = edges(carried, dealt.unseen)
    for number, each in enumerate((BIG_TIGER, half)):
        running = ((32 - dealt.unseen.astype(int)) * np.array(each.tags)).sum(axis=1)
        bets = running / (dealt.left / 52) >= float(each.trigger)
        own = every[bets, list(carried.bets).index(each.bet)]
        assert found.by_count(number).share.value == pytest.approx(bets.mean())
        assert found.by_count(number).per_shoe.value == pytest.approx(own.sum() / 30, abs=1e-8)
        assert sum(rounds for _, rounds, _ in found.by_true_count(number)) == found.rounds
    above = sum(units for true, _, units in found.by_true_count(0) if true >= 8)
    assert above == pytest.approx(found.by_count(0).per_shoe.value * 30)


# Runs


@pytest.fixture(scope="module")
def whole() -> Exposure:
    """Two hundred shoes, on two threads."""
    return expose(menu(load("wu-song")), seed=1, shoes=200, block=16, counts=[BIG_TIGER], threads=2)


def test_parts_add_up_to_the_whole_bit_for_bit(whole: Exposure) -> None:
    carried = menu(load("wu-song"))
    one = expose(carried, seed=1, shoes=96, block=16, counts=[BIG_TIGER], threads=1)
    two = expose(carried, seed=1, shoes=104, first=96, block=16, counts=[BIG_TIGER])
    assert one + two == whole == two + one
    assert one.missing(0, 200) == [(96, 200)]
    with pytest.raises(BadTally, match="counted twice"):
        one + one
    with pytest.raises(BadTally, match="different seeds"):
        one + expose(carried, seed=2, shoes=96, block=16, counts=[BIG_TIGER])
    with pytest.raises(BadTally, match="different counts"):
        one + expose(carried, seed=1, shoes=96, block=16)


def test_a_run_is_kept_in_a_file_and_a_changed_file_is_refused(whole: Exposure, tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    whole.save(file)
    assert load_exposure(file) == whole
    kept = file.read_text()
    for changed in ('"seed":2', '"seed":2,"seed":1'):
        file.write_text(kept.replace('"seed":1', changed))
        with pytest.raises(BadExposure, match="has been changed"):
            load_exposure(file)
    file.write_text("{}")
    with pytest.raises(BadExposure, match="holds no run"):
        load_exposure(file)


def test_a_kept_run_is_sealed_in_every_part(tmp_path: Path) -> None:
    """Whatever is changed in it, left out or added: also what would have had the same value by default."""
    file = tmp_path / "run.json"
    run = expose(menu(load("commission-insurance")), seed=1, shoes=2, cover=load("commission-insurance"))
    run.save(file)
    kept = msgspec.json.decode(file.read_bytes())
    for changed in altered(kept):
        file.write_bytes(msgspec.json.encode(changed))
        with pytest.raises(BadExposure):
            load_exposure(file)
    file.write_bytes(msgspec.json.encode(kept))
    assert load_exposure(file) == run


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_a_cluster_notes_the_same_bit_for_bit(whole: Exposure) -> None:
    pytest.importorskip("distributed")
    carried = menu(load("wu-song"))
    found = expose(carried, seed=1, shoes=200, block=16, counts=[BIG_TIGER], backend="dask", threads=2)
    assert found == whole


# Figures


def near(found: float, published: float, error: float | None, times: float = 4.0) -> bool:
    assert error is not None
    return abs(found - published) < times * error


@pytest.fixture(scope="module")
def tiger() -> Exposure:
    """Three thousand shoes by the casino's procedure, Big Tiger counted as published."""
    return expose(menu(load("wu-song")), DealingProcedure(casino=True), seed=2026, shoes=3000, counts=[BIG_TIGER])


def test_the_big_tiger_count_wins_what_is_published(tiger: Exposure) -> None:
    """Jacobson (advancedadvantageplay.com, 2024): eight decks, cut at 14, trigger +8.

    100 million shoes: bet in 3.536% of rounds at an average edge of 7.227%, 0.256 units per 100 rounds. His error
    is small beside ours.
    """
    worth = tiger.by_count()
    assert worth.edge is not None
    assert near(worth.share.value, 0.03536, worth.share.error)
    assert near(worth.edge.value, 0.07227, worth.edge.error)
    assert near(worth.per_100.value, 0.256, worth.per_100.error)
    assert worth.per_shoe.value < tiger.perfect("big-tiger").per_shoe.value


def test_the_banker_7_count_wins_what_is_published() -> None:
    """Jacobson: at 40 to 1, trigger +4, cut at 14, 100 million shoes: 0.597 units a shoe (elsewhere 0.592)."""
    carried = menu(load(str(EXAMPLE)))
    only = nets(
        {
            "banker-big-7": [
                40 if net > 0 else -1 for net in nets_of(carried).bets.nets[nets_of(carried).at("banker-big-7")]
            ]
        }
    )
    found = expose(only, DealingProcedure(casino=True), seed=2026, shoes=3000, counts=[BANKER_7])
    worth = found.by_count().per_shoe
    assert near(worth.value, 0.597, worth.error)
    assert exact_edges(carried, full_shoe(8))["banker-big-7"] == exact_edges_of(only, full_shoe(8))["banker-big-7"]
    assert float(exact_edges(carried, full_shoe(8))["banker-big-7"]) == pytest.approx(-0.076113, abs=5e-7)


def test_over_all_rounds_every_edge_is_that_of_the_odds(tiger: Exposure) -> None:
    carried = menu(load("wu-song"))
    for name, odds in bet_odds(carried, full_shoe(8)).items():
        edge = tiger.edge(name)
        # an end of the shoe that depends on the cards moves an edge a little: less than 0.0002 (docs/exposure.md)
        assert edge.error is not None
        assert abs(edge.value + float(odds.edge)) < 4 * edge.error + 0.0002, name


def test_with_a_fixed_number_of_rounds_edges_are_those_of_the_odds_without_any_allowance() -> None:
    carried = menu(load("dragon-tiger-hoiana"))
    found = expose(carried, Dealing(rounds=60), seed=8, shoes=1000)
    for name, odds in bet_odds(carried, full_shoe(8)).items():
        edge = found.edge(name)
        assert near(edge.value, -float(odds.edge), edge.error, 4.5), name


def test_an_earlier_cut_is_the_same_shoe_ended_earlier() -> None:
    carried = menu(load("wu-song"))
    deep = expose(carried, Dealing(cut=14), seed=6, shoes=60, counts=[BIG_TIGER])
    for cut in (26, 104):
        early = expose(carried, Dealing(cut=cut), seed=6, shoes=60, counts=[BIG_TIGER])
        assert deep.perfect("big-tiger", cut) == early.perfect("big-tiger")
        assert deep.by_count(0, cut) == early.by_count(0)
        assert deep.rounds_to(cut) == early.rounds
    with pytest.raises(BadExposure, match="not told apart"):
        deep.perfect("tie", 30)


def test_what_is_told_of_a_bet_fits_together(tiger: Exposure) -> None:
    worth = tiger.perfect("big-tiger")
    assert worth.edge is not None
    assert worth.share.value * worth.edge.value * 100 == pytest.approx(worth.per_100.value)
    assert worth.per_100.value * tiger.rounds / 100 == pytest.approx(worth.per_shoe.value * tiger.dealt)
    rows = tiger.by_depth("big-tiger")
    assert sum(rounds for _, rounds, _, _ in rows) == tiger.rounds
    assert sum(times for _, _, times, _ in rows) == pytest.approx(worth.share.value * tiger.rounds)
    spread = dict(tiger.distribution("big-tiger"))
    assert sum(spread.values()) == tiger.rounds
    positive = sum(rounds for percent, rounds in spread.items() if percent >= 0)
    even = positive - round(worth.share.value * tiger.rounds)  # an edge of just nothing favours nobody
    assert 0 <= even < 20
    assert tiger.quantile("big-tiger", 0.01) <= tiger.quantile("big-tiger", 0.5) < 0
    assert tiger.best_depth("big-tiger") == (9, 25)
    assert tiger.best_depth("player") in (None, (9, 25))
    low, high = worth.per_shoe.low, worth.per_shoe.high
    assert low is not None
    assert high is not None
    assert low < worth.per_shoe.value < high


# Tags


def test_the_published_tags_follow_the_effects_as_published() -> None:
    """Jacobson gives a betting correlation of 0.981 for his Big Tiger count."""
    effects = removal(menu(load("wu-song")))["big-tiger"]
    assert round(correlation(effects, BIG_TIGER.tags), 3) == 0.981
    for size in (1, 2, 4):
        for system in tag_systems(effects, size):
            assert sum(system.tags) == 0
            assert max(map(abs, system.tags)) <= size
    assert tag_systems(effects, 2)[0].correlation >= 0.981
    assert tag_systems(effects, 8)[0].correlation > 0.995


def test_the_best_count_does_no_worse_than_the_published_one() -> None:
    """On other shoes than those on which it was found; it may be a little behind by chance."""
    carried = menu(load("wu-song"))
    best = best_count(carried, "big-tiger", shoes=1000)
    assert best.balanced
    found = expose(carried, seed=77, shoes=2000, counts=[best, BIG_TIGER])
    assert found.by_count(0).per_shoe.value > 0.9 * found.by_count(1).per_shoe.value
    with pytest.raises(BadExposure, match="says nothing about it"):
        best_count(carried, "banker-pair")


@pytest.mark.parametrize(
    ("tags", "trigger", "says"),
    [
        ("1,2", "3", "are no tags"),
        ("a,b,c,d,e,f,g,h,i,j", "3", "are no tags"),
        ("0,0,0,0,0,0,0,0,0,0", "x", "is no trigger"),
    ],
)
def test_a_count_that_is_none_is_refused(tags: str, trigger: str, says: str) -> None:
    with pytest.raises(BadExposure, match=says):
        count("tie", tags, trigger)


# Countermeasures


def test_countermeasures_are_shown_with_their_price() -> None:
    carried = menu(load("wu-song"))
    found = countermeasures(carried, "big-tiger", seed=3, shoes=150, decks=(6,), odds=(45,), count=BIG_TIGER)
    as_it_is = found[0]
    by_kind = {kind: [each for each in found if each.kind == kind] for kind in ("cut", "decks", "odds", "cap")}
    assert as_it_is.house_edge == pytest.approx(0.152533, abs=5e-7)
    assert [each.units for each in by_kind["cut"]][-1] == pytest.approx(0, abs=1e-12)
    assert all(each.price == 0 for each in by_kind["cut"])
    assert by_kind["cut"][0].rounds < as_it_is.rounds
    (lower,) = by_kind["odds"]  # five units less, 83058367551488 times of 4998398275503360 (Wizard of Odds, Lucky 6)
    assert lower.price == pytest.approx(5 * 83058367551488 / 4998398275503360)
    assert lower.units < as_it_is.units
    (six,) = by_kind["decks"]
    assert six.house_edge == pytest.approx(float(bet_odds(carried, full_shoe(6))["big-tiger"].edge))
    half, quarter = by_kind["cap"]
    assert half.units == pytest.approx(as_it_is.units / 2)
    assert quarter.protection == pytest.approx(0.75)


def test_a_bet_that_is_not_there_is_refused() -> None:
    with pytest.raises(BadExposure, match="There is no bet 'dragon'"):
        expose(menu(load("wu-song")), seed=1, shoes=1, counts=[count("dragon", [0] * 13, 1)])
    with pytest.raises(BadComposition, match="thirteen counts"):
        edges(menu(load("wu-song")), [[1.5] * 13])


def test_sums_are_whole_numbers_however_many_decks() -> None:
    """Twelve decks, Wu Dalang at 150 to 1: just what 64 bits hold."""
    carried = menu(load("wu-song"))
    shoe = full_shoe(12)
    sums = net_sums(nets_of(carried), np.array([shoe], dtype=np.uint8))[0]
    exact = bet_odds(carried, shoe)
    for name, net, unit in zip(carried.bets, sums.tolist(), nets_of(carried).bets.units, strict=True):
        assert Fraction(net, unit * deals(shoe)) == -exact[name].edge

"""Shoes dealt by the million, held against a second way of dealing them and against published counts."""

import socket
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from math import exp, inf
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from altered import altered
from punto.coup import (
    OUTCOMES,
    STAGES,
    Card,
    deal,
    insurable_situations,
    outcome,
    reachable_outcomes,
    situation_index,
)
from punto.kernels.draw import RANK_ORDER
from punto.odds import full_shoe, outcome_counts, situation_counts
from punto.simulation import (
    BadDealing,
    BadTally,
    Dealing,
    Estimate,
    Tally,
    bets,
    by_shoe,
    chi_square_tail,
    deal_outcomes,
    deal_shoe,
    draw_shoes,
    goodness,
    job,
    load,
    prepared,
    simulate,
    tally,
)
from punto.simulation.cells import CELLS, LAST, PAIRS, ROWS, cells_in_use, outcome_cells
from punto.simulation.run import deal_range
from punto.simulation.statistics import Judged, normal_tails, student
from punto.simulation.tally import load_kept

from shoe_by_hand import dealt_by_hand, index_of, words

RUNS = Path(__file__).parent / "runs"
"""Runs as earlier releases kept them."""

MASK32, MASK64 = (1 << 32) - 1, (1 << 64) - 1

DEALINGS = [
    Dealing(),
    Dealing(decks=1, cut=6),
    Dealing(decks=12, cut=100, burn=17),
    Dealing(decks=6, burn=1, cut=52),
    Dealing(decks=2, rounds=17),
    Dealing(rounds=69),
]


def winner_nets(name: str) -> list[Fraction]:
    """One unit on Player or Banker, even money."""
    return [
        Fraction(0) if outcome(at).winner == "tie" else Fraction(1 if outcome(at).winner == name else -1)
        for at in range(OUTCOMES)
    ]


NETS = {"player": winner_nets("player"), "banker": winner_nets("banker")}


# The shoe


@pytest.mark.parametrize("dealing", DEALINGS, ids=str)
def test_a_shoe_is_dealt_as_by_hand(dealing: Dealing) -> None:
    for number in (0, 1, 63, 64, 12345):
        assert deal_shoe(5, number, dealing) == dealt_by_hand(5, number, dealing)


@pytest.mark.parametrize("dealing", DEALINGS, ids=str)
def test_lanes_count_what_shoes_hold(dealing: Dealing) -> None:
    """Not a multiple of the lanes, beginning within a block, ending within one."""
    counted = simulate(dealing, seed=5, shoes=150, first=9, block=16, nets=NETS)
    rounds = [each for number in range(9, 159) for each in dealt_by_hand(5, number, dealing)]
    expected = Counter(map(index_of, rounds))
    assert {at: int(count) for at, count in enumerate(counted.outcomes) if count} == expected
    assert counted.rounds == len(rounds)
    nets = sum(NETS["player"][at] * count for at, count in expected.items())
    assert Fraction(counted.bets["player"].net, counted.bets["player"].unit) == nets


def test_situations_are_those_of_the_coups() -> None:
    dealing = Dealing(decks=4)
    counted = simulate(dealing, seed=8, shoes=200)
    expected = np.zeros((1100, 3), dtype=np.int64)
    for number in range(200):
        for ranks in deal_shoe(8, number, dealing):
            coup = deal(tuple(Card(rank) for rank in ranks))
            who = ("player", "banker", "tie").index(coup.winner)
            for stage in STAGES:
                seen = coup.situation(stage)
                if seen is not None:
                    expected[situation_index(seen.player, seen.banker, seen.third), who] += 1
    assert np.array_equal(counted.situations, expected)


@pytest.mark.parametrize("dealing", [each for each in DEALINGS if each.rounds is None], ids=str)
def test_the_round_that_leaves_too_few_cards_is_the_last(dealing: Dealing) -> None:
    for number in range(20):
        left = dealing.dealt_from
        rounds = deal_shoe(3, number, dealing)
        for ranks in rounds:
            assert left >= dealing.cut
            left -= len(ranks)
        assert 0 <= left < dealing.cut
        assert dealing.sure_rounds <= len(rounds) <= dealing.most_rounds


def test_a_shoe_holds_its_cards() -> None:
    for decks in (1, 8):
        shoes = draw_shoes(4, 0, shoes=20, decks=decks)
        assert all(Counter(shoe.tolist()) == dict.fromkeys(range(1, 14), 4 * decks) for shoe in shoes)
        stream, expected = words(4, 7), [rank for rank in RANK_ORDER for _ in range(4 * decks)]
        assert shoes[7].tolist() == [expected.pop(next(stream) * len(expected) >> 32) for _ in range(52 * decks)]


def test_every_cell_in_use_has_a_reachable_outcome() -> None:
    used, outcomes = cells_in_use()
    assert set(outcomes.tolist()) == reachable_outcomes()
    assert len(used) < len(outcome_cells()) == CELLS


# The same wherever it is dealt


def test_splitting_threads_and_order_change_nothing() -> None:
    whole = simulate(Dealing(), seed=1, shoes=3000, block=64, nets=NETS, threads=1)
    assert simulate(Dealing(), seed=1, shoes=3000, block=64, nets=NETS, threads=2) == whole
    parts = [
        simulate(Dealing(), seed=1, shoes=last - first, first=first, block=64, nets=NETS)
        for first, last in ((1280, 3000), (0, 64), (64, 1280))
    ]
    assert parts[0] + parts[1] + parts[2] == whole
    ragged = simulate(Dealing(), seed=1, shoes=1001, block=64, nets=NETS) + simulate(
        Dealing(), seed=1, shoes=1999, first=1001, block=64, nets=NETS
    )
    assert (ragged.digest, ragged.shoes, ragged.blocks) == (whole.digest, whole.shoes, whole.blocks + 1)
    assert simulate(Dealing(), seed=1, shoes=3000, block=1).digest == whole.digest
    assert simulate(Dealing(), seed=2, shoes=3000).digest != whole.digest


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_two_processes_of_a_cluster_count_the_same() -> None:
    pytest.importorskip("distributed")
    whole = simulate(Dealing(), seed=1, shoes=3000, block=64, nets=NETS)
    assert simulate(Dealing(), seed=1, shoes=3000, block=64, nets=NETS, backend="dask", threads=2) == whole


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
def test_a_cluster_starts_beside_whatever_has_the_usual_port_of_dask() -> None:
    pytest.importorskip("distributed")
    with socket.socket() as other:
        with suppress(OSError):  # somebody else has it, which does as well
            other.bind(("", 8787))
            other.listen()
        assert simulate(Dealing(), seed=1, shoes=64, nets=NETS, backend="dask", threads=1).rounds > 0


# The figures


@pytest.fixture(scope="module")
def million() -> Tally:
    """Twenty thousand shoes of eight decks, 60 rounds each."""
    return simulate(Dealing(rounds=60), seed=2026, shoes=20_000, nets=NETS)


def test_winners_come_as_often_as_published(million: Tally) -> None:
    """Eight decks: 4998398275503360 deals, Banker 2292252566437888, Player 2230518282592256, tie 475627426473216."""
    total = 4998398275503360
    published = {"banker": 2292252566437888, "player": 2230518282592256, "tie": 475627426473216}
    found = Counter[str]()
    for at, count in enumerate(million.outcomes):
        found[outcome(at).winner] += int(count)
    for name, deals in published.items():
        chance = deals / total
        error = (chance * (1 - chance) / million.rounds) ** 0.5
        assert abs(found[name] / million.rounds - chance) < 3 * error
    edge = million.edge("player")
    assert edge.low is not None
    assert edge.high is not None
    assert edge.low < (published["banker"] - published["player"]) / total < edge.high


def judged(observed: NDArray[np.int64], weights: NDArray[np.int64]) -> Judged:
    found = goodness(observed, weights)
    assert found is not None
    return found


def test_outcomes_agree_with_the_exact_vector(million: Tally) -> None:
    assert 0.001 < judged(million.outcomes, outcome_counts(full_shoe(8))).p_value < 0.999
    due = sorted(insurable_situations())
    exact = situation_counts(full_shoe(8))
    for rows in (due[: sum(at < 100 for at in due)], due[sum(at < 100 for at in due) :]):
        seen, weights = million.situations[rows].reshape(-1), exact[rows].reshape(-1)
        assert 0.001 < judged(seen, weights).p_value < 0.999


@pytest.mark.parametrize("decks", [1, 4])
def test_another_shoe_does_not_agree(million: Tally, decks: int) -> None:
    assert judged(million.outcomes, outcome_counts(full_shoe(decks))).p_value < 1e-6


def test_an_outcome_that_cannot_be_is_never_by_chance() -> None:
    found = judged(np.array([5, 5, 1]), np.array([1, 1, 0]))
    assert (found.statistic, found.p_value) == (inf, 0.0)


def test_a_few_counts_are_not_judged() -> None:
    """Nine counts fill no two cells of ten."""
    assert goodness(np.array([4, 5]), np.array([1, 1])) is None
    assert goodness(np.array([10, 11]), np.array([1, 1])) is not None


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    """Of 200 runs with intervals of 95%, 190 should; 3 standard deviations are 9.2."""
    truth = (2292252566437888 - 2230518282592256) / 4998398275503360
    held = 0
    for seed in range(200):
        edge = simulate(Dealing(rounds=30), seed=seed, shoes=256, nets=NETS, threads=1).edge("player")
        assert edge.low is not None
        assert edge.high is not None
        held += edge.low <= truth <= edge.high
    assert 181 <= held <= 199


def test_an_interval_comes_from_shoe_to_shoe() -> None:
    """By hand: block sums, their ratio, and how far each block is from it."""
    counted = simulate(Dealing(), seed=9, shoes=64, block=8, nets=NETS)
    nets, rounds = [], []
    for block in range(8):
        part = simulate(Dealing(), seed=9, shoes=8, first=8 * block, block=8, nets=NETS)
        nets.append(part.bets["banker"].net)
        rounds.append(part.rounds)
    mean = Fraction(sum(nets), sum(rounds))
    scatter = sum((net - mean * number) ** 2 for net, number in zip(nets, rounds, strict=True))
    error = float(scatter * 8 / 7) ** 0.5 / sum(rounds)
    edge = counted.edge("banker")
    assert edge.value == pytest.approx(-float(mean))
    assert edge.error == pytest.approx(error)
    assert edge.high == pytest.approx(edge.value + 2.3646 * error, rel=1e-3)  # Student, 7 degrees, as in tables
    assert simulate(Dealing(), seed=9, shoes=1, nets=NETS).edge("banker").low is None


@pytest.mark.parametrize("rounds", [None, 1])
def test_what_did_not_vary_has_no_interval(rounds: int | None) -> None:
    """A bet that never won in a short run has lost every round; that its edge is 100% is not shown by this."""
    counted = simulate(Dealing(rounds=rounds), seed=1, shoes=16, nets=NETS | {"never": [-1] * OUTCOMES}, block=1)
    assert counted.edge("never") == Estimate(1.0, None, None, None)
    assert counted.edge("player").low is not None


def test_tails_are_those_of_tables() -> None:
    """Chi-square with two degrees is exp(-x/2); other values from printed tables."""
    for x in (0.1, 2.0, 9.0, 50.0):
        assert chi_square_tail(x, 2) == pytest.approx(exp(-x / 2), rel=1e-12)
    for x, degrees, tail in ((11.070, 5, 0.05), (43.773, 30, 0.05), (135.807, 100, 0.01), (77.929, 100, 0.95)):
        assert chi_square_tail(x, degrees) == pytest.approx(tail, abs=5e-5)
    assert (chi_square_tail(0, 3), normal_tails(0)) == (1.0, 1.0)
    assert normal_tails(2.5758) == pytest.approx(0.01, abs=1e-6)
    for degrees, reach in ((1, 12.706), (2, 4.303), (3, 3.182), (5, 2.571), (10, 2.228), (30, 2.042), (120, 1.980)):
        assert student(0.95, degrees) == pytest.approx(reach, abs=5e-4)
    for degrees, reach in ((1, 636.619), (2, 31.599), (4, 8.610), (29, 3.659), (30, 3.646)):
        assert student(0.999, degrees) == pytest.approx(reach, abs=5e-4)


# What happens within shoes


def test_statistics_by_shoe_are_those_of_its_rounds() -> None:
    found = by_shoe(Dealing(decks=6), seed=4, shoes=130, first=7, nets=NETS, quantiles=(0, 0.5, 1))
    lengths, streaks, longest = Counter[int](), Counter[tuple[str, int]](), Counter[int]()
    finals, lows, highs, after_ten = [], [], [], []
    for number in range(7, 137):
        outcomes = [index_of(ranks) for ranks in deal_shoe(4, number, Dealing(decks=6))]
        lengths[len(outcomes)] += 1
        roll, path = Fraction(0), []
        for at in outcomes:
            roll += NETS["banker"][at]
            path.append(roll)
        finals.append(path[-1])
        lows.append(min([Fraction(0), *path]))
        highs.append(max([Fraction(0), *path]))
        after_ten.append(path[9])
        text = "".join(outcome(at).winner[0] for at in outcomes if outcome(at).winner != "tie")
        own = [
            ("player" if run[0] == "p" else "banker", len(run))
            for run in text.replace("pb", "p b").replace("bp", "b p").split()
        ]
        streaks.update(own)
        longest[max(length for _, length in own)] += 1
    assert found.rounds == lengths
    assert found.longest == longest
    assert {(hand, n): count for hand, each in found.streaks.items() for n, count in each.items()} == streaks
    roll_of = found.bankrolls["banker"]
    for got, expected in ((roll_of.final, finals), (roll_of.lowest, lows), (roll_of.highest, highs)):
        ordered = sorted(float(each) for each in expected)
        assert got == (ordered[0], (ordered[64] + ordered[65]) / 2, ordered[-1])
    assert roll_of.path.shape == (3, max(lengths))
    assert roll_of.path[0, 9] == float(min(after_ten))


def test_too_many_shoes_are_not_looked_at_round_by_round() -> None:
    with pytest.raises(BadDealing, match="100001 shoes are too many"):
        deal_outcomes(Dealing(), seed=1, shoes=100_001)


# Counts that are kept


def test_counts_are_kept_and_read_again(tmp_path: Path, million: Tally) -> None:
    million.save(tmp_path / "counts.json")
    assert load(tmp_path / "counts.json") == million
    assert list(tmp_path.iterdir()) == [tmp_path / "counts.json"]


def test_a_run_that_was_stopped_is_gone_on_with(tmp_path: Path) -> None:
    whole = simulate(Dealing(), seed=1, shoes=1000, block=32, nets=NETS)
    work = job(Dealing(), seed=1, shoes=1000, block=32, nets=NETS)
    with prepared(work, threads=1) as ready:
        some = next(ready.pieces(0, 1000))
    some.save(tmp_path / "some.json")
    done = load(tmp_path / "some.json")
    assert 0 < done.dealt < 1000
    with prepared(work, threads=2) as ready:
        for gap in done.missing(0, 1000):
            for piece in ready.pieces(*gap):
                done += piece
    assert done == whole
    assert whole.missing(0, 1000) == []
    assert whole.missing(500, 1500) == [(1000, 1500)]
    assert simulate(Dealing(), seed=1, shoes=10, first=20).missing(0, 100) == [(0, 20), (30, 100)]


@pytest.mark.parametrize(
    ("other", "says"),
    [
        ({"seed": 2, "first": 100}, "different seeds: 1 and 2"),
        ({"first": 50}, "Shoe 50 would be counted twice"),
        ({"first": 100, "block": 8}, "different blocks: 16 and 8"),
        ({"first": 100, "nets": NETS}, "different bets"),
    ],
)
def test_counts_that_do_not_belong_together_are_not_added(other: dict[str, Any], says: str) -> None:
    one = simulate(Dealing(), seed=1, shoes=100, block=16)
    with pytest.raises(BadTally, match=says):
        one + simulate(Dealing(), **{"seed": 1, "shoes": 100, "block": 16, **other})
    with pytest.raises(BadTally, match="ways of dealing"):
        one + simulate(Dealing(burn=1), seed=1, shoes=100, first=100, block=16)


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace('"outcomes":[0', '"outcomes":[1', 1),
        lambda text: text.replace("punto-tally-2", "punto-tally-0"),
        lambda text: text.replace("punto-tally-2", "punto-tally-3"),
        lambda text: text.replace('"decks":8', '"decks":99'),
        lambda text: text.replace('"seed":1', '"seed":"one"'),
        lambda text: text[:-40],
        lambda _: "[]",
        lambda text: text.replace('"unit"', '"units"'),
        lambda text: text.replace('"seed":1', '"seed":2,"seed":1'),  # programs take the second, people read the first
        lambda text: text.replace('"net":', '"net":"5","net":', 1),
    ],
)
def test_a_changed_file_is_refused(tmp_path: Path, change: Callable[[str], str]) -> None:
    file = tmp_path / "counts.json"
    simulate(Dealing(), seed=1, shoes=10, nets=NETS).save(file)
    text = file.read_text(encoding="utf-8")
    assert change(text) != text
    file.write_text(change(text), encoding="utf-8")
    with pytest.raises(BadTally, match="holds no counts of a simulation"):
        load(file)


def test_a_kept_run_is_sealed_in_every_part(tmp_path: Path) -> None:
    file = tmp_path / "counts.json"
    simulate(Dealing(rounds=60), seed=1, shoes=10, nets=NETS).save(file)
    kept = msgspec.json.decode(file.read_bytes())
    for changed in altered(kept):
        file.write_bytes(msgspec.json.encode(changed))
        with pytest.raises(BadTally):
            load(file)
    file.write_bytes(msgspec.json.encode(kept))
    assert load(file).rounds == 600


def test_counts_kept_by_an_earlier_release_are_read_and_known_as_such() -> None:
    """It sealed outcomes and situations alone."""
    tally, sealed = load_kept(RUNS / "tally-1.json")
    assert (tally.dealt, tally.rounds, sealed) == (10, 600, False)
    assert tally == simulate(Dealing(rounds=60), seed=1, shoes=10, nets=NETS)


# What bad input gets


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"decks": 0}, "0 decks make no shoe here: 1 to 12 do"),
        ({"decks": 13}, "13 decks make no shoe here"),
        ({"burn": -1}, "-1 cards cannot be burnt: 0 to 410"),
        ({"burn": 411}, "411 cards cannot be burnt"),
        ({"cut": 5}, "A cut card 5 cards from the end makes no shoe: 6 to 416 do"),
        ({"cut": 417}, "6 to 416 do"),
        ({"burn": 10, "cut": 407}, "6 to 406 do"),
        ({"rounds": 0}, "0 rounds make no shoe: 1 to 69 do"),
        ({"rounds": 70}, "70 rounds may need 420 cards, but 416 are there: at most 69"),
    ],
)
def test_a_shoe_that_cannot_be_dealt_so_is_refused(given: dict[str, Any], says: str) -> None:
    with pytest.raises(BadDealing, match=says):
        Dealing(**given)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"seed": -1}, "-1 is no seed"),
        ({"seed": 2**64}, "is no seed"),
        ({"shoes": 0}, "0 shoes make no run"),
        ({"shoes": 10**14}, "make no run: 1 to 10000000000000 do"),
        ({"first": -1}, "Shoe numbers begin at 0"),
        ({"block": 0}, "a block has 1 to 65536 shoes"),
        ({"threads": 0}, "0 threads deal nothing"),
        ({"nets": {"odd": [1, 2, 3]}}, "The bet odd has 3 nets; there are 2000 outcomes"),
        ({"nets": {"fine": [Fraction(1, 10**7)] * 2000}}, None),
        ({"nets": {"wild": [10**7] * 2000}}, "too fine or too high"),
    ],
)
def test_a_run_that_cannot_be_is_refused(given: dict[str, Any], says: str | None) -> None:
    asked = {"seed": 1, "shoes": 10, **given}
    if says is None:
        assert simulate(Dealing(), **asked).dealt == 10
        return
    with pytest.raises(BadDealing, match=says):
        simulate(Dealing(), **asked)


def test_a_block_is_dealt_alone_as_in_a_run() -> None:
    """What one piece of a run gives is what the kernel gives for it, sums and all."""
    work = job(Dealing(), seed=3, shoes=500, block=16, nets=NETS)
    outcomes, situations, sums, joints = deal_range(work, 100, 200)
    alone = simulate(Dealing(), seed=3, shoes=100, first=100, block=16, nets=NETS)
    assert np.array_equal(outcomes, alone.outcomes)
    assert np.array_equal(situations, alone.situations)
    assert (sums.shape, sums[:, 0].sum()) == ((7, 3), alone.rounds)
    assert tally.tally_of(3, Dealing(), 16, (100, 200), work.bets, (outcomes, situations, sums, joints)) == alone
    assert bets({}).nets.shape == (0, OUTCOMES)
    assert CELLS == ROWS * PAIRS * LAST

"""Why a round was settled as it was: the arithmetic of each step, and the clauses that it rests on and no others."""

import re
from pathlib import Path

import pytest

from punto.coup import deal
from punto.rulebook import Basis, Step, load
from punto.settlement import Cover, Limits, Wager, draw_steps, explain, show_steps

BOOKS = Path(__file__).parent.parent / "src/punto/rulebook/books"
COMMISSION, WU_SONG, HOIANA = "commission-insurance", "wu-song", "dragon-tiger-hoiana"


def sums(steps: list[Step]) -> list[str]:
    """The additions that the steps tell, in their order."""
    return [found for step in steps for found in re.findall(r"\d(?: \+ \d)+ = \d+", step.says)]


def resting_on(steps: list[Step], clause: str) -> Step:
    """The only step that rests on a clause."""
    [found] = [step for step in steps if clause in step.basis.clauses]
    return found


def test_two_third_cards_are_told_with_four_totals() -> None:
    """Player 5 draws 2 for 7; against that card the Banker draws on 4 (3.15#banker-4), 3 for 7: a tie."""
    steps = draw_steps(load(COMMISSION), deal("5h 4c Ks Kd 2h 3c"))
    assert sums(steps) == ["5 + 0 = 5", "4 + 0 = 4", "5 + 0 + 2 = 7", "4 + 0 + 3 = 7"]
    order = resting_on(steps, "3.10").says
    assert "5h Ks," in order
    assert "4c Kd," in order
    assert "2h" in resting_on(steps, "3.15#player-0-5").says
    assert "draws on 4" in resting_on(steps, "3.15#banker-4").says
    assert "7" in resting_on(steps, "3.17").says


def test_a_hand_that_stands_has_no_second_total() -> None:
    """The Banker stands on 7 whatever the Player's third card is (3.15#banker-7)."""
    steps = draw_steps(load(COMMISSION), deal("5h 7c Ks Kd 2h"))
    assert sums(steps) == ["5 + 0 = 5", "7 + 0 = 7", "5 + 0 + 2 = 7"]
    assert "stands on 7" in resting_on(steps, "3.15#banker-7").says


def test_only_cards_that_lie_there_are_valued() -> None:
    """3.2.1 values an ace, 3.2.3 the court cards."""
    court = draw_steps(load(COMMISSION), deal("5 4 K K 2 3"))
    values = resting_on(court, "3.2.3")
    assert "3.2.1" not in values.basis.clauses
    assert "ace" not in values.says.lower()
    assert "queen" not in values.says.lower()
    ace = draw_steps(load(COMMISSION), deal("8 A 9 7"))
    assert "3.2.3" not in resting_on(ace, "3.2.1").basis.clauses


@pytest.mark.parametrize(
    ("cards", "told", "clause"),
    [
        ("4 9 5 K", "4 + 5 = 9.", "4.12.1"),
        ("4 9 6 K", "4 + 6 = 10, which counts 0.", "4.12.2"),
        ("5 9 6 K", "5 + 6 = 11, which counts 1.", "4.12.2"),
    ],
)
def test_hoiana_beyond_nine_the_last_digit_counts(cards: str, told: str, clause: str) -> None:
    """4.12.1 is for totals up to nine, 4.12.2 for those over it."""
    [step] = [each for each in draw_steps(load(HOIANA), deal(cards)) if each.says.endswith(told)]
    assert step.basis.clause == clause


def test_seven_is_no_natural() -> None:
    """1.10: eight and nine are; the row of the other hand is not cited."""
    steps = draw_steps(load(COMMISSION), deal("7 8 K K"))
    assert "8" in resting_on(steps, "3.15#banker-8-9").says
    assert not [step for step in steps if "3.15#player-8-9" in step.basis.clauses]


def test_pairs_are_told_of_the_first_two_cards_where_a_wager_looks_at_them() -> None:
    book, coup = load(HOIANA), deal("2h 9c 2d 8s 5c")
    [pair] = [step for step in explain(book, coup, [Wager("player-pair", 100)], layout="2") if "begins" in step.says]
    says = pair.says
    assert "4.11.2.1" in pair.basis.clauses
    assert "2h 2d: a pair." in says
    assert "9c 8s: no pair." in says
    other = explain(book, deal("9c 2h 8s 2d 5c"), [Wager("banker-pair", 100)], layout="2")
    [says] = [step.says for step in other if "begins" in step.says]
    assert "9c 8s: no pair." in says
    assert "2h 2d: a pair." in says
    assert not [step for step in explain(book, coup, [Wager("player", 100)], layout="2") if "begins" in step.says]


def test_a_side_bet_is_said_to_stand_alone_only_where_it_does() -> None:
    """3.7#side-alone."""
    book, coup = load(WU_SONG), deal("K 9 K K")
    alone = explain(book, coup, [Wager("tie", 100)], layout="A")
    beside = explain(book, coup, [Wager("tie", 100), Wager("player", 100)], layout="A")
    assert "without" in resting_on(alone, "3.7#side-alone").says
    assert not [step for step in beside if "3.7#side-alone" in step.basis.clauses or "without" in step.says]


def test_what_is_paid_is_told_with_its_product() -> None:
    """0.95 to 1 on 25 is 23.75; on 0.25 it is 0.2375, paid 0.24 where payments are rounded up to the cent."""
    book, coup = load(COMMISSION), deal("2 8 K 8 8")
    assert explain(book, coup, [Wager("banker", 2500)])[-1].says.endswith("25.00 x 0.95 = 23.75.")
    rounded = explain(book, coup, [Wager("banker", 25)], limits=Limits(rounding="up"))[-1]
    assert rounded.says.endswith("0.25 x 0.95 = 0.2375, paid 0.24.")
    assert "AMB-30" in rounded.basis.readings
    assert explain(book, coup, [Wager("player", 2500)])[-1].says.endswith("25.00 on Player loses.")
    half = explain(load(WU_SONG), deal("7 6 K K"), [Wager("player", 10000)], layout="A")[-1]
    assert half.says.endswith("100.00 x 1/2 = 50.00.")


def test_cover_is_told_with_its_window_its_price_its_room_and_what_it_came_to() -> None:
    """Player 6 against 3 at 3 to 1: on 100 at most 33.33 by 3.12.2; after 20 there is room for 13.33."""
    covers = [Cover("four-cards", "player", 2000, 0), Cover("four-cards", "player", 1000, 0)]
    steps = explain(load(COMMISSION), deal("6 2 K A 5"), [Wager("player", 10000)], covers)
    room = [step.says for step in steps if "3.12.2" in step.basis.clauses]
    assert ["33.33" in room[0], "13.33" in room[1]] == [True, True]
    paid = [step for step in steps if "Insurance wins" in step.says]
    assert paid[0].says.endswith(" 20.00 x 3 = 60.00.")
    assert paid[1].says.endswith(" 10.00 x 3 = 30.00.")
    assert steps[-1] is paid[1]


def test_steps_are_numbered_and_name_what_they_rest_on_once() -> None:
    steps = explain(load(COMMISSION), deal("5 4 K K 2 3"), [Wager("player", 10000)])
    lines = show_steps(steps)
    assert len(lines) == len(steps) > 9
    assert lines[0].startswith(" 1. ")
    assert lines[9].startswith("10. ")
    tie = next(line for line in lines if "a tie" in line)
    assert tie.endswith(" (3.17)")
    assert "AMB-30" not in "".join(lines)


def test_a_step_that_rests_on_nothing_has_no_brackets() -> None:
    assert show_steps([Step("The cards are dealt.", Basis())]) == ["1. The cards are dealt."]


def test_the_second_cap_is_cited_only_at_the_odds_it_is_for(tmp_path: Path) -> None:
    """Da Hu's cap at 10 to 1, in a copy of the book that states it in a clause of its own."""
    text = (BOOKS / "da-hu-ying-xiong.toml").read_text()
    before = 'of = "maximum", clause = "3.12.2"'
    assert before in text
    (tmp_path / "mine.toml").write_text(text.replace(before, 'of = "maximum", clause = "3.5"'))
    book, limits = load(str(tmp_path / "mine.toml")), Limits(maximum=200000)
    for cards, stage, cited in (("7 2 K A 5", "four-cards", False), ("3 2 K K 5 9", "third-card", True)):
        steps = explain(book, deal(cards), [Wager("player", 10000)], [Cover(stage, "player", 1000, 0)], limits=limits)
        caps = [step.basis.clauses for step in steps if "3.12.2" in step.basis.clauses]
        assert ["3.5" in clauses for clauses in caps] == [cited]

"""Writes a golden shoe for every book and layout: python tests/golden/make.py

The shoe is shuffled by a fixed seed. What each wager and cover comes to is worked out by the second
implementation and the hand-made insurance grids, never by the engine, so that a test can hold the
engine against it. A changed golden shoe is reviewed as a difference.
"""

import random
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from second import MENUS, Drawn, draw  # noqa: E402  # found only after the line above

RANKS, SUITS = "A23456789TJQK", "cdhs"
PIPS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0]
DECKS = 4
STAKES = (25, 50, 100, 1000)


def grids() -> dict[tuple[str, str, str], list[list[str]]]:
    found = {}
    for block in (HERE.parent / "cases/insurance-grids.txt").read_text().split("\n\n")[1:]:
        head, *rows = block.strip().splitlines()
        book, stage, hand = head.split()
        found[book, stage, hand] = [row.split() for row in rows]
    return found


GRIDS = grids()


def covers(book: str, hand: str, ranks: list[int], coup: Drawn) -> Iterator[tuple[str, Fraction]]:
    """The stages at which cover of 100 on a bet of 1000 was on offer, and what it comes to."""
    player, banker = (PIPS[ranks[0]] + PIPS[ranks[2]]) % 10, (PIPS[ranks[1]] + PIPS[ranks[3]]) % 10
    windows = [("four-cards", player, banker, coup.used > 4)]
    if coup.player_cards == 3:
        windows.append(("third-card", coup.player, banker, coup.banker_cards == 3))
    for stage, seen_player, seen_banker, due in windows:
        own, other = (seen_player, seen_banker) if hand == "player" else (seen_banker, seen_player)
        cell = GRIDS[book, stage, hand][own][other] if (book, stage, hand) in GRIDS else "."
        if ":" in cell and due:
            odds = Fraction(*map(int, cell.rstrip("+T").split(":")))
            if coup.winner == "tie":
                yield stage, odds * 100 if "T" in cell else Fraction(0)
            else:
                yield stage, Fraction(-100) if coup.winner == hand else odds * 100


def amount(value: Fraction) -> str:
    cents = value * 100
    assert cents.denominator == 1
    sign, whole = "-" * (cents < 0), abs(int(cents))
    return f"{sign}{whole // 100}" if whole % 100 == 0 else f"{sign}{whole // 100}.{whole % 100:02d}"


def result(coup: Drawn) -> str:
    marks = "b" * (coup.banker_pair > 0) + "p" * (coup.player_pair > 0)
    natural = coup.used == 4 and max(coup.player, coup.banker) > 7
    return {"banker": "B", "player": "P", "tie": "T"}[coup.winner] + marks + "n" * natural


def shoe(book: str, layout: str) -> str:
    chance = random.Random(f"{book} {layout}")
    cards = [(rank, suit) for rank in range(1, 14) for suit in SUITS] * DECKS
    chance.shuffle(cards)
    menu = MENUS[book][layout]
    sides = [bet for bet in menu if bet not in ("player", "banker")]
    rounds: list[str] = []
    results, at = "", 0
    while len(cards) - at >= 14:
        ranks = [rank for rank, _ in cards[at : at + 6]]
        first, second, third, fourth, fifth, sixth = ranks
        coup = draw(first, second, third, fourth, fifth, sixth)
        used = cards[at : at + coup.used]
        at += coup.used
        number = len(rounds) + 1
        hand = ("player", "banker")[number % 2]
        bets = [(hand, 1000), *((sides[(2 * number + turn) % len(sides)], STAKES[number % 4]) for turn in (0, 1))]
        lines = [f"round {number}", "cards " + " ".join(RANKS[rank - 1] + suit for rank, suit in used)]
        for bet, stake in bets:
            price = menu[bet](coup)
            lines.append(f"wager {bet} {stake} = {amount(Fraction(-stake) if price is None else price * stake)}")
        lines += [f"cover {stage} {hand} 100 on 1 = {amount(net)}" for stage, net in covers(book, hand, ranks, coup)]
        rounds.append("\n".join(lines))
        results += result(coup)
    head = ["punto history 1", f"rulebook {book}", f"layout {layout}", f"decks {DECKS}", "limit maximum 10000"]
    return "\n".join([*head, f"_results {results}"]) + "\n\n" + "\n\n".join(rounds) + "\n"


if __name__ == "__main__":
    for book, layouts in MENUS.items():
        for layout in layouts:
            (HERE / f"{book}-{layout}.shoe").write_text(shoe(book, layout))

"""What the pages say when nothing went wrong with the cards, as it comes out at a table."""

import pytest

from punto.scenario import play, read

HEAD = "2025-03-01T20:00:00+08:00 decks=8 minimum=10 maximum=5000 differential=5000"
OPENINGS = {
    "commission-insurance": (f"open-table commission-insurance {HEAD}\nload-shoe", "5.3.1"),
    "da-hu-ying-xiong": (f"open-table da-hu-ying-xiong {HEAD}\nload-shoe", "5.3.1"),
    "dragon-tiger-hoiana": (f"open-table dragon-tiger-hoiana {HEAD}\nload-shoe\nburn", "7.14"),
    "dragon-tiger-mbs": (f"open-table dragon-tiger-mbs {HEAD}\nset-method B by pit-manager\nload-shoe", "5.10"),
    "wu-song": (f"open-table wu-song {HEAD}\nload-shoe", "5.3"),
}
ROUND = "sit ann 1\nbuy-in ann 1000\nopen-bets\nplace ann player 100\nclose-bets\n"
DEALT = "draw\n" * 4


def told(story: str) -> str:
    """Where a story goes otherwise than told; nothing where it does not."""
    played = play(read(f"scenario A question\n{story}"))
    return "\n".join(f"line {each.line}: {each.expected}\n  found: {each.found}" for each in played.differences)


@pytest.mark.parametrize(("opening", "clause"), OPENINGS.values(), ids=OPENINGS)
def test_a_bet_that_a_patron_leaves_behind_is_settled_and_kept_for_them(opening: str, clause: str) -> None:
    calls = "announce result\n" if "hoiana" in opening else ""
    left = f"leave ann by dealer\n  event patron-left cites {clause} AMB-35\n"
    story = f"{opening}\n{ROUND}{left}{DEALT}expose 9h 2c Kd 5s\n{calls}settle\n  ann has 1100\n"
    assert told(story) == ""


@pytest.mark.parametrize(("opening", "clause"), OPENINGS.values(), ids=OPENINGS)
def test_limits_change_between_rounds_by_any_rank(opening: str, clause: str) -> None:
    del clause
    posted = "post-limits minimum=200 maximum=5000 differential=5000 by dealer"
    story = f"{opening}\n{posted}\n  event limits-posted\nopen-bets\n{posted}\n  refused\n"
    assert told(story) == ""

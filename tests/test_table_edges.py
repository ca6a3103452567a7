"""Stories about amounts on the edge: what is left on the felt when an exceeded differential is cured (MBS 5.18)."""

import pytest

from punto.scenario import play, read

OPENED = """scenario On the edge
shows dragon-tiger-mbs 5.18.3

open-table dragon-tiger-mbs 2025-03-01T20:00:00+08:00 decks=8 minimum=50 maximum=1000 differential=500 \
method=B by pit-manager
load-shoe
sit ann 1
buy-in ann 1000
sit bob 2
buy-in bob 1000
open-bets
"""


def told(story: str) -> None:
    """A story at a table with a minimum of 50 and a differential of 500 goes as told."""
    played = play(read(OPENED + story))
    assert played.as_told, played.differences


@pytest.mark.parametrize(
    ("ann", "bob", "off", "left"),
    [
        pytest.param(460, 80, 80, 0, id="40 would be under the minimum, so all of it comes off"),
        pytest.param(450, 100, 50, 50, id="50 is not under the minimum"),
        pytest.param(451, 100, 100, 0, id="49 is under the minimum"),
        pytest.param(500, 90, 90, 0, id="nothing is left, which is no wager"),
    ],
)
def test_what_the_table_takes_off_leaves_no_wager_under_the_minimum(ann: int, bob: int, off: int, left: int) -> None:
    """5.18.3 with 3.5.1: the latest money goes until 500 is met."""
    told(f"""place ann banker {ann}
place bob banker {bob}
close-bets
answer differential remove by pit-manager
  event wager-lowered patron=bob amount={off} cites 5.18.3
  no-question
  ann holds {ann}
  bob holds {left}
""")


@pytest.mark.parametrize(
    ("amount", "told_then"),
    [
        pytest.param("40", "ann holds 500", id="50 is left"),
        pytest.param("90", "bob holds 0", id="nothing is left"),
        pytest.param("40.20", "refused 3.5.1", id="49.80 would be left"),
        pytest.param("89.99", "refused 3.5.1", id="a cent would be left"),
    ],
)
def test_what_the_pit_manager_takes_off_leaves_no_wager_under_the_minimum(amount: str, told_then: str) -> None:
    told(f"""place ann banker 500
place bob banker 90
close-bets
remove bob banker {amount} by pit-manager
  {told_then}
""")

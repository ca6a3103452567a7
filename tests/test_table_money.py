"""Money at a table: amounts that chips make up, and names that the staff cannot have."""

import pytest
from msgspec.structs import replace

from punto.rulebook import Library, Refused, parse
from punto.settlement import Limits
from punto.table import Table, act
from punto.table import commands as c

MANAGER = "table-game-shift-manager"
LIMITS = Limits(minimum=10_00, maximum=1000_00, differential=5000_00, unit=5_00)


def table(*given: c.Command) -> Table:
    found, _ = act(None, c.OpenTable("wu-song", "2025-03-01T20:00:00+08:00", decks=8, limits=LIMITS))
    for command in (c.LoadShoe(), c.Sit("ann", 1), c.BuyIn("ann", 500_00), *given):
        found, _ = act(found, command)
    return found


@pytest.mark.parametrize("amount", [1, 4_99, 7_50, 499_99])
def test_a_part_is_cashed_out_in_chips(amount: int) -> None:
    with pytest.raises(Refused, match=r"cannot be had in chips: the smallest is 5\.00") as refused:
        act(table(), c.CashOut("ann", amount))
    assert refused.value.message is not None
    assert refused.value.message.id == "money-not-in-chips"


def test_whole_chips_and_everything_can_be_cashed_out() -> None:
    assert act(table(), c.CashOut("ann", 15_00))[0].patrons["ann"].balance == 485_00
    assert act(table(), c.CashOut("ann"))[0].patrons["ann"].balance == 0


def test_a_chip_that_does_not_make_up_what_somebody_has_is_not_posted() -> None:
    larger = c.PostLimits(Limits(minimum=140_00, maximum=1400_00, differential=5600_00, unit=70_00), by=MANAGER)
    with pytest.raises(Refused, match=r"ann has or owes 500\.00, which chips of 70\.00 do not make up.*AMB-30"):
        act(table(), larger)
    found, _ = act(table(c.CashOut("ann", 80_00)), larger)
    with pytest.raises(Refused, match="cannot be had in chips"):
        act(found, c.CashOut("ann", 5_00))
    assert act(found, c.CashOut("ann", 70_00))[0].patrons["ann"].balance == 350_00
    assert act(found, c.CashOut("ann"))[0].patrons["ann"].balance == 0


@pytest.mark.parametrize("name", ["", "house", "ann", "pit-manager"])
def test_a_person_of_the_staff_has_a_name_of_their_own(name: str) -> None:
    with pytest.raises(Refused, match="cannot be the name of a person of the staff here") as refused:
        act(table(), c.Assign(name, "dealer", by="pit-manager"))
    assert refused.value.message is not None
    assert refused.value.message.id == "not-a-staff-name"


def test_a_maximum_under_the_least_stake_is_not_posted() -> None:
    """Banker is paid 0.95 to 1: in chips of 1.00 the least stake on it is 20.00. Another maximum leaves it some."""
    base = 'base = "punto-banco"\nid = "mine"\ntitle = "Mine"\noperator = "O"\napprover = "A"\nversion = "1"\n'
    text = base + 'effective = 2025-01-01T00:00:00Z\n[limits]\ndisplayed = { value = "maximum", clause = "M.limits" }\n'
    library = Library().with_book(parse(text.encode(), "mine.toml"))
    opening = c.OpenTable("mine", "2025-03-01T20:00:00+08:00", 8, limits=Limits(maximum=15_00, unit=1_00))
    with pytest.raises(Refused, match=r"The maximum of 15\.00 leaves no stake on Banker.*post 20\.00 or more.*AMB-30"):
        act(None, opening, library)
    more = Limits(maximum=15_00, unit=1_00, maximums={"banker": 20_00})
    found, _ = act(None, replace(opening, limits=more), library)
    with pytest.raises(Refused, match="leaves no stake on Banker"):
        act(found, c.PostLimits(opening.limits), library)

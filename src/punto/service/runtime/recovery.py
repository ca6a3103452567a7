"""Recovery: a round that was interrupted is reported to its table, which does what the book says."""

import logging
from contextlib import suppress

from punto.journal.leases import HELD, Lease
from punto.rulebook import Refused
from punto.service.runtime.floor import Floor
from punto.service.runtime.keys import house_key
from punto.service.runtime.live import Live
from punto.table import commands

log = logging.getLogger("punto")


def has_lapsed(lease: Lease, *, opened_here: bool, starting: bool) -> bool:
    """Whether nobody ran the table between its last holder and the one who took the lease now.

    The last holder did not let it go, unless that was this process itself when it opened the table. A table that
    nobody ever had a lease of was opened by a process that runs none; if it is found so at the start, that process is
    gone.

    >>> has_lapsed(Lease("t1", "held"), opened_here=False, starting=False)
    True
    >>> has_lapsed(Lease("t1", "held"), opened_here=True, starting=False)
    False
    >>> has_lapsed(Lease("t1", None), opened_here=False, starting=True)
    True
    >>> has_lapsed(Lease("t1", None), opened_here=False, starting=False)
    False
    """
    if lease.left == HELD:
        return not opened_here
    return lease.left is None and starting


async def report_interruption(floor: Floor, live: Live, fence: int) -> None:
    """Report that the service was interrupted, if a round is running; the table decides, and that is on record.

    It is done under the lease of this number: `LeaseLost` if somebody has taken the table over meanwhile.
    """
    if live.table is None or live.table.running is None:
        return
    note = "The service was interrupted; the lease of the table had lapsed."
    report = commands.Report("interruption", cause="other", note=note, by="dealer")
    with suppress(Refused):
        key = house_key("interruption", live.sequence)
        await floor.submit(live.name, report, who="service", key=key, fence=fence)
    log.warning("interrupted", extra={"table": live.name})

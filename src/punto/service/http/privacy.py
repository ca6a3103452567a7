"""What an entry shows to whom: a purse is its owner's, and the staff's."""

import msgspec

from punto.service.runtime.floor import Said
from punto.table.events import BoughtIn, CashedOut, OwedPaid

_PURSE = (BoughtIn, CashedOut, OwedPaid)
STAFF = "*"


def shown_to(said: Said, viewer: str | None) -> bytes:
    """The message about an entry for a viewer: a patron, `*` for the staff of the table, or nobody."""
    event = said.event
    if isinstance(event, _PURSE) and viewer not in (STAFF, event.patron):
        return msgspec.json.encode({"sequence": said.sequence, "event": {"event": "private"}})
    return said.message

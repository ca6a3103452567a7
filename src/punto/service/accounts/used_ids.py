"""The ids that persons ever had: what was read once of a chain is kept, and only the rest is read when asked again."""

import msgspec

from punto.journal import HOUSE, Journal
from punto.service.accounts.house import Act
from punto.service.money.chain_fold import ChainFold
from punto.service.money.standing import table_names
from punto.table import decode_event
from punto.table.events import PatronSat, PatronStood


class _UsedIds(msgspec.Struct):
    """The ids that are in a chain up to an event: of accounts that were made, or of patrons at a table."""

    form: int = 1
    sequence: int = 0
    ids: set[str] = set()


def _take_act(state: _UsedIds, body: bytes) -> None:
    act = msgspec.json.decode(body, type=Act)
    if act.what == "account-made":
        state.ids.add(act.person or act.account)  # an account of the first releases is its own person


def _take_event(state: _UsedIds, body: bytes) -> None:
    event = decode_event(body)
    if isinstance(event, PatronSat | PatronStood):
        state.ids.add(event.patron)


def ever_used(journal: Journal, person: str) -> bool:
    """Whether an account of any release, or a patron whom the staff have seated, ever had this id."""
    chains = {HOUSE: _take_act, **dict.fromkeys(table_names(journal), _take_event)}
    folds = (ChainFold(journal, chain, _UsedIds, take) for chain, take in chains.items())
    return any(fold.ask(lambda state: person in state.ids) for fold in folds)

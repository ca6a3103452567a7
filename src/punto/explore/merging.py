"""When two tables count as one state: they differ only in what no command of the alphabet can depend on."""

from hashlib import blake2b
from typing import Any

import msgspec

from punto.explore.alphabet import PURSE
from punto.table.state import Placed, Round, Table, Window

LEFT_OUT = {
    "book, setup": "they are the same in one exploration",
    "house, large balances": "more than can ever be staked is as good as any other; what is owed is kept",
    "numbers": "of rounds, shoes, questions and accepted money: only their order matters, and that is kept",
    "cards far away": "how many are left of a shoe that has plenty, how many are gone, and which faces have come",
    "calls": "how often, and in which order, the same was called",
    "results": "the roads of the shoe: nothing is decided by them",
    "lines": "what a settled round paid: it follows from its wagers, its cards and its rulings",
    "words": "sentences to people, and the reasons that they gave",
}
"""What is not looked at when states are merged, and why that cannot matter."""

PLENTY = 20
"""So many cards left are as good as any larger number: more than two rounds can take."""

RICH = PURSE // 2
"""So much in a purse is as good as any larger amount."""

_ENCODER = msgspec.msgpack.Encoder(order="deterministic", enc_hook=str)


def digest(table: Table) -> bytes:
    """A number for the state of a table: tables with the same one are merged."""
    shoe, round, purses = table.shoe, table.round, table.patrons.items()
    waiting = [each.round for each in (table.past, table.paused) if each is not None]
    sequences = set().union(*(_sequences(each) for each in (round, *waiting)))
    order = {sequence: at for at, sequence in enumerate(sorted(sequences))}
    numbers = {each.id: at for at, each in enumerate(table.questions)}
    state = (
        table.open,
        table.posted is not None,
        [(name, each.box, min(each.balance, RICH), each.held, each.owed, each.away) for name, each in purses],
        table.strikes,
        table.policies,
        table.area_cap,
        table.method,
        table.without_wager,
        table.insurance_off,
        table.notice,
        None if shoe is None else _shoe(table),
        None if round is None else _round(round, table, order),
        [_round(each, table, order) for each in waiting],
        table.paused is not None,
        [_question(each, numbers[each.id]) for each in table.questions],
        [msgspec.structs.replace(each, note="", reason="") for each in table.procedures],
        table.disputes,
    )
    return blake2b(_ENCODER.encode(state), digest_size=16).digest()


def _sequences(round: Round | None) -> set[int]:
    placed = round.wagers.values() if round is not None else ()
    return {sequence for each in placed for sequence, _ in each.money}


def _shoe(table: Table) -> Any:
    shoe = table.shoe
    if shoe is None:
        return None
    last = None if shoe.last_round is None else shoe.last_round - (table.round.number if table.round else 0)
    return msgspec.structs.replace(
        shoe,
        number=0,
        left=min(shoe.left, PLENTY),
        rounds=min(shoe.rounds, 1),
        last_round=last,
        results=(),
        faces={},
        cards=0,
        burnt=0,
        discarded=0,
        carried_off=0,
        gone={},
    )


_NOT_OF_A_ROUND = frozenset(("number", "announced", "wagers", "lines", "result", "shoe"))


def _round(round: Round, table: Table, order: dict[int, int]) -> Any:
    same_shoe = table.shoe is not None and round.shoe == table.shoe.number
    wagers = [(spot, _placed(each, order)) for spot, each in round.wagers.items()]
    rest = [_listed(getattr(round, name)) for name in round.__struct_fields__ if name not in _NOT_OF_A_ROUND]
    return same_shoe, sorted(set(round.announced)), wagers, rest


def _listed(value: Any) -> Any:
    """A value in which places of wagers are no keys: the encoder sorts by words alone."""
    if isinstance(value, dict):
        return [(key, _listed(each)) for key, each in value.items()]
    if isinstance(value, Window):
        return [_listed(getattr(value, name)) for name in value.__struct_fields__]
    return value


def _placed(placed: Placed, order: dict[int, int]) -> Placed:
    return msgspec.structs.replace(placed, money=tuple((order[sequence], amount) for sequence, amount in placed.money))


def _question(question: Any, number: int) -> Any:
    return msgspec.structs.replace(question, id=number, says="", message=None)

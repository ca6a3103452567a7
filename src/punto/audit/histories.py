"""From a journal to hand histories: one record for every round that is over."""

import re
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import quote

import msgspec

from punto.audit.books import kept_books
from punto.audit.entries import BadAudit, chosen, decoded
from punto.audit.settlements import plain_coup
from punto.coup import Card, show
from punto.history import (
    Field,
    History,
    Limit,
    RecordedCover,
    RecordedEvent,
    RecordedRound,
    RecordedShoe,
    RecordedWager,
    dump,
)
from punto.journal import OF_THE_HOUSE, Journal, StoredEvent
from punto.rulebook import SHIPPED, Library
from punto.settlement import Line
from punto.settlement.recorded import settle_again
from punto.table import Setup, Table, evolve
from punto.table import events as e
from punto.table.felt import coup
from punto.table.state import Round, Spot
from punto.tabular import Rows

SUFFIX = ".history"
_UNWRITABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+")


class Exported(msgspec.Struct, frozen=True):
    """A file of hand histories, and how many rounds it holds."""

    table: str
    file: Path
    rounds: int


def export(journal: Journal, folder: Path, table: str | None = None, form: str | None = None) -> list[Exported]:
    """Write the hand histories of every table, or of one, each into a file of its own.

    With a `form`, `csv`, `jsonl` or `parquet`, its rounds, its wagers and its events are written as tables instead.
    """
    made, library = [], kept_books(journal)
    for name in (each for each in chosen(journal, table) if each not in OF_THE_HOUSE):
        history = history_of(name, decoded(journal, name), library)
        if history is not None:
            folder.mkdir(parents=True, exist_ok=True)
            rounds = sum(len(shoe.rounds) for shoe in history.shoes)
            if form is None:
                file = folder / f"{quote(name, safe='')}{SUFFIX}"
                file.write_text(_text(name, history), encoding="utf-8", newline="\n")
            else:
                file = folder / f"{quote(name, safe='')}.rounds.{form}"
                history.to_rows().write(file)
                history.wagers().write(folder / f"{quote(name, safe='')}.wagers.{form}")
                events_of(name, journal).write(folder / f"{quote(name, safe='')}.events.{form}")
            made.append(Exported(name, file, rounds))
    return made


EVENT_COLUMNS = ("table", "sequence", "at", "who", "event", "body")


def events_of(name: str, journal: Journal) -> Rows:
    """The journal of a table as a table: an event a row, with what it says as JSON."""
    rows = (
        (name, stored.sequence, stored.at, stored.who, _kind(stored), stored.body.decode())
        for stored, _ in decoded(journal, name)
    )
    return Rows(EVENT_COLUMNS, tuple(rows), f"Events of {name}")


class _Tagged(msgspec.Struct):
    event: str


def _kind(stored: StoredEvent) -> str:
    return msgspec.json.decode(stored.body, type=_Tagged).event


def _text(name: str, history: History) -> str:
    try:
        return dump(history)
    except ValueError as error:
        raise BadAudit(f"The rounds of {name} cannot be written as a history: {error}") from None


def history_of(name: str, events: Iterable[tuple[StoredEvent, e.Event]], library: Library = SHIPPED) -> History | None:
    """The hand histories of a table from its journal; None if no round is over yet."""
    recorder = _Recorder(name, library)
    for stored, event in events:
        try:
            recorder.take(stored, event)
        except Exception as error:  # a journal that was tampered with may fail in any way
            says = f"Event {stored.sequence} of {name} cannot be followed: {error!r}. `punto journal verify` says why."
            raise BadAudit(says) from None
    return recorder.history()


class _Block(msgspec.Struct):
    """Rounds under one head: of one shoe, by one book and under the same limits."""

    shoe: int
    setup: Setup
    commitment: str
    rounds: list[RecordedRound]


class _Recording(msgspec.Struct):
    """What is kept of one round until it is written down: its head, its irregularities, wagers and entries."""

    block: _Block
    first: int
    events: list[RecordedEvent] = []
    spots: dict[str, tuple[Spot, ...]] = {}
    last: int = 0
    at: str = ""


class _Recorder:
    """Follows a table and writes each round down when the next one opens; if it is paid anew since, once more."""

    def __init__(self, name: str, library: Library) -> None:
        self._name, self._library = name, library
        self._table: Table | None = None
        self._blocks: list[_Block] = []
        self._seeds: dict[int, str] = {}
        self._commitment = ""
        self._now: _Recording | None = None
        self._other: _Recording | None = None
        """Of the last round, or of the next while the last is put right."""

    def take(self, stored: StoredEvent, event: e.Event) -> None:
        """Follow one event."""
        if isinstance(event, e.BetsOpened | e.NextRoundResumed):
            self._write()
        table = self._table = evolve(self._table, event, self._library)
        now = self._now
        match event:
            case e.ShoeLoaded():
                self._commitment = event.commitment
            case e.ShoeEnded():
                self._seeds[table.shoes] = event.seed
            case e.BetsOpened():
                self._begin(table, stored)
            case e.LastRoundReopened() | e.NextRoundResumed():
                self._now, self._other = self._other, now
                self._take_back(event)
            case e.Reported() if now is not None:
                dealt = len(table.round.cards) if table.round is not None else 0
                now.events.append(RecordedEvent(event.fact, _line(event.note), dealt))
            case e.RoundSettled() if now is not None:
                now.spots, now.last, now.at = event.spots, stored.sequence, stored.at
            case e.RoundEnded() if now is not None:
                now.last, now.at = stored.sequence, stored.at
            case _:
                pass

    def _begin(self, table: Table, stored: StoredEvent) -> None:
        block = self._blocks[-1] if self._blocks else None
        if block is None or (block.shoe, block.setup) != (table.shoes, table.setup):
            block = _Block(table.shoes, table.setup, self._commitment, [])
            self._blocks.append(block)
        if self._now is not None and self._now.last:
            self._other = self._now
        self._now = _Recording(block, stored.sequence)

    def _take_back(self, event: e.LastRoundReopened | e.NextRoundResumed) -> None:
        """Strike out what was written of the last round: it is written again when the next goes on."""
        if isinstance(event, e.LastRoundReopened) and self._now is not None:
            rounds = self._now.block.rounds
            rounds[:] = [each for each in rounds if each.number != event.number]

    def _write(self) -> None:
        round = self._table.round if self._table is not None else None
        now = self._now
        if round is None or now is None or round.phase not in ("settled", "void"):
            return
        made = _settled(round, now.spots) if round.phase == "settled" else _void(round)
        fields = (Field("entries", f"{now.first} {now.last}"), Field("at", now.at), *made.fields)
        made = msgspec.structs.replace(made, events=tuple(now.events), fields=fields)
        if not made.void:
            lines = _lines(round, now.spots)
            otherwise = _otherwise(self._shoe(now.block), made, lines, self._library)
            made = msgspec.structs.replace(made, fields=(*fields, *otherwise))
        now.block.rounds.append(made)

    def history(self) -> History | None:
        """Everything that is over."""
        self._write()
        shoes = tuple(self._shoe(block) for block in self._blocks if block.rounds)
        return History(shoes) if shoes else None

    def _shoe(self, block: _Block) -> RecordedShoe:
        setup, limits = block.setup, block.setup.limits
        fields = {
            "table": self._name,
            "shoe": str(block.shoe),
            "digest": setup.digest,
            "rounding": limits.rounding or "",
            "chips": "whole" if setup.whole_chips and (limits.unit > 1 or limits.rounding == "up") else "",
            "commitment": block.commitment,
            "seed": self._seeds.get(block.shoe, ""),
        }
        posted: list[tuple[str, int | None]] = [
            ("minimum", limits.minimum),
            ("maximum", limits.maximum),
            ("differential", limits.differential),
            ("unit", limits.unit),
            ("payout", limits.payout),
            *((f"minimum-{bet}", amount) for bet, amount in limits.minimums.items()),
            *((f"maximum-{bet}", amount) for bet, amount in limits.maximums.items()),
        ]
        return RecordedShoe(
            setup.book,
            setup.layout,
            setup.decks,
            tuple(Limit(name, amount) for name, amount in posted if amount is not None),
            tuple(Field(name, _line(value)) for name, value in fields.items() if value),
            tuple(block.rounds),
            _currency(setup.currency),
        )


def _settled(round: Round, spots: dict[str, tuple[Spot, ...]]) -> RecordedRound:
    result, lines = coup(round), _lines(round, spots)
    wagers: list[tuple[Spot, RecordedWager]] = []
    places: dict[Spot, int] = {}
    for spot, line in lines:
        if line.bet == spot[2]:
            places[spot] = len(wagers) + 1
            wagers.append((spot, RecordedWager(line.bet, line.stake, line.net, _patron(spot[0]))))
    struck, covers = list(round.covers), []
    for spot, line in lines:
        if line.bet != spot[2]:
            of = next(each for each in struck if each.spot == spot and each.stake == line.stake)
            struck.remove(of)
            covers.append(RecordedCover(of.stage, of.hand, of.stake, places[spot], line.net, _patron(spot[0])))
    fields = []
    if len({spot[1] for spot, _ in wagers}) > 1:
        fields.append(Field("boxes", " ".join(str(spot[1]) for spot, _ in wagers)))
    if plain_coup(round) is None:  # the hands lie otherwise than their cards would fall
        fields += [Field("player", show(result.player)), Field("banker", show(result.banker))]
    return RecordedRound(
        round.number,
        result.cards,
        free=round.free,
        wagers=tuple(wager for _, wager in wagers),
        covers=tuple(covers),
        fields=tuple(fields),
    )


def _lines(round: Round, spots: dict[str, tuple[Spot, ...]]) -> list[tuple[Spot, Line]]:
    """Every line of a round with the wager it is about: first all wagers, then all covers."""
    both = [pair for name, lines in round.lines.items() for pair in zip(spots[name], lines, strict=True)]
    return sorted(both, key=lambda pair: pair[1].bet != pair[0][2])


def _void(round: Round) -> RecordedRound:
    seen: list[Card] = []
    for each in round.cards:
        if each.face is None:
            break
        seen.append(each.face)
    wagers = () if round.free else round.wagers.items()
    return RecordedRound(
        round.number,
        tuple(seen),
        void=True,
        free=round.free,
        wagers=tuple(RecordedWager(spot[2], placed.stake, 0, _patron(spot[0])) for spot, placed in wagers),
    )


def _otherwise(
    shoe: RecordedShoe, made: RecordedRound, lines: list[tuple[Spot, Line]], library: Library
) -> list[Field]:
    """The lines that the record alone would not come to: a ruling, a strike or an error stands behind them."""
    try:
        nets: list[int | None] = [line.net for line in settle_again(shoe, made, library)]
    except ValueError:
        nets = [None] * len(lines)
    both = enumerate(zip(lines, nets, strict=True), start=1)
    return [Field("otherwise", f"{at} {_line(line.why)}") for at, ((_, line), net) in both if line.net != net]


def _line(text: str) -> str:
    return _UNWRITABLE.sub(" ", text).strip(" \t")


def _currency(code: str) -> str | None:
    """The code of a currency as a history can hold it; None where it is none of the usual form."""
    code = code.upper()
    return code if code.isascii() and code.isalpha() else None


def _patron(name: str) -> str:
    """A name as a history can hold it."""
    plain = name == _line(name) and "=" not in name and "%" not in name
    return name if plain else quote(name, safe="")

"""What must hold of a table after every command, whatever was asked of it: for the audit, the explorer and tests.

Each rule is a function of a table alone: what is wrong, in words, or None. `INVARIANTS` names them all.
"""

from collections import Counter
from collections.abc import Callable, Iterator

import msgspec

from punto.amounts import show_money
from punto.rulebook.cases import can_come
from punto.rulebook.vocabulary import PATRONS
from punto.settlement import room_beside
from punto.table import commands as c
from punto.table import events as e
from punto.table.authority import holds, post_of, residual
from punto.table.felt import areas_in_order, hands_of, whole
from punto.table.handlers.companions import beside
from punto.table.knowledge import is_drawn, is_known
from punto.table.legal import next_wrong
from punto.table.places import where
from punto.table.state import Patron, Post, Table


class Invariant(msgspec.Struct, frozen=True):
    """A rule of keeping a table: its name, what it says, and the function that finds a breach."""

    name: str
    says: str
    wrong: Callable[[Table], str | None]


class Breach(msgspec.Struct, frozen=True):
    """A rule that does not hold, and why, in words."""

    rule: str
    why: str


def breach(table: Table) -> Breach | None:
    """The first of the rules of keeping a table that does not hold; None if all of them do."""
    for each in INVARIANTS:
        why = each.wrong(table)
        if why is not None:
            return Breach(each.name, why)
    return None


def broken(table: Table) -> str | None:
    """Why the first rule that does not hold is broken; None if all of them hold."""
    found = breach(table)
    return None if found is None else found.why


def cards_wrong(table: Table | None) -> str | None:
    """Why the cards of the shoe are not all in one place each, if they are not (AMB-111)."""
    if table is None or table.shoe is None or not table.shoe.cards:
        return None
    found = where(table)
    if sum(found.values()) == table.shoe.cards and min(found.values()) >= 0:
        return None
    told = ", ".join(f"{number} {place}" for place, number in found.items())
    return f"of {table.shoe.cards} cards there are {told}"


def money_wrong(table: Table) -> str | None:
    """What is wrong with the purses of a table: nothing gets lost, and nobody has less than nothing.

    >>> from punto.rulebook import load
    >>> from punto.settlement import Limits
    >>> from punto.table import Patron, Setup
    >>> setup = Setup("wu-song", "", "A", 7, Limits(), 8)
    >>> money_wrong(Table(load("wu-song"), setup, house=-500, patrons={"ann": Patron(1, 400)}))
    'the money at the table does not sum to nothing: -1.00 is left over'
    """
    total = table.house
    for name, each in table.patrons.items():
        total += each.balance + each.held - each.owed
        for what, amount in (("has", each.balance), ("has at stake", each.held), ("owes", each.owed)):
            if amount < 0:
                return f"{name} {what} {_shown(table, amount)}, less than nothing"
    return f"the money at the table does not sum to nothing: {_shown(table, total)} is left over" if total else None


def _shown(table: Table, amount: int) -> str:
    return show_money(amount, table.setup.currency)


def chips_wrong(table: Table) -> str | None:
    """Which amount at a table is not whole chips, if one is not (AMB-30); what older tables paid to the cent may be.

    While the last round is put right the chip is that of the next, which is no coarser.

    >>> from punto.rulebook import load
    >>> from punto.settlement import Limits
    >>> from punto.table import Patron, Setup
    >>> setup = Setup("wu-song", "", "A", 7, Limits(unit=500), 8, whole_chips=True)
    >>> chips_wrong(Table(load("wu-song"), setup, house=-400, patrons={"ann": Patron(1, 400)}))
    'the house has -4.00, which chips of 5.00 do not make up'
    """
    setup = table.setup if table.paused is None else table.paused.setup
    unit = setup.limits.unit
    if not setup.whole_chips or unit == 1:
        return None
    for what, amount in _amounts(table):
        if amount % unit:
            return f"{what} {_shown(table, amount)}, which chips of {_shown(table, unit)} do not make up"
    return None


def _amounts(table: Table) -> Iterator[tuple[str, int]]:
    """Every amount at a table, and whose it is."""
    yield "the house has", table.house
    for name, patron in table.patrons.items():
        yield f"{name} has", patron.balance
        yield f"{name} has at stake", patron.held
        yield f"{name} owes", patron.owed
    for round in (table.round, None if table.paused is None else table.paused.round):
        if round is None or round.final:  # what is final was paid in the chips of its day
            continue
        for (name, _, bet), placed in round.wagers.items():
            for _, piece in placed.money:
                yield f"{name} has on {bet}", piece
        for cover in round.covers:
            yield f"{cover.spot[0]} has cover of", cover.stake
        for name, lines in round.lines.items():
            for line in lines:
                yield f"{name}'s {line.bet} plays for", line.effective
                yield f"{name}'s {line.bet} is paid", line.net


def stakes_wrong(table: Table) -> str | None:
    """Why what patrons have at stake is not what lies on the felt, if it is not."""
    held: Counter[str] = Counter()
    running = table.running if table.paused is None else table.paused.round
    if running is not None:
        for (name, _, bet), placed in running.wagers.items():
            if placed.stake <= 0 or placed.stake != sum(amount for _, amount in placed.money):
                return f"{name}'s wager on {bet} is not the sum of its pieces"
            held[name] += 0 if placed.pulled or placed.paid is not None else placed.stake
        for cover in running.covers:
            if cover.stake <= 0:
                return f"{cover.spot[0]} has cover for nothing"
            held[cover.spot[0]] += cover.stake
    for name in (*table.patrons, *held):
        patron = table.patrons.get(name)
        has = 0 if patron is None else patron.held
        if has != held[name]:
            return f"{name} has {_shown(table, has)} at stake, and {_shown(table, held[name])} lies on the felt"
    return None


def hands_wrong(table: Table) -> str | None:
    """Why the hands of a round do not follow from its cards, if they do not."""
    round = table.round
    if round is None or round.hands == hands_of(round, round.cards, banker_first=round.banker_first):
        return None
    return "the hands are not those that the cards on the felt make"


def draws_wrong(table: Table) -> str | None:
    """Why what was settled does not agree with the Table of Play (AMB-113).

    Patrons may have chosen to play the cards as they lie, or somebody may have decided so beyond the book. While
    something is being dealt with, nothing is said yet.
    """
    round = table.round
    if round is None or round.phase != "settled" or round.ruled or table.procedures:
        return None
    if not whole(round):
        return "a hand was settled that is not finished"
    laid = tuple(each.area for each in round.cards)
    meant = areas_in_order(round)
    return None if laid == meant else f"cards lie as {' '.join(laid)} where the Table of Play has {' '.join(meant)}"


def offer_wrong(table: Table) -> str | None:
    """Why insurance cannot be on offer, if it is: the next card is drawn or known (AMB-112)."""
    round = table.running
    if round is None or round.window is None:
        return None
    window = round.window
    if is_known(table, round, window.stage):
        return "insurance is on offer on a card that somebody knows"
    if is_drawn(round, window.stage) and not (window.late or window.drawn):
        return "insurance is on offer on a card that is drawn"
    return None


def questions_wrong(table: Table) -> str | None:
    """Why an open question is put to nobody who could answer it, or a step waits that could be taken."""
    last = len(table.procedures) - 1
    if len({each.id for each in table.questions}) < len(table.questions):
        return "two open questions have one number"
    for each in table.questions:
        if each.to == PATRONS and not each.waiting:
            return f"a question about {each.topic} waits for no patron"
        if each.to != PATRONS and each.to not in table.book.tiers:
            return f"a question about {each.topic} is put to {each.to}, which is no rank of the book"
        if each.step is not None and each.step > last:
            return f"a question about {each.topic} belongs to a procedure that is over"
        if each.form == "order" and each.step is not None and _not_on_the_felt(table, each.step):
            return f"a question about {each.topic} names a place where no card lies"
    if table.questions and not any(each.step in (None, last) for each in table.questions):
        return "the questions of an earlier procedure are open, and the later one waits for nobody"
    waits = any(each.blocks and each.step in (None, last) for each in table.questions)
    if table.procedures and not waits and not (table.procedures[-1].until_round_end and table.running is not None):
        return "a step of a procedure could be taken, and is not"
    return None


def _not_on_the_felt(table: Table, step: int) -> bool:
    """Whether a procedure is about a place beyond the cards of the round."""
    cards = table.round.cards if table.round is not None else ()
    return any(at >= len(cards) for at in table.procedures[step].cards)


def authority_wrong(table: Table) -> str | None:
    """Why a ruling of the residual authority waits for a rank below it, if it does (AMB-116)."""
    rank = residual(table)[0]
    for each in table.questions:
        ruled = each.step is not None and table.procedures[each.step].ruled
        if ruled and each.to != PATRONS and not holds(table.book, Post(each.to), rank):
            return f"a ruling of the {rank} waits for the {each.to}"
    return None


def answer_wrong(before: Table, command: c.Command) -> str | None:
    """Why an answer is not for whoever gave it, if it is not: a question is for its patrons, or for a rank or a higher.

    It looks at a command, so it is none of `INVARIANTS`: whoever has the command asks it.
    """
    if not isinstance(command, c.Answer):
        return None
    question = next((each for each in before.questions if each.id == command.question), None)
    if question is None:
        return f"there is no question {command.question}"
    post = post_of(before, command.by)
    own = command.by in question.waiting if question.to == PATRONS else False
    may = post is not None if question.to == PATRONS else post is not None and holds(before.book, post, question.to)
    return None if own or may else f"{command.by} decides what is for another: {question.topic}"


def worth_wrong(before: Table, event: e.Event, after: Table) -> str | None:
    """Who becomes richer or poorer by an event otherwise than by money from outside and by the lines of a round.

    It looks at two tables, so it is none of `INVARIANTS`: whoever has the event asks it.
    """
    gains: Counter[str] = Counter()
    lines = before.round.lines if before.round is not None else {}
    if isinstance(event, e.BoughtIn | e.OriginalReturned | e.OwedPaid):
        gains[event.patron] = 0 if isinstance(event, e.OwedPaid) and event.chips else event.amount
    elif isinstance(event, e.CashedOut):
        gains[event.patron] = -event.amount
    elif isinstance(event, e.RoundSettled | e.FirstFourSettled):
        gains.update({name: sum(line.net for line in own) for name, own in event.lines.items()})
    if isinstance(event, e.FirstFourReversed) or (isinstance(event, e.RoundSettled) and not event.again):
        gains.subtract(_won_early(before))
    if (isinstance(event, e.RoundSettled) and event.again) or (isinstance(event, e.RoundEnded) and event.reversed):
        gains.subtract({name: sum(line.net for line in own) for name, own in lines.items()})
    for name, was in before.patrons.items():
        now = after.patrons.get(name, Patron())
        more = now.balance + now.held - now.owed - was.balance - was.held + was.owed
        if more != gains[name]:
            tag = event.__struct_config__.tag
            return f"{tag} makes {name} {_shown(after, more)} richer, not {_shown(after, gains[name])}"
    return None


def _won_early(table: Table) -> dict[str, int]:
    """What patrons have won so far on bets that were paid when the first four cards lay open."""
    won: Counter[str] = Counter()
    for spot, placed in table.round.wagers.items() if table.round is not None else ():
        won[spot[0]] += 0 if placed.paid is None else placed.paid[0] - placed.stake
    return won


def companions_wrong(table: Table) -> str | None:
    """Which wager lies without what it must lie with, before the first card; wagers count as they lie from then on."""
    round = table.running
    if not table.menu.depends or round is None or round.cards:
        return None
    for spot, placed in round.wagers.items():
        most, (why, _) = room_beside(table.menu, spot[2], beside(round, spot), table.chips)
        if most is not None and placed.stake > most:
            return f"{spot[0]}'s {_shown(table, placed.stake)} on {spot[2]} may not lie there: {why}"
    return None


def cases_wrong(table: Table) -> str | None:
    """Why a table has come to a case that its book has nothing for, if it has.

    What `punto.rulebook.cases` says cannot come is left out where two books are compared.
    """
    seen = () if table.shoe is None else table.shoe.top
    if any(each is not None and each.moved for each in seen) and not can_come(table.book, {"left-over": "moved"}):
        return "a card counts as seen in moving the shoe, and the book has no row about that"
    if table.method == "C" and not can_come(table.book, {"method": "c"}):
        return "the cards are dealt by Method C, which the book does not have"
    if table.insurance_off and not can_come(table.book, {"insurance": "off"}):
        return "the table goes without insurance, which the book does not provide for"
    return None


INVARIANTS = (
    Invariant("cards", "Every card of the shoe in use is in one place.", cards_wrong),
    Invariant("money", "All money at the table sums to nothing, and nobody has less than nothing.", money_wrong),
    Invariant("chips", "Every amount at a table is whole chips.", chips_wrong),
    Invariant("stakes", "What patrons have at stake is what lies on the felt.", stakes_wrong),
    Invariant("companions", "Before the first card no bet lies without the bets that it depends on.", companions_wrong),
    Invariant("hands", "Hands are what the cards on the felt make.", hands_wrong),
    Invariant("draws", "What is settled agrees with the Table of Play.", draws_wrong),
    Invariant("offers", "No insurance is on offer on a card that is drawn or known.", offer_wrong),
    Invariant("questions", "Every open question is put to somebody who can answer it.", questions_wrong),
    Invariant("authority", "No ruling waits for a rank below the one that gave it.", authority_wrong),
    Invariant("cases", "No table comes to a case that its book has nothing for.", cases_wrong),
    Invariant("next", "Whatever is named to be done next is accepted, and every open question is told.", next_wrong),
)
"""The rules of keeping a table, in the order in which they are looked at."""

"""What the dealer of a virtual table does next, and for whom it waits first: decided by the table alone.

Everything that a patron may do, or leave undone, has an end here: when the time for it is over there are commands to go
on with. Only what the book puts to the staff, without a patron having asked for it, waits for the staff.
"""

import msgspec

from punto.rulebook.vocabulary import DEALER
from punto.service.runtime.faces import UNREAD
from punto.service.runtime.passed_offers import insurable, may_ask
from punto.service.runtime.timing import OFFERED, OPENED, Wanted, of, touches
from punto.table import Table, act, can, commands
from punto.table.events import Answered, Asked, BetsClosed, CardDrawn, LateBetsOpened, WordsCalled, WordsInvited
from punto.table.felt import unexposed
from punto.table.handlers.differential import DIFFERENTIAL, gaps
from punto.table.handlers.squeezing import BANKER_THIRD_FIRST, SQUEEZE
from punto.table.next_steps import Next, next_steps
from punto.table.state import Question, Round
from punto.table.turn import Turn

CUT = 16
"""With fewer cards left than this the shoe ends after the round."""

ABSENT = "absent-handler"
NO_ANSWER = "No answer in time."
BETTING = "betting"
"""The time for bets; all other times are named in `timing.PACE`."""

DECLINED = {BANKER_THIRD_FIRST.name: "no", DIFFERENTIAL.name: "remove"}
"""What it means when the staff say nothing to a question that a patron's act has put to them: what the patron asks for
is not granted, and money over the differential comes off."""

_SOME_FACE = "As"
"""Stands for any face: whether a card may be opened does not depend on what it is."""


class Plan(msgspec.Struct, frozen=True):
    """Commands, and what comes before and after them: a time to wait for people, and those that the dealer takes.

    Nobody can come between the commands of one plan, so that nobody can undo the first of them again and again.
    """

    commands: tuple[commands.Command, ...]
    wait: str | None = None
    """How long people have, by name."""
    since: Wanted | None = None
    """The last such event began that time."""
    pause: str | None = None
    """The time that the dealer takes beforehand."""
    then: str | None = None
    """The time that the dealer takes afterwards."""
    slow: tuple[int, str] | None = None
    """Round and patron, where it is done because the patron did not open the cards in time."""


class Memory(msgspec.Struct):
    """What the dealer knows besides the table."""

    stale: bool = False
    """Whether the shoe in use, or the words for the next one, are from before a restore."""
    slow: set[tuple[int, str]] = msgspec.field(default_factory=set)
    """Who is not waited for again in a round: they did not open the cards in time."""


def planned(table: Table, passed: frozenset[str], memory: Memory) -> Plan | None:
    """What the dealer does next, `passed` being who has let pass what is offered; None if it is for the staff."""
    blocking = [each for each in table.questions if each.blocks]
    if blocking:
        return _after_answers(table, blocking[-1])
    steps = next_steps(table)
    step = steps[0] if steps else None
    if step is None:
        return None
    if step.do in _SIMPLE:
        return _SIMPLE[step.do]
    if step.do in ("load-shoe", "call-words", "invite-words"):
        return _shuffle(table, memory)
    if step.do == "open-bets":
        return _open(table, memory)
    round = table.running
    if round is None:
        return None
    if step.do in ("lower", "withdraw"):
        return _cure(table, round)
    if step.do == "answer":
        return _after_answers(table, next((each for each in table.questions if each.topic in DECLINED), None))
    if step.do == "draw":
        return _draw(table, round, step, passed)
    return _expose(table, round, memory) if step.do == "expose" else None


_SIMPLE: dict[str, Plan] = {
    "end-shoe": Plan((commands.EndShoe(),), then="open-bets"),
    "burn": Plan((commands.Burn(),)),
    "close-bets": Plan((commands.CloseBets(),), wait=BETTING, since=OPENED, then="draw"),
    "announce": Plan((commands.Announce("result"),), then="settle"),
    "settle": Plan((commands.Settle(),), then="settle"),
    "offer-insurance": Plan((commands.OfferInsurance(),)),
    "give-back-shoe": Plan((commands.GiveBackShoe(),)),
}
"""Steps that are the same at every table."""


def _shuffle(table: Table, memory: Memory) -> Plan:
    """The next shoe; patrons who sit there may add words to its seed, for as long as the clock says."""
    asked = table.words
    if asked is None or memory.stale:
        seated = any(each.box is not None and not each.away for each in table.patrons.values())
        invites = seated and table.setup.shoe == "virtual"
        return Plan((commands.InviteWords() if invites else commands.LoadShoe(),))
    if not asked.missing:
        then: commands.Command = commands.LoadShoe()
    else:
        then = commands.InviteWords() if asked.called else commands.CallWords()
    if asked.called and not asked.missing:
        return Plan((then,))
    return Plan((then,), wait="word", since=of(WordsCalled) if asked.called else of(WordsInvited))


def _open(table: Table, memory: Memory) -> Plan:
    shoe = table.shoe
    assert shoe is not None
    if memory.stale or (shoe.left < CUT and not shoe.carried):
        return _SIMPLE["end-shoe"]
    return Plan((commands.OpenBets(),), pause="open-bets")


def _after_answers(table: Table, question: Question | None) -> Plan | None:
    """Silence means what the question says that it means, when the time for an answer is over."""
    if question is None:
        return None
    since = of(Asked, Answered)
    if question.waiting and question.default is not None:
        choice = question.default
        answers = tuple(commands.Answer(question.id, choice, NO_ANSWER, patron) for patron in question.waiting)
        return Plan(answers, wait="answer", since=since)
    if question.topic in DECLINED:
        decline = commands.Answer(question.id, DECLINED[question.topic], NO_ANSWER, by=question.to)
        return Plan(_and_draw(table, (decline,)), wait="answer", since=since)
    return None


def _and_draw(table: Table, before: tuple[commands.Command, ...]) -> tuple[commands.Command, ...]:
    """Commands, and the next card after them if it may be drawn then."""
    for each in before:
        table, _ = act(table, each)
    return (*before, commands.Draw()) if can(table, commands.Draw()) else before


def _cure(table: Table, round: Round) -> Plan | None:
    """Money over the differential that nobody takes back in time comes off, the latest first; then bets are closed."""
    early = round.phase == "betting"
    given: list[commands.Command] = []
    while (less := _less(table)) is not None:
        table, _ = act(table, less)
        given.append(less)
    if early and can(table, commands.CloseBets()):
        given.append(commands.CloseBets())
    if not given:
        return None
    return Plan(tuple(given), wait=BETTING if early else "answer", since=OPENED if early else of(BetsClosed))


def _less(table: Table) -> commands.Command | None:
    """What takes the latest money off the hand that is over the differential, as far as that is needed."""
    round = table.running
    over = [] if round is None else gaps(Turn(table, DEALER), round)
    if round is None or not over:
        return None
    hand, box, amount = over[0]
    on = [(spot, each) for spot, each in round.wagers.items() if spot[2] == hand and box in (None, spot[1])]
    for (patron, at, bet), placed in sorted(on, key=lambda each: -each[1].money[-1][0]):
        for each in (commands.Lower(patron, bet, min(amount, placed.stake), at), commands.Withdraw(patron, bet, at)):
            if can(table, each):
                return each
    return None


def _draw(table: Table, round: Round, step: Next, passed: frozenset[str]) -> Plan | None:
    """The next card, once everybody has answered who is offered something, or their time is over."""
    draw = Plan((commands.Draw(),), then="draw")
    if step.by != DEALER:  # a patron controls the shoe, and has as long for a card as for opening one
        given = _and_draw(table, (commands.GiveBackShoe(),))
        return Plan(given, wait="squeeze", since=of(BetsClosed, CardDrawn), then="draw")
    if round.late:
        return msgspec.structs.replace(draw, wait=BETTING, since=of(LateBetsOpened))
    if insurable(table) - passed:
        return msgspec.structs.replace(draw, wait="window", since=OFFERED)
    asked = any(each.topic == SQUEEZE.name for each in table.questions)
    if not round.cards and (may_ask(table) - passed or asked):
        return msgspec.structs.replace(draw, wait="ask", since=of(BetsClosed))
    return draw


def _expose(table: Table, round: Round, memory: Memory) -> Plan | None:
    """Open what nobody holds; what somebody holds only if they are away or do not open it in time."""
    down = sorted(unexposed(round), reverse=round.banker_first)
    if round.squeezers:
        down.sort(key=lambda at: round.cards[at].area in round.squeezers)
        down = [at for at in down if can(table, commands.Expose((_SOME_FACE,), at=at))]
    if not down:
        return None
    at = down[0]
    hand = round.cards[at].area
    holder = round.squeezers.get(hand)
    opened = Plan((commands.Expose((UNREAD,), at=at),), then="expose")
    if holder is None:
        return opened
    patron = table.patrons.get(holder)
    opened = msgspec.structs.replace(opened, commands=(*_taken_from(table, holder), *opened.commands))
    if patron is None or patron.away or (round.number, holder) in memory.slow:
        return opened
    return msgspec.structs.replace(opened, wait="squeeze", since=touches(round, hand), slow=(round.number, holder))


def _taken_from(table: Table, holder: str) -> tuple[commands.Command, ...]:
    """Where the book says what happens if whoever holds the cards is absent, that is reported first."""
    report = commands.Report(ABSENT, patron=holder, note=f"{holder} did not open the cards.")
    tells = any(row.fact == ABSENT for row in table.book.irregularities)
    return (report,) if tells and can(table, report) else ()

"""The people at a table: posts of the staff, and patrons who sit, stand or leave."""

from punto.messages import say
from punto.rulebook import Basis, Refused, check_box
from punto.rulebook.vocabulary import HOUSE
from punto.table import commands as c
from punto.table import events as e
from punto.table.authority import post_of
from punto.table.handlers.commission import collect
from punto.table.handlers.without_insurance import ask_those_left
from punto.table.turn import Turn


def assign(turn: Turn, command: c.Assign) -> None:
    """Put a person of the staff into a post; `acting` where it is not their own."""
    basis = turn.basis("authority", "acting")
    if all(command.post not in tier for tier in turn.book.ranks):
        ranks = [rank for tier in turn.book.ranks for rank in tier]
        raise turn.refuse(
            say(
                "no-such-post",
                "There is no post {post:quoted}; the book has {ranks:list}.",
                post=command.post,
                ranks=ranks,
            ),
            basis,
        )
    if not _is_free_for_staff(turn, command.person):
        raise Refused(
            say(
                "not-a-staff-name",
                "{person:quoted} cannot be the name of a person of the staff here.",
                person=command.person,
            )
        )
    turn.need(command.post, basis)
    turn.happen(e.PostAssigned, command.person, command.post, command.acting, basis=basis)


def _is_free_for_staff(turn: Turn, name: str) -> bool:
    """Whether a person of the staff can have this name: it is no patron's, no rank, and not the house's own."""
    return bool(name) and name != HOUSE and name not in turn.table.patrons and name not in turn.book.tiers


def relieve(turn: Turn, command: c.Relieve) -> None:
    """Take a person of the staff out of their post."""
    if command.person not in turn.table.posts:
        raise Refused(say("person-has-no-post", "{person:quoted} has no post at this table.", person=command.person))
    turn.staff()
    turn.happen(e.PostLeft, command.person)


def sit(turn: Turn, command: c.Sit) -> None:
    """Seat a patron at a free box."""
    _newcomer(turn, command.patron, command.accepts_notice)
    step = check_box(turn.book, turn.table.setup.layout, command.box)
    if command.box > turn.table.setup.positions:
        raise turn.refuse(
            say(
                "no-such-box",
                "There is no box {box}: the table has {positions}.",
                box=command.box,
                positions=turn.table.setup.positions,
            ),
            step.basis,
        )
    for name, patron in turn.table.patrons.items():
        if patron.box == command.box and name != command.patron:
            raise Refused(say("box-taken", "Box {box} is {patron}'s.", box=command.box, patron=name))
    basis = step.basis.plus(turn.basis("betting", "seated")).plus(turn.basis("dealing", "places"))
    turn.happen(e.PatronSat, command.patron, command.box, command.accepts_notice, basis=basis)


def stand(turn: Turn, command: c.Stand) -> None:
    """Let a patron stand; their wagers go into the boxes of others."""
    _newcomer(turn, command.patron, command.accepts_notice)
    turn.happen(e.PatronStood, command.patron, command.accepts_notice, basis=turn.basis("betting", "standing"))


def _newcomer(turn: Turn, name: str, accepts: bool) -> None:
    if not name or name == HOUSE or name in turn.table.posts or post_of(turn.table, name) is not None:
        raise Refused(say("not-a-patron-name", "{name:quoted} cannot be the name of a patron.", name=name))
    turn.oneself_or_staff(name)
    table = turn.table
    if table.insurance_off and name not in table.notice and not accepts:
        insurance = turn.book.insurance
        basis = insurance.basis("off") if insurance and "off" in insurance.points else Basis()
        raise turn.refuse(
            say(
                "notice-of-no-insurance",
                "This table offers no insurance: whoever joins must accept that notice.",
            ),
            basis,
        )


def leave(turn: Turn, command: c.Leave) -> None:
    """Let a patron go; money at stake is settled, and what it brings is kept for them (AMB-35)."""
    turn.patron(command.patron)
    turn.oneself_or_staff(command.patron)
    collect(turn, (command.patron,), "leaving")
    patron = turn.patron(command.patron)
    keeps = bool(patron.held or patron.balance or patron.owed)
    basis = turn.basis("betting", "walk-away") if patron.held else Basis()
    insurance = turn.book.insurance
    if patron.held and insurance is not None:
        basis = basis.plus(insurance.basis("lapses"))
    if patron.away and keeps:
        raise Refused(say("patron-left-already", "{patron} has left already.", patron=command.patron))
    turn.happen(e.PatronLeft, command.patron, keeps or _had_wager(turn, command.patron), basis=basis)
    ask_those_left(turn, command.patron)


def _had_wager(turn: Turn, name: str) -> bool:
    """Whether a patron has a wager in the round, which may be settled again until the next one has begun."""
    table = turn.table
    rounds = [each.round for each in (table, table.past, table.paused) if each is not None]
    return any(spot[0] == name for round in rounds if round is not None for spot in round.wagers)

"""The method of dealing, and who controls the shoe in Method C."""

from punto.messages import say
from punto.rulebook import Refused
from punto.rulebook.vocabulary import DEALER
from punto.table import commands as c
from punto.table import events as e
from punto.table.handlers.rights import at_stake, may_draw
from punto.table.turn import Turn


def set_method(turn: Turn, command: c.SetMethod) -> None:
    """Choose the method of dealing; Method C needs another rank, and only in the high-limit area."""
    methods = turn.point("dealing", "methods")
    if methods is None:
        raise Refused(say("no-methods-of-dealing", "This book knows no methods of dealing."))
    if command.method not in methods.values:
        raise turn.refuse(
            say(
                "no-such-method",
                "The methods are {methods:list}, not {method:quoted}.",
                methods=list(methods.values),
                method=command.method,
            ),
            methods.basis,
        )
    choice, special = turn.point("dealing", "method-choice"), turn.point("dealing", "method-c")
    if choice is None or special is None:
        raise Refused(say("nobody-chooses-method", "The book does not say who chooses the method."))
    if turn.table.running is not None:
        raise turn.refuse(say("method-chosen-earlier", "The method is chosen before the round."), choice.basis)
    point = special if command.method == "C" else choice
    turn.need(point.by or DEALER, point.basis)
    basis = methods.basis.plus(point.basis).plus(turn.basis("dealing", "device-holder"))
    if command.method == "C":
        if not turn.table.setup.high_limit:
            area = turn.basis("dealing", "high-limit-area")
            raise turn.refuse(
                say("method-c-high-limit-only", "Method C is for the high-limit area only."), point.basis.plus(area)
            )
        if turn.table.setup.shoe == "hand":
            raise turn.refuse(
                say("method-c-needs-reading-shoe", "Method C needs a shoe that reads the cards."),
                turn.basis("dealing", "method-c-draws"),
            )
        basis = methods.basis.plus(point.basis).plus(turn.basis("dealing", "method-c-draws"))
    shoe = turn.table.shoe
    if shoe is not None and shoe.controller is not None and command.method != "C":
        turn.happen(e.ShoeGivenBack, shoe.controller, basis=turn.basis("dealing", "device-holder"))
    turn.happen(e.MethodSet, command.method, basis=basis)


def take_shoe(turn: Turn, command: c.TakeShoe) -> None:
    """Give control of the shoe to a patron with a wager, or with leave to draw without one (Method C)."""
    _method_c(turn)
    turn.patron(command.patron)
    turn.oneself_or_staff(command.patron)
    shoe = turn.shoe()
    ends = turn.basis("dealing", "method-c-control-ends")
    if shoe.controller is not None:
        raise turn.refuse(say("patron-controls-shoe", "{patron} controls the shoe.", patron=shoe.controller), ends)
    bets = at_stake(turn.table, command.patron)
    let = turn.basis("dealing", "method-c-without-wager")
    if not may_draw(turn.table, command.patron):
        raise turn.refuse(
            say(
                "no-wager-no-drawing",
                "{patron} has no wager, and has not been let draw without one.",
                patron=command.patron,
            ),
            let,
        )
    basis = turn.basis("dealing", "method-c-draws").plus(ends if bets else let)
    turn.happen(e.ShoeTaken, command.patron, basis=basis)


def give_back_shoe(turn: Turn, command: c.GiveBackShoe) -> None:
    """Take control of the shoe back, by the patron or by the staff."""
    controller = turn.shoe().controller
    if controller is None:
        raise Refused(say("staff-control-shoe", "Nobody but the staff controls the shoe."))
    turn.oneself_or_staff(controller)
    turn.happen(e.ShoeGivenBack, controller, basis=turn.basis("dealing", "method-c-control-ends"))


def let_draw(turn: Turn, command: c.LetDraw) -> None:
    """Let a patron draw without a wager (Method C)."""
    point = turn.point("dealing", "method-c-without-wager")
    if point is None:
        raise Refused(say("no-patron-draws", "In this book no patron draws cards."))
    turn.need(point.by or DEALER, point.basis)
    turn.patron(command.patron)
    turn.happen(e.DrawingLet, command.patron, basis=point.basis)


def _method_c(turn: Turn) -> None:
    holder = turn.basis("dealing", "device-holder")
    if turn.table.method != "C":
        raise turn.refuse(say("dealer-holds-shoe", "The dealer holds the shoe."), holder)

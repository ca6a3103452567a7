"""For each kind of command: those that might be accepted, from what lies on the felt and what the book declares."""

from collections.abc import Callable, Iterator

from punto.rulebook.facts import HANDS
from punto.rulebook.vocabulary import HOUSE
from punto.shoe import commit_word
from punto.table import commands as c
from punto.table.felt import unexposed
from punto.table.legal.answers import answers
from punto.table.legal.confirming import Amounts, Asking, Candidate
from punto.table.legal.fields import Choice, Field, Some, Text, Unseen
from punto.table.legal.reports import SENTENCE, faces_of, reports
from punto.table.legal.wagers import (
    buy_in,
    cash_out,
    find,
    insure,
    lower,
    patrons,
    pay_owed,
    place,
    pull,
    remove,
    withdraw,
)
from punto.table.state import Table

Generate = Callable[[Asking], Iterator[Candidate]]

_HANDS = Choice(HANDS)
_EITHER = Choice((False, True))
_NEWCOMER = "newcomer"
_MOST_BURNED = 11
_MOST_IN_AN_AREA = 9
_SOME_DIGITS = "5a" * 32
"""Stands for every commitment that words may be asked for with, and for every word."""


def _alone(kind: type[c.Command]) -> Generate:
    """A command that says nothing more."""

    def generate(asking: Asking) -> Iterator[Candidate]:
        yield Candidate(kind)

    return generate


def _of_patron(kind: type[c.Command], more: dict[str, Field] | None = None) -> Generate:
    """A command about a patron."""

    def generate(asking: Asking) -> Iterator[Candidate]:
        names = patrons(asking)
        if names:
            yield Candidate(kind, {"patron": Choice(names), **(more or {})})

    return generate


def _of_dispute(kind: type[c.Command], more: dict[str, Field] | None = None) -> Generate:
    """A command about a dispute."""

    def generate(asking: Asking) -> Iterator[Candidate]:
        numbers = tuple(range(len(asking.table.disputes)))
        if numbers:
            yield Candidate(kind, {"dispute": Choice(numbers), **(more or {})})

    return generate


# People


def _ranks(table: Table) -> tuple[str, ...]:
    return tuple(rank for tier in table.book.ranks for rank in tier)


def _newcomer(table: Table) -> Text:
    """The name of somebody who is not at the table yet."""
    taken = frozenset((*table.patrons, *table.posts, *_ranks(table), HOUSE))
    names = (_NEWCOMER, *(f"{_NEWCOMER}-{number}" for number in range(2, len(taken) + 3)))
    return Text(next(name for name in names if name not in taken), taken=taken)


def _arriving(asking: Asking) -> Iterator[Field]:
    """Those who may sit down or stand at the table: somebody themself; for the staff everybody, and who is new."""
    table = asking.table
    if asking.who in table.posts or asking.who in _ranks(table):
        if table.patrons:
            yield Choice(tuple(table.patrons))
        yield _newcomer(table)
    else:
        yield Choice((asking.who,))


def _sit(asking: Asking) -> Iterator[Candidate]:
    boxes = Choice(tuple(range(1, asking.table.setup.positions + 1)))
    for patron in _arriving(asking):
        yield Candidate(c.Sit, {"patron": patron, "box": boxes, "accepts_notice": _EITHER})


def _stand(asking: Asking) -> Iterator[Candidate]:
    for patron in _arriving(asking):
        yield Candidate(c.Stand, {"patron": patron, "accepts_notice": _EITHER})


def _assign(asking: Asking) -> Iterator[Candidate]:
    table = asking.table
    taken = frozenset((*table.patrons, *_ranks(table)))
    person = Text("member-of-staff", needed=False, taken=taken)
    yield Candidate(c.Assign, {"person": person, "post": Choice(_ranks(table)), "acting": _EITHER})


def _relieve(asking: Asking) -> Iterator[Candidate]:
    if asking.table.posts:
        yield Candidate(c.Relieve, {"person": Choice(tuple(asking.table.posts))})


# Shoe and cards


def _load_shoe(asking: Asking) -> Iterator[Candidate]:
    virtual, words = asking.table.setup.shoe == "virtual", asking.table.words
    bound: Field = Text("commitment") if words is None else Choice((words.commitment,))
    yield Candidate(c.LoadShoe, {"commitment": bound} if virtual else {})


def _invite_words(asking: Asking) -> Iterator[Candidate]:
    words = asking.table.words
    commitment = _SOME_DIGITS if words is None else words.commitment
    yield Candidate(c.InviteWords, {"commitment": Choice((commitment,))})


def _commit_word(asking: Asking) -> Iterator[Candidate]:
    words = asking.table.words
    if words is not None:
        digest = commit_word(bytes.fromhex(_SOME_DIGITS), words.commitment, asking.who)
        yield Candidate(c.CommitWord, {"patron": Choice((asking.who,)), "digest": Choice((digest,))})


def _reveal_word(asking: Asking) -> Iterator[Candidate]:
    yield Candidate(c.RevealWord, {"patron": Choice((asking.who,)), "word": Choice((_SOME_DIGITS,))})


def _end_shoe(asking: Asking) -> Iterator[Candidate]:
    yield Candidate(c.EndShoe, {"seed": Text("", needed=False), "key": Text("", needed=False)})


def _burn(asking: Asking) -> Iterator[Candidate]:
    yield Candidate(c.Burn, {"count": Amounts(1, _MOST_BURNED, 1)})


def _set_method(asking: Asking) -> Iterator[Candidate]:
    methods = asking.table.book.point("dealing", "methods")
    if methods is not None:
        yield Candidate(c.SetMethod, {"method": Choice(methods.values)})


def _draw(asking: Asking) -> Iterator[Candidate]:
    yield Candidate(c.Draw, {"to": Choice((None, *HANDS))})


def _expose(asking: Asking) -> Iterator[Candidate]:
    table = asking.table
    down = unexposed(table.running) if table.running is not None else ()
    virtual = table.setup.shoe == "virtual"

    def faces(count: int) -> Field:
        return Unseen(count) if virtual else faces_of(table, count)

    for count in range(1, len(down) + 1):
        yield Candidate(c.Expose, {"faces": faces(count)})
    if down:
        yield Candidate(c.Expose, {"faces": faces(1), "at": Choice(down)})


def _announce(asking: Asking) -> Iterator[Candidate]:
    yield Candidate(c.Announce, {"what": Choice(("points", "result")), "winner": Choice((None, *HANDS, "tie"))})


def _open_first(asking: Asking) -> Iterator[Candidate]:
    yield Candidate(c.OpenFirst, {"hand": _HANDS})


# Betting


def _object(asking: Asking) -> Iterator[Candidate]:
    boxes = Choice(tuple(range(1, asking.table.setup.positions + 1)))
    if names := patrons(asking):
        yield Candidate(c.Object, {"patron": Choice(names), "box": boxes})


def _cap_area(asking: Asking) -> Iterator[Candidate]:
    yield Candidate(c.CapArea, {"most": Amounts(1, _MOST_IN_AN_AREA, 1)})


def _post_limits(asking: Asking) -> Iterator[Candidate]:
    posted = (asking.table.posted or asking.table.setup).limits
    yield Candidate(c.PostLimits, {"limits": Choice((posted,))}, ("limits",))


# Rulings and disputes


def _rule(asking: Asking) -> Iterator[Candidate]:
    for name, policy in asking.table.book.policies.items():
        fields: dict[str, Field] = {"policy": Choice((name,)), "value": Choice(policy.choices)}
        yield Candidate(c.Rule, {**fields, "reason": Text(SENTENCE)})


def _resolve(asking: Asking) -> Iterator[Candidate]:
    references = asking.table.book.point("disputes", "references")
    allowed = references.values if references is not None else ()
    named = Some(allowed, 1, len(allowed)) if allowed else Choice(((),))
    more: dict[str, Field] = {"references": named, "says": Text(SENTENCE), "agreed": _EITHER}
    yield from _of_dispute(c.Resolve, more)(asking)


_ABOUT: dict[str, Field] = {
    "about": Choice(("misplaced", "limits", "display")),
    "note": Text(SENTENCE, needed=False),
}
_GATHERED: dict[str, Field] = {
    "what": Choice(("information", "surveillance")),
    "note": Text(SENTENCE, needed=False),
}

CANDIDATES: dict[type[c.Command], Generate] = {
    c.PostLimits: _post_limits,
    c.CloseTable: _alone(c.CloseTable),
    c.Assign: _assign,
    c.Relieve: _relieve,
    c.Sit: _sit,
    c.Stand: _stand,
    c.Leave: _of_patron(c.Leave),
    c.BuyIn: buy_in,
    c.CashOut: cash_out,
    c.PayOwed: pay_owed,
    c.LoadShoe: _load_shoe,
    c.InviteWords: _invite_words,
    c.CommitWord: _commit_word,
    c.CallWords: _alone(c.CallWords),
    c.RevealWord: _reveal_word,
    c.Burn: _burn,
    c.LastHand: _alone(c.LastHand),
    c.EndShoe: _end_shoe,
    c.SetMethod: _set_method,
    c.TakeShoe: _of_patron(c.TakeShoe),
    c.GiveBackShoe: _alone(c.GiveBackShoe),
    c.LetDraw: _of_patron(c.LetDraw),
    c.OpenBets: _alone(c.OpenBets),
    c.Place: place,
    c.Lower: lower,
    c.Withdraw: withdraw,
    c.Find: find,
    c.Pull: pull,
    c.Object: _object,
    c.Remove: remove,
    c.CapArea: _cap_area,
    c.CloseBets: _alone(c.CloseBets),
    c.ClearStrike: _of_patron(c.ClearStrike),
    c.Draw: _draw,
    c.Expose: _expose,
    c.Announce: _announce,
    c.OpenFirst: _open_first,
    c.AskSqueeze: _of_patron(c.AskSqueeze, {"hand": _HANDS}),
    c.DeclineSqueeze: _of_patron(c.DeclineSqueeze, {"hand": _HANDS}),
    c.GrantSqueeze: _of_patron(c.GrantSqueeze, {"hand": _HANDS}),
    c.BarSqueeze: _of_patron(c.BarSqueeze),
    c.BankerThirdFirst: _of_patron(c.BankerThirdFirst, {"how": Choice(("squeeze", "expose"))}),
    c.OfferInsurance: _alone(c.OfferInsurance),
    c.Insure: insure,
    c.DeclareIntent: _of_patron(c.DeclareIntent),
    c.NoInsurance: _of_patron(c.NoInsurance),
    c.Report: reports,
    c.Answer: answers,
    c.Rule: _rule,
    c.Complain: _of_patron(c.Complain, _ABOUT),
    c.Settle: _alone(c.Settle),
    c.RaiseDispute: _of_patron(c.RaiseDispute, {"says": Text(SENTENCE)}),
    c.Escalate: _of_dispute(c.Escalate),
    c.Gather: _of_dispute(c.Gather, _GATHERED),
    c.GiveTimeFrame: _of_dispute(c.GiveTimeFrame, {"due": Text("By the end of the shift.", needed=False)}),
    c.Resolve: _resolve,
    c.TellOfComplaint: _of_dispute(c.TellOfComplaint),
    c.FileComplaint: _of_dispute(c.FileComplaint),
    c.Assist: _of_dispute(c.Assist),
}
"""Every kind of command that a person can give at an open table, with its candidates."""

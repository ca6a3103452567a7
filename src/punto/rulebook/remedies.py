"""Irregularities and offers, read from a book: facts and guards in, verbs out."""

from punto.rulebook.document import Table, listed
from punto.rulebook.facts import FACTS, GUARDS, IN_BOOKS
from punto.rulebook.model import Basis, Choice, Irregularity, Offer, Remedy
from punto.rulebook.vocabulary import ANY, CHOICES, SCOPES, VERBS, WHOLE

_MODIFIERS = ("by", "reason", "when", "clause", "else", "then", "all-back")

Ranks = tuple[tuple[str, ...], ...]


def read_offers(top: Table, ranks: Ranks) -> dict[str, Offer]:
    """The `[offers.…]` of a book."""
    offers = {}
    for name, table in top.children("offers", required=False).items():
        choices = []
        for each in table.each("choices"):
            choices.append(Choice(each.word("do", CHOICES), _guards(each, tuple(GUARDS)), each.maybe("clause")))
            each.done()
        offers[name] = Offer(
            name,
            table.own_basis(),
            table.word("scope", SCOPES),
            table.maybe("bound"),
            tuple(choices),
            _remedies(table, "all-back", (), ranks) if "all-back" in table else (),
        )
        table.done()
    return offers


def read_irregularities(top: Table, ranks: Ranks) -> tuple[Irregularity, ...]:
    """The `[[irregularity]]` rows of a book, in order."""
    found = []
    offers = tuple(top.child("offers").data)
    for table in top.each("irregularity", required=False):
        fact = table.word("fact", IN_BOOKS)
        basis = Basis(table.texts("clause", required=True), table.texts("readings"))
        when = _guards(table, FACTS[fact].guards if fact in FACTS else tuple(GUARDS))
        found.append(Irregularity(fact, when, _remedies(table, "do", offers, ranks), basis))
        table.done()
    return tuple(found)


def _guards(table: Table, allowed: tuple[str, ...]) -> dict[str, frozenset[str]]:
    when = table.child("when")
    guards = {}
    for name in when.data:
        if name not in allowed:
            words = listed(allowed) if allowed else "nothing"
            when.fault(name, f"does not tell the cases apart here; {words} does.")
            when.taken.add(name)
        else:
            guards[name] = frozenset(str(each) for each in when.among(name, GUARDS[name].values))
    return guards


def _remedies(table: Table, key: str, offers: tuple[str, ...], ranks: Ranks) -> tuple[Remedy, ...]:
    steps = table.take(key)
    if not isinstance(steps, list) or not steps:
        table.fault(key, "must be a list of steps.")
        return ()
    found = []
    for at, step in enumerate(steps):
        path = (*table.path, key, at)
        if isinstance(step, str):
            step = {step: True}
        if not isinstance(step, dict):
            table.document.fault(path, "a step is a verb or a table with one.")
            continue
        found.append(_remedy(Table(table.document, path, step), offers, ranks))
    return tuple(found)


def _remedy(table: Table, offers: tuple[str, ...], ranks: Ranks) -> Remedy:
    verbs = [key for key in table.data if key not in _MODIFIERS]
    verb = verbs[0] if verbs else ""
    if len(verbs) != 1 or verb not in VERBS:
        table.fault(None, f"a step has exactly one verb of {listed(VERBS)}.")
    table.taken |= set(verbs)
    obj = table.data.get(verb)
    allowed: tuple[str, ...] = VERBS.get(verb, ANY)
    ranked = tuple(rank for tier in ranks for rank in tier)
    if verb == "offer":
        allowed = offers or ("(no offer is declared)",)
    elif verb == "attend":
        allowed = ranked
    if allowed is WHOLE:
        if not isinstance(obj, int) or isinstance(obj, bool):
            table.fault(verb, "must be a whole number.")
    elif obj is not True and allowed is not ANY and obj not in allowed:
        table.fault(verb, f"{obj!r} is none of {listed(allowed)}." if allowed else "takes no object.")
    remedy = Remedy(
        verb=verb,
        object=None if obj is True else str(obj),
        by=table.word("by", ("house", *ranked), required=False) or None,
        reason=table.flag("reason", False),
        when=_guards(table, tuple(GUARDS)),
        clause=table.maybe("clause"),
        otherwise=_remedies(table, "else", offers, ranks) if "else" in table else (),
        then=_remedies(table, "then", offers, ranks) if "then" in table else (),
        all_back=_remedies(table, "all-back", offers, ranks) if "all-back" in table else (),
    )
    table.done()
    return remedy

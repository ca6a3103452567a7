"""Irregularities and offers, read from a book: facts and guards in, verbs out."""

import msgspec

from punto.messages import say
from punto.rulebook.document import TomlTable, words_or_nothing
from punto.rulebook.facts import FACTS, GUARDS, IN_BOOKS
from punto.rulebook.model import Basis, Irregularity, Offer, OfferedChoice, Remedy
from punto.rulebook.vocabulary import ANY, CHOICES, HOUSE, NEEDS_OBJECT, SCOPES, VERBS, WHOLE

_MODIFIERS = ("by", "reason", "when", "clause", "else", "then", "all-back")
_ALWAYS = tuple(name for name, guard in GUARDS.items() if guard.always)

Ranks = tuple[tuple[str, ...], ...]


class _Words(msgspec.Struct, frozen=True):
    """What the steps of one list may name."""

    offers: tuple[str, ...]
    ranks: tuple[str, ...]
    guards: tuple[str, ...]


def read_offers(top: TomlTable, ranks: Ranks) -> dict[str, Offer]:
    """The `[offers.…]` of a book."""
    words = _Words((), tuple(rank for tier in ranks for rank in tier), _ALWAYS)
    offers = {}
    for name, section in top.children("offers", required=False).items():
        choices = []
        for each in section.each("choices"):
            choices.append(OfferedChoice(each.word("do", CHOICES), _guards(each, _ALWAYS), each.maybe("clause")))
            each.done()
        offers[name] = Offer(
            name,
            section.own_basis(),
            section.word("scope", SCOPES),
            section.maybe("bound"),
            section.word("divided", words.ranks, required=False) or None,
            tuple(choices),
            _remedies(section, "all-back", words) if "all-back" in section else (),
        )
        section.done()
    return offers


def read_irregularities(top: TomlTable, ranks: Ranks) -> tuple[Irregularity, ...]:
    """The `[[irregularity]]` rows of a book, in order."""
    offers = tuple(top.child("offers").data)
    ranked = tuple(rank for tier in ranks for rank in tier)
    found = []
    for section in top.each("irregularity", required=False):
        fact = section.word("fact", IN_BOOKS)
        guards = FACTS[fact].guards if fact in FACTS else tuple(GUARDS)
        basis = Basis(section.texts("clause", required=True), section.texts("readings"))
        words = _Words(offers, ranked, tuple(dict.fromkeys((*guards, *_ALWAYS))))
        found.append(Irregularity(fact, _guards(section, guards), _remedies(section, "do", words), basis))
        section.done()
    return tuple(found)


def _guards(section: TomlTable, allowed: tuple[str, ...]) -> dict[str, frozenset[str]]:
    when = section.child("when")
    guards = {}
    for name in when.data:
        if name not in allowed:
            when.fault(
                name,
                say(
                    "guard-not-here",
                    "does not tell the cases apart here; {guards:or} does.",
                    guards=words_or_nothing(allowed),
                ),
            )
            when.taken.add(name)
        else:
            guards[name] = frozenset(str(each) for each in when.among(name, GUARDS[name].values))
    return guards


def _remedies(section: TomlTable, key: str, words: _Words) -> tuple[Remedy, ...]:
    steps = section.take(key)
    if not isinstance(steps, list) or not steps:
        section.fault(key, say("must-be-list-of-steps", "must be a list of steps."))
        return ()
    found = []
    for at, step in enumerate(steps):
        path = (*section.path, key, at)
        if isinstance(step, str):
            step = {step: True}
        if not isinstance(step, dict):
            section.document.fault(path, say("step-is-verb-or-table", "a step is a verb or a table with one."))
            continue
        found.append(_remedy(TomlTable(section.document, path, step), words))
    return tuple(found)


def _remedy(section: TomlTable, words: _Words) -> Remedy:
    verbs = [key for key in section.data if key not in _MODIFIERS]
    verb = verbs[0] if verbs else ""
    if len(verbs) != 1 or verb not in VERBS:
        section.fault(None, say("step-has-one-verb", "a step has exactly one verb of {verbs:or}.", verbs=list(VERBS)))
    section.taken |= set(verbs)
    object = section.data.get(verb)
    _check_object(section, verb, object, words)
    remedy = Remedy(
        verb=verb,
        object=None if object is True else str(object),
        by=section.word("by", (HOUSE, *words.ranks), required=False) or None,
        reason=section.flag("reason", False),
        when=_guards(section, words.guards),
        clause=section.maybe("clause"),
        otherwise=_remedies(section, "else", words) if "else" in section else (),
        then=_remedies(section, "then", words) if "then" in section else (),
        all_back=_remedies(section, "all-back", words) if "all-back" in section else (),
    )
    section.done()
    return remedy


def _check_object(section: TomlTable, verb: str, object: object, words: _Words) -> None:
    """Note a fault if a verb cannot have this object, or cannot stand without one."""
    allowed: tuple[str, ...] = VERBS.get(verb, ANY)
    if verb == "offer":
        allowed = words.offers or ("(no offer is declared)",)
    elif verb == "attend":
        allowed = words.ranks
    if allowed is WHOLE:
        if not isinstance(object, int) or isinstance(object, bool):
            section.fault(verb, say("must-be-whole", "must be a whole number."))
    elif object is True and verb in NEEDS_OBJECT:
        section.fault(
            None,
            say("step-takes-one-of", "{verb} takes one of {words:or}.", verb=verb, words=words_or_nothing(allowed)),
        )
    elif object is not True and allowed is not ANY and object not in allowed:
        section.fault(
            verb,
            say(
                "object-none-of",
                "{object} is none of {words:or}.",
                object=repr(object),
                words=words_or_nothing(allowed),
            )
            if allowed
            else say("takes-no-object", "takes no object."),
        )

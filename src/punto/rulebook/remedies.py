"""Irregularities and offers, read from a book: facts and guards in, verbs out."""

import msgspec

from punto.coup import MOST_DECKS
from punto.messages import Sentence, say
from punto.rulebook.bookfile import brief, brief_value
from punto.rulebook.document import TomlTable
from punto.rulebook.facts import FACTS, GUARDS, IN_BOOKS
from punto.rulebook.model import Basis, Irregularity, Offer, OfferedChoice, Remedy
from punto.rulebook.nearest import meant, nearest
from punto.rulebook.value_faults import words_or_nothing
from punto.rulebook.vocabulary import ANY, CHOICES, HOUSE, NEEDS_OBJECT, SCOPES, VERBS, WHOLE

_MODIFIERS = ("by", "reason", "when", "clause", "else", "then", "all-back")
_MOST_RESERVED = 52 * MOST_DECKS
"""So many cards can be kept back: all of them."""
_ALWAYS = tuple(name for name, guard in GUARDS.items() if guard.always)


class _Words(msgspec.Struct, frozen=True):
    """What the steps of one list may name."""

    guards: tuple[str, ...]
    offers: bool = True
    """Whether a step may put a choice to the patrons."""


def read_offers(top: TomlTable) -> dict[str, Offer]:
    """The `[offers.…]` of a book."""
    words = _Words(_ALWAYS, offers=False)
    offers = {}
    for name, section in top.children("offers", required=False).items():
        choices = []
        for each in section.each("choices"):
            choices.append(OfferedChoice(each.word("do", CHOICES), _guards(each, _ALWAYS), each.maybe("clause")))
            each.done()
        section.take("all-back", required=False)
        offers[name] = Offer(
            name,
            section.own_basis(),
            section.word("scope", SCOPES),
            section.maybe("bound"),
            section.name("divided", top.document.ranks, required=False) or None,
            tuple(choices),
            _remedies(section, "all-back", words) if "all-back" in section else (),
        )
        top.document.offers.given[name] = section.path
        section.done()
    return offers


def read_irregularities(top: TomlTable) -> tuple[Irregularity, ...]:
    """The `[[irregularity]]` rows of a book, in order."""
    found = []
    for section in top.each("irregularity", required=False):
        fact = section.word("fact", IN_BOOKS)
        guards = FACTS[fact].guards if fact in FACTS else tuple(GUARDS)
        basis = Basis(section.texts("clause", required=True), section.texts("readings"))
        words = _Words(tuple(dict.fromkeys((*guards, *_ALWAYS))))
        found.append(Irregularity(fact, _guards(section, guards), _remedies(section, "do", words), basis))
        section.done()
    return tuple(found)


def _guards(section: TomlTable, allowed: tuple[str, ...]) -> dict[str, frozenset[str]]:
    when = section.child("when")
    guards = {}
    for name in allowed:
        when.take(name, required=False)
    for name in when.data:
        if name in allowed:
            guards[name] = frozenset(str(each) for each in when.among(name, GUARDS[name].values))
        elif name in GUARDS:
            when.take(name, required=False)
            when.fault(
                name,
                say(
                    "guard-not-here",
                    "does not tell the cases apart here; {guards:or} does.",
                    guards=words_or_nothing(allowed),
                ),
            )
    when.done()
    return guards


def _remedies(section: TomlTable, key: str, words: _Words) -> tuple[Remedy, ...]:
    steps = section.take(key)
    if steps is None:
        return ()
    if not isinstance(steps, list) or not steps:
        section.fault(key, say("must-be-list-of-steps", 'must be a list of steps, like ["void"].'))
        return ()
    found = []
    for at, step in enumerate(steps):
        path = (*section.path, key, at)
        if isinstance(step, str):
            word = None if step in VERBS else meant(step, VERBS)
            if word is not None:
                section.document.correct(path, _no_verb(step), value=word)
                continue
            step = {step: True}
        if not isinstance(step, dict):
            section.document.fault(path, say("step-is-verb-or-table", "a step is a verb or a table with one."))
            continue
        found.append(_remedy(TomlTable(section.document, path, step), words))
    return tuple(found)


def _no_verb(word: str) -> Sentence:
    near = nearest(word, VERBS)
    if near:
        return say(
            "verb-misspelt", "{word:quoted} is no verb: perhaps {near:or} is meant.", word=brief(word), near=near
        )
    return say("step-has-one-verb", "a step has exactly one verb of {verbs:or}.", verbs=list(VERBS))


def _verb(section: TomlTable) -> str:
    """The verb of a step; a fault where there is none, or more than one."""
    verbs = [key for key in section.data if key in VERBS]
    others = [key for key in section.data if key not in VERBS and key not in _MODIFIERS]
    if not verbs and len(others) == 1:
        word = meant(others[0], VERBS)
        if word is None:
            section.fault(None, _no_verb(others[0]))
        else:
            section.document.correct((*section.path, others[0]), _no_verb(others[0]), key=word)
        section.take(others[0], required=False)
    elif len(verbs) != 1:
        section.fault(None, _no_verb(""))
        verbs += others
    for verb in verbs:
        section.take(verb, required=False)
    return verbs[0] if len(verbs) == 1 else ""


def _remedy(section: TomlTable, words: _Words) -> Remedy:
    verb = _verb(section)
    object = section.data.get(verb)
    _check_object(section, verb, object, words)
    for key in _MODIFIERS:
        section.take(key, required=False)
    remedy = Remedy(
        verb=verb,
        object=str(object) if isinstance(object, str | int) and object is not True and _is_short(object) else None,
        by=section.name("by", section.document.ranks, also=(HOUSE,), required=False) or None,
        reason=section.flag("reason", False),
        when=_guards(section, words.guards),
        clause=section.maybe("clause"),
        otherwise=_remedies(section, "else", words) if "else" in section else (),
        then=_remedies(section, "then", words) if "then" in section else (),
        all_back=_remedies(section, "all-back", words) if "all-back" in section else (),
    )
    section.done()
    return remedy


def _is_short(object: str | int) -> bool:
    return isinstance(object, str) or abs(object) <= _MOST_RESERVED


def _check_object(section: TomlTable, verb: str, object: object, words: _Words) -> None:
    """Note a fault if a verb cannot have this object, or cannot stand without one."""
    allowed: tuple[str, ...] = VERBS.get(verb, ANY)
    if verb == "offer" and not words.offers:
        section.fault(
            verb,
            say("offer-in-offer", "one offer cannot name another: write the steps that follow when all take back."),
        )
    elif verb in ("offer", "attend"):
        names = section.document.offers if verb == "offer" else section.document.ranks
        if object is True:
            section.fault(None, _takes_one_of(verb, tuple(names.given)))
        elif not isinstance(object, str) or not object:
            section.fault(verb, say("must-be-text", "must be text, in quotes."))
        else:
            names.used[object].append((*section.path, verb))
    elif allowed is WHOLE:
        if not isinstance(object, int) or isinstance(object, bool) or not 1 <= object <= _MOST_RESERVED:
            section.fault(
                verb,
                say(
                    "must-be-whole-from",
                    "must be a whole number from {least} to {most}.",
                    least=1,
                    most=_MOST_RESERVED,
                ),
            )
    elif object is True and verb in NEEDS_OBJECT:
        section.fault(None, _takes_one_of(verb, allowed))
    elif object is not True and allowed is not ANY and object not in allowed:
        section.fault(verb, _none_of_objects(object, allowed))


def _takes_one_of(verb: str, words: tuple[str, ...]) -> Sentence:
    return say("step-takes-one-of", "{verb} takes one of {words:or}.", verb=verb, words=words_or_nothing(words))


def _none_of_objects(object: object, allowed: tuple[str, ...]) -> Sentence:
    if not allowed:
        return say("takes-no-object", "takes no object.")
    words = words_or_nothing(allowed)
    return say("object-none-of", "{object} is none of {words:or}.", object=brief_value(object), words=words)

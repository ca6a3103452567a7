"""Holds a program against a kit, case by case, and reports as JUnit XML."""

import re
from collections.abc import Iterable, Iterator
from time import monotonic
from typing import Any
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import msgspec

from punto.conformance.asking import TIMEOUT, Ask, NoAnswer
from punto.conformance.kit import Kit, KitCase

PATIENCE = 3
"""A program that has said nothing for so many times the time of an answer is asked no more."""


class CaseVerdict(msgspec.Struct, frozen=True):
    """What came of a case: nothing wrong, or where the answer first differs from what the book says."""

    case: KitCase
    wrong: str | None = None
    answered: bool = True
    """Whether there was an answer that could be held against the book."""
    silent: bool = False
    """Whether nothing came at all."""
    seconds: float = 0.0


def run(
    cases: Iterable[KitCase], ask: Ask, leave_out: frozenset[str] = frozenset(), timeout: float = TIMEOUT
) -> Iterator[CaseVerdict]:
    """Ask one question after the other, as long as the program says anything at all.

    >>> case = KitCase("round-1", (), {"round": {}}, {"refused": []})
    >>> [each.wrong for each in run([case], lambda line: b"?")]
    ['no answer: JSON is malformed: invalid character (byte 0)']
    """
    heard = monotonic()
    for case in cases:
        began = monotonic()
        if began - heard >= PATIENCE * timeout:
            yield CaseVerdict(case, "not asked: nothing has come for too long", answered=False, silent=True)
            continue
        verdict = check(case, ask, leave_out)
        ended = monotonic()
        heard = heard if verdict.silent else ended
        yield msgspec.structs.replace(verdict, seconds=ended - began)


def check(case: KitCase, ask: Ask, leave_out: frozenset[str] = frozenset()) -> CaseVerdict:
    """Ask one question, and hold the answer against what the book says; keys left out are not looked at."""
    question = msgspec.json.encode({"id": case.id, **case.ask})
    try:
        answer = msgspec.json.decode(ask(question))
    except NoAnswer as error:
        return CaseVerdict(case, f"no answer: {error}", answered=False, silent=error.silent)
    except OSError as error:
        return CaseVerdict(case, f"no answer: {error}", answered=False, silent=True)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        return CaseVerdict(case, f"no answer: {error}", answered=False)
    if not isinstance(answer, dict) or answer.get("id") != case.id:
        return CaseVerdict(case, f"the answer is not to {case.id}: {str(answer)[:200]}")
    return CaseVerdict(case, difference(case.expect, answer, leave_out))


def difference(expected: Any, found: Any, leave_out: frozenset[str] = frozenset(), at: str = "") -> str | None:
    """Where an answer first differs; what it says besides is its own affair.

    >>> difference({"net": "8.00"}, {"net": "9.00", "says": "You win."})
    'net: expected "8.00", found "9.00"'
    """
    if isinstance(expected, dict) and isinstance(found, dict):
        for key, value in expected.items():
            if key not in leave_out:
                wrong = difference(value, found.get(key), leave_out, f"{at}.{key}".lstrip("."))
                if wrong is not None:
                    return wrong
        extra = "refused" in found and "refused" not in expected and "refused" not in leave_out
        return f"{at or 'answer'}: it was refused" if extra else None
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for place, (one, other) in enumerate(zip(expected, found, strict=True)):
            wrong = difference(one, other, leave_out, f"{at}[{place}]")
            if wrong is not None:
                return wrong
        return None
    same = expected == found and isinstance(expected, bool) == isinstance(found, bool)  # in JSON, true is no number
    return None if same else f"{at}: expected {_said(expected)}, found {_said(found)}"


def _said(value: Any) -> str:
    text = msgspec.json.encode(value, enc_hook=repr).decode()
    return text if len(text) <= 200 else f"{text[:200]}…"


def junit(kit: Kit, verdicts: Iterable[CaseVerdict]) -> bytes:
    """The verdicts as a JUnit report: a wrong answer is a failure, no answer an error."""
    every = list(verdicts)
    wrong = [each for each in every if each.wrong is not None]
    suite = Element(
        "testsuite",
        name=f"punto conformance {kit.book}",
        tests=str(len(every)),
        failures=str(sum(each.answered for each in wrong)),
        errors=str(sum(not each.answered for each in wrong)),
        skipped="0",
        time=_seconds(sum(each.seconds for each in every)),
    )
    for each in every:
        kind = "round" if "round" in each.case.ask else "story"
        told = SubElement(
            suite, "testcase", classname=f"{kit.book}.{kind}", name=_name(each.case), time=_seconds(each.seconds)
        )
        if each.wrong is not None:
            tag, why = ("failure", "wrong answer") if each.answered else ("error", "no answer")
            found = SubElement(told, tag, type=why, message=_in_xml(each.wrong))
            found.text = _in_xml(msgspec.json.encode({"id": each.case.id, **each.case.ask}).decode())
    indent(suite)
    report: bytes = tostring(suite, encoding="utf-8", xml_declaration=True)
    return report


def _seconds(number: float) -> str:
    return f"{number:.3f}"


def _in_xml(text: str) -> str:
    r"""A text with signs that no XML can hold written as escapes.

    >>> _in_xml("a bell \a")
    'a bell \\u0007'
    """
    return re.sub(
        "[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", lambda found: f"\\u{ord(found[0]):04x}", text
    )


def _name(case: KitCase) -> str:
    return _in_xml(" ".join((case.id, *case.shows)))

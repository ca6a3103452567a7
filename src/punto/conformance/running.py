"""Runs a kit against a program: by its standard input and output, or by HTTP; and reports as JUnit XML."""

import subprocess
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.request import Request, urlopen
from xml.etree.ElementTree import Element, SubElement, indent, tostring

import msgspec

from punto.conformance.kit import Kit, KitCase

Ask = Callable[[bytes], bytes]
"""One line of JSON in, one out."""

TIMEOUT = 30


class CaseVerdict(msgspec.Struct, frozen=True):
    """What came of a case: nothing wrong, or where the answer first differs from what the book says."""

    case: KitCase
    wrong: str | None = None


@contextmanager
def by_program(command: list[str]) -> Iterator[Ask]:
    """Talk to a program that reads questions line by line and writes an answer to each before it reads the next."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        asked, answered = process.stdin, process.stdout
        assert asked is not None
        assert answered is not None

        def ask(line: bytes) -> bytes:
            asked.write(line + b"\n")
            asked.flush()
            return answered.readline()

        try:
            yield ask
        finally:
            asked.close()
            process.terminate()


def by_http(url: str) -> Ask:
    """Send each question to an address as the body of a POST."""

    def ask(line: bytes) -> bytes:
        request = Request(url, line, {"Content-Type": "application/json"})  # whoever asks names it
        with urlopen(request, timeout=TIMEOUT) as answer:
            body: bytes = answer.read()
        return body

    return ask


def check(case: KitCase, ask: Ask, leave_out: frozenset[str] = frozenset()) -> CaseVerdict:
    """Ask one question, and hold the answer against what the book says; keys left out are not looked at."""
    question = msgspec.json.encode({"id": case.id, **case.ask})
    try:
        answer = msgspec.json.decode(ask(question))
    except (msgspec.DecodeError, OSError) as error:
        return CaseVerdict(case, f"no answer: {error}")
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
        extra = "refused" in found and "refused" not in expected
        return f"{at or 'answer'}: it was refused" if extra else None
    if isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for place, (one, other) in enumerate(zip(expected, found, strict=True)):
            wrong = difference(one, other, leave_out, f"{at}[{place}]")
            if wrong is not None:
                return wrong
        return None
    return None if expected == found else f"{at}: expected {_said(expected)}, found {_said(found)}"


def _said(value: Any) -> str:
    text = msgspec.json.encode(value, enc_hook=repr).decode()
    return text if len(text) <= 200 else f"{text[:200]}…"


def junit(kit: Kit, verdicts: Iterable[CaseVerdict]) -> bytes:
    """The verdicts as a JUnit report."""
    every = list(verdicts)
    failed = sum(each.wrong is not None for each in every)
    suite = Element("testsuite", name=f"punto conformance {kit.book}", tests=str(len(every)), failures=str(failed))
    for each in every:
        kind = "round" if "round" in each.case.ask else "story"
        told = SubElement(suite, "testcase", classname=f"{kit.book}.{kind}", name=_name(each.case))
        if each.wrong is not None:
            failure = SubElement(told, "failure", message=each.wrong)
            failure.text = msgspec.json.encode({"id": each.case.id, **each.case.ask}).decode()
    indent(suite)
    report: bytes = tostring(suite, encoding="utf-8", xml_declaration=True)
    return report


def _name(case: KitCase) -> str:
    return " ".join((case.id, *case.shows))

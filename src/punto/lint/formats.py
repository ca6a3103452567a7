"""What the linter says, for machines that read reports: SARIF 2.1.0, and the annotations of GitHub."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from urllib.parse import quote

import msgspec

from punto.lint.findings import Finding, Kind, Severity
from punto.rulebook import Fault

_LEVELS = {"fault": "error", "finding": "warning"}
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


class Remark(msgspec.Struct, frozen=True):
    """A fault or a finding with its place: no file where the book comes with Punto, no line where none is known."""

    severity: Severity
    kind: Kind
    file: str | None
    line: int | None
    where: str
    says: str
    clause: str | None = None
    readings: tuple[str, ...] = ()


def of_faults(faults: Iterable[Fault]) -> list[Remark]:
    """Faults of the loader."""
    return [Remark("fault", "file", each.file, each.line, each.key, each.says) for each in faults]


def of_findings(findings: Iterable[Finding], book: str) -> list[Remark]:
    """What the linter found in a book, which is a file or the id of a book that comes with Punto."""
    file = book if Path(book).is_file() else None
    return [
        Remark(
            each.severity,
            each.kind,
            file,
            each.line if file else None,
            each.where,
            each.says,
            each.clause,
            each.readings,
        )
        for each in findings
    ]


def github(remarks: Iterable[Remark]) -> str:
    """Workflow commands, one a line, which GitHub shows beside the lines of a file.

    >>> print(github([Remark("fault", "file", "my,game.toml", 7, "id", "is 100% wrong.")]))
    ::error file=my%2Cgame.toml,line=7,title=file::id: is 100%25 wrong.
    """
    return "\n".join(map(_annotation, remarks))


def _annotation(each: Remark) -> str:
    places = {"file": each.file, "line": each.line, "title": each.kind}
    named = ",".join(f"{name}={_property(str(value))}" for name, value in places.items() if value is not None)
    return f"::{_LEVELS[each.severity]} {named}::{_data(_told(each))}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _told(each: Remark) -> str:
    names = ", ".join(name for name in (each.clause, *each.readings) if name)
    return f"{each.where}: {each.says}" + (f" ({names})" if names else "")


def sarif(remarks: Sequence[Remark], version: str) -> dict[str, object]:
    """A SARIF log with one run; a rule is a kind of finding.

    >>> log = sarif([Remark("finding", "open-case", "mine.toml", 3, "irregularity cut-card", "no row.")], "1.0")
    >>> log["runs"][0]["results"][0]["ruleId"]
    'open-case'
    """
    kinds = sorted({each.kind for each in remarks})
    driver = {"name": "punto", "version": version, "rules": [{"id": kind} for kind in kinds]}
    results = [
        {
            "ruleId": each.kind,
            "ruleIndex": kinds.index(each.kind),
            "level": _LEVELS[each.severity],
            "message": {"text": _told(each)},
            "locations": [_location(each)],
            "properties": {"clause": each.clause, "readings": list(each.readings)},
        }
        for each in remarks
    ]
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]}


def _location(each: Remark) -> dict[str, object]:
    found: dict[str, object] = {"logicalLocations": [{"fullyQualifiedName": each.where}]}
    if each.file is not None:
        region = {} if each.line is None else {"region": {"startLine": each.line}}
        found["physicalLocation"] = {"artifactLocation": {"uri": _uri(each.file)}, **region}
    return found


def _uri(file: str) -> str:
    path = Path(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())

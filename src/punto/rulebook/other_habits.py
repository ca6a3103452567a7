"""What to write instead of what other languages, keyboards and habits have for TOML."""

import re

from punto.messages import Sentence, say

_OTHER_LANGUAGES = {"{": "JSON", "<": "HTML or XML"}
_WIDE_SIGNS = dict(zip("\uff0c\u3001\uff1a\uff1d\u3010\u3011\uff5b\uff5d\uff3b\uff3d", ",,==[]{}[]", strict=True))
"""Signs as Chinese keyboards write them."""
_WIDE = re.compile("[" + "".join(_WIDE_SIGNS) + "]")
_COLON = re.compile(r"""(?:^|[{,])\s*([A-Za-z][\w-]*)\s*:(?!\d)""")
_HEADER = re.compile(r"\s*\[{1,2}([^\]\"']*)\]{1,2}")
_A_NAME = re.compile(r"[A-Za-z0-9_.\s-]+")
_NO_VALUE = re.compile(r"\s*[\w-]+\s*=\s*")
_LEADING_ZERO = re.compile(r"=\s*0+(\d+)(?![\d./-])")
_SEVERAL = re.compile(r"=\s*(\d+(?:\s*,\s*\d+)+)")
_NO_COMMA = re.compile(r"""("|\}|\]|\d)\s+("|\{|[A-Za-z][\w-]*\s*=)""")
_WORD = re.compile(r"""["\d}\]]\s+(and|or)\s""")


def other_habit(text: str, written: str, plain: str, says: str) -> Sentence | None:
    """What stands in a line for a sign of TOML; `plain` is the line without its texts. None where it is not plain."""
    if other := _OTHER_LANGUAGES.get(text.lstrip()[:1]):
        return say("other-language", "is {language}, and no TOML: see `punto new`.", language=other)
    if wide := _WIDE.search(plain):
        return say("wide-sign", "has {sign} here: write {right}.", sign=wide[0], right=_WIDE_SIGNS[wide[0]])
    if colon := _COLON.search(plain):
        return say("colon-for-equals", "has a colon behind {key}: write {key} = and the value.", key=colon[1])
    if written.lstrip().startswith("["):
        return _header(written, says)
    if "//" in plain:
        return say("slashes-for-comment", "has // here: a comment begins with #.")
    if "==" in plain:
        return say("two-equals", "has == here: write one =.")
    return _value(written, plain.partition("#")[0], says)


def _header(written: str, says: str) -> Sentence | None:
    """What is wrong with the name of a section."""
    header = _HEADER.match(written)
    if header and header[1].strip() and not _A_NAME.fullmatch(header[1]):
        return say(
            "header-letters",
            "{name} is no name of a section: write letters of a to z, digits and hyphens.",
            name=header[1],
        )
    if not says.startswith("Expected ']'"):
        return None
    section, dot, name = written.partition("#")[0].strip(" []").partition(".")
    if dot:
        name = "-".join(name.split())
        return say(
            "header-with-hyphens", "is no header: write [{name}], without a space.", name=f"{section.strip()}.{name}"
        )
    section, *parts = section.split()
    name = ".".join([section, "-".join(parts)] if parts else [section])
    return say("header-written", "is no header: write [{name}], with a dot between section and name.", name=name)


def _value(written: str, plain: str, says: str) -> Sentence | None:
    """What is wrong with a value: none, one that begins with a zero, several without brackets or commas."""
    if _NO_VALUE.fullmatch(plain) and '"' not in written and "'" not in written:
        return say("no-value", "has no value behind the =: write one.")
    if "Expected '='" in says and "=" not in plain:
        return say("no-key", "has no key: write a name, = and the value.")
    if zero := _LEADING_ZERO.search(plain):
        return say("leading-zero", "has a number that begins with a zero: write {right}.", right=zero[1])
    if several := _SEVERAL.search(plain):
        return say("several-in-brackets", "has several numbers: write {like}.", like=f"[{several[1].strip()}]")
    if not says.startswith(("Unclosed array", "Unclosed inline table")):
        return None
    code = re.sub(r"""("[^"]*"|'[^']*')""", '""', written).partition("#")[0]
    if word := _WORD.search(code):
        return say("word-for-comma", "has {word} between two keys: write a comma.", word=word[1])
    return say("comma-missing", "a comma is missing here between two things.") if _NO_COMMA.search(code) else None

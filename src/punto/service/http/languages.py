"""The language that a request asks for, as its header Accept-Language says."""

from typing import Any

from litestar.connection import ASGIConnection

from punto.messages.languages import ENGLISH, languages

_CHINESE = {"cn": "zh-Hans", "sg": "zh-Hans", "hans": "zh-Hans"}
"""Which Chinese is meant, by the region or the script that is named; any other is traditional."""


def language_of(request: ASGIConnection[Any, Any, Any, Any]) -> str:
    """The first language that a request names and that there is a file for; else English."""
    return wanted(request.headers.get("accept-language", ""))


def wanted(header: str) -> str:
    """The same of the header's text; what it prefers is read as it stands first.

    >>> wanted("zh-Hans"), wanted("zh-TW,zh;q=0.9"), wanted("zh-CN,en;q=0.8"), wanted("de, en;q=0.5"), wanted("")
    ('zh-Hans', 'zh-Hant', 'zh-Hans', 'en', 'en')
    """
    for each in header[:200].split(","):
        tag = each.partition(";")[0].strip()
        if tag in languages():
            return tag
        main, _, more = tag.lower().partition("-")
        if main == "zh":
            return _CHINESE.get(more.partition("-")[0], "zh-Hant")
        if main == ENGLISH:
            return ENGLISH
    return ENGLISH

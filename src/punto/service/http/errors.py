"""Refusals and faults as answers: a status, a sentence and clauses; and how the OpenAPI document lists them."""

import logging
from html import escape
from typing import Any

import msgspec
from litestar import MediaType, Request, Response
from litestar.exceptions import HTTPException
from litestar.openapi import ResponseSpec

from punto.journal import JournalError
from punto.messages import Message, message_of, say
from punto.messages.languages import ENGLISH, say_in, told_in
from punto.rulebook import Refused
from punto.service.accounts.account import BadAccount
from punto.service.accounts.tokens import Denied
from punto.service.errors import ProviderAway, Unknown
from punto.service.http.languages import language_of
from punto.service.limits import TooMany
from punto.service.runtime.floor import NotDurable

log = logging.getLogger("punto")

HEADERS = {
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
"""Headers of every answer; those of the pages' files say themselves for how long they may be kept."""

NAVIGATED = "navigated"
"""The option of routes that a person's browser goes to by itself: what they refuse it is told as a page."""

_PAGE = """\
<!doctype html>
<html lang="{lang}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Punto</title>
    <link rel="icon" href="/static/icon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/static/style/base.css" />
    <link rel="stylesheet" href="/static/style/parts.css" />
  </head>
  <body class="night">
    <main>
      <section class="panel log-in">
        <h1>Punto</h1>
        <p role="alert">{says}</p>
        <p><a href="/">{lobby}</a></p>
      </section>
    </main>
  </body>
</html>
"""

_TO_LOBBY = say("to-the-lobby", "To the lobby")

_STATUS: dict[type[Exception], int] = {
    Refused: 409,
    Denied: 403,
    Unknown: 404,
    TooMany: 429,
    NotDurable: 503,
    ProviderAway: 503,
    JournalError: 503,
    BadAccount: 400,
}

_SAYS = {
    400: "The request is malformed.",
    403: "Whoever asks may not.",
    404: "There is no such thing.",
    409: "The book does not allow it now; nothing was changed.",
    413: "The request is too large.",
    429: "Too many at once.",
    503: "The store did not take it, or does not answer: send the same again.",
}


class Refusal(msgspec.Struct, omit_defaults=True):
    """Why something was not done, as a sentence and as a message, and the clauses that it rests on."""

    refused: str
    clauses: list[str]
    message: Message | None = None
    """The sentence in no language, but for faults of a request that only a program makes."""
    needs: str = ""
    """What is missing for a log-in: `code`, that of the second factor."""


def refusals(*statuses: int) -> dict[int, ResponseSpec]:
    """The refusals that a route may answer with, for the OpenAPI document."""
    return {status: ResponseSpec(Refusal, False, _SAYS[status]) for status in statuses}


def refused(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """What the rules or the service refuse; any other exception is logged and not explained."""
    status = next((code for kind, code in _STATUS.items() if isinstance(error, kind)), None)
    if status is None:
        log.error("failed", exc_info=error, extra={"path": request.url.path})
        return _answer(request, 500, _refusal(say("went-wrong", "Something went wrong here; nothing was changed.")))
    message = getattr(error, "message", None)
    if message is None:  # the store speaks of files and databases, to whoever runs the house
        message = say("store-said", "{says}", says=str(error)).message
    clauses = list(getattr(error, "clauses", ()))
    return _answer(request, status, Refusal(str(error), clauses, message, getattr(error, "needs", "")))


def malformed(request: Request[Any, Any, Any], error: HTTPException) -> Response[Any]:
    """What is wrong with a request, as a sentence."""
    extra = error.extra if isinstance(error.extra, list) else []
    faults = [f"{each.get('key', 'body')}: {each.get('message', '')}" for each in extra if isinstance(each, dict)]
    says = "; ".join(faults) or error.detail
    if says == "data: 'data'":
        says = say("request-without-body", "The request has no body.")
    return _answer(request, error.status_code, _refusal(says), error.headers)


def too_deep(request: Request[Any, Any, Any], _: RecursionError) -> Response[Any]:
    """A body with more levels than can be read."""
    return _answer(request, 400, _refusal(say("request-nested-too-deeply", "The request is nested too deeply.")))


def not_text(request: Request[Any, Any, Any], _: UnicodeDecodeError) -> Response[Any]:
    """A body that is not UTF-8."""
    return _answer(request, 400, _refusal(say("request-not-utf-8", "The request is not text in UTF-8.")))


def _refusal(says: str) -> Refusal:
    return Refusal(str(says), [], message_of(says))


def _answer(
    request: Request[Any, Any, Any], status: int, refusal: Refusal, headers: dict[str, str] | None = None
) -> Response[Any]:
    head = {**HEADERS, **(headers or {})}
    if not _wants_page(request):
        return Response(refusal, status_code=status, headers=head)
    lang = language_of(request)
    says = refusal.refused if refusal.message is None or lang == ENGLISH else say_in(lang, refusal.message)
    page = _PAGE.format(lang=lang, says=escape(says), lobby=told_in(lang, _TO_LOBBY))
    return Response(page, status_code=status, headers=head, media_type=MediaType.HTML)


def _wants_page(request: Request[Any, Any, Any]) -> bool:
    """Whether a browser shows the answer to a person: at an address for that, and it asks for HTML."""
    handler = request.scope.get("route_handler")
    if handler is None or not handler.opt.get(NAVIGATED):
        return False
    try:
        return request.accept.best_match([MediaType.JSON, MediaType.HTML]) == MediaType.HTML
    except OverflowError:  # a quality without end
        return False

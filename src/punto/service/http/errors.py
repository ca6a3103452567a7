"""Refusals and faults as answers: a status, a sentence and clauses; and how the OpenAPI document lists them."""

import logging
from typing import Any

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException
from litestar.openapi import ResponseSpec

from punto.journal import JournalError
from punto.messages import Message
from punto.rulebook import Refused
from punto.service.accounts.account import BadAccount
from punto.service.accounts.tokens import Denied
from punto.service.errors import ProviderAway, Unknown
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
    """The sentence in no language, where the rules refuse."""
    needs: str = ""
    """What is missing for a log-in: `code`, that of the second factor."""


def refusals(*statuses: int) -> dict[int, ResponseSpec]:
    """The refusals that a route may answer with, for the OpenAPI document."""
    return {status: ResponseSpec(Refusal, False, _SAYS[status]) for status in statuses}


def refused(request: Request[Any, Any, Any], error: Exception) -> Response[Refusal]:
    """What the rules or the service refuse; any other exception is logged and not explained."""
    status = next((code for kind, code in _STATUS.items() if isinstance(error, kind)), None)
    if status is None:
        log.error("failed", exc_info=error, extra={"path": request.url.path})
        return _answer(500, "Something went wrong here; nothing was changed.")
    return _answer(
        status,
        str(error),
        list(getattr(error, "clauses", ())),
        message=getattr(error, "message", None),
        needs=getattr(error, "needs", ""),
    )


def malformed(_: Request[Any, Any, Any], error: HTTPException) -> Response[Refusal]:
    """What is wrong with a request, as a sentence."""
    extra = error.extra if isinstance(error.extra, list) else []
    faults = [f"{each.get('key', 'body')}: {each.get('message', '')}" for each in extra if isinstance(each, dict)]
    says = "; ".join(faults) or str(error.detail)
    if says == "data: 'data'":
        says = "The request has no body."
    return _answer(error.status_code, says, headers=error.headers)


def too_deep(_: Request[Any, Any, Any], __: RecursionError) -> Response[Refusal]:
    """A body with more levels than can be read."""
    return _answer(400, "The request is nested too deeply.")


def not_text(_: Request[Any, Any, Any], __: UnicodeDecodeError) -> Response[Refusal]:
    """A body that is not UTF-8."""
    return _answer(400, "The request is not text in UTF-8.")


def _answer(
    status: int,
    says: str,
    clauses: list[str] | None = None,
    headers: dict[str, str] | None = None,
    message: Message | None = None,
    needs: str = "",
) -> Response[Refusal]:
    return Response(
        Refusal(says, clauses or [], message, needs), status_code=status, headers={**HEADERS, **(headers or {})}
    )

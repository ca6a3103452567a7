"""Whose a request is by its head, as far as that is known without the store: enough for a place, not for a right."""

from litestar import Litestar

from punto.service.accounts.registry import Accounts
from punto.service.http.authentication import BEARER, COOKIE
from punto.service.http.casino import Casino
from punto.service.http.doors import Head
from punto.service.http.session import KNOWN


def account_shown(app: Litestar, head: Head) -> str | None:
    """The account of the session, or of the browser, that a head shows; None for strangers and guests."""
    casino: Casino | None = getattr(app.state, "casino", None)
    return None if casino is None else _account(casino.accounts, head)


def _account(accounts: Accounts, head: Head) -> str | None:
    for name, value in head:
        if name == b"authorization" and value.startswith(BEARER.encode()):
            return accounts.owner_of_session(value.decode("latin-1").removeprefix(BEARER))
    for name, value in head:
        if name == b"cookie":
            cookies = _cookies(value.decode("latin-1"))
            found = accounts.owner_of_session(cookies.get(COOKIE, ""))
            return found or accounts.owner_of_browser(cookies.get(KNOWN, ""))
    return None


def _cookies(line: str) -> dict[str, str]:
    pairs = (each.strip().partition("=") for each in line.split(";"))
    return {name: value.strip('"') for name, _, value in pairs}

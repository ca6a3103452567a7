"""Routes for the sign-in by OpenID Connect: to the provider, and back with a session."""

from typing import Annotated, Any

from litestar import Request, Response, get
from litestar.datastructures import Cookie
from litestar.openapi import ResponseSpec
from litestar.params import QueryParameter

from punto.messages import say
from punto.service.accounts.sign_in import PENDING, SignIn
from punto.service.accounts.tokens import Denied
from punto.service.errors import Unknown
from punto.service.http.authentication import address_of
from punto.service.http.casino import Casino, UsesCasino
from punto.service.http.errors import NAVIGATED, refusals
from punto.service.http.session import session_cookie

STARTED = "punto-sign-in"
"""The cookie of a browser that is away at the provider."""

Text = Annotated[str, QueryParameter(max_length=4096)]
State = Annotated[str, QueryParameter(name="state", max_length=4096)]
TextIfAny = Annotated[str | None, QueryParameter(max_length=4096)]
_SENT = {303: ResponseSpec(None, False, "The address to go on at is in the header Location.")}


@get("/api/oidc/start", status_code=303, responses={**_SENT, **refusals(403, 404, 429, 503)}, opt={NAVIGATED: True})
async def start(request: Request[Any, Any, Any], casino: UsesCasino) -> Response[None]:
    """Send the browser to the provider."""
    casino.limits.log_ins.take(address_of(request))
    come_back = f"{str(request.base_url).rstrip('/')}/api/oidc/back"
    sign_in = _sign_in(casino)
    address, cookie = await casino.ask_provider(sign_in.start, come_back)
    return Response(None, status_code=303, headers={"Location": address}, cookies=[_started(casino, cookie, PENDING)])


@get(
    "/api/oidc/back",
    status_code=303,
    responses={**_SENT, **refusals(400, 403, 404, 429, 503)},
    opt={NAVIGATED: True},
)
async def back(
    request: Request[Any, Any, Any],
    casino: UsesCasino,
    given: State = "",
    code: Text = "",
    error: Text = "",
    iss: TextIfAny = None,
) -> Response[None]:
    """A session for somebody of the staff whom the provider names; then on to the lobby."""
    address = address_of(request)
    casino.limits.log_ins.take(address)
    sign_in = _sign_in(casino)
    if error or not code:
        raise Denied(say("provider-signed-nobody-in", "The provider has signed nobody in."))
    cookie = request.cookies.get(STARTED, "")
    token = await casino.ask_provider(sign_in.finish, cookie, given, code, iss, place=address)
    cookies = [session_cookie(casino, token), _started(casino, "", 0)]
    return Response(None, status_code=303, headers={"Location": "/"}, cookies=cookies)


def _sign_in(casino: Casino) -> SignIn:
    if casino.sign_in is None:
        raise Unknown(say("no-provider", "This house has no sign-in by a provider."))
    return casino.sign_in


def _started(casino: Casino, value: str, seconds: int) -> Cookie:
    """Lax, because the provider's page sends the browser back; it says nothing but which sign-in is under way."""
    return Cookie(
        STARTED,
        value=value,
        max_age=seconds,
        path="/api/oidc",
        httponly=True,
        samesite="lax",
        secure=casino.settings.for_tls_alone,
    )


ROUTES = [start, back]

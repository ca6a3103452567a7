"""Staff sign in by OpenID Connect: by a certified provider, and not by tokens that prove nothing."""

import hmac
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urljoin, urlsplit

import httpx
import pytest
from litestar import Litestar, get
from litestar.exceptions import HTTPException, NotAuthorizedException
from litestar.testing import TestClient
from typer.testing import CliRunner

from oidc_server import CLIENT, SECRET, Claims, Key, Provider, text, written
from patient_settings import settings
from punto.cli.users import app as users
from punto.messages import say
from punto.service.accounts.account import BadAccount, HeldPost
from punto.service.accounts.registry import Accounts
from punto.service.accounts.sign_in import NOBODY, Identities
from punto.service.accounts.tokens import Denied
from punto.service.http.app import build
from punto.service.http.errors import NAVIGATED, malformed
from punto.service.http.errors import refused as refuse
from punto.service.settings import BadSettings
from service_process import MASTER, free_port

ROOT = Path(__file__).parent.parent
BACK = "http://house.example/api/oidc/back"
STARTED = "punto-sign-in"


@contextmanager
def served(folder: Path, issuer: str, **more: object) -> Iterator[TestClient[Litestar]]:
    """A house whose pit manager signs in by a provider, as `248289761001`."""
    known = {"oidc_issuer": issuer, "oidc_client_id": CLIENT, "oidc_client_secret": SECRET, "master_key": MASTER.text}
    url = f"sqlite:///{folder}/o.db"
    given = settings(None, {}, database=url, key_file=f"{folder}/o.key", **known, **more)
    with TestClient(build(given), base_url="http://house.example") as client:
        accounts: Accounts = client.app.state.casino.accounts
        accounts.make("lee", "staff", posts={"*": HeldPost("pit-manager")})
        words = ["oidc", "lee", "248289761001", "--database", url]
        names = {"MASTER_KEY": MASTER.text, "OIDC_ISSUER": issuer, "OIDC_CLIENT_ID": CLIENT}
        done = CliRunner().invoke(users, words, env={f"PUNTO_{name}": value for name, value in names.items()})
        assert done.stdout == f"lee signs in by {issuer} as 248289761001.\n"
        yield client


@pytest.fixture(params=["ES256"])
def provider(request: pytest.FixtureRequest) -> Iterator[Provider]:
    made = Provider(request.param)
    yield made
    made.close()


@pytest.fixture
def client(tmp_path: Path, provider: Provider) -> Iterator[TestClient[Litestar]]:
    with served(tmp_path, provider.issuer) as found:
        yield found


def begin(client: TestClient[Litestar]) -> str:
    """Where the house sends a browser."""
    answer = client.get("/api/oidc/start", follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"]


def come_back(client: TestClient[Litestar], said: dict[str, str]) -> httpx.Response:
    return client.get("/api/oidc/back", params=said, follow_redirects=False)


def refused(client: TestClient[Litestar], answer: httpx.Response) -> str:
    """Why nobody was signed in."""
    assert answer.status_code == 403, answer.text
    assert "punto" not in answer.cookies
    assert client.get("/api/who").json() is None
    says: str = answer.json()["refused"]
    return says


def logged_in(client: TestClient[Litestar]) -> list[str]:
    """Whose log-ins are on the record."""
    acts = client.app.state.casino.accounts.house.acts()
    return [act.account for _, act in acts if act.what == "logged-in"]


@pytest.mark.parametrize("provider", ["RS256", "ES256", "EdDSA"], indirect=True)
def test_somebody_whom_the_provider_names_is_signed_in(client: TestClient[Litestar], provider: Provider) -> None:
    answer = come_back(client, provider.agree(begin(client)))
    assert (answer.status_code, answer.headers["location"]) == (303, "/"), answer.text
    strict = next(each for each in answer.headers.get_list("set-cookie") if each.startswith("punto="))
    assert "HttpOnly" in strict
    assert "samesite=strict" in strict.lower()
    assert client.get("/api/me").json()["name"] == "lee"
    assert [each["way"] for each in client.get("/api/sessions").json()] == ["oidc"]
    assert logged_in(client) == ["lee"]
    assert client.get("/health").json()["sign_in"] is True


# Tokens that prove nothing


def other(name: str, value: object) -> Callable[[dict[str, Any], Claims], None]:
    def lie(_: dict[str, Any], claims: Claims) -> None:
        claims[name] = value

    return lie


def without(name: str) -> Callable[[dict[str, Any], Claims], None]:
    return lambda _, claims: claims.pop(name)


LIES = {
    "nonce": (other("nonce", "another"), "answers another question"),
    "no-nonce": (without("nonce"), "answers another question"),
    "audience": (other("aud", "another-client"), "for somebody else"),
    "audiences": (other("aud", ["another-client", CLIENT]), "for somebody else"),
    "party": (other("azp", "another-client"), "for somebody else"),
    "issuer": (other("iss", "https://elsewhere.example"), "from another provider"),
    "expired": (other("exp", int(time.time()) - 3600), "too old"),
    "no-end": (without("exp"), "no ID token"),
    "future": (other("iat", int(time.time()) + 3600), "not good yet"),
    "nobody": (other("sub", "somebody-else"), NOBODY),
    "no-subject": (other("sub", ""), "does not say the sub"),
    "no-text": (other("sub", 7), "no ID token"),
}


@pytest.mark.parametrize("name", LIES)
def test_an_id_token_that_says_something_else_signs_nobody_in(
    name: str, client: TestClient[Litestar], provider: Provider
) -> None:
    provider.lie, says = LIES[name]
    assert says in refused(client, come_back(client, provider.agree(begin(client))))
    assert provider.exchanged == 1
    assert logged_in(client) == []


def none(header: dict[str, Any], claims: Claims) -> str:
    return written({**header, "alg": "none"}, claims, lambda _: b"")


Forgery = Callable[[Provider, dict[str, Any], Claims], str]


def by_public_key(provider: Provider, header: dict[str, Any], claims: Claims) -> str:
    """What is public, taken as the secret of an HMAC."""
    secret = provider.key.public()["x"].encode()
    return written({**header, "alg": "HS256"}, claims, lambda data: hmac.digest(secret, data, "sha256"))


def changed(provider: Provider, header: dict[str, Any], claims: Claims) -> str:
    """Signed, and then the claims are exchanged."""
    first, _, last = written(header, {**claims, "sub": "x"}, provider.key.sign).split(".")
    return ".".join((first, written(header, claims, provider.key.sign).split(".")[1], last))


def by_key(kind: str, **said: object) -> Forgery:
    """Signed by a key of somebody else, with this in the header."""
    return lambda _, header, claims: written({**header, **said}, claims, Key(kind).sign)


def with_header(**said: object) -> Forgery:
    """Signed by the provider, with this in the header."""
    return lambda provider, header, claims: written({**header, **said}, claims, provider.key.sign)


FORGERIES: dict[str, Forgery] = {
    "alg-none": lambda _, header, claims: none(header, claims),
    "public-key": by_public_key,
    "another-key": by_key("ES256"),
    "another-kind": by_key("EdDSA", alg="EdDSA"),
    "own-key": by_key("ES256", jwk=Key("ES256").public()),
    "unknown-key": with_header(kid="k2"),
    "critical": with_header(crit=["b64"], b64=False),
    "changed": changed,
    "no-signature": lambda _, header, claims: written(header, claims, lambda _: b""),
    "two-parts": lambda _, header, claims: none(header, claims).rpartition(".")[0],
    "no-token": lambda *_: "é.é.é",
    "deep": lambda *_: text(b"[" * 90_000) + ".e30.",
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_id_token_signs_nobody_in(name: str, client: TestClient[Litestar], provider: Provider) -> None:
    provider.forge = partial(FORGERIES[name], provider)
    says = refused(client, come_back(client, provider.agree(begin(client))))
    assert "sign" in says or "no ID token" in says
    assert logged_in(client) == []


def test_a_new_key_of_the_provider_is_fetched(client: TestClient[Litestar], provider: Provider) -> None:
    assert come_back(client, provider.agree(begin(client))).status_code == 303
    client.post("/api/logout")
    provider.key = Key("RS256", "k2")
    said = provider.agree(begin(client))
    assert "key of the provider" in refused(client, come_back(client, said)), "not twice in a minute"
    client.app.state.casino.sign_in._provider._keys_at -= 61  # as if a minute had passed
    assert come_back(client, provider.agree(begin(client))).status_code == 303


# The way there and back


def test_a_state_is_used_once(client: TestClient[Litestar], provider: Provider) -> None:
    address = begin(client)
    cookie = client.cookies[STARTED]
    assert come_back(client, provider.agree(address)).status_code == 303
    client.cookies.clear()
    client.cookies.set(STARTED, cookie)  # as an enemy keeps it
    assert "begin again" in refused(client, come_back(client, provider.agree(address)))
    assert provider.exchanged == 1
    assert logged_in(client) == ["lee"]


def test_another_browser_cannot_be_made_to_come_back(client: TestClient[Litestar], provider: Provider) -> None:
    """Somebody's code and state, laid before another browser, sign it in as nobody."""
    said = provider.agree(begin(client))
    client.cookies.clear()
    refused(client, come_back(client, said))
    begin(client)
    assert "begin again" in refused(client, come_back(client, said))
    client.cookies.set(STARTED, "x" + client.cookies[STARTED])
    refused(client, come_back(client, said))
    assert provider.exchanged == 0


def test_a_code_of_another_sign_in_is_refused_by_its_verifier(client: TestClient[Litestar], provider: Provider) -> None:
    stolen = provider.agree(begin(client))["code"]
    said = provider.agree(begin(client))
    assert "begin again" in refused(client, come_back(client, {**said, "code": stolen}))


def test_an_answer_of_another_provider_is_refused(client: TestClient[Litestar], provider: Provider) -> None:
    said = provider.agree(begin(client))
    assert "another provider" in refused(client, come_back(client, {**said, "iss": "https://elsewhere.example"}))
    assert provider.exchanged == 0


def test_a_sign_in_takes_ten_minutes_at_most(client: TestClient[Litestar], provider: Provider) -> None:
    said = provider.agree(begin(client))
    client.app.state.casino.sign_in._clock = lambda: time.time() + 601
    assert "begin again" in refused(client, come_back(client, said))


def test_nobody_is_sent_elsewhere_after_a_sign_in(client: TestClient[Litestar], provider: Provider) -> None:
    evil = "https://evil.example/"
    elsewhere = dict.fromkeys(("next", "redirect", "redirect_uri", "return_to", "url", "Location"), evil)
    there = client.get("/api/oidc/start", params=elsewhere, follow_redirects=False).headers["location"]
    assert there.startswith(f"{provider.issuer}/")
    assert "evil" not in there
    answer = come_back(client, {**elsewhere, **provider.agree(there)})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")


def test_who_says_no_at_the_provider_is_told_so(client: TestClient[Litestar], provider: Provider) -> None:
    said = {"error": "access_denied", "state": provider.agree(begin(client))["state"]}
    assert "signed nobody in" in refused(client, come_back(client, said))


def test_a_provider_that_is_down_or_calls_itself_otherwise(client: TestClient[Litestar], provider: Provider) -> None:
    provider.down = True
    answer = client.get("/api/oidc/start", follow_redirects=False)
    assert (answer.status_code, answer.json()["refused"]) == (503, "The provider answers 503.")
    provider.down, provider.named = False, "https://elsewhere.example"
    answer = client.get("/api/oidc/start", follow_redirects=False)
    assert (answer.status_code, "another name" in answer.json()["refused"]) == (503, True)
    assert client.get("/health").status_code == 200


# What a person sees

BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


def test_a_browser_is_told_why_as_a_page_with_a_way_back(client: TestClient[Litestar], provider: Provider) -> None:
    """Denied, unknown to the provider, malformed or too often: the same status and headers, the sentence as text."""
    asked = [
        ("/api/oidc/back?error=access_denied&state=x", 403, "The provider has signed nobody in."),
        ("/api/oidc/back?code=x&state=y", 403, "begin again"),
        (f"/api/oidc/back?code={'x' * 5000}", 400, "code"),
    ]
    for path, status, says in asked:
        plain, page = client.get(path), client.get(path, headers=BROWSER)
        assert (plain.status_code, page.status_code) == (status, status)
        assert plain.headers["content-type"] == "application/json"
        assert says in plain.json()["refused"]
        assert page.headers["content-type"] == "text/html; charset=utf-8"
        assert f'<p role="alert">{escape(plain.json()["refused"])}</p>' in page.text
        assert '<a href="/">' in page.text
        for name in ("content-security-policy", "x-content-type-options", "referrer-policy", "cache-control"):
            assert page.headers[name] == plain.headers[name]
    provider.down = True
    page = client.get("/api/oidc/start", headers=BROWSER)
    assert (page.status_code, "The provider answers 503." in page.text) == (503, True)


@pytest.mark.parametrize(
    "error", [Denied(say("shown", "<script>a & b</script>")), NotAuthorizedException("<script>a & b</script>")]
)
def test_nothing_that_a_sentence_says_becomes_markup(error: Exception) -> None:
    @get("/", opt={NAVIGATED: True}, sync_to_thread=False)
    def door() -> None:
        raise error

    handlers: dict[int | type[Exception], Any] = {Exception: refuse, HTTPException: malformed}
    with TestClient(Litestar([door], exception_handlers=handlers)) as client:
        page, plain = client.get("/", headers=BROWSER), client.get("/")
    assert '<p role="alert">&lt;script&gt;a &amp; b&lt;/script&gt;</p>' in page.text
    assert plain.json()["refused"] == "<script>a & b</script>"
    assert page.status_code == plain.status_code >= 400


def test_programs_and_other_addresses_get_json_whatever_they_ask_for(client: TestClient[Litestar]) -> None:
    endless = "text/html;q=1e999"
    for accept in ("application/json", "*/*", "application/json, text/html;q=0.5", endless):
        answer = client.get("/api/oidc/back?error=x", headers={"Accept": accept})
        assert (answer.status_code, answer.headers["content-type"]) == (403, "application/json")
    for path, status in (("/api/me", 403), ("/api/tables/none", 404), ("/nothing", 404)):
        answer = client.get(path, headers=BROWSER)
        assert (answer.status_code, answer.headers["content-type"]) == (status, "application/json")


# Which account


def test_a_link_is_to_a_person_and_made_by_the_house_alone(client: TestClient[Litestar], provider: Provider) -> None:
    accounts: Accounts = client.app.state.casino.accounts
    identities = Identities(accounts._journal, accounts)
    accounts.make("ann", "patron")
    accounts.make("max", "staff")
    for name, subject, says in (
        ("ann", "x", "for the staff"),
        ("max", "248289761001", "linked to lee"),
        ("max", "", "1 to 255"),
        ("eve", "x", "no account"),
    ):
        with pytest.raises(BadAccount, match=says):
            identities.link(name, provider.issuer, subject, by="console")
    accounts.remove("lee")
    accounts.make("lee", "staff")
    assert refused(client, come_back(client, provider.agree(begin(client)))) == NOBODY
    identities.link("max", provider.issuer, "248289761001", by="console")
    assert come_back(client, provider.agree(begin(client))).status_code == 303
    assert client.get("/api/me").json()["name"] == "max"
    identities.unlink("max", provider.issuer, "248289761001", by="console")
    assert client.get("/api/me").status_code == 403
    client.cookies.clear()
    assert refused(client, come_back(client, provider.agree(begin(client)))) == NOBODY


@pytest.mark.parametrize(("verified", "status"), [(True, 303), (False, 403), ("true", 403)])
def test_an_address_counts_only_where_the_provider_has_verified_it(
    tmp_path: Path, provider: Provider, verified: object, status: int
) -> None:
    def says(_: dict[str, Any], claims: Claims) -> None:
        claims |= {"sub": "another", "email": "248289761001", "email_verified": verified}

    provider.lie = says
    with served(tmp_path, provider.issuer, oidc_claim="email") as client:
        assert come_back(client, provider.agree(begin(client))).status_code == status


def test_a_house_without_a_provider_has_no_such_door(tmp_path: Path) -> None:
    with TestClient(
        build(settings(None, {}, database=f"sqlite:///{tmp_path}/n.db", key_file=f"{tmp_path}/n.key"))
    ) as house:
        assert [house.get(f"/api/oidc/{each}?code=x").status_code for each in ("start", "back")] == [404, 404]
        assert "sign_in" not in house.get("/health").json()


@pytest.mark.parametrize("issuer", ["http://sign-in.example", "sign-in.example", "https://", "https://x.example/?a=b"])
def test_a_provider_without_tls_is_on_this_machine_or_not_used(issuer: str) -> None:
    with pytest.raises(BadSettings, match="oidc_issuer is an address"):
        settings(None, {}, oidc_issuer=issuer, oidc_client_id="punto")
    with pytest.raises(BadSettings, match="belong together"):
        settings(None, {}, oidc_client_id="punto")


# The certified provider of npm


@pytest.fixture
def certified() -> Iterator[str]:
    """The address of `oidc-provider` as a process of its own."""
    node = shutil.which("node")
    if node is None or not (ROOT / "node_modules" / "oidc-provider").exists():
        pytest.skip("no Node, or oidc-provider is not installed: npm ci")
    port = free_port()
    command = [node, str(ROOT / "tests" / "oidc_provider.mjs"), str(port), BACK]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield f"http://127.0.0.1:{port}"
        process.kill()


def test_the_staff_sign_in_by_a_certified_provider(tmp_path: Path, certified: str) -> None:
    with served(tmp_path, certified) as client, httpx.Client(trust_env=False, timeout=600) as browser:
        at = begin(client)
        forms = [{"prompt": "login", "login": "248289761001", "password": "any"}, {"prompt": "consent"}]
        while not at.startswith(BACK):
            answer = browser.get(at)
            if answer.status_code == 200:
                [action] = re.findall(r'<form[^>]* action="([^"]+)"', answer.text)
                answer = browser.post(urljoin(at, action), data=forms.pop(0))
            assert answer.status_code == 303, answer.text
            at = urljoin(at, answer.headers["location"])
        assert forms == []
        said = {name: value for name, [value] in parse_qs(urlsplit(at).query).items()}
        assert come_back(client, said).status_code == 303
        assert client.get("/api/me").json()["name"] == "lee"
        client.cookies.delete("punto")
        assert "begin again" in refused(client, come_back(client, said))

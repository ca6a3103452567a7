"""A provider of OpenID Connect that signs with real keys, and can be told to lie."""

import hmac
import json
import threading
import time
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Callable
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

CLIENT, SECRET = "punto", "a secret of the house"
Claims = dict[str, Any]


def text(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def _number(value: int) -> str:
    return text(value.to_bytes((value.bit_length() + 7) // 8, "big"))


class Key:
    """A key of a provider."""

    def __init__(self, algorithm: str, kid: str = "k1") -> None:
        self.algorithm, self.kid = algorithm, kid
        self._rsa = rsa.generate_private_key(65537, 2048) if algorithm == "RS256" else None
        self._ec = ec.generate_private_key(ec.SECP256R1()) if algorithm == "ES256" else None
        self._ed = ed25519.Ed25519PrivateKey.generate()

    def public(self) -> dict[str, str]:
        """The public half as a JSON Web Key."""
        if self._rsa is not None:
            numbers = self._rsa.public_key().public_numbers()
            return {"kty": "RSA", "kid": self.kid, "use": "sig", "n": _number(numbers.n), "e": _number(numbers.e)}
        if self._ec is not None:
            point = self._ec.public_key().public_numbers()
            x, y = (text(each.to_bytes(32, "big")) for each in (point.x, point.y))
            return {"kty": "EC", "crv": "P-256", "kid": self.kid, "x": x, "y": y}
        return {"kty": "OKP", "crv": "Ed25519", "kid": self.kid, "x": text(self._ed.public_key().public_bytes_raw())}

    def sign(self, data: bytes) -> bytes:
        if self._rsa is not None:
            return self._rsa.sign(data, padding.PKCS1v15(), SHA256())
        if self._ec is not None:
            return b"".join(
                each.to_bytes(32, "big") for each in decode_dss_signature(self._ec.sign(data, ec.ECDSA(SHA256())))
            )
        return self._ed.sign(data)


def written(header: dict[str, Any], claims: Claims, sign: Callable[[bytes], bytes]) -> str:
    """A token in its compact form."""
    body = ".".join(text(json.dumps(each).encode()) for each in (header, claims))
    return f"{body}.{text(sign(body.encode()))}"


class Provider:
    """A provider on this machine. `lie` changes an ID token's header and claims, `forge` writes it otherwise."""

    def __init__(self, algorithm: str = "ES256") -> None:
        self.key = Key(algorithm)
        self.subject = "248289761001"
        self.lie: Callable[[dict[str, Any], Claims], None] = lambda _, __: None
        self.forge: Callable[[dict[str, Any], Claims], str] | None = None
        self.exchanged = 0
        self.down = False
        self._asked: dict[str, dict[str, str]] = {}
        server = self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.issuer = self.named = f"http://127.0.0.1:{server.server_address[1]}"
        self._thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def agree(self, address: str) -> dict[str, str]:
        """Somebody says yes on the provider's page: what their browser is sent back with."""
        asked = {name: value for name, [value] in parse_qs(urlsplit(address).query).items()}
        assert asked["response_type"] == "code"
        assert asked["code_challenge_method"] == "S256"
        assert asked["client_id"] == CLIENT
        code = f"code-{len(self._asked)}"
        self._asked[code] = asked
        return {"code": code, "state": asked["state"], "iss": self.issuer}

    def _token(self, form: dict[str, str], authorization: str) -> tuple[int, Any]:
        asked = self._asked.pop(form.get("code", ""), None)
        expected = b64decode(authorization.removeprefix("Basic ")).decode()
        challenge = text(sha256(form.get("code_verifier", "").encode()).digest())
        same = asked is not None and form["redirect_uri"] == asked["redirect_uri"]
        if not same or asked is None or challenge != asked["code_challenge"]:
            return 400, {"error": "invalid_grant"}
        if not hmac.compare_digest(expected, f"{CLIENT}:{SECRET.replace(' ', '%20')}"):
            return 401, {"error": "invalid_client"}
        self.exchanged += 1
        now = int(time.time())
        claims = {"iss": self.issuer, "sub": self.subject, "aud": CLIENT, "iat": now, "exp": now + 300}
        claims["nonce"] = asked["nonce"]
        header: dict[str, Any] = {"alg": self.key.algorithm, "kid": self.key.kid, "typ": "JWT"}
        self.lie(header, claims)
        made = self.forge(header, claims) if self.forge else written(header, claims, self.key.sign)
        return 200, {"access_token": "x", "token_type": "Bearer", "id_token": made}

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if self.path == "/jwks":
                    self._say(200, {"keys": [{"kty": "oct", "k": 7}, provider.key.public()]})
                    return
                names = ("authorization_endpoint", "token_endpoint", "jwks_uri")
                paths = ("/auth", "/token", "/jwks")
                found = {name: provider.issuer + path for name, path in zip(names, paths, strict=True)}
                self._say(503 if provider.down else 200, {"issuer": provider.named, **found})

            def do_POST(self) -> None:
                form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
                fields = {name: value for name, [value] in form.items()}
                self._say(*provider._token(fields, self.headers.get("Authorization", "")))

            def _say(self, status: int, body: Any) -> None:
                said = json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(said)))
                self.end_headers()
                self.wfile.write(said)

            def log_message(self, *_: object) -> None:
                pass

        return Handler

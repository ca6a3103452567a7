"""Checks of what reaches the house and what it reaches: addresses, TLS, proxies, files, the witness and the wallet."""

import resource
import socket
import ssl
from collections.abc import Iterator
from datetime import timedelta
from ipaddress import ip_address, ip_network
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
from cryptography.x509 import load_pem_x509_certificates

from punto.journal import HOUSE, Journal
from punto.journal.witness import Cosigned
from punto.service.accounts.oidc import OidcProvider
from punto.service.doctor.diagnosis import Diagnosis, Patient, remarkable, well, wrong
from punto.service.errors import ProviderAway
from punto.service.http.doors import RESERVE, own_files
from punto.service.money.http_wallet import HttpWallet
from punto.service.money.wallet import WalletUnclear
from punto.service.outgoing import Outgoing, Unanswered

_SECONDS = 5
_SOON = timedelta(days=14)
_FEW_CONNECTIONS = 1000
_FEW_FILES = 4096
_LONGEST = 65536
_OK = 200


def is_here(host: str) -> bool:
    """Whether nobody but this machine reaches an address.

    >>> is_here("127.0.0.1"), is_here("::1"), is_here("localhost"), is_here("0.0.0.0"), is_here("casino.example")
    (True, True, True, False, False)
    """
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def doors(patient: Patient) -> Iterator[Diagnosis]:
    """Whether passwords and cookies travel in the clear, and whether anybody reads the figures."""
    given, bad = patient.settings, []
    hosts = (given.host,) if given.feed_port is None else (given.host, given.feed_host)
    nowhere = [each for each in hosts if not _is_address(each)]
    if nowhere:
        yield wrong(f"{nowhere[0]} is no address of a machine.", "Set host to one of this machine, like 127.0.0.1.")
        return
    outside, tls, proxied = not is_here(given.host), given.certificate is not None, bool(given.trusted_proxies)
    if outside and not tls and not proxied:
        bad.append(
            wrong(
                f"The service listens on {given.host} without TLS: passwords can be read on the way.",
                "Set certificate and certificate_key; or host = 127.0.0.1 with a proxy that does the TLS before it.",
            )
        )
    elif outside and not tls:
        bad.append(
            remarkable(
                f"The service listens on {given.host} without TLS: whoever reaches it there goes around the proxy.",
                "Set host to an address that the proxy alone reaches.",
            )
        )
    if (proxied or tls) and not given.for_tls_alone:
        bad.append(
            wrong(
                "Cookies of sessions are sent without TLS as well.",
                "Set secure_cookies = true: a proxy or the service itself does the TLS.",
            )
        )
    if given.for_tls_alone and not tls and not proxied:
        bad.append(
            remarkable(
                "Cookies are for TLS alone, and neither a certificate nor a proxy is set: nobody stays logged in.",
                "Set trusted_proxies to the proxy that does the TLS, or secure_cookies = false.",
            )
        )
    if outside:
        bad.append(
            remarkable(
                f"/metrics and /health are open to whoever reaches {given.host}.",
                "Let the proxy or the firewall keep strangers from them.",
            )
        )
    if given.feed_port is not None and not is_here(given.feed_host):
        bad.append(
            remarkable(
                f"Card-reading shoes connect to {given.feed_host} without TLS.",
                "Keep that network to the shoes alone: whoever reads it sees cards.",
            )
        )
    yield from bad or [well(f"The service listens on {given.host}, and nothing secret travels in the clear.")]


def proxies(patient: Patient) -> Iterator[Diagnosis]:
    """Whether proxies are named so that they, and nobody else, say where a request comes from."""
    given, bad = patient.settings, []
    for each in given.trusted_proxies:
        if each == "*":
            if not is_here(given.host):
                bad.append(
                    wrong(
                        "Everybody is trusted to say where a request comes from: limits by address hold nobody.",
                        "Set trusted_proxies to the addresses of the proxies.",
                    )
                )
        elif not _is_network(each):
            bad.append(wrong(f"trusted_proxies has {each!r}, which is no address.", "Write an address or a network."))
        elif ip_network(each, strict=False).prefixlen == 0:
            bad.append(wrong(f"trusted_proxies has {each}: that is everybody.", "Write the addresses of the proxies."))
    yield from bad or [well(f"Proxies whose word counts: {', '.join(given.trusted_proxies) or 'none'}.")]


def _is_network(text: str) -> bool:
    try:
        ip_network(text, strict=False)
    except ValueError:
        return False
    return True


def certificate(patient: Patient) -> Iterator[Diagnosis]:
    """Whether the certificate can be used, and for how long."""
    given = patient.settings
    if given.certificate is None:
        return
    try:
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(given.certificate, given.certificate_key)
        first = load_pem_x509_certificates(Path(given.certificate).read_bytes())[0]
    except (OSError, ValueError) as error:
        yield wrong(
            f"The certificate {given.certificate} cannot be used: {error}.",
            "Put a certificate and its own key there, as PEM.",
        )
        return
    until, now = first.not_valid_after_utc, patient.clocks.now
    if until < now or first.not_valid_before_utc > now:
        yield wrong(
            f"The certificate is good from {first.not_valid_before_utc:%Y-%m-%d} to {until:%Y-%m-%d} only.", "Renew it."
        )
    elif until - now < _SOON:
        yield remarkable(f"The certificate ends on {until:%Y-%m-%d}.", "Renew it.")
    else:
        yield well(f"The certificate is good until {until:%Y-%m-%d}.")


def open_files(patient: Patient) -> Iterator[Diagnosis]:
    """Whether the process may open as many files as the connections take."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    wanted = patient.settings.connections or _FEW_CONNECTIONS
    needed = wanted + own_files(patient.settings) + RESERVE
    if hard == resource.RLIM_INFINITY or hard >= needed:
        shown = "any number of" if hard == resource.RLIM_INFINITY else f"{hard:,}"
        yield well(f"The service may open {shown} files.")
    elif patient.settings.connections is not None:
        yield wrong(
            f"The service may open {hard:,} files: that is too few for the {wanted:,} connections that are set.",
            f"Raise the limit (LimitNOFILE, ulimit -Hn) to {needed:,}, or lower connections.",
        )
    else:
        yield remarkable(
            f"The service may open {hard:,} files: that is fewer than {wanted:,} connections.",
            f"Raise the limit (LimitNOFILE, ulimit -Hn) to {_FEW_FILES:,} or more.",
        )


def witness(patient: Patient) -> Iterator[Diagnosis]:
    """Whether the witness answers, and whether what it has signed is still in the journal."""
    address = patient.settings.witness
    if address is None:
        return
    try:
        status, said = Outgoing(_SECONDS, _LONGEST).ask(f"{address.rstrip('/')}/heads/{HOUSE}")
        if status != _OK:
            raise Unanswered(f"it answers {status}")
        last = msgspec.json.decode(said, type=Cosigned | None)
    except (Unanswered, ValueError) as error:
        yield wrong(f"The witness {address} does not answer: {error}.", "Start it, or correct the setting witness.")
        return
    if last is None:
        yield remarkable(
            f"The witness {address} answers, and has signed nothing yet.", "Ask again after the next checkpoint."
        )
    elif patient.journal is not None and not _is_in(last, patient.journal):
        yield wrong(
            f"The witness has signed event {last.sequence} of the house, and it is not in this journal.",
            "The journal was cut or replaced: restore the right one, and verify it with --witness.",
        )
    else:
        yield well(f"The witness {address} has signed the chain of the house up to event {last.sequence}.")


def _is_in(signed: Cosigned, journal: Journal) -> bool:
    return [each.hash for each in journal.entries(signed.table, signed.sequence - 1, 1)] == [signed.hash]


def provider(patient: Patient) -> Iterator[Diagnosis]:
    """Whether the provider answers by which the staff sign in."""
    given = patient.settings
    if given.oidc_issuer is None:
        return
    try:
        OidcProvider(given).check_reachable()
    except ProviderAway as error:
        yield wrong(str(error), "See that the provider runs, and that oidc_issuer is what it calls itself.")
    else:
        yield well(f"The provider {given.oidc_issuer} answers.")


def _is_address(host: str) -> bool:
    try:
        return bool(socket.getaddrinfo(host, None, type=socket.SOCK_STREAM))
    except (OSError, UnicodeError):
        return False


def wallet(patient: Patient) -> Iterator[Diagnosis]:
    """Whether somebody else's wallet answers, and whether money goes there in the clear."""
    given = patient.settings
    if given.wallet is None:
        return
    parts = urlsplit(given.wallet)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        yield wrong(f"The wallet {given.wallet!r} is no address.", "Write it like https://wallet.example.")
        return
    if parts.scheme == "http" and not is_here(parts.hostname):
        yield wrong(
            "The wallet is asked without TLS: whoever reads the way has its token.", "Use an https address of it."
        )
    try:
        HttpWallet(given.wallet, given.wallet_token, given.wallet_seconds).check_reachable()
    except WalletUnclear as error:
        yield wrong(str(error), "See that the wallet runs and knows the token (wallet, wallet_token).")
    else:
        yield well(f"The wallet at {parts.hostname} answers.")

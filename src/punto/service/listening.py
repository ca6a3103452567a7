"""The sockets that the service listens on, opened before anything else begins, so that a busy port is told at once."""

import errno
import socket

from punto.service.settings import BadSettings

_BACKLOG = 2048


def listen(host: str, port: int) -> list[socket.socket]:
    """Listen on a port of every address of a host; `BadSettings` says what to do where that cannot be."""
    try:
        found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        raise BadSettings(f"There is no address {host!r} to listen on: {getattr(error, 'strerror', error)}.") from None
    opened: list[socket.socket] = []
    try:
        for family, kind, protocol, _, address in dict.fromkeys(found):
            made = socket.socket(family, kind, protocol)
            opened.append(made)
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            made.bind((address[0], port_of(opened[0]) if port == 0 and len(opened) > 1 else port, *address[2:]))
            made.listen(_BACKLOG)
    except OSError as error:
        for each in opened:
            each.close()
        raise BadSettings(_why(host, port, error)) from None
    return opened


def port_of(listening: socket.socket) -> int:
    """The port that a socket listens on."""
    port: int = listening.getsockname()[1]
    return port


def _why(host: str, port: int, error: OSError) -> str:
    another = "choose another one with --port, or the setting port"
    if error.errno == errno.EADDRINUSE:
        return f"Port {port} of {host} is in use by another program: stop that one, or {another}."
    if error.errno in (errno.EACCES, errno.EPERM):
        return f"Port {port} of {host} may not be opened by this user: {another}."
    return f"Port {port} of {host} cannot be opened: {error.strerror}. Choose an address of this machine as host."

"""A wire with a meter: a proxy between a browser and the service that counts the bytes which travel."""

import socket
import threading
from contextlib import suppress

from service_process import HOST

_CHUNK = 65536


class Meter:
    """Listens at an address of its own and passes everything on to a service, both ways."""

    def __init__(self, port: int) -> None:
        self._service = (HOST, port)
        self._listening = socket.create_server((HOST, 0))
        self.address = f"http://{HOST}:{self._listening.getsockname()[1]}"
        self.received = 0
        """Bytes that came from the service: heads, bodies and frames as they were on the wire."""

        self._lock = threading.Lock()
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):  # the meter was closed
            while True:
                browser, _ = self._listening.accept()
                service = socket.create_connection(self._service)
                self._open += [browser, service]
                threading.Thread(target=self._pass, args=(browser, service, False), daemon=True).start()
                threading.Thread(target=self._pass, args=(service, browser, True), daemon=True).start()

    def _pass(self, source: socket.socket, target: socket.socket, counted: bool) -> None:
        with suppress(OSError):
            while data := source.recv(_CHUNK):
                if counted:
                    with self._lock:
                        self.received += len(data)
                target.sendall(data)
        with suppress(OSError):
            target.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """Stop listening, and hang up."""
        for each in (self._listening, *self._open):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

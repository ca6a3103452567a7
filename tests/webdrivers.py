"""Firefox and WebKit as the system has them, driven by W3C WebDriver: no more of it than a round at a table needs.

Firefox is spoken to by its own Marionette, WebKit by the driver that comes with WebKitGTK; the words are the same.
"""

import json
import os
import shutil
import socket
import subprocess
from base64 import b64decode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

import httpx

from service_process import HOST, PATIENCE, free_port, until

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
WEBKIT = shutil.which("WebKitWebDriver")
DISPLAY = shutil.which("Xvfb")
MISSING = {
    "firefox": None
    if FIREFOX
    else "Firefox is not installed: apt-get install firefox-esr (Debian), firefox elsewhere.",
    "webkit": None
    if WEBKIT and DISPLAY
    else "WebKit or a display is not installed: apt-get install webkit2gtk-driver xvfb (Debian).",
}
"""Why a browser cannot be had here, or None where it can."""

_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
_NOTE_ERRORS = """() => {
  window.wentWrong = [];
  const note = (...told) => window.wentWrong.push(told.map(String).join(" "));
  window.addEventListener("error", ({ message, error }) => note(message, error?.stack));
  window.addEventListener("unhandledrejection", ({ reason }) => note(reason, reason?.stack));
  console.error = console.warn = note;
}"""
_FOLLOW = """(path) => {
  const link = document.createElement("a");
  link.href = path;
  document.body.append(link);
  link.click();
  link.remove();
}"""


class Wire(Protocol):
    """How commands of WebDriver reach a browser."""

    def ask(self, command: str, **given: object) -> Any:
        """Give a command, and wait for its answer."""


class Marionette:
    """Firefox's own port: messages of JSON, each behind its length."""

    def __init__(self, port: int) -> None:
        self._socket = until(lambda: self._reach(port), "Firefox to listen")
        self._buffer, self._asked = b"", 0
        self._read()

    @staticmethod
    def _reach(port: int) -> socket.socket | None:
        with suppress(OSError):
            return socket.create_connection((HOST, port), timeout=PATIENCE)
        return None

    def ask(self, command: str, **given: object) -> Any:
        """Give a command, and wait for its answer."""
        self._asked += 1
        body = json.dumps([0, self._asked, f"WebDriver:{command}", given]).encode()
        self._socket.sendall(b"%d:%b" % (len(body), body))
        _, _, error, result = self._read()
        assert error is None, error
        return result["value"] if isinstance(result, dict) and set(result) == {"value"} else result

    def _read(self) -> Any:
        while b":" not in self._buffer:
            self._more()
        length, self._buffer = self._buffer.split(b":", 1)
        while len(self._buffer) < int(length):
            self._more()
        body, self._buffer = self._buffer[: int(length)], self._buffer[int(length) :]
        return json.loads(body)

    def close(self) -> None:
        """Hang up."""
        self._socket.close()

    def _more(self) -> None:
        more = self._socket.recv(65536)
        assert more, "Firefox went away"
        self._buffer += more


_ADDRESSES = {
    "Navigate": ("POST", "url"),
    "ExecuteAsyncScript": ("POST", "execute/async"),
    "FindElement": ("POST", "element"),
    "ElementClick": ("POST", "element/{id}/click"),
    "PerformActions": ("POST", "actions"),
    "SetWindowRect": ("POST", "window/rect"),
    "TakeScreenshot": ("GET", "screenshot"),
    "AddCookie": ("POST", "cookie"),
}


class OverHttp:
    """The driver of WebKit: W3C WebDriver by HTTP."""

    def __init__(self, port: int, options: Mapping[str, object]) -> None:
        self._client = httpx.Client(base_url=f"http://{HOST}:{port}", timeout=PATIENCE)
        until(self._is_up, "the driver of WebKit to listen")
        asked = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": dict(options)}}}
        session = self._said(self._client.post("/session", json=asked))["sessionId"]
        self._client.base_url = httpx.URL(f"http://{HOST}:{port}/session/{session}/")

    def _is_up(self) -> bool:
        with suppress(httpx.TransportError):
            return self._client.get("/status").is_success
        return False

    def ask(self, command: str, **given: object) -> Any:
        """Give a command, and wait for its answer."""
        method, path = _ADDRESSES[command]
        body = None if method == "GET" else {key: value for key, value in given.items() if key != "id"}
        return self._said(self._client.request(method, path.format(**given), json=body))

    def _said(self, answer: httpx.Response) -> Any:
        assert answer.is_success, answer.text
        return answer.json()["value"]

    def close(self) -> None:
        """End the session, and the browser with it."""
        self._said(self._client.delete(""))
        self._client.close()


class OtherBrowser:
    """A browser with one page."""

    def __init__(self, name: str, wire: Wire) -> None:
        self.name, self._wire = name, wire

    def enter(self, address: str, token: str, path: str) -> None:
        """Open a page as somebody, by a link of the lobby: whatever goes wrong from there on is noted."""
        self._wire.ask("Navigate", url=f"{address}/static/icon.svg")  # where a cookie can be set
        self._wire.ask("AddCookie", cookie={"name": "punto", "value": token, "path": "/"})
        self._wire.ask("Navigate", url=f"{address}/")
        self.wait_for("#top a.brand")
        self.run(_NOTE_ERRORS)
        self.run(_FOLLOW, path)

    def run(self, script: str, *given: object) -> Any:
        """What an expression of the page gives; `given` are its arguments."""
        whole = (
            "const done = arguments[arguments.length - 1]; Promise.resolve((" + script + ")(...arguments)).then(done)"
        )
        return self._wire.ask("ExecuteAsyncScript", script=whole, args=list(given))

    def wait(self, script: str, *given: object) -> Any:
        """Wait until an expression of the page gives something."""
        return until(lambda: self.run(script, *given), lambda: f"{self.name}: {script} {given}", PATIENCE)

    def wait_for(self, css: str, text: str = "") -> None:
        """Wait until something can be seen on the page, with a text in it."""
        self.wait(
            "(css, text) => Array.from(document.querySelectorAll(css))"
            ".some((each) => each.getClientRects().length && each.textContent.includes(text))",
            css,
            text,
        )

    def click(self, css: str) -> None:
        """Click on what is there."""
        self.wait_for(css)
        found = self._wire.ask("FindElement", using="css selector", value=css)
        self._wire.ask("ElementClick", id=found[_ELEMENT])

    def press(self, *keys: str) -> None:
        """Press keys one after the other, wherever the page has its focus."""
        pressed = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self._wire.ask("PerformActions", actions=[{"type": "key", "id": "keys", "actions": pressed}])

    def pull(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Take hold of a point of the screen, pull it elsewhere, and let go."""
        steps: list[dict[str, object]] = [
            {"type": "pointerMove", "duration": 0, "x": int(start[0]), "y": int(start[1])}
        ]
        steps += [{"type": "pointerDown", "button": 0}]
        steps += [{"type": "pointerMove", "duration": 100, "x": int(end[0]), "y": int(end[1])}]
        steps += [{"type": "pointerUp", "button": 0}]
        mouse = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": steps}
        self._wire.ask("PerformActions", actions=[mouse])

    def resize(self, wide: int, high: int) -> None:
        """Make the window so large."""
        self._wire.ask("SetWindowRect", width=wide, height=high)

    def picture(self) -> bytes:
        """The page as it looks now."""
        return b64decode(self._wire.ask("TakeScreenshot"))

    def errors(self) -> list[str]:
        """What went wrong on the page since it was entered."""
        found: list[str] = self.run("() => window.wentWrong")
        return found


_PREFERENCES = {
    "browser.shell.checkDefaultBrowser": False,
    "browser.aboutwelcome.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "app.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "ui.prefersReducedMotion": 0,
    "intl.accept_languages": "en-GB",
    "app.normandy.enabled": False,
    "messaging-system.rsexperimentloader.enabled": False,
    "services.settings.server": f"http://{HOST}:9",  # which nobody listens at
}


@contextmanager
def _process(command: list[str], log: Path, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    with log.open("ab") as out:
        made = subprocess.Popen(command, stdout=out, stderr=out, env={**os.environ, **environment})
    try:
        yield made
    finally:
        made.terminate()
        with suppress(subprocess.TimeoutExpired):
            made.wait(20)
        made.kill()
        made.wait()


@contextmanager
def _firefox(folder: Path) -> Iterator[OtherBrowser]:
    assert FIREFOX is not None
    port, log, profile = free_port(), folder / "firefox.log", folder / "profile"
    profile.mkdir()
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in _PREFERENCES.items()]
    lines.append(f'user_pref("marionette.port", {port});')
    (profile / "user.js").write_text("\n".join(lines))
    command = [FIREFOX, "--headless", "--marionette", "--no-remote", "--profile", str(profile), "about:blank"]
    with _process(command, log, HOME=str(folder), MOZ_DISABLE_CONTENT_SANDBOX="1"):
        wire = Marionette(port)
        try:
            wire.ask("NewSession", capabilities={"alwaysMatch": {"timeouts": {"script": int(PATIENCE * 1000)}}})
            yield OtherBrowser("Firefox", wire)
        finally:
            wire.close()


@contextmanager
def _webkit(folder: Path) -> Iterator[OtherBrowser]:
    assert WEBKIT is not None
    assert DISPLAY is not None
    port, log = free_port(), folder / "webkit.log"
    display = f":{free_port()}"
    binary = next(Path("/usr").glob("lib*/**/webkit2gtk-4.*/MiniBrowser"))
    options = {"binary": str(binary), "args": ["--automation"]}
    screen = [DISPLAY, display, "-screen", "0", "1600x1200x24", "-nolisten", "tcp"]
    environment = {"DISPLAY": display, "HOME": str(folder), "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"}
    with _process(screen, folder / "display.log"), _process([WEBKIT, f"--port={port}"], log, **environment):
        wire = OverHttp(port, options)
        try:
            yield OtherBrowser("WebKit", wire)
        finally:
            wire.close()


OPEN = {"firefox": _firefox, "webkit": _webkit}
"""How each browser is opened, with a folder for what it writes."""

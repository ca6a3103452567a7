"""Volumes: files of the pages that travel together, because on a slow line every file costs a round trip.

The sources stay apart, one module or style sheet a thing. A volume has the address of one of them. The modules in it
keep scopes of their own, and none is loaded twice: whoever else imports one is sent to the volume, and at its own
address a module only names it. The page brings the style sheets of its first content along.
"""

import re
from base64 import b64encode
from hashlib import sha256
from posixpath import dirname, join, normpath

VOLUMES = {
    "main.js": (
        "base/storage.js",
        "base/dom.js",
        "base/language.js",
        "base/words.js",
        "base/bet-names.js",
        "base/api.js",
        "base/notes.js",
        "base/money.js",
        "base/socket.js",
        "base/live-table.js",
        "base/labels.js",
        "base/felts.js",
        "base/timer.js",
        "base/cards.js",
        "base/chips.js",
        "base/betting.js",
        "main.js",
    ),
    "table.js": ("patron/seating.js", "patron/dock.js", "patron/hands.js", "patron/felt.js", "table.js"),
    "index.html": ("index.html", "style/base.css", "style/parts.css"),
    "style/table.css": ("style/table.css", "style/felt.css", "style/fields.css", "style/small-fields.css"),
}
"""By address, what is in it: a module after those that it imports."""

_HOME = {part: volume for volume, parts in VOLUMES.items() for part in parts if part.endswith(".js")}

_STYLE, _STYLE_END = b"<style>", b"</style>"
_IMPORT = re.compile(r'^import\s(?:[^;"]*\sfrom\s+)?"(\.[^"]+)";$', re.MULTILINE)
_NAMES = re.compile(r'^import\s*\{([^}]*)\}\s*from\s*"(\.[^"]+)";$', re.MULTILINE)
_LOADED = re.compile(r'\bimport\(\s*"(\.[^"]+)"\s*\)')
_EXPORT = re.compile(r"^export ((?:async )?function|class|const) (\w+)", re.MULTILINE)


def parts_of(path: str) -> tuple[str, ...]:
    """The files that travel at an address, in their order.

    >>> parts_of("index.html"), parts_of("lobby.js")
    (('index.html', 'style/base.css', 'style/parts.css'), ('lobby.js',))
    """
    return VOLUMES.get(path, (path,))


def bound(path: str, parts: dict[str, bytes]) -> bytes:
    """What travels at an address, from its parts."""
    if path.endswith(".html"):
        return _with_sheets(*parts.values())
    if not path.endswith(".js"):
        return b"".join(parts.values())
    sources = {part: source.decode() for part, source in parts.items()}
    if path in VOLUMES:
        text = _imports_from_elsewhere(path, sources) + "".join(_scoped(*each) for each in sources.items())
    elif path in _HOME:
        text = f'export {{ {", ".join(exports(sources[path]))} }} from "{_address(_HOME[path])}";\n'
    else:
        text = _sent_to_volumes(path, sources[path])
    return text.encode()


def exports(source: str) -> list[str]:
    """The names that a module gives out."""
    return [name for _, name in _EXPORT.findall(source)]


def style_hash(page: bytes) -> str:
    """What the policy of a page says of the style sheets in it: these and no others."""
    return b64encode(sha256(page.partition(_STYLE)[2].partition(_STYLE_END)[0]).digest()).decode()


def _with_sheets(page: bytes, *sheets: bytes) -> bytes:
    return page.replace(_STYLE + _STYLE_END, _STYLE + b"".join(sheets) + _STYLE_END)


def _address(path: str) -> str:
    return f"/static/{path}"


def _target(module: str, path: str) -> str:
    return normpath(join(dirname(module), path))


def _sent_to_volumes(module: str, source: str) -> str:
    """A module that imports what is in a volume from there."""

    def sent(found: re.Match[str]) -> str:
        home = _HOME.get(_target(module, found[1]))
        return found[0].replace(found[1], _address(home)) if home else found[0]

    return _IMPORT.sub(sent, source)


def _imports_from_elsewhere(volume: str, sources: dict[str, str]) -> str:
    """What the parts of a volume import from other files, one statement for each of them."""
    wanted: dict[str, set[str]] = {}
    for part, source in sources.items():
        for names, path in _NAMES.findall(source):
            target = _target(part, path)
            wanted.setdefault(_HOME.get(target, target), set()).update(re.findall(r"\w+", names))
    wanted.pop(volume, None)
    return "".join(
        f'import {{ {", ".join(sorted(names))} }} from "{_address(target)}";\n'
        for target, names in sorted(wanted.items())
    )


def _scoped(module: str, source: str) -> str:
    """A module as a function that runs at once and gives out what the module exports."""
    names = ", ".join(exports(source))
    source = _EXPORT.sub(r"\1 \2", _IMPORT.sub("", source))
    source = _LOADED.sub(lambda found: f'import("{_address(_target(module, found[1]))}")', source)
    begin, end = (f"export const {{ {names} }} = ", f"return {{ {names} }};\n") if names else ("", "")
    return f"{begin}(() => {{\n{source}{end}}})();\n"

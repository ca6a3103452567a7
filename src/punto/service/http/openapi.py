"""The OpenAPI document: who may ask for what, and which bodies refuse fields that they do not know."""

from collections.abc import Iterable
from typing import Any

import msgspec
from litestar import Request
from litestar.openapi import OpenAPIConfig, ResponseSpec
from litestar.openapi.plugins import JsonRenderPlugin, YamlRenderPlugin
from litestar.openapi.spec import Components, Reference, SecurityRequirement, SecurityScheme

from punto.service.http.authentication import COOKIE, address_of
from punto.service.http.casino import Casino

SIGNED_IN: list[SecurityRequirement] = [{"bearer": []}, {"cookie": []}]
"""For routes that one must be logged in for."""

ANYBODY: list[SecurityRequirement] = [*SIGNED_IN, {}]
"""For routes that answer anybody, according to who asks."""

DONE = {204: ResponseSpec(None, False, "Done; there is nothing to say.")}

SOCKETS = """\
Besides what is listed here there are two sockets at every table, which OpenAPI has no words for. On both of them a
message `{"key": …, "command": {…}, "round": …, "stage": …}` gives a command, meant for any round where none is named,
and `{"key": …, "first": …, "last": …, "repeated": …}` or
`{"key": …, "refused": …, "clauses": […], "message": {…}, "kind": …}` answers it.

`/api/tables/{name}/stream?after=N` tells every entry after N, each once and in order, then whatever comes:
`{"sequence": …, "at": …, "who": …, "event": {…}}`.

`/api/tables/{name}/screen?after=N&desk=true` shows the table. First comes everybody's snapshot,
`{"now": …, "whole": {…}, "own": […], "desk": {…}, "entries": […]}`; then after each commit what changed,
`{"now": …, "after": …, "patch": […], "own": […], "desk": […], "entries": […]}`. Patches are JSON Patches (RFC 6902);
`own` turns everybody's snapshot into the viewer's own. What did not change is left out.
"""


class _StrictBodies:
    """Adds to the document which schemas refuse unknown fields: Litestar does not say it of msgspec's structs."""

    def __init__(self, bodies: Iterable[type[msgspec.Struct]]) -> None:
        strict = [kind for kind in bodies if kind.__struct_config__.forbid_unknown_fields]
        self._known = {(kind.__name__, _fields(kind)) for kind in strict}

    def complete(self, document: dict[str, Any]) -> dict[str, Any]:
        """The document with `additionalProperties: false` where that is so."""
        schemas = {
            name: {**schema, "additionalProperties": False} if self._is_strict(schema) else schema
            for name, schema in document["components"]["schemas"].items()
        }
        return {**document, "components": {**document["components"], "schemas": schemas}}

    def _is_strict(self, schema: dict[str, Any]) -> bool:
        return (schema.get("title"), frozenset(schema.get("properties", ()))) in self._known


def _fields(kind: type[msgspec.Struct]) -> frozenset[str]:
    """The fields of a struct as JSON has them, which tell it from another of the same name."""
    tag = kind.__struct_config__.tag_field
    return frozenset(kind.__struct_encode_fields__) | ({tag} if tag else set())


def _count(request: Request[Any, Any, Any]) -> None:
    """Count a request for the document, which is long: one address asks for so many."""
    casino: Casino = request.app.state.casino
    casino.limits.costly.take(address_of(request))


class _Json(JsonRenderPlugin):
    """The document in JSON, written once."""

    def __init__(self, strict: _StrictBodies) -> None:
        super().__init__()
        self._strict = strict
        self._written: bytes | None = None

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        _count(request)
        if self._written is None:
            self._written = super().render(request, self._strict.complete(openapi_schema))
        return self._written


class _Yaml(YamlRenderPlugin):
    """The document in YAML, written once: that takes a second, in which nobody else is answered."""

    def __init__(self, strict: _StrictBodies) -> None:
        super().__init__()
        self._strict = strict
        self._written: bytes | None = None

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        _count(request)
        if self._written is None:
            self._written = super().render(request, self._strict.complete(openapi_schema))
        return self._written


def openapi(bodies: Iterable[type[msgspec.Struct]]) -> OpenAPIConfig:
    """The document in JSON and in YAML; no page to read it on, which would need scripts of another host."""
    schemes: dict[str, SecurityScheme | Reference] = {
        "bearer": SecurityScheme(type="http", scheme="bearer", description="The token of a session or a device."),
        "cookie": SecurityScheme(
            type="apiKey", security_scheme_in="cookie", name=COOKIE, description="The same token, as browsers send it."
        ),
    }
    strict = _StrictBodies(bodies)
    return OpenAPIConfig(
        title="Punto",
        version="1",
        description=SOCKETS,
        path="/api/schema",
        use_handler_docstrings=True,
        components=Components(security_schemes=schemes),
        render_plugins=[_Json(strict), _Yaml(strict)],
    )

"""What the OpenAPI document says of every address: who may ask, which refusals there are, and what an entry is."""

from collections.abc import Sequence
from inspect import signature
from typing import Any

import msgspec
from litestar._openapi.schema_generation import SchemaCreator
from litestar._openapi.schema_generation.plugins.struct import StructSchemaPlugin
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig, ResponseSpec
from litestar.openapi.plugins import JsonRenderPlugin, YamlRenderPlugin
from litestar.openapi.spec import Components, Reference, Schema, SecurityScheme
from litestar.plugins import OpenAPISchemaPlugin
from litestar.plugins.prometheus import PrometheusController
from litestar.typing import FieldDefinition

from punto.service.http.routes import COOKIE, Health
from punto.table.codec import ANY_EVENT

SOCKETS = """\
Besides what is listed here there are two sockets at every table, which OpenAPI has no words for. On both of them a
message `{"key": …, "command": {…}}` gives a command, and `{"key": …, "first": …, "last": …, "repeated": …}` or
`{"key": …, "refused": …, "clauses": […], "kind": …}` answers it.

`/api/tables/{name}/stream?after=N` tells every entry after N, each once and in order, then whatever comes:
`{"sequence": …, "at": …, "who": …, "event": {…}}`.

`/api/tables/{name}/screen?after=N&desk=true` shows the table. First comes everybody's snapshot,
`{"now": …, "whole": {…}, "own": […], "desk": {…}, "entries": […]}`; then after each commit what changed,
`{"now": …, "after": …, "patch": […], "own": […], "desk": […], "entries": […]}`. Patches are JSON Patches (RFC 6902);
`own` turns everybody's snapshot into the viewer's own. What did not change is left out.
"""


class Refusal(msgspec.Struct):
    """Why something was not done, as a sentence, and the clauses that it rests on."""

    refused: str
    clauses: list[str]


REFUSALS = {
    400: "The request is malformed.",
    403: "Whoever asks may not.",
    404: "There is no such thing.",
    409: "The book does not allow it now; nothing was changed.",
    413: "The request is too large.",
    429: "Too many at once.",
    503: "The store did not take it, or does not answer: send the same again.",
}

SIGNED_IN = {"me", "command", "held", "desk", "foresee", "pass_offer"}
"""What one must be logged in for."""

EITHER = {"who", "log_out", "snapshot", "past_events", "recall"}
"""What anybody may ask, and is answered according to who asks."""

RULED = {"command", "foresee", "pass_offer", "bets", "book_odds"}
"""Where a book has the last word."""

UNLIMITED = {"health", "log_out", "foresee"}
"""What may be asked for as often as one likes."""


class Entry(msgspec.Struct):
    """An entry of a table's chain: its number, when it was written down, who spoke, and what happened."""

    sequence: int
    at: str
    who: str
    event: ANY_EVENT


class Private(msgspec.Struct, tag_field="event", tag="private"):
    """Something that is for its owner and the staff alone."""


class PrivateEntry(msgspec.Struct):
    """An entry about another's purse: that there is one is all that is told."""

    sequence: int
    event: Private


class Strict(StructSchemaPlugin):
    """Where unknown fields are refused, the document says so."""

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: SchemaCreator) -> Schema:
        """The schema of a struct."""
        schema = super().to_openapi_schema(field_definition, schema_creator)
        if field_definition.type_.__struct_config__.forbid_unknown_fields:
            schema.additional_properties = False
        return schema


class Entries(OpenAPISchemaPlugin):
    """What is sent as it was written down is an entry of a chain."""

    def is_plugin_supported_field(self, field_definition: FieldDefinition) -> bool:
        """Whether this is bytes of JSON."""
        return field_definition.annotation is msgspec.Raw

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: SchemaCreator) -> Schema:
        """The schema of an entry, as the staff and whom it concerns see it, or as others do."""
        either = FieldDefinition.from_annotation(Entry | PrivateEntry, name=field_definition.name)
        schema = schema_creator.for_field_definition(either)
        assert isinstance(schema, Schema)
        return schema


class Metrics(PrometheusController):
    """The figures for Prometheus, which are no part of the API."""

    include_in_schema = False


def openapi() -> OpenAPIConfig:
    """The document itself, in JSON and in YAML; no page to read it on, which would need scripts of another host."""
    schemes: dict[str, SecurityScheme | Reference] = {
        "bearer": SecurityScheme(type="http", scheme="bearer", description="The token of a session or a device."),
        "cookie": SecurityScheme(
            type="apiKey", security_scheme_in="cookie", name=COOKIE, description="The same token, as browsers send it."
        ),
    }
    return OpenAPIConfig(
        title="Punto",
        version="1",
        description=SOCKETS,
        path="/api/schema",
        use_handler_docstrings=True,
        components=Components(security_schemes=schemes),
        render_plugins=[JsonRenderPlugin(), YamlRenderPlugin()],
    )


def documented(handlers: Sequence[Any]) -> Sequence[Any]:
    """Handlers, with who may ask and the refusals that they may answer with."""
    for handler in handlers:
        if isinstance(handler, HTTPRouteHandler):
            name = handler.fn.__name__
            own = {status: ResponseSpec(Refusal, False, REFUSALS[status]) for status in sorted(refusals(handler))}
            if name == "health":
                own[503] = ResponseSpec(Health, False, "The store does not answer.")
            if handler.status_code == 204:
                own[204] = ResponseSpec(None, False, "Done; there is nothing to say.")
            handler.responses = {**own, **(handler.responses or {})}
            if name in SIGNED_IN | EITHER:
                handler.security = [{"bearer": []}, {"cookie": []}, *([{}] if name in EITHER else [])]
    return handlers


def refusals(handler: HTTPRouteHandler) -> set[int]:
    """The refusals that a handler may answer with, by what it takes and does."""
    name, takes = handler.fn.__name__, set(signature(handler.fn).parameters)
    reads = "GET" in handler.http_methods
    drill = any(path.startswith("/api/drills/") for path in handler.paths)
    which = {
        400: bool(takes - {"request", "casino"}),
        403: not reads or name in (SIGNED_IN | EITHER) - {"who"},
        404: drill or any("{" in path for path in handler.paths),
        409: drill or name in RULED,
        413: "data" in takes,
        429: name not in UNLIMITED,
        503: "casino" in takes,
    }
    return {status for status, may in which.items() if may}

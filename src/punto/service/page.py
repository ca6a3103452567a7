"""What the OpenAPI page says of every address: which refusals there are, and that unknown fields are refused."""

from collections.abc import Sequence
from typing import Any

import msgspec
from litestar._openapi.schema_generation import SchemaCreator
from litestar._openapi.schema_generation.plugins.struct import StructSchemaPlugin
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import ResponseSpec
from litestar.openapi.spec import Schema
from litestar.plugins.prometheus import PrometheusController
from litestar.typing import FieldDefinition


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


class Strict(StructSchemaPlugin):
    """Where unknown fields are refused, the page says so."""

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: SchemaCreator) -> Schema:
        """The schema of a struct."""
        schema = super().to_openapi_schema(field_definition, schema_creator)
        if field_definition.type_.__struct_config__.forbid_unknown_fields:
            schema.additional_properties = False
        return schema


class Metrics(PrometheusController):
    """The figures for Prometheus, which are no part of the API."""

    include_in_schema = False


def documented(handlers: Sequence[Any]) -> Sequence[Any]:
    """Handlers, with the refusals that any of them may answer with on their page."""
    refusals = {status: ResponseSpec(Refusal, False, says) for status, says in REFUSALS.items()}
    for handler in handlers:
        if isinstance(handler, HTTPRouteHandler):
            own = {**(handler.responses or {})}
            if handler.status_code == 204:
                own[204] = ResponseSpec(None, False, "Done; there is nothing to say.")
            handler.responses = {**refusals, **own}
    return handlers

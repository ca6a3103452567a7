"""HTTP and WebSocket: routes, errors as sentences, limits, the OpenAPI document and the browser's files."""

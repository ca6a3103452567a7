"""The API by HTTP and WebSocket: one module for each family of routes, and what they share."""

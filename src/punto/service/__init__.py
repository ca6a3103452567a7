"""The table service: API, accounts and posts, and the runtime that decides, appends and publishes."""

"""Accounts: who somebody is, the posts that they hold, the tokens that prove it, and as whom they act at a table."""

"""Who somebody is: accounts, posts, tokens, and the name under which they act at a table."""

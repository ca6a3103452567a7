"""The demonstration: a small casino with bots that play."""

"""How the store came to be, step by step. Alembic runs these."""

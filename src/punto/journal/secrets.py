"""The secrets of a store: what must not be told yet, wrapped under a master key that is kept elsewhere."""

from sqlalchemy import Connection, insert, select, text, update

from punto.journal.database import Database
from punto.journal.schema import records, secrets
from punto.journal.wrapping import Locked, MasterKey, wrapped_by

_KEEP = text("""
    INSERT INTO secrets ("table", name, value) VALUES (:table, :name, :value) ON CONFLICT ("table", name) DO NOTHING
""")
_PUT = text("""
    INSERT INTO secrets ("table", name, value) VALUES (:table, :name, :value)
    ON CONFLICT ("table", name) DO UPDATE SET value = excluded.value
""")
_MASTER = "master"
"""The kind and the name of the record that says which master key wraps the secrets."""


class Secrets(Database):
    """A database with secrets in it. Until it is unlocked, what is wrapped stays closed."""

    master: MasterKey | None = None
    """The key that wraps what is kept and opens what is wrapped; without one, secrets are kept as they are."""

    def unlock(self, master: MasterKey, *, first: bool = True) -> int:
        """Open what this key wraps, and wrap what was kept before there was one; how many that were.

        `Locked` if another key wraps the secrets of this store, or if a secret is not wrapped though others are, or
        though this is not the `first` time: somebody else has put it there.
        """
        with self.transaction() as connection:
            wrapped = self._wrap_all(connection, None, master, first=first)
        self.master = master
        if wrapped:
            self._forget_plain()
        return wrapped

    def rewrap(self, master: MasterKey) -> int:
        """Wrap every secret under another key, all of them or none; how many they are."""
        if self.master is None:
            raise Locked("The secrets are wrapped anew by whoever has the present master key.")
        with self.transaction() as connection:
            count = self._wrap_all(connection, self.master, master)
        self.master = master
        self._forget_plain()
        return count

    def locked_by(self) -> str | None:
        """The id of the master key that wraps the secrets of this store; None if none does."""
        with self.transaction(reading=True) as connection:
            return _master_of(connection)

    def _wrap_all(
        self, connection: Connection, before: MasterKey | None, after: MasterKey, *, first: bool = False
    ) -> int:
        self.lock(connection, _MASTER)
        if self.sqlite:
            connection.exec_driver_sql("PRAGMA secure_delete=ON")  # what is replaced is overwritten in the file
        owner = _master_of(connection)
        if owner is not None and owner != (before or after).id:
            raise Locked(_other(owner, (before or after).id))
        count, rows = 0, connection.execute(select(secrets)).all()
        closed = not first or owner is not None or any(wrapped_by(bytes(row.value)) for row in rows)
        for row in rows:
            value = bytes(row.value)
            by = wrapped_by(value)
            if by is None and closed:
                raise Locked(_PLANTED.format(row.name, row.table))
            if by == after.id:
                after.unwrap(value, row.table, row.name)  # that it is whole is known before anybody deals from it
                continue
            if by is not None:
                value = (before or after).unwrap(value, row.table, row.name)
            where = (secrets.c.table == row.table) & (secrets.c.name == row.name)
            wrapped = after.wrap(value, row.table, row.name)
            connection.execute(update(secrets).where(where).values(value=wrapped))
            count += 1
        if owner is None:
            connection.execute(insert(records).values(kind=_MASTER, name=_MASTER, body=after.id))
        elif owner != after.id:
            of_master = (records.c.kind == _MASTER) & (records.c.name == _MASTER)
            connection.execute(update(records).where(of_master).values(body=after.id))
        return count

    # Single ones

    def keep_secret(self, table: str, name: str, value: bytes) -> None:
        """Keep what must not be told yet, under a name that is free. It is durable when this returns."""
        with self.transaction() as connection:
            wrapped = self._wrapped(connection, table, name, value)
            connection.execute(insert(secrets).values(table=table, name=name, value=wrapped))

    def secret_or(self, table: str, name: str, value: bytes) -> bytes:
        """The secret of this name; if there is none, this value is kept. All processes get the same one."""
        with self.transaction() as connection:
            wrapped = self._wrapped(connection, table, name, value)
            connection.execute(_KEEP, {"table": table, "name": name, "value": wrapped})
            kept = select(secrets.c.value).where(secrets.c.table == table, secrets.c.name == name)
            found = bytes(connection.execute(kept).scalar_one())
        return self._opened(found, table, name)

    def put_secret(self, table: str, name: str, value: bytes) -> None:
        """Keep a secret in the place of what was there."""
        with self.transaction() as connection:
            wrapped = self._wrapped(connection, table, name, value)
            connection.execute(_PUT, {"table": table, "name": name, "value": wrapped})

    def drop_secret(self, table: str, name: str) -> None:
        """Forget a secret."""
        with self.transaction() as connection:
            connection.execute(secrets.delete().where(secrets.c.table == table, secrets.c.name == name))

    def secret(self, table: str, name: str) -> bytes | None:
        """A secret of a table; `Locked` if it is wrapped and the master key is not here."""
        asked = select(secrets.c.value).where(secrets.c.table == table, secrets.c.name == name)
        with self.transaction(reading=True) as connection:
            found = connection.execute(asked).first()
        return None if found is None else self._opened(bytes(found.value), table, name)

    def secret_at_hand(self, table: str, name: str) -> bytes | None:
        """A secret of a table, for whoever looks into a journal; None if there is none, or it stays closed."""
        try:
            return self.secret(table, name)
        except Locked:
            return None

    def _wrapped(self, connection: Connection, table: str, name: str, value: bytes) -> bytes:
        """A secret as it is written; refused if the store has been wrapped under another key meanwhile."""
        owner = _master_of(connection)
        if self.master is None:
            if owner is not None:
                raise Locked(_CLOSED.format(owner))
            return value
        if owner != self.master.id:
            raise Locked(_other(owner, self.master.id))
        return self.master.wrap(value, table, name)

    def _opened(self, value: bytes, table: str, name: str) -> bytes:
        by = wrapped_by(value)
        if self.master is not None:
            if by is None:
                raise Locked(_PLANTED.format(name, table))
            return self.master.unwrap(value, table, name)
        if by is not None:
            raise Locked(_CLOSED.format(by))
        return value

    def _forget_plain(self) -> None:
        """What secrets were before they were wrapped stays in no file of the database."""
        raw = self.engine.raw_connection()
        try:
            if self.sqlite:  # the file itself was overwritten; what led there is in the log beside it
                raw.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
            else:
                raw.rollback()
                raw.driver_connection.autocommit = True  # type: ignore[union-attr] # a psycopg connection
                raw.cursor().execute("VACUUM FULL secrets")
                raw.driver_connection.autocommit = False  # type: ignore[union-attr] # a psycopg connection
        finally:
            raw.close()


_PLANTED = "The secret {!r} of {!r} is not wrapped as the others are: somebody else has put it into the store."
_CLOSED = "The secrets of this store are wrapped by the master key {}, and no master key was given."


def _other(owner: str | None, given: str) -> str:
    return f"The secrets of this store are wrapped by the master key {owner}, and this is {given}."


def _master_of(connection: Connection) -> str | None:
    asked = select(records.c.body).where(records.c.kind == _MASTER, records.c.name == _MASTER)
    found: str | None = connection.execute(asked).scalar()
    return found

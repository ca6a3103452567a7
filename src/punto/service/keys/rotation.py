"""New keys for old: the master key, the key of tokens, and the key that signs checkpoints."""

from pathlib import Path
from secrets import token_bytes

from punto.audit import kept_books
from punto.audit.entries import chain
from punto.journal import HOUSE, OF_THE_HOUSE, Journal, MasterKey, announce, new_key, public_key, sign
from punto.journal.snapshots import keep_snapshot, kept_snapshots, new_snapshot
from punto.service.accounts.house import NEW_SIGNING_KEY, NEW_TOKEN_KEY, House
from punto.service.accounts.tokens import KEPT_AS
from punto.service.keys.key_files import made_once, replaced
from punto.service.keys.master import key_of, master_file, next_file, rewrap_file
from punto.service.keys.signing import signing_key, wrapped
from punto.service.settings import BadSettings, Settings
from punto.table import Table, decode_event, evolve
from punto.table.snapshot import STATE, Marks, encode_state


def replace_master_key(journal: Journal, settings: Settings, given: Path | None = None, *, by: str = "service") -> str:
    """Wrap every secret under a new master key; what became of it, in a sentence.

    Where the key is in a file, the new one takes its place; a change that is cut off is finished by the next start.
    """
    before, file = _master(journal), master_file(settings)
    if file is None and given is None:
        raise BadSettings(
            "The present master key comes from the environment or a command: write a new one into a file "
            "(punto keys new), and name that file."
        )
    new = MasterKey.new() if given is None else key_of(given)
    if new.id == before.id:
        raise BadSettings("This is the present master key: a new one is asked for.")
    if file is not None:
        next_file(file).unlink(missing_ok=True)
        made_once(next_file(file), f"{new.text}\n".encode())
    count = journal.rewrap(new)
    rewrap_file(Path(settings.key_file), before, new)
    journal.note(House(journal).entry(by, "master-key-changed", "", key=before.id, new_key=new.id))
    told = f"{count} secrets and the signing key are wrapped by the master key {new.id}"
    if file is None:
        return f"{told}: give the service the key of {given} from now on."
    replaced(file, f"{new.text}\n".encode())
    next_file(file).unlink()
    return f"{told}, which is in {file}: keep a copy of it apart from the database."


def replace_token_key(journal: Journal, *, by: str = "service") -> str:
    """Sign tokens by a new key: every session, link and device's token given out before is worthless."""
    _master(journal)
    journal.put_secret(*KEPT_AS, token_bytes(32))
    journal.note(House(journal).entry(by, NEW_TOKEN_KEY, ""))
    return "Tokens are signed by a new key: every session is over, and devices need new tokens."


def replace_signing_key(journal: Journal, settings: Settings, *, by: str = "service") -> str:
    """Sign checkpoints by a new key, which the old one announces in the house's chain; all heads are signed by it.

    So are the states of tables that a start goes on from. They are worked out from the events: what the old key has
    signed is not taken over, for it may be replaced because somebody has stolen it.
    """
    master, file = _master(journal), Path(settings.key_file)
    old, new = signing_key(file, master), new_key()
    names = {"key": public_key(old), "new_key": public_key(new)}
    journal.note(House(journal).entry(by, NEW_SIGNING_KEY, "", **names, signature=announce(old, public_key(new))))
    replaced(file, wrapped(new, master))
    for name in sorted({*journal.tables(), HOUSE}):
        head, points = journal.head(name), journal.checkpoints(name)
        if head is not None and (not points or points[-1].sequence < head.sequence):
            journal.checkpoint(sign(new, name, head.sequence, head.hash))
    _keep_states(journal, new)
    return f"Checkpoints are signed by {names['new_key']} from now on; {names['key']} has announced it."


def _keep_states(journal: Journal, key: bytes) -> None:
    """Keep the present state of every table that has a snapshot as one by this key."""
    library = kept_books(journal)
    for name in kept_snapshots(journal, set(journal.tables()) - set(OF_THE_HOUSE)):
        table: Table | None = None
        marks, head = Marks(), None
        for head in chain(journal, name):
            for sequence, body in enumerate(head.events, start=head.first):
                event = decode_event(body)
                table, marks = evolve(table, event, library), marks.after(sequence, event)
        if table is not None and head is not None:
            body = encode_state(table, marks)
            keep_snapshot(journal, new_snapshot(key, name, head.sequence, head.hash, STATE, body))


def _master(journal: Journal) -> MasterKey:
    if journal.master is None:
        raise BadSettings("The secrets of the store are not open.")
    return journal.master

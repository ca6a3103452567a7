"""Words of patrons for the next virtual shoe: hashes first, then the words, so that nobody chooses the cards.

A shoe is shuffled only when everybody who has committed to a word has revealed it. Who keeps it back is left out, and
the others are asked for new words: what they know of the shoe by then is worth nothing.
"""

import re

from punto.messages import say
from punto.rulebook import Refused
from punto.shoe import MOST_WORDS, commit_word
from punto.table import commands as c
from punto.table import events as e
from punto.table.state import Words
from punto.table.turn import Turn

_HEX = re.compile(r"[0-9a-f]{64}")
"""A hash or a word: 32 bytes."""


def invite_words(turn: Turn, command: c.InviteWords) -> None:
    """Ask for words; once more, and without those who are missing, when words that were called did not come."""
    turn.staff()
    if turn.table.setup.shoe != "virtual":
        raise Refused(say("words-for-virtual-shoe", "Words are for virtual shoes: no other is shuffled by them."))
    if turn.table.shoe is not None:
        raise Refused(say("cards-in-use-already", "Cards are in use already: end that shoe first."))
    if _HEX.fullmatch(command.commitment) is None:
        raise Refused(say("words-commitment", "Words are asked for with the house's own commitment."))
    asked = turn.table.words
    missing: tuple[str, ...] = ()
    if asked is not None:
        missing = asked.missing if asked.called else ()
        if not missing and command.commitment == asked.commitment:
            raise Refused(say("words-asked-already", "Words have been asked for."))
    turn.happen(e.WordsInvited, turn.table.shoes + 1, command.commitment, missing)


def commit_to_word(turn: Turn, command: c.CommitWord) -> None:
    """Take the hash of a word of somebody who sits at the table, while hashes are taken."""
    asked = _own(turn, command.patron)
    patron = turn.patron(command.patron)
    if patron.box is None or patron.away:
        raise Refused(say("word-of-seated", "Words are taken from patrons who sit at the table."))
    if asked.called:
        raise Refused(say("words-called", "The words come out already: this one is too late for this shoe."))
    if command.patron in asked.left_out:
        raise Refused(
            say("word-kept-back", "{patron} kept a word back: none is taken for this shoe.", patron=command.patron)
        )
    if command.patron in asked.committed or len(asked.committed) >= MOST_WORDS:
        raise Refused(say("word-committed", "One word is taken from each patron, and this one has been."))
    if _HEX.fullmatch(command.digest) is None:
        raise Refused(say("word-hash", "The hash of a word is 64 hexadecimal digits in small letters."))
    turn.happen(e.WordCommitted, command.patron, command.digest)


def call_words(turn: Turn, command: c.CallWords) -> None:
    """Let the words come out that were committed to."""
    turn.staff()
    asked = _asked(turn)
    if asked.called or not asked.committed:
        raise Refused(say("no-words-to-call", "There are no words to come out now."))
    turn.happen(e.WordsCalled)


def reveal_word(turn: Turn, command: c.RevealWord) -> None:
    """Take a word that is the one committed to."""
    asked = _own(turn, command.patron)
    if not asked.called:
        raise Refused(say("words-not-called", "Words come out when all hashes are in: keep it until then."))
    if command.patron in asked.revealed or command.patron not in asked.committed:
        raise Refused(say("no-word-awaited", "No word of {patron} is awaited.", patron=command.patron))
    if _HEX.fullmatch(command.word) is None:
        raise Refused(say("word-form", "A word is 64 hexadecimal digits in small letters."))
    if commit_word(bytes.fromhex(command.word), asked.commitment, command.patron) != asked.committed[command.patron]:
        raise Refused(say("another-word", "This is not the word that was committed to."))
    turn.happen(e.WordRevealed, command.patron, command.word)


def given_words(turn: Turn, commitment: str) -> tuple[tuple[str, str], ...] | None:
    """The words that a shoe is shuffled from, in the order of their hashes; None where nobody was asked for one."""
    asked = turn.table.words
    if asked is None:
        return None
    if commitment != asked.commitment:
        raise Refused(say("commitment-of-words", "The shoe is loaded with the commitment that words were given to."))
    if asked.missing:
        raise Refused(say("words-missing", "Words were committed to that are not out: they are called, or left out."))
    return tuple((name, asked.revealed[name]) for name in asked.committed)


def _own(turn: Turn, patron: str) -> Words:
    """A word is given by its patron alone, whatever the rank of anybody else."""
    if turn.by != patron:
        raise Refused(say("cannot-act-for", "{by} cannot act for {patron}.", by=turn.by, patron=patron))
    return _asked(turn)


def _asked(turn: Turn) -> Words:
    asked = turn.table.words
    if asked is None:
        raise Refused(say("no-words-asked", "No words are asked for now: that is before a virtual shoe is shuffled."))
    return asked

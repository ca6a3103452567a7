"""What a wallet must be able to do for the house: pay and be paid, each key once."""

from typing import Protocol


class WalletRefused(ValueError):
    """The wallet does not pay, or takes no money, and nothing has moved. The message is a sentence."""


class WalletUnclear(ValueError):
    """It is not known whether money has moved: ask again with the same key."""


class Wallet(Protocol):
    """People's money outside the tables.

    A key stands for one movement: whatever is sent again with it moves nothing more, and is answered as it was the
    first time. Both methods return when the money has moved for good. They may wait: call them from a thread.
    """

    external: bool
    """Whether it is somebody else's, so that the house does not know what is in it."""

    def debit(self, key: str, person: str, amount: int, currency: str) -> None:
        """Take money from a person; `WalletRefused` or `WalletUnclear` if it cannot, or nobody knows."""

    def credit(self, key: str, person: str, amount: int, currency: str) -> None:
        """Give money to a person; `WalletRefused` or `WalletUnclear` if it cannot, or nobody knows."""

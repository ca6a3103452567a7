"""Which wallet a house has."""

from punto.journal import Journal
from punto.service.money.http_wallet import HttpWallet
from punto.service.money.own_wallet import OwnWallet
from punto.service.money.wallet import Wallet
from punto.service.settings import Settings


def wallet_of(journal: Journal, settings: Settings) -> Wallet:
    """The wallet that the settings name: somebody else's by its address, or the house's own."""
    if settings.wallet is None:
        return OwnWallet(journal)
    return HttpWallet(settings.wallet, settings.wallet_token, settings.wallet_seconds)

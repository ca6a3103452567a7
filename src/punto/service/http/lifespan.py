"""Start and stop of everything behind the API: the journal, the tables, the devices, and the demonstration."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from litestar import Litestar

from punto.audit import keep_books
from punto.journal import Journal
from punto.rulebook import SHIPPED
from punto.service.accounts.oidc import OidcProvider
from punto.service.accounts.registry import Accounts
from punto.service.accounts.second_factor import ranks_for_factor
from punto.service.accounts.sign_in import SignIn
from punto.service.books import own_texts
from punto.service.days import start_of_days
from punto.service.demo.demonstration import Demonstration
from punto.service.devices.feed import Feed
from punto.service.hourly import forget_full
from punto.service.http.casino import Casino, RequestLimits
from punto.service.keys.master import opened_store
from punto.service.keys.signing import signing_key
from punto.service.money.acts import MoneyChain
from punto.service.money.count import Counter
from punto.service.money.wallets import wallet_of
from punto.service.runtime.bookkeeping import keeping_books
from punto.service.runtime.counting import SLICE, Counting
from punto.service.runtime.faces import Faces
from punto.service.runtime.floor import Floor
from punto.service.runtime.forgetting import forgetting
from punto.service.runtime.lease_holder import LeaseHolder
from punto.service.runtime.money_requests import MoneyRequests
from punto.service.runtime.notifications import following
from punto.service.runtime.screens import Screens
from punto.service.runtime.store_health import StoreHealth
from punto.service.runtime.teller import Teller
from punto.service.runtime.witnessing import Witnessing
from punto.service.settings import Settings
from punto.service.store_calls import StoreCalls

log = logging.getLogger("punto")


@asynccontextmanager
async def running(app: Litestar, settings: Settings, *, demo: bool = False) -> AsyncIterator[None]:
    """Run everything behind an application; its handlers find it as `app.state.casino`."""
    journal = await asyncio.to_thread(opened_store, settings)
    master, file = journal.master, Path(settings.key_file)
    assert master is not None
    key = partial(signing_key, file, master)
    await asyncio.to_thread(key)  # what cannot be used is told before anything begins
    calls = StoreCalls(settings.store_seconds)
    library = await asyncio.to_thread(keep_books, journal, own_texts(settings))
    floor = Floor(journal, library=library, key=key, calls=calls)
    ranks = ranks_for_factor(settings.second_factor, library)
    accounts = await asyncio.to_thread(Accounts, journal, calls=calls, second_factor=ranks)
    holder = LeaseHolder(floor, settings, key)
    faces = Faces(floor)
    feed = app.state.feed = Feed(floor, accounts, faces, settings)
    chain = await asyncio.to_thread(MoneyChain, journal)
    counting = Counting(await asyncio.to_thread(_counter, journal, settings, key), calls)
    wallet = await asyncio.to_thread(wallet_of, journal, settings)
    teller = Teller(floor, accounts, settings, chain, wallet, counting)
    app.state.casino = Casino(
        floor,
        accounts,
        faces,
        settings,
        RequestLimits(settings, journal, calls),
        Screens(settings, accounts.shown_names),
        teller,
        MoneyRequests(journal),
        counting,
        StoreHealth(journal, floor.clock, holder.trouble),
        await _sign_in(journal, accounts, settings),
    )
    await holder.start()
    if settings.money == "wallet":
        teller.transfers.start()
    await feed.start()
    witnessing = None if settings.witness is None else Witnessing(journal, settings.witness)
    if witnessing is not None:
        witnessing.start()
    show = Demonstration(floor, teller, accounts, settings) if demo else None
    if show is not None:
        await show.start()
    _log_open(settings, floor)
    try:
        forget = (accounts.sessions.forget, partial(forget_full, journal))
        async with following(journal, floor), keeping_books(counting, holder), forgetting(calls, *forget):
            yield
    finally:
        if show is not None:
            await show.stop()
        await teller.transfers.stop()
        if witnessing is not None:
            await witnessing.stop()
        await feed.stop()
        await holder.stop()
        app.state.casino.close()
        await floor.stop()
        journal.close()
        log.info("closed")


def _counter(journal: Journal, settings: Settings, key: Callable[[], bytes]) -> Counter:
    """Counts the money of the house by gaming days, from chains that are read in slices."""
    return Counter(journal, start_of_days(settings.day_starts), key, last_days=True, most=SLICE)


async def _sign_in(journal: Journal, accounts: Accounts, settings: Settings) -> SignIn | None:
    """Sign-in by a provider, where the house has one."""
    if settings.oidc_issuer is None:
        return None
    return await asyncio.to_thread(SignIn, journal, accounts, OidcProvider(settings))


def _log_open(settings: Settings, floor: Floor) -> None:
    own = ", ".join(each for each in floor.library.ids() if each not in SHIPPED.ids())
    log.info("open", extra={"address": settings.address, "database": floor.journal.address, "own_books": own})

"""Start and stop of everything behind the API: the journal, the tables, the devices, and the demonstration."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from litestar import Litestar

from punto.audit import keep_books
from punto.journal import Journal
from punto.service.accounts.registry import Accounts
from punto.service.demo.demonstration import Demonstration
from punto.service.devices.feed import Feed
from punto.service.http.casino import Casino, RequestLimits
from punto.service.runtime.faces import Faces
from punto.service.runtime.floor import Floor
from punto.service.runtime.lease_holder import LeaseHolder
from punto.service.runtime.notifications import following
from punto.service.runtime.screens import Screens
from punto.service.runtime.store_health import StoreHealth
from punto.service.settings import Settings
from punto.service.signing_key import signing_key
from punto.service.store_calls import StoreCalls

log = logging.getLogger("punto")


@asynccontextmanager
async def running(app: Litestar, settings: Settings, *, demo: bool = False) -> AsyncIterator[None]:
    """Run everything behind an application; its handlers find it as `app.state.casino`."""
    journal = Journal(settings.database)
    await asyncio.to_thread(journal.upgrade)
    calls = StoreCalls(settings.store_seconds)
    floor = Floor(journal, library=await asyncio.to_thread(keep_books, journal), calls=calls)
    accounts = await asyncio.to_thread(Accounts, journal, calls=calls)
    holder = LeaseHolder(floor, settings, await asyncio.to_thread(signing_key, Path(settings.key_file)))
    faces = Faces(floor)
    feed = app.state.feed = Feed(floor, accounts, faces, settings)
    health = StoreHealth(journal, floor.clock)
    app.state.casino = Casino(floor, accounts, faces, settings, RequestLimits(settings), Screens(settings), health)
    await holder.start()
    await feed.start()
    show = Demonstration(floor, accounts, settings) if demo else None
    if show is not None:
        await show.start()
    log.info("open", extra={"database": journal.address})
    try:
        async with following(journal, floor):
            yield
    finally:
        if show is not None:
            await show.stop()
        await feed.stop()
        await holder.stop()
        await floor.stop()
        journal.close()
        log.info("closed")

"""`punto users`: accounts, their posts, passwords, links and tokens."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from punto.cli.house import console_user, house_key, opened_house
from punto.cli.output import Config, Database, Json, Table, check_table, console, print_json, write_table
from punto.extras import needs

if TYPE_CHECKING:
    from punto.journal import Journal
    from punto.service.accounts.registry import Accounts
    from punto.service.settings import Settings

app = typer.Typer(no_args_is_help=True, help="Accounts: people and devices, and the posts that they hold.")

Name = Annotated[str, typer.Argument(metavar="NAME", help="The account.")]


@app.callback()
def users() -> None:
    """Accounts of the house. Whatever is done here is on the record."""


@app.command()
@needs("serve")
def add(
    name: Name,
    kind: Annotated[str, typer.Option(help="patron, staff or device.")] = "patron",
    post: Annotated[
        list[str] | None, typer.Option(metavar="TABLE:RANK", help="A post; * for every table; may be repeated.")
    ] = None,
    no_password: Annotated[bool, typer.Option("--no-password", help="Log in by one-time links only.")] = False,
    shown: Annotated[str, typer.Option(metavar="NAME", help="The name that people see; else the person's id.")] = "",
    person: Annotated[
        str | None, typer.Option(metavar="ID", help="The person's id at the tables, never used before; else a new one.")
    ] = None,
    database: Database = None,
    config: Config = None,
) -> None:
    """Make an account. Its password is asked for, or read from standard input."""
    from punto.service.accounts.account import HeldPost

    accounts = _accounts(database, config, new=True)
    if person is not None:
        accounts.check_never_used(person)
    posts = {table: HeldPost(rank) for table, rank in (_post(each, accounts) for each in post or [])}
    password = None if no_password or kind == "device" else _password()
    accounts.make(name, kind, password, posts, person=person, shown=shown, by=console_user())
    typer.echo(f"{name} is here.")


@app.command("list")
@needs("serve")
def show(database: Database = None, config: Config = None, output: Table = None, json: Json = False) -> None:
    """Every account, with the posts that it holds."""
    check_table(output)
    found = _accounts(database, config).all()
    held = {
        each.name: {table: f"acting {post.rank}" if post.acting else post.rank for table, post in each.posts.items()}
        for each in found
    }
    told = [
        {"name": each.name, "kind": each.kind, "posts": held[each.name], "person": each.person, "shown": each.shown}
        for each in found
    ]
    posts_in_words = ({"posts": [f"{table}:{rank}" for table, rank in held[each.name].items()]} for each in found)
    rows = (row | {"shown": row["shown"] or None} | posts for row, posts in zip(told, posts_in_words, strict=True))
    write_table(output, rows, ("name", "kind", "posts", "person", "shown"))
    if json:
        print_json(told)
        return
    out = console()
    for each in found:
        posts = ", ".join(f"{rank} at {table}" for table, rank in held[each.name].items())
        more = "".join(f", {part}" for part in (posts, f"shown as {each.shown}" if each.shown else "") if part)
        out.print(f"{each.name} ({each.person}): {each.kind}{more}", markup=False, highlight=False)
    out.print(f"{len(found)} {'account' if len(found) == 1 else 'accounts'}.", highlight=False)


@app.command()
@needs("serve")
def password(name: Name, database: Database = None, config: Config = None) -> None:
    """Set a new password; every session of the account is over."""
    accounts = _accounts(database, config)
    accounts.set_password(name, _password(), by=console_user())
    typer.echo(f"{name} has a new password.")


@app.command()
@needs("serve")
def post(
    name: Name,
    table: Annotated[str, typer.Argument(metavar="TABLE", help="The table, or * for all of them.")],
    rank: Annotated[
        str | None, typer.Argument(metavar="RANK", help="The rank, such as pit-manager; none takes the post away.")
    ] = None,
    acting: Annotated[bool, typer.Option("--acting", help="It is not their own post.")] = False,
    database: Database = None,
    config: Config = None,
) -> None:
    """Give an account a post at a table, or take it away."""
    accounts = _accounts(database, config)
    if rank is not None:
        _check_rank(rank, accounts)
    accounts.hold(name, table, rank, acting=acting, by=console_user())
    where = "every table" if table == "*" else table
    how = "acting " if acting else ""
    typer.echo(f"{name} holds no post at {where} any more." if rank is None else f"{name} is {how}{rank} at {where}.")


@app.command()
@needs("serve")
def remove(
    name: Name,
    hold: Annotated[bool, typer.Option("--hold", help="Let the house hold what the person owns.")] = False,
    database: Database = None,
    config: Config = None,
) -> None:
    """Remove an account; nothing it ever got is good any more, and nobody is its person again."""
    journal, given = opened_house(database, config)
    _accounts_of(journal, given).remove(name, hold=hold, by=console_user(), key=house_key(journal, given))
    typer.echo(f"{name} is gone.")


@app.command()
@needs("serve")
def shown(
    name: Name,
    as_name: Annotated[str, typer.Argument(metavar="NAME", help="What people see; nothing for the id.")] = "",
    database: Database = None,
    config: Config = None,
) -> None:
    """Set the name that people see for an account, or take it away."""
    account = _accounts(database, config).show_as(name, as_name, by=console_user())
    typer.echo(f"{name} is shown as {account.shown or account.person}.")


@app.command()
@needs("serve")
def link(
    name: Name,
    url: Annotated[str, typer.Option(help="Where the service is.")] = "http://127.0.0.1:8000",
    hours: Annotated[float, typer.Option(min=0.01, max=720, help="How long it can be used.")] = 24,
    database: Database = None,
    config: Config = None,
) -> None:
    """Print a link that logs in once."""
    token = _accounts(database, config).link(name, seconds=hours * 3600, by=console_user())
    typer.echo(f"{url.rstrip('/')}/?link={token}")


@app.command()
@needs("serve")
def token(name: Name, database: Database = None, config: Config = None) -> None:
    """Print a token for a device; it is good until it is revoked."""
    typer.echo(_accounts(database, config).device_token(name, by=console_user()))


@app.command()
@needs("serve")
def revoke(name: Name, database: Database = None, config: Config = None) -> None:
    """Make every session, link and token of an account worthless."""
    _accounts(database, config).revoke(name, by=console_user())
    typer.echo(f"Nothing that {name} was given before is good any more.")


@app.command()
@needs("serve")
def totp(
    name: Name,
    off: Annotated[bool, typer.Option("--off", help="Take the second factor away.")] = False,
    database: Database = None,
    config: Config = None,
) -> None:
    """Give an account of the staff a new second factor, or take it away; every session of the account is over."""
    accounts = _accounts(database, config)
    if off:
        accounts.remove_second_factor(name, by=console_user())
        typer.echo(f"{name} has no second factor any more.")
        return
    address, codes = accounts.set_second_factor(name, by=console_user())
    typer.echo(address)
    typer.echo("Recovery codes, each good once in the place of a code:")
    for each in codes:
        typer.echo(f"  {each}")


@app.command()
@needs("serve")
def oidc(
    name: Name,
    subject: Annotated[
        str, typer.Argument(metavar="SUBJECT", help="Who they are at the provider: the claim that oidc_claim names.")
    ],
    issuer: Annotated[
        str | None, typer.Option(metavar="URL", help="The provider; else the setting oidc_issuer (PUNTO_OIDC_ISSUER).")
    ] = None,
    off: Annotated[bool, typer.Option("--off", help="Take the link away; every session is over.")] = False,
    database: Database = None,
    config: Config = None,
) -> None:
    """Link an account of the staff to an identity at the provider of the sign-in, or take the link away."""
    from punto.messages import say
    from punto.service.accounts.account import BadAccount
    from punto.service.accounts.registry import Accounts
    from punto.service.accounts.sign_in import Identities
    from punto.service.settings import settings

    provider = issuer or settings(config, database=database).oidc_issuer
    if provider is None:
        raise BadAccount(say("which-provider", "Which provider? Name it with --issuer, or set PUNTO_OIDC_ISSUER."))
    journal, _ = opened_house(database, config)
    identities = Identities(journal, Accounts(journal))
    if off:
        identities.unlink(name, provider, subject, by=console_user())
        typer.echo(f"{name} does not sign in by {provider} as {subject} any more.")
        return
    identities.link(name, provider, subject, by=console_user())
    typer.echo(f"{name} signs in by {provider} as {subject}.")


@app.command()
@needs("serve")
def sessions(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="The account; without one, all of them.")] = None,
    database: Database = None,
    config: Config = None,
    output: Table = None,
    json: Json = False,
) -> None:
    """The sessions that are good: whose, since when, from where, and when they were last in use."""
    import msgspec

    from punto.journal.sessions import KeptSession

    check_table(output)
    accounts = _accounts(database, config)
    found = accounts.sessions.open(accounts.all() if name is None else [accounts.existing(name)])
    told = [msgspec.to_builtins(each) for each in found]
    write_table(output, told, KeptSession.__struct_fields__)
    if json:
        print_json(told)
        return
    for each in found:
        at = f"since {_minute(each.since)}, seen {_minute(each.seen)}, until {_minute(each.until)}"
        typer.echo(f"{each.id} {each.account}: by {each.way} from {each.place or 'here'}, {at}")
    typer.echo(f"{len(found)} {'session' if len(found) == 1 else 'sessions'}.")


@app.command()
@needs("serve")
def end_session(
    session: Annotated[str, typer.Argument(metavar="ID", help="The session, as `punto users sessions` names it.")],
    database: Database = None,
    config: Config = None,
) -> None:
    """End a session: its token is worthless within a second, in every process."""
    ended = _accounts(database, config).end_session(session, by=console_user())
    typer.echo(f"The session of {ended.account} is over.")


@app.command()
@needs("serve")
def acts(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME", help="The account: what was done with it, and all it did itself; else all acts."
        ),
    ] = None,
    since: Annotated[
        str, typer.Option(metavar="TIME", help="From then on, such as 2026-11-15 or 2026-11-15T20:00Z; else all.")
    ] = "",
    database: Database = None,
    config: Config = None,
    output: Table = None,
    json: Json = False,
) -> None:
    """Everything that was done with accounts: when, by whom, what. Of one account also what it did at tables."""
    import msgspec

    from punto.service.accounts.house import Act

    check_table(output)
    moment = _moment(since)
    accounts = _accounts(database, config)
    house = accounts.house
    found = house.acts_of(name, moment) if name else [each for each in house.acts() if each[1].at >= moment]
    done = house.done_by(name, moment) if name else []
    if name and not house.acts_of(name):
        accounts.existing(name)  # a name that nobody has or had is a mistake
    told = [{"sequence": sequence, **msgspec.to_builtins(act)} for sequence, act in found]
    told += [{**msgspec.to_builtins(each), "account": name, "kind": "", "person": each.who} for each in done]
    told.sort(key=lambda each: str(each["at"]))
    write_table(output, told, ("sequence", *Act.__struct_fields__, "command"))
    if json:
        print_json(told)
        return
    for row in told:
        if "command" in row:
            typer.echo(f"{row['table']} {row['sequence']} {row['at']} {row['who']}: {row['command']}")
            continue
        act = msgspec.convert(row, Act)
        more = " ".join(each for each in ("acting" if act.acting else "", act.rank, act.table) if each)
        typer.echo(f"{row['sequence']} {act.at} {act.who}: {act.what} {act.account} {more}".rstrip())


def _moment(text: str) -> str:
    """A time as the journal writes it; a day begins at midnight UTC, and so does a time without a zone."""
    from datetime import UTC, datetime

    if not text:
        return ""
    try:
        given = datetime.fromisoformat(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is no time, like 2026-11-15 or 2026-11-15T20:00Z.") from None
    moved = given.astimezone(UTC) if given.tzinfo else given.replace(tzinfo=UTC)
    return moved.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _accounts(database: str | None, config: Path | None, *, new: bool = False) -> "Accounts":
    """The accounts of a house, by its database and its settings."""
    return _accounts_of(*opened_house(database, config, new=new))


def _accounts_of(journal: "Journal", given: "Settings") -> "Accounts":
    """The accounts of a house; where the setting names books of its own, their ranks are known too."""
    from punto.audit import keep_books
    from punto.service.accounts.registry import Accounts
    from punto.service.books import own_texts

    keep_books(journal, own_texts(given))
    return Accounts(journal)


def _password() -> str:
    """Asked for twice without showing it, or one line of standard input where nobody sits there."""
    import getpass
    import sys

    from punto.messages import say
    from punto.service.accounts.account import BadAccount

    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    given = getpass.getpass("Password: ")
    if getpass.getpass("Once more: ") != given:
        raise BadAccount(say("passwords-differ", "These are two different passwords."))
    return given


def _minute(seconds: int) -> str:
    """A time as people read it."""
    from datetime import UTC, datetime

    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%MZ")


def _post(text: str, accounts: "Accounts") -> tuple[str, str]:
    from punto.messages import say
    from punto.service.accounts.account import BadAccount

    table, colon, rank = text.partition(":")
    if not colon:
        raise BadAccount(
            say("not-a-post", "{text:quoted} is not a post: write table:rank, like wu-song:dealer.", text=text)
        )
    _check_rank(rank, accounts)
    return table, rank


def _check_rank(rank: str, accounts: "Accounts") -> None:
    from punto.messages import say
    from punto.service.accounts.account import CASHIER, BadAccount

    ranks = sorted(accounts.library.ranks())
    if rank not in ranks and rank != CASHIER:
        raise BadAccount(
            say(
                "rank-of-no-book",
                "No book has the rank {rank:quoted}; they are {ranks:list}, and the house has {cashier}.",
                rank=rank,
                ranks=ranks,
                cashier=CASHIER,
            )
        )

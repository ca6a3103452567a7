"""Every assumption that the figures of a certificate rest on, numbered, each with what it rests on itself."""

from collections.abc import Iterator, Sequence

from punto.report.confirmation import Confirmation
from punto.report.document import Cell, Column, Paragraph, Section, TableBlock
from punto.report.exposed import Exposed
from punto.report.figures import deck_count, listed
from punto.report.groups import Group
from punto.report.payouts import Posted
from punto.report.readings import clauses
from punto.rulebook import Basis, Book
from punto.rulebook.menu import whole_menu
from punto.rulebook.policy_words import policy_names, value_names
from punto.rulebook.words import printed_in_words
from punto.settlement import Chips

_NOTHING = Basis()
_ROUNDING = Basis((), ("AMB-30",))


def assumptions(
    book: Book,
    groups: Sequence[Group],
    decks: int,
    posted: Posted | None,
    confirmation: Confirmation | None,
    exposed: Exposed | None,
) -> list[tuple[str, Basis]]:
    """Every assumption in words, with what it rests on."""
    return [
        *_of_cards(book, decks),
        *_of_wagers(book),
        *_of_layouts(book, groups),
        *_of_insurance(book),
        *_of_rulings(book),
        *_of_runs(confirmation, exposed),
        *_of_liability(book, posted),
    ]


def assumptions_section(said: Sequence[tuple[str, Basis]]) -> Section:
    """The section of all assumptions."""
    columns = (Column("No.", 0.5), Column("It is assumed that", 7), Column("Clause, reading", 1.7))
    rows = tuple(
        ((Cell(str(number), strong=True), Cell(says), Cell(clauses(basis), ", ".join(basis.readings))),)
        for number, (says, basis) in enumerate(said, start=1)
    )
    intro = Paragraph("What these figures take for granted. Where an assumption does not hold, they do not either.")
    return Section("Assumptions", (intro, TableBlock("", columns, rows)))


Said = Iterator[tuple[str, Basis]]


def _of_cards(book: Book, decks: int) -> Said:
    yield (
        f"the shoe holds {deck_count(decks)} of 52 cards, complete, and every order of them is equally likely;",
        (book.decks.basis),
    )
    printed = book.cards.printed
    if printed is not None:
        yield f"{str(printed_in_words(printed))[:-1]};", printed.basis
    yield "no card is known before the coup: burnt and cut-off cards that nobody has seen change no chance;", _NOTHING
    basis = _NOTHING
    for value in book.cards.values:
        basis = basis.plus(value.basis)
    yield "cards count as the book says, and a total over nine drops its ten;", basis.plus(book.cards.over_nine)
    drawn = _NOTHING
    for each in book.drawing.values():
        drawn = drawn.plus(each)
    yield "third cards are drawn by the Table of Play and never by choice;", drawn
    yield "no irregularity happens: no round is void, and no card is dealt wrongly;", _NOTHING


def _steps(book: Book) -> str:
    """In how many chips stakes go, so that every payment is whole chips.

    >>> from punto.rulebook import load
    >>> _steps(load("commission-insurance"))
    'stakes go in steps that are paid in whole chips: Banker by 20 chips'
    >>> _steps(load("wu-song"))
    'stakes go in steps that are paid in whole chips: Player by 2 chips, Banker by 2 chips'
    """
    chips = Chips()
    steps = {priced.bet.name: chips.step(priced) for priced in whole_menu(book).bets.values()}
    told = [f"{name} by {step} chips" for name, step in steps.items() if step > 1]
    if not told:
        return "a stake of one chip on any bet is paid in whole chips"
    return f"stakes go in steps that are paid in whole chips: {', '.join(told)}"


def _of_wagers(book: Book) -> Said:
    yield "one unit is staked on one bet, all of it plays, and no limit cuts it;", book.basis("limits", "pipeline")
    yield f"payments are exact: nothing is rounded to a chip, and {_steps(book)};", _ROUNDING
    commission = book.point("money", "commission")
    if commission is not None and commission.value == "in-the-odds":
        yield "commission is in the odds, and nothing else is taken from a winning wager;", commission.basis
    elif commission is not None:
        rests = commission.basis.plus(book.basis("money", "commission-rounding"))
        yield "commission is exact and is paid: it is in the odds shown, and nothing is rounded;", rests
    payout = book.point("limits", "payout-scope")
    if payout is not None:
        yield "no posted payout cuts what a wager is paid;", payout.basis
    yield "a stake that comes back, as on a tie, counts as staked;", _NOTHING
    late = [bet for bet in book.bets.values() if bet.placed is not None]
    if late:
        rests = _NOTHING
        for bet in late:
            rests = rests.plus(bet.basis if bet.placed is None else bet.placed.basis)
        names = listed([bet.name for bet in late])
        says = f"{names}, placed after the first four cards: the figures are given that it can be placed, and in runs "
        yield f"{says}of shoes it is staked in every round in which it can be;", rests


def _of_layouts(book: Book, groups: Sequence[Group]) -> Said:
    if not book.decks.verified:
        yield "the number of decks is as stated here, which the book does not confirm;", book.decks.basis
    covered = [book.layouts[name] for group in groups for name in group.layouts]
    unsure = [each for each in covered if not each.verified]
    if unsure:
        readings = tuple(dict.fromkeys(reading for each in unsure for reading in each.readings))
        names = listed([each.id for each in unsure])
        yield (
            f"layouts {names} carry the bets shown: the text does not tell, and their drawings were not at hand;",
            (Basis(tuple(each.clause for each in unsure), readings)),
        )
    unknown = [each for each in covered if not each.positions.verified]
    if unknown:
        readings = tuple(dict.fromkeys(reading for each in unknown for reading in each.positions.readings))
        names = listed([each.id for each in unknown])
        yield f"how many positions layouts {names} have is not confirmed by the text;", Basis((), readings)


def _of_insurance(book: Book) -> Said:
    insurance = book.insurance
    if insurance is None:
        return
    yield "cover is offered in every window in which a card is due;", insurance.live
    yield "cover is struck on one unit, and up to its cap;", insurance.cap.basis
    yield "cover that neither wins nor loses comes back;", insurance.tie


def _of_rulings(book: Book) -> Said:
    """Readings that a ruling may change: what is taken where nobody has ruled."""
    for name, policy in book.policies.items():
        if set(policy.choices) - {policy.value}:
            about, taken = policy_names(name)[0], value_names(name, policy.value)[0]
            taken = taken.lower() if taken in ("Yes", "No") else taken.removeprefix("are ")
            yield (
                f"no ruling changes {about[0].lower()}{about[1:]}: {taken};",
                Basis((policy.clause,) if policy.clause else (), (policy.reading,)),
            )


def _of_runs(confirmation: Confirmation | None, exposed: Exposed | None) -> Said:
    if confirmation is not None:
        each = confirmation.rounds // confirmation.shoes
        yield f"in the confirmation {each} rounds are dealt from every shoe, wherever a cut card would lie;", _NOTHING
    if exposed is not None:
        cut = exposed.run.dealing.cut
        yield (
            (
                f"the card counter knows every card that has left the shoe, stakes one unit at most, and {cut} cards "
                "are cut off;"
            ),
            _NOTHING,
        )
        if exposed.run.late:
            yield "of a bet placed after the first four cards the card counter knows these, too;", _NOTHING
        if exposed.left_out:
            yield "the card counter makes no bet that is said there to be left out;", _NOTHING


def _of_liability(book: Book, posted: Posted | None) -> Said:
    what = (
        "the limits named there are posted" if posted and posted.has_limits else "the maximum of every bet is one unit"
    )
    basis = book.basis("limits", "maximum-scope")
    yield f"for the greatest payouts {what}, and patrons use all that they allow.", basis

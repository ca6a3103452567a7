"""Checks of the settings: names that are none, and settings that do not go together."""

from collections.abc import Iterator

from punto.service.accounts.directory import check_ranks
from punto.service.accounts.second_factor import ranks_for_factor
from punto.service.books import own_library
from punto.service.doctor.diagnosis import Diagnosis, Patient, remarkable, well, wrong
from punto.service.money.acts import MoneyChain, MoneyState
from punto.service.money.own_wallet import OwnWallet
from punto.service.settings import BadSettings, Settings, check_addresses, unknown_names


def names(patient: Patient) -> Iterator[Diagnosis]:
    """Names in the environment that look like settings and are none."""
    unknown = unknown_names(patient.environment)
    for sentence in unknown:
        yield wrong(sentence, "Correct the name in the environment, or take it out.")
    unfit = _unfit(patient)
    if unfit is not None:
        yield wrong(unfit, "Correct the setting: the service does not start with it.")
    if not unknown and unfit is None:
        where = "the environment" if patient.config is None else f"{patient.config} and the environment"
        yield well(f"The settings from {where} can be used.")


def _unfit(patient: Patient) -> str | None:
    """What keeps the service from starting though every setting is of its form: books, ranks and addresses."""
    try:
        library = own_library(patient.settings)
        ranks_for_factor(patient.settings.second_factor, library)
        check_addresses(patient.settings)
        if patient.journal is not None:
            check_ranks(patient.journal, library)
    except BadSettings as error:
        return str(error)
    return None


def guests(patient: Patient) -> Iterator[Diagnosis]:
    """Guests, where money is real."""
    given = patient.settings
    if given.guests and given.money != "play":
        yield wrong(
            f"Anybody may come in as a guest, and the money is real (money = {given.money}).",
            "Set guests = false, or money = play if this house is for practice.",
        )
    else:
        yield well("Guests play for play money." if given.guests else "Nobody comes in without an account.")


def money(patient: Patient) -> Iterator[Diagnosis]:
    """Money that does not go with what the store holds, and money without limits."""
    given, found = patient.settings, []
    if given.money == "play" and patient.journal is not None and OwnWallet(patient.journal).was_filled():
        found.append(
            wrong(
                "The house deals in play money, and people have deposited real money in its wallet.",
                "Set money = cage or wallet as it was, or take a new database for play money.",
            )
        )
    left = 0 if patient.journal is None else MoneyChain(patient.journal).ask(lambda state: _left(given, state))
    if left:
        found.append(
            wrong(
                f"Transfers with a wallet that are not over: {left}. With these settings nobody goes on with them.",
                "Set money and wallet as they were, until punto cage count says that nothing is under way.",
            )
        )
    limits = (given.buy_in_most, given.buy_in_person_day, given.buy_in_table_day)
    if given.money != "play" and all(each is None for each in limits):
        found.append(
            remarkable(
                "Buy-ins have no limit of the house.",
                "Set buy_in_most, buy_in_person_day or buy_in_table_day, if the house has limits.",
            )
        )
    if given.wallet_token is None and given.wallet is not None:
        found.append(
            remarkable("The wallet is asked without a token.", "Set PUNTO_WALLET_TOKEN, unless the wallet needs none.")
        )
    yield from found or [well(f"Where money comes from ({given.money}) goes with the other settings.")]


def _left(given: Settings, state: MoneyState) -> int:
    """Transfers that are open with another wallet than the one that is set."""
    is_set = [given.money == "wallet" and each.external == (given.wallet is not None) for each in state.open.values()]
    return is_set.count(False)


def shoes(patient: Patient) -> Iterator[Diagnosis]:
    """Settings for one start that were left in place."""
    if patient.settings.fresh_shoes:
        yield remarkable(
            "fresh_shoes is set: every start ends the virtual shoes that are in use.",
            "Take it out after the first start that follows a restore.",
        )
    else:
        yield well("A start keeps its virtual shoes.")

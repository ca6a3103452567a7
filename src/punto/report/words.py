"""Points, steps and cases of a rulebook as sentences that staff can follow."""

from collections.abc import Iterable, Mapping

from punto.rulebook import Point
from punto.rulebook.facts import FACTS, GUARDS
from punto.rulebook.model import OfferedChoice, Remedy
from punto.rulebook.vocabulary import AMOUNT, ANY, POINTS, WHOLE

_POINTS: Mapping[str, Mapping[str, str]] = {
    "round.begins": {
        "opening-call": "A round begins when the dealer calls for bets.",
        "first-card": "A round begins with the first card.",
    },
    "round.ends": {"settled": "A round ends when every wager is settled."},
    "round.initial-deal": {"four-cards": "The initial deal is the first four cards."},
    "round.subsequent-deal": {"after-four-cards": "Whatever is dealt after four cards is the subsequent deal."},
    "round.free-hand": {"no-wagers": "A free hand is a round without wagers."},
    "betting.opens": {"opening-call": "Bets open with the dealer's call."},
    "betting.closes": {
        "closing-call": "Bets close with the dealer's call.",
        "call-or-first-card": "Bets close with the dealer's call, or with the first card if that comes earlier.",
    },
    "betting.medium": {"chips": "Wagers are made with chips."},
    "betting.responsibility": {"patron": "Each patron keeps a wager within the limits and in the right area."},
    "betting.box-balance": {"open-to-others": "What a patron leaves unused of a box is open to others."},
    "betting.seated": {"sits-and-bets": "Seated is who sits at a box and wagers in it."},
    "betting.standing": {"bets-in-a-box-of-another": "Standing is who wagers in the box of somebody seated."},
    "betting.several-per-area": {"allowed": "Several patrons may wager in one area."},
    "betting.wagers-per-area": {"*": "At most {value} wagers may lie in one area."},
    "betting.fewer-per-area": {"allowed": "The number of wagers in an area may be lowered."},
    "betting.found-late": {"confirmed": "A wager found once a card is known plays only if it is confirmed."},
    "betting.late-bet": {"refused": "A wager after the close is refused."},
    "betting.late-increase": {
        "refused": "A raise after the close is refused.",
        "trimmed": "A raise after the close is taken off again.",
    },
    "betting.late-withdrawal": {
        "refused": "Nothing may be taken back after the close.",
        "settled-as-closed": "What is taken back after the close is settled as it lay at the close.",
    },
    "betting.by-staff": {"patron-responsible": "A wager that staff place for a patron is the patron's responsibility."},
    "betting.misplaced": {"as-it-lies": "A wager counts where it lies, though it was meant elsewhere."},
    "betting.walk-away": {"settled": "The wager of a patron who has left is settled like any other."},
    "limits.displayed": {"*": "Posted at the table: {value}."},
    "limits.pipeline": {"*": "Limits are applied in this order: {value}."},
    "money.commission-rounding": {
        "exact": "Commission is exact: no stake is taken on which it would not be whole chips.",
        "up": "Commission is rounded up to the chip.",
        "down": "Commission is rounded down to the chip.",
        "nearest": "Commission is rounded to the nearest chip, half a chip up.",
    },
    "money.commission-unit": {"*": "Commission is rounded to multiples of {value} of the currency."},
    "money.payout-unit": {"*": "Payments are multiples of {value} of the currency."},
    "money.commission-collected": {"*": "Commission on record is collected at: {value}."},
    "limits.payout-scope": {
        "wager": "The posted payout is the most that is paid on one wager.",
        "patron": "The posted payout is the most that a round pays one patron; payments over it are cut pro rata.",
        "box": "The posted payout is the most that a round pays in one box; payments over it are cut pro rata.",
        "table": "The posted payout is the most that a round pays in all; payments over it are cut pro rata.",
    },
    "limits.payout-bets": {"*": "The posted payout counts what is paid on {value} alone."},
    "limits.differential-means": {
        "gap": "The differential is the gap between what lies on both hands.",
        "limit": "The differential is the most by which the hands may differ.",
    },
    "limits.differential-early": {
        "reject": "Before the close, wagers beyond the differential are rejected.",
        "ask-then-remove": "Before the close, patrons are asked to bring an excess down, and then it is removed.",
        "alter": "Before the close, wagers may be altered to meet the differential.",
    },
    "limits.differential-priority": {"*": "Whose wagers have priority under the differential: {value}."},
    "limits.differential-ask": {"heavier-reduces": "First, patrons on the heavier hand are asked to reduce."},
    "limits.differential-add": {"lighter-may-add": "Then patrons on the lighter hand may add."},
    "limits.differential-remove": {"removed": "An excess that nobody brings down is removed."},
    "limits.differential-late": {
        "pro-rata": "An excess found after the close is shared pro rata, and what is over comes back.",
        "refer": "An excess found after the close goes to the residual authority.",
    },
    "limits.pro-rata-floor": {
        "minimum": "Pro rata takes no wager below the minimum.",
        "none": "Pro rata may take a wager below the minimum.",
    },
    "limits.under-minimum-in-excess": {"in-full": "A stake under the minimum on a hand in excess plays in full."},
    "limits.minimum-scope": {"wager": "The minimum is for each wager."},
    "limits.maximum-scope": {
        "wager": "The maximum is for each wager.",
        "box-and-hand": "The maximum is for all that lies on one hand of one box.",
    },
    "limits.under-minimum-early": {
        "advise": "Who is under the minimum before the close is told so, and may raise the wager or take it back.",
    },
    "limits.under-minimum-late": {
        "settle": "A wager under the minimum found after the close is settled as it is.",
        "settle-once": "A wager under the minimum found after the close is settled as it is, once for a patron; any "
        "later one comes back.",
    },
    "limits.over-maximum": {
        "as-excess": "What is over the maximum is treated like an excess of the differential.",
        "to-maximum": "A wager over the maximum plays at the maximum.",
    },
    "limits.past": {"settled": "Wagers outside the limits in earlier rounds stay settled."},
    "dealing.play": {"mandatory": "The Table of Play leaves nobody a choice."},
    "dealing.hands": {"two": "Two hands are dealt, Player and Banker."},
    "dealing.pairs-from": {"four-cards": "Pairs are told by the first four cards."},
    "dealing.devices": {"*": "Cards are dealt from: {value}."},
    "dealing.equipment": {"*": "At the table stand: {value}."},
    "dealing.places": {"patrons-opposite-dealer": "Patrons have their places opposite the dealer."},
    "dealing.burn": {"before-first-round": "Cards are burnt before the first round of a shoe."},
    "dealing.methods": {"*": "Methods of dealing: {value}."},
    "dealing.device-holder": {"dealer": "The dealer keeps the shoe in methods A and B."},
    "dealing.method-choice": {"before-the-round": "The method is chosen before the round."},
    "dealing.method-c": {"high-limit-area-only": "Method C is for high-limit areas only."},
    "dealing.high-limit-area": {"*": "High-limit areas: {value}."},
    "dealing.squeezer": {
        "seated-highest": "Of cards dealt face down, the seated patron with the highest wager at the table may ask to "
        "squeeze a card before it is dealt.",
        "highest": "Of cards dealt face down, the patron with the highest wager at the table may ask to squeeze a card "
        "before it is dealt.",
        "highest-on-the-hand": "The cards of a hand go to the patron with the highest wager on it.",
    },
    "dealing.squeezer-refuses": {"next-highest": "Who does not want them passes them to the next highest wager."},
    "dealing.squeezer-equal": {"first-placed": "Among equal wagers the one placed first counts."},
    "dealing.squeezer-unclear": {"decided": "Where it cannot be told who bet first, who gets the cards is decided."},
    "dealing.squeezer-equal-refuses": {"counter-clockwise": "Among equals the cards go on counter-clockwise."},
    "dealing.squeeze-grant": {"anyone": "Anyone may be given leave to open cards."},
    "dealing.squeeze-bar": {"allowed": "A patron may be barred from opening cards."},
    "dealing.first-opened": {"decided": "Which hand is opened first is decided."},
    "dealing.third-card": {"down-then-exposed": "A third card is laid face down, and then opened."},
    "dealing.method-a-draws": {"dealer": "In method A the dealer draws."},
    "dealing.method-b-draws": {"dealer": "In method B the dealer draws."},
    "dealing.method-b-handling": {"dealer-only": "In method B only the dealer touches cards."},
    "dealing.method-c-draws": {"patron": "In method C a patron draws."},
    "dealing.method-c-without-wager": {"allowed": "In method C a patron may draw without a wager."},
    "dealing.method-c-other-hand": {"through-the-dealer": "In method C cards reach another patron through the dealer."},
    "dealing.method-c-view": {"in-view-of-staff": "In method C cards stay in view of the staff."},
    "dealing.method-c-laid-down": {"in-the-areas": "In method C opened cards are laid in the areas of the hands."},
    "dealing.method-c-third-card": {"controller-draws": "In method C who controls the shoe draws third cards, too."},
    "dealing.method-c-control-ends": {"*": "In method C control of the shoe ends when: {value}."},
    "dealing.announce-points": {"before-third-card": "The dealer calls the points before any third card."},
    "dealing.announce-result": {"before-settlement": "The dealer calls the result before settling."},
    "money.void": {"return-all": "In a void round every wager comes back."},
    "money.commission": {
        "in-the-odds": "Commission is in the odds: nothing is collected afterwards.",
        "at-once": "Commission is taken of what is won, when it is paid.",
        "on-record": "Commission on what is won is kept on record as a debt, and collected later.",
    },
    "money.stand-off": {"returned": "A wager that stands off comes back."},
    "money.corrections": {
        "until-next-round": "A round that is paid on a wrong call is put right until the next round begins.",
        "refer": "A round that is paid on a wrong call goes to the residual authority.",
    },
    "money.reversal": {"confirmed": "Making a round void that is paid already must be confirmed."},
    "display.outcome": {"information-only": "Displays inform; the cards decide."},
    "display.scoreboard": {"information-only": "The scoreboard informs; the cards decide."},
    "display.pictures": {"illustration-only": "Pictures illustrate, and decide nothing."},
    "display.zero": {"called-baccarat": "A total of zero is called baccarat."},
    "authority.dealer": {"deals": "The dealer conducts the game at the table."},
    "authority.acting": {"allowed": "Whoever acts in a post may do its work."},
    "authority.higher": {"allowed": "A higher rank may do what a lower one may."},
    "authority.house": {"operator": "The house is the operator."},
    "authority.discretion": {
        "absolute": "Where the house decides, it is free in that.",
        "reasonable": "Where the house decides, it decides reasonably.",
    },
    "authority.ruling": {"carried-out-at-once": "A ruling of the residual authority is carried out at once."},
    "authority.residual": {
        "uncovered": "What the rules do not cover is ruled on.",
        "uncovered-and-interpretation": "What the rules do not cover, or leave in doubt, is ruled on.",
    },
    "disputes.escalation": {"to-pit-manager": "A dispute goes to the pit manager."},
    "disputes.gathering": {"information-and-surveillance": "Information is gathered, surveillance included."},
    "disputes.time-frame": {"where-possible": "It is settled in the time set, where possible."},
    "disputes.references": {"*": "It is decided by: {value}."},
    "disputes.complaint": {"to-senior-management": "Who is not content may complain to senior management."},
    "disputes.assistance": {"given": "Patrons are helped to complain."},
    "insurance.shown-by": {"*": "Prices of cover are shown by: {value}."},
    "insurance.lapses": {"next-card-drawn": "A window closes when the next card is drawn."},
    "insurance.waived": {
        "banker-third-first": "Where leave is given to open the Banker's third card before the Player's, nobody can "
        "take cover after the Player's third card.",
    },
    "insurance.off": {
        "private-with-notice": "A private table may go without insurance at a patron's request; a notice says so, and "
        "binds all who play there.",
    },
    "insurance.neglect-open": {
        "late-offer": "Cover that was not offered is offered late while the result is open.",
        "return-original": "Where cover was not offered and the result is open, the insured wager comes back to "
        "whoever meant to take cover that then wins.",
    },
    "insurance.neglect-fixed": {
        "return-original": "Where cover was not offered and the result is fixed, the insured wager comes back to "
        "whoever meant to take cover that would have won.",
    },
    "insurance.late-cap": {"payout": "What cover of a late offer wins may not exceed the insured wager."},
    "insurance.late-bound": {"later-cards-accepted": "Who takes a late offer accepts the cards that follow."},
}
"""What a point says, by its section and name and by its value; `*` stands for free words and lists."""

_STEPS: Mapping[str, str] = {
    "void": "The round is void and every wager comes back.",
    "void round": "The round is void and every wager comes back.",
    "stand": "Results stand.",
    "stand earlier": "Results of earlier rounds stand.",
    "close": "The round is closed.",
    "close no-wagers": "The round is closed: no wagers are left.",
    "continue": "Play goes on.",
    "continue from-reserve": "Play goes on with the reserved cards.",
    "note": "It is put on record.",
    "notice": "It is announced at the table.",
    "notice surplus-card": "The surplus card is announced at the table.",
    "correct": "It is put right.",
    "correct delivery": "The cards are handed to whom they belong.",
    "check draw": "The draws are checked against the Table of Play again.",
    "check insurance": "The offers of cover are checked against the true points.",
    "call": "The result is called.",
    "call again": "The result is called again by the cards.",
    "retrieve": "The cards are taken back.",
    "reconstruct": "The hands are put into their proper order.",
    "reconstruct in-order": "The hands are put into the order in which the cards were drawn.",
    "reconstruct surplus-carried": "The hands are put right, and a surplus card is kept for the next round.",
    "reassign banker-third": "The card becomes the Banker's third card.",
    "reassign player-third": "The card becomes the Player's third card.",
    "carry": "The card is kept.",
    "carry next-round": "The card opens the next round.",
    "free-hand next": "The next round is a free hand.",
    "free-hand after-last": "The next round is a free hand, even after the announced last hand.",
    "free-hand this": "This round goes on as a free hand.",
    "remove-wagers": "Wagers are taken off.",
    "deal": "Cards are dealt.",
    "deal carried-first": "Cards are dealt, the kept ones first.",
    "last-hand": "An announced last hand stays the last.",
    "last-hand kept": "An announced last hand stays the last.",
    "decide order": "The order of the cards is decided.",
    "decide reconstructible": "It is decided whether the cards can be put right.",
    "permit": "Patrons may be let off.",
    "permit withdraw": "Patrons may be allowed to withdraw their wagers.",
    "replace-cards may": "The cards may be replaced.",
    "replace-cards must": "The cards are replaced.",
    "refer": "It goes to the residual authority.",
    "refer card": "What becomes of the card goes to the residual authority.",
    "reopen": "It is opened again.",
    "reopen betting": "Bets are opened again.",
    "reopen insurance": "The window of insurance is opened again.",
    "burn": "Cards are burnt.",
    "dealer-opens": "The dealer opens the cards.",
    "enter": "What was found is entered.",
    "enter value": "The value of the card is entered.",
    "enter count": "The count of what is left of the shoe is entered.",
    "deduce": "What is missing is worked out.",
    "deduce missing": "The missing cards are worked out from the count.",
    "substitute": "Other cards take the place of the missing ones.",
    "substitute missing": "Other cards take the place of the missing ones.",
    "late-offer": "Cover is offered late.",
    "late-offer present-position": "Cover is offered late, at the price of the present position.",
    "return-original": "The insured wager comes back.",
    "return-original would-have-won": "The insured wager comes back to whoever meant to take cover that would "
    "have won.",
    "cancel-cover": "Cover may be cancelled.",
    "cancel-cover until-next-card": "Cover may be cancelled until the next card is drawn.",
}
"""What a step does, by its verb and object."""

_CHOICES: Mapping[str, str] = {
    "continue": "play on",
    "as-it-lies": "let the wager stand with the cards as they lie",
    "reconstructed": "let the wager stand with the hands put right",
    "take-back": "take the wager back",
    "replace-cards": "have the cards replaced",
}
_CASES: Mapping[str, Mapping[str, str]] = {
    "outcome": {"established": "the outcome is established", "open": "the outcome is open"},
    "result": {"fixed": "the result is fixed", "open": "the result is open"},
    "reconstructible": {"true": "the cards can be put right", "false": "the cards cannot be put right"},
    "exposed": {"true": "the card was shown", "false": "the card was not shown"},
    "number": {
        "right": "each hand has as many cards as it should have",
        "wrong": "a hand has more or fewer cards than it should have",
    },
    "order": {"known": "the order of the cards is known", "unknown": "the order of the cards is not known"},
    "touches": {
        "initial-deal": "one of the first four cards may be meant",
        "later": "none of the first four cards can be meant",
    },
    "noticed": {
        "in-round": "noticed during the round",
        "after-payment": "noticed after payment and before the next round",
        "next-round": "noticed after the next round began",
    },
    "hand": {"player": "the Player got the card", "banker": "the Banker got the card"},
    "banker-due": {
        "true": "the Banker is due a third card",
        "false": "the Banker is due no third card",
    },
    "player-due": {
        "true": "the Player is due a third card",
        "false": "the Player is due no third card",
    },
    "next-card": {
        "drawn": "the card after the window has been drawn",
        "undrawn": "the card after the window has not been drawn",
    },
    "insurance": {"offered": "the table offers insurance", "off": "the table offers no insurance"},
    "from": {
        "one-hand": "the cards are missing from one hand",
        "both-hands": "the cards are missing from both hands",
    },
    "value": {"known": "the cards that are gone are known", "unknown": "the cards that are gone are not known"},
    "seen": {"true": "cards were seen", "false": "no card was seen"},
    "round": {"first": "it is the first round of the shoe", "later": "it is a later round of the shoe"},
    "position": {"first": "it is the first card of a round", "later": "it is a later card of a round"},
    "place": {
        "high-limit": "the table stands in a high-limit area",
        "elsewhere": "the table does not stand in a high-limit area",
    },
    "cause": {"power": "the power failed", "other": "play was interrupted for another reason"},
    "method": {"a-b": "dealt by method A or B", "c": "dealt by method C"},
    "left-over": {
        "unseen": "no card left over was seen",
        "seen": "the first card left over was seen",
        "behind": "a card left over was seen behind an unseen one",
        "moved": "a card left over was seen in moving the shoe",
    },
}
"""What each case is, by what cases are told apart by and by its value."""

_DEFINED: Mapping[str, tuple[str, str]] = {
    "outcome": ("the outcome is established", "some available bet is decided (AMB-11)"),
    "result": ("the result is fixed", "Player, Banker or Tie is certain (AMB-10, AMB-98)"),
}
"""Words of the cases that have a meaning of their own."""


def words(name: str) -> str:
    """A name of the rulebook file as words: `pit-manager` is `pit manager`."""
    return name.replace("-", " ")


def point_in_words(section: str, name: str, point: Point) -> str:
    """What a point lays down.

    >>> from punto.rulebook import load
    >>> point_in_words("round", "begins", load("wu-song").points["round"]["begins"])
    'A round begins when the dealer calls for bets.'
    """
    says = _POINTS[f"{section}.{name}"]
    if "*" in says:
        return says["*"].format(value=", ".join(map(words, point.values)))
    return " ".join(says[value] for value in point.values)


def unsaid_points() -> list[str]:
    """The values of the vocabulary that have no sentence here; there are none."""
    missing = []
    for section, points in POINTS.items():
        for name, values in points.items():
            says = _POINTS.get(f"{section}.{name}", {})
            if "*" not in says and (values in (ANY, WHOLE, AMOUNT) or set(values) - set(says)):
                missing.append(f"{section}.{name}")
    return missing


def step_in_words(step: Remedy) -> str:
    """What one step does, by whom and when.

    >>> from punto.rulebook import load
    >>> [step_in_words(step) for step in load("dragon-tiger-mbs").irregularities[0].do][:2]
    ['The round is void and every wager comes back.', 'Results of earlier rounds stand.']
    """
    says = _step(step)
    if step.by is not None:
        says += f" Decided by: {words(step.by)}" + (", with a recorded reason." if step.reason else ".")
    if step.when:
        says = f"If {cases_in_words(step.when)}: {says}"
    for name, more in (("otherwise", step.otherwise), ("then", step.then), ("if all take back", step.all_back)):
        if more:
            says += f" {name.capitalize()}: {steps_in_words(more)}"
    return says


def steps_in_words(steps: Iterable[Remedy]) -> str:
    """Several steps, one after the other."""
    return " ".join(map(step_in_words, steps))


def _step(step: Remedy) -> str:
    match step.verb:
        case "offer":
            return f"The choice “{words(step.object or '')}” is put to the patrons concerned."
        case "attend":
            return f"The {words(step.object or '')} comes to the table."
        case "reserve":
            return f"{step.object} cards are set aside."
    return _STEPS[f"{step.verb} {step.object}" if step.object else step.verb]


def cases_in_words(when: Mapping[str, frozenset[str]]) -> str:
    """Under which circumstances something holds.

    >>> cases_in_words({"reconstructible": frozenset({"true"}), "outcome": frozenset({"open"})})
    'the outcome is open; the cards can be put right'
    >>> cases_in_words({"noticed": frozenset({"in-round", "after-payment"})})
    'noticed during the round, or noticed after payment and before the next round'
    """
    return "; ".join(
        ", or ".join(says for value, says in _CASES[name].items() if value in values)
        for name, values in sorted(when.items())
    )


def unsaid_cases() -> list[str]:
    """The cases of the vocabulary that have no words here; there are none."""
    return [
        f"{name}: {value}"
        for name, guard in GUARDS.items()
        for value in guard.values
        if value not in _CASES.get(name, {})
    ]


def case_meanings(names: Iterable[str]) -> list[tuple[str, str]]:
    """What those words of the cases mean that have a meaning of their own."""
    return [_DEFINED[name] for name in sorted(set(names)) if name in _DEFINED]


def choice_in_words(choice: OfferedChoice) -> str:
    """What a patron may choose."""
    when = f" (if {cases_in_words(choice.when)})" if choice.when else ""
    return _CHOICES[choice.do] + when


def fact_in_words(fact: str) -> str:
    """What staff call something that went wrong."""
    return FACTS[fact].names[0]

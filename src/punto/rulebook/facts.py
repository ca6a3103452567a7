"""What can go wrong at a table: each fact is one value here, and so is each guard that tells its cases apart.

Whoever needs to know something of a fact reads it from its value: the loader and the linter its guards, the table its
details, moments and conditions, the desk and the drills its names and examples, the documentation all of it. What a
condition, a guard or an effect on the cards *does* is written once in `punto.table.handlers`, under the name used
here.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec
from msgspec.structs import replace

from punto.messages import Sentence, Wording, say

Kind = Literal["places", "faces", "hand", "patron", "word", "flag", "text"]

Moment = Literal["round", "any", "last-round", "earlier", "pause", "itself"]
"""When a fact can be reported.

`round`: about the running round; told between rounds, it goes to the residual authority.
`any`: at any time. `last-round`: at any time; between rounds it is about the round that is over.
`earlier`: about an earlier round, once a later one has begun.
`pause`: in a round; between rounds nothing is at stake, and it is only noted.
`itself`: nobody reports it; it follows by itself.
"""

Lays = Literal["other-hand", "named-aside", "one-aside", "seen", "seen-in-shoe", "seen-in-movement"]
"""What a fact itself does to the cards on the felt.

`other-hand`: the cards named lie with the other hand. `named-aside`: cards are drawn, aside, up to the places named.
`one-aside`: one card lies aside; it is drawn if none does. `seen`: the cards named, or the next one, keep their place,
and somebody knows their faces from then on; `seen-in-shoe`, `seen-in-movement`: the same of a card in the shoe.
"""

Faces = Literal["seen", "true", "remembered"]
"""What the faces in a report are: cards that were `seen` are open from then on; `true` faces correct those that were
read wrongly; `remembered` ones are known from a device or from surveillance."""

DrillMoment = Literal["any", "card-due", "unfinished", "open-cards", "squeezing", "finished"]
"""At which moments of a round a fact makes a sensible drill."""


class Detail(msgspec.Struct, frozen=True):
    """Something that a report may say of a fact: a field of the command, and what may stand in it."""

    name: str
    kind: Kind
    words: tuple[str, ...] = ()
    wrong: Wording | None = None
    """The refusal of any other word."""
    missing: Sentence | None = None
    """The refusal of a report without it, where it is needed."""
    least: int = 0
    """How many places must be named."""
    tells: bool = False
    """Asked for only where a row of the book depends on the guard of the same name."""
    role: Faces = "seen"

    @property
    def needed(self) -> bool:
        """Whether a report must have it."""
        return bool(self.least or self.missing)


class Drill(msgspec.Struct, frozen=True):
    """How a fact is told in a drill: `{hand:hand}` and `{patron}` stand for what the report says."""

    story: Wording
    when: DrillMoment = "any"
    after_payment: bool = False
    """It also makes a story when the round has been paid."""
    variants: tuple[Mapping[str, object], ...] = ({},)
    """Details that are tried in turn; the face `?` is any card, the patron `?` one whom it does not concern."""
    left_out: Mapping[str, Sentence] = {}
    """What is told where a detail is left out."""


class Really(msgspec.Struct, frozen=True):
    """What is told as one fact is really another, if a named sign shows it: one event has one outcome."""

    fact: str
    sign: str
    """What the table knows by which it tells; see `SIGNS`."""
    unless: str | None = None
    """A guard: where a row of the book tells the case by it, the fact stays what it was told as."""


class Fact(msgspec.Struct, frozen=True, kw_only=True):
    """Something that went wrong: what is told of it, when it can be true, and what it is called."""

    id: str
    names: tuple[str, str]
    """As the staff call it, in English and in Chinese."""
    floor: tuple[str, ...]
    """What somebody at the table would say of it, to be found by."""
    meaning: str
    """For the documentation."""
    guards: tuple[str, ...] = ()
    """What the rows of a book may tell its cases apart by."""
    details: tuple[Detail, ...] = ()
    """What may be known of it; an earlier round and a note besides."""
    moment: Moment = "round"
    conditions: tuple[str, ...] = ()
    """The named conditions under which it is possible."""
    really: tuple[Really, ...] = ()
    """Which other fact it is, by what the table knows; the first sign that holds counts."""
    virtual: bool = False
    """It can happen where the service deals from a committed seed: it concerns people, money or an interruption."""
    by_patron: bool = False
    """A patron may report it, not only the staff."""
    in_books: bool = True
    """A book may have rows about it."""
    lays: Lays | None = None
    put_in_order: bool = False
    """Cards lie in the wrong place: what they decide is judged as if they lay where they belong."""
    carried_off: bool = False
    """The cards named are out of the game."""
    handed_over: bool = False
    """Somebody got the cards of the hand that is named, and it is about those cards."""
    of_next_hand: bool = False
    """Once a hand is finished, it is about the first card of the next one."""
    result_by: str | None = None
    """The policy that says when the result counts as fixed, if one does."""
    examples: tuple[Mapping[str, object], ...] = ({},)
    """Details that a report can start from; see `punto.table.examples` for the places by name."""
    drill: Drill | None = None

    @property
    def faces(self) -> Faces:
        """What the faces in a report of it are."""
        return next((each.role for each in self.details if each.kind == "faces"), "seen")


class Guard(msgspec.Struct, frozen=True):
    """Something that a row may depend on: the values it can have."""

    values: tuple[str, ...]
    meaning: str
    always: bool = False
    """It is worked out for every fact, because steps and choices look at it."""
    only_with: Mapping[str, str] = {}
    """Values that come only at tables of books that have something: the point, or `irregularity` and the fact."""


HANDS = ("player", "banker")
_TRUE_OR_FALSE = ("true", "false")
_CANNOT_BE_TOLD: tuple[Mapping[str, object], ...] = ({}, {"reconstructible": False})
_EACH_HAND: tuple[Mapping[str, object], ...] = ({"hand": "player"}, {"hand": "banker"})
_STILL_TOLD = {"reconstructible": say("drill-still-told", "How it should lie can still be told.")}

# What a report may say

CARDS = Detail("cards", "places")
FACES = Detail("faces", "faces")
HAND = Detail("hand", "hand", HANDS, Wording("no-such-hand", "The hands are player and banker, not {value:quoted}."))
ORDER = Detail(
    "order",
    "word",
    ("known", "unknown"),
    Wording("order-known-or-unknown", "The order is known or unknown."),
    tells=True,
)
CAUSE = Detail(
    "cause", "word", ("power", "other"), Wording("cause-power-or-other", "The cause is power or other."), tells=True
)
RECONSTRUCTIBLE = Detail("reconstructible", "flag", tells=True)
EXPOSED = Detail("exposed", "flag", tells=True)
SEEN = Detail("seen", "flag", tells=True)
PATRON = Detail("patron", "patron")
EARLIER = Detail("earlier", "flag")
NOTE = Detail("note", "text")

REPORTED = (CARDS, FACES, HAND, ORDER, CAUSE, RECONSTRUCTIBLE, EXPOSED, SEEN, PATRON, EARLIER, NOTE)
"""Every detail there is, as it stands in a report about any fact."""

# What can tell cases apart

GUARDS: Mapping[str, Guard] = {
    "outcome": Guard(("established", "open"), "whether some available bet is decided (AMB-11)", always=True),
    "result": Guard(("fixed", "open"), "whether Player, Banker or Tie is certain (AMB-10, AMB-98)"),
    "reconstructible": Guard(_TRUE_OR_FALSE, "whether the cards can be put right", always=True),
    "exposed": Guard(_TRUE_OR_FALSE, "whether the card was shown", always=True),
    "number": Guard(("right", "wrong"), "whether each hand has as many cards as it should have (AMB-75)"),
    "order": Guard(("known", "unknown"), "the order of the cards"),
    "touches": Guard(("initial-deal", "later"), "whether one of the first four cards may be meant"),
    "noticed": Guard(
        ("in-round", "after-payment", "next-round"),
        "when: in the round, after payment but before the next round, or in the next round",
    ),
    "hand": Guard(HANDS, "which hand got the card"),
    "banker-due": Guard(_TRUE_OR_FALSE, "whether the Banker is due a third card"),
    "player-due": Guard(_TRUE_OR_FALSE, "whether the Player is due a third card"),
    "next-card": Guard(("drawn", "undrawn"), "whether the card after the window has left the shoe"),
    "insurance": Guard(
        ("offered", "off"), "whether the table offers insurance at all", only_with={"off": "insurance off"}
    ),
    "from": Guard(("one-hand", "both-hands"), "which hands the cards are missing from"),
    "value": Guard(("known", "unknown"), "the cards that are gone"),
    "seen": Guard(_TRUE_OR_FALSE, "whether cards were seen"),
    "round": Guard(("first", "later"), "the first round of the shoe, or a later one"),
    "position": Guard(("first", "later"), "the first card of a round, or a later one"),
    "place": Guard(("high-limit", "elsewhere"), "where the table stands"),
    "cause": Guard(("power", "other"), "why play was interrupted"),
    "method": Guard(("a-b", "c"), "the method of dealing", only_with={"c": "dealing method-c"}),
    "left-over": Guard(
        ("unseen", "seen", "behind", "moved"),
        "the cards left over: unseen; the first seen; seen behind an unseen one; seen in moving the shoe (AMB-111)",
        only_with={"moved": "irregularity shown-in-movement"},
    ),
}

# When a fact is possible

CONDITIONS: Mapping[str, str] = {
    "card-of-this-round": "a card of the running round has been dealt",
    "after-first-card": "a card of the running round has been dealt",
    "excess-known": "the cards before it are open, where the book's rows depend on which hand is due a card",
    "not-due": "the next card is not due to that hand",
    "differential-met": "the differential is not exceeded",
    "bets-closed": "bets are not open",
    "not-burnt": "the burn has not been done",
    "dealt-face-down": "cards are dealt face down at this table",
    "cards-closed": "the cards named are not open",
    "something-called": "points or a result were called, the hands are finished, or cards are named",
    "offer-missed": "an offer of insurance was due and not made; for a patron, an offer to them",
    "insurance-offered": "insurance was offered in this round",
    "shoe-too-short": "fewer cards are left than the round needs for certain",
    "device-deals": "an electronic shoe deals",
    "patrons-handle-cards": "patrons handle cards at this table",
    "hand-dealt": "the hand has a card",
    "one-after-the-other": "the cards came out one after the other",
    "cards-open": "the cards named are open",
    "cards-with-a-hand": "the cards named lie with a hand, not aside",
    "opened-too-early": "the cards named are none of the first four at a table where those are dealt face up",
}
"""What each named condition asks for."""

# Which fact it is

SIGNS: Mapping[str, str] = {
    "first-four-not-dealt": "the first four cards are not all dealt, and the card was due to the other hand",
    "player-due-a-third": "the card lies with the Banker, and the Player was due it",
    "fourth-card-of-the-player": "the Player has three cards, and the Banker was due the card",
    "player-stands": "the third card lies with the Player, who stands, and the Banker was due it",
    "seen-before-the-points": "its face was seen before the points lie open that show whether it is in excess",
    "excess-dealt-with": "the card is the one in excess that is being dealt with",
    "first-four-in-place": "it is one of the first four cards, which are dealt face down, and lies where it belongs",
    "movement-not-in-the-book": "a face was seen, and the book has no row about a card seen in moving the shoe",
}
"""What each sign is: something that the table knows by itself, from the cards, their places and the book."""

TOLD_BY_COMMAND: Mapping[str, tuple[str, str]] = {
    "draw to=HAND": ("the hand is not due the next card", "excess-card"),
    "draw": ("a card is due, and the shoe is empty", "too-few-cards"),
    "announce result winner=WINNER": ("the cards show another winner", "wrong-call"),
}
"""Commands that tell of a fact by themselves, and when they do."""

# Facts about the cards in the shoe

FOREIGN_CARD = Fact(
    id="foreign-card",
    names=("A card that does not belong", "外來牌"),
    floor=("a foreign card", "a card with another back"),
    meaning="a card that does not belong to the shoe",
    guards=("noticed",),
    details=(EARLIER,),
    moment="last-round",
    drill=Drill(
        Wording("drill-foreign-card", "A card that does not belong to these decks is found."), after_payment=True
    ),
)
DECK_COUNT = Fact(
    id="deck-count",
    names=("Wrong number of cards in the shoe", "牌靴張數不符"),
    floor=("a card is missing from the shoe", "a card too many in the decks"),
    meaning="too many or too few cards in the decks",
    guards=("noticed",),
    details=(EARLIER,),
    moment="last-round",
    drill=Drill(
        Wording("drill-deck-count", "It comes to light that the shoe does not hold the right number of cards."),
        after_payment=True,
    ),
)
UNSHUFFLED = Fact(
    id="unshuffled",
    names=("Cards were not shuffled", "未洗牌"),
    floor=("the shoe was never shuffled",),
    meaning="cards that were never shuffled",
    guards=("noticed",),
    details=(EARLIER,),
    moment="last-round",
    drill=Drill(Wording("drill-unshuffled", "It comes to light that the cards were not shuffled."), after_payment=True),
)
TOO_FEW_CARDS = Fact(
    id="too-few-cards",
    names=("Too few cards to finish the hand", "牌不足以完成此局"),
    floor=("the shoe runs out in the middle of a hand",),
    meaning="the shoe cannot finish the round",
    conditions=("shoe-too-short",),
    drill=Drill(Wording("drill-too-few-cards", "The shoe is empty, and the hand is not finished."), when="card-due"),
)

# Facts about cards that were dealt wrongly

WRONG_NUMBER = Fact(
    id="wrong-number",
    names=("A hand has the wrong number of cards", "手牌張數錯誤"),
    floor=("a third card was forgotten", "a hand was finished with a card too few or too many"),
    meaning="a hand got a wrong number of cards",
    guards=("reconstructible", "noticed"),
    details=(RECONSTRUCTIBLE, EARLIER),
    moment="last-round",
    conditions=("card-of-this-round",),
    really=(Really("excess-card", "excess-dealt-with"),),
    drill=Drill(
        Wording("drill-wrong-number", "A hand has got the wrong number of cards."),
        when="finished",
        after_payment=True,
        variants=_CANNOT_BE_TOLD,
    ),
)
EXCESS_CARD = Fact(
    id="excess-card",
    names=("A card too many was drawn", "多抽了牌"),
    floor=("a third card drawn in error", "an overdrawn hand"),
    meaning="a card drawn beyond the Table of Play",
    guards=("hand", "player-due", "banker-due", "exposed", "outcome"),
    details=(replace(HAND, missing=say("which-hand-drawn", "Say to which hand the card was drawn.")), FACES),
    conditions=("after-first-card", "not-due", "excess-known"),
    really=(
        Really("wrong-area", "first-four-not-dealt"),
        Really("wrong-area", "player-due-a-third", unless="player-due"),
        Really("wrong-area", "fourth-card-of-the-player"),
        Really("exposed-card", "seen-before-the-points"),
    ),
    lays="one-aside",
    examples=_EACH_HAND,
    drill=Drill(
        Wording("drill-excess-card", "A card is drawn to the {hand:hand} hand that was not due to it."),
        variants=({}, {"faces": ("?",)}),
        left_out={"faces": say("drill-face-not-seen", "Nobody has seen its face.")},
    ),
)
EXPOSED_CARD = Fact(
    id="exposed-card",
    names=("A card was seen too early", "牌提早曝光"),
    floor=("a card flashed", "a card fell out of the shoe face up"),
    meaning="a card shown in error",
    guards=("outcome", "position"),
    details=(CARDS, FACES),
    moment="any",
    conditions=("cards-closed", "opened-too-early"),
    really=(Really("excess-card", "excess-dealt-with"), Really("face-up-deal", "first-four-in-place")),
    lays="seen",
    of_next_hand=True,
    drill=Drill(
        Wording("drill-exposed-card", "A card slips out of the shoe and shows its face."), variants=({"faces": ("?",)},)
    ),
)
WRONG_AREA = Fact(
    id="wrong-area",
    names=("A card lies in the wrong area", "牌放錯位置"),
    floor=("a card dealt to the wrong side", "Player and Banker cards swapped"),
    meaning="a card laid to the wrong hand, or in the wrong order",
    guards=("outcome", "reconstructible", "number"),
    details=(replace(CARDS, least=1), RECONSTRUCTIBLE),
    conditions=("cards-with-a-hand",),
    really=(Really("excess-card", "player-stands"),),
    lays="other-hand",
    put_in_order=True,
    examples=({"cards": "last"},),
    drill=Drill(
        Wording("drill-wrong-area", "The last card was laid down in the area of the other hand."),
        variants=_CANNOT_BE_TOLD,
        left_out=_STILL_TOLD,
    ),
)
WRONG_PERSON = Fact(
    id="wrong-person",
    names=("Cards went to the wrong person", "牌交錯了人"),
    floor=("the wrong patron got the cards to squeeze",),
    meaning="cards handed to the wrong person",
    guards=("outcome", "result", "reconstructible", "exposed"),
    details=(
        replace(HAND, missing=say("which-hand-went-wrong", "Say which hand's cards went to the wrong person.")),
        PATRON,
        EXPOSED,
        RECONSTRUCTIBLE,
    ),
    conditions=("patrons-handle-cards", "hand-dealt"),
    handed_over=True,
    examples=_EACH_HAND,
    drill=Drill(
        Wording("drill-wrong-person", "The {hand:hand} cards were given to {patron}, who was not to have them."),
        when="squeezing",
        variants=({"patron": "?", "exposed": True}, {"patron": "?", "exposed": False}),
    ),
)
NOT_DELIVERED = Fact(
    id="not-delivered",
    names=("Cards were not delivered", "牌未交給客人"),
    floor=("the cards were not passed to the squeezer",),
    meaning="cards not handed to the patron entitled to them",
    details=(HAND, PATRON),
    conditions=("patrons-handle-cards",),
    drill=Drill(
        Wording("drill-not-delivered", "The cards were not handed to the patron who was to squeeze them."),
        when="squeezing",
    ),
)
FACE_UP_DEAL = Fact(
    id="face-up-deal",
    names=("Dealt face up instead of down", "應暗發而明發"),
    floor=("dealt open instead of closed",),
    meaning="dealt face up on a face-down table",
    guards=("outcome",),
    details=(CARDS, FACES),
    conditions=("dealt-face-down",),
    drill=Drill(
        Wording("drill-face-up-deal", "A card that was to be dealt face down was dealt face up."), when="squeezing"
    ),
)
SIMULTANEOUS_DRAW = Fact(
    id="simultaneous-draw",
    names=("Cards were drawn together", "同時抽出數張牌"),
    floor=("two cards stuck together", "two cards came out at once"),
    meaning="cards drawn together",
    guards=("order", "touches"),
    details=(replace(CARDS, least=2), ORDER),
    conditions=("differential-met", "one-after-the-other"),
    lays="named-aside",
    examples=({"cards": "next-two"}, {"cards": "last-two"}),
    drill=Drill(
        Wording("drill-simultaneous-draw", "Two cards came out of the shoe together."),
        when="unfinished",
        variants=({"order": "known"}, {"order": "unknown"}),
    ),
)

# Facts about the shoe and the cards in it

SHOE_ORDER_ALTERED = Fact(
    id="shoe-order-altered",
    names=("The order in the shoe was altered", "牌靴次序被打亂"),
    floor=("the shoe was dropped", "cards in the shoe got mixed up"),
    meaning="the order in the shoe was disturbed",
    guards=("reconstructible", "method"),
    details=(RECONSTRUCTIBLE,),
    drill=Drill(
        Wording("drill-shoe-order-altered", "The order of the cards in the shoe was disturbed."),
        when="unfinished",
        variants=_CANNOT_BE_TOLD,
        left_out=_STILL_TOLD,
    ),
)
SHOWN_IN_MOVEMENT = Fact(
    id="shown-in-movement",
    names=("A card showed while moved", "移動時露牌"),
    floor=("a card was seen while the shoe was moved",),
    meaning="cards seen while the device was moved",
    guards=("method",),
    details=(FACES,),
    moment="any",
    really=(Really("exposed-card", "movement-not-in-the-book"),),
    lays="seen-in-movement",
    drill=Drill(Wording("drill-shown-in-movement", "A card was seen while it was being moved."), when="unfinished"),
)
FACE_UP_IN_SHOE = Fact(
    id="face-up-in-shoe",
    names=("A card lies face up in the shoe", "牌靴內有翻面牌"),
    floor=("a boxed card", "a card turned over in the shoe"),
    meaning="a card lies face up in the shoe",
    guards=("position",),
    details=(FACES,),
    moment="any",
    lays="seen-in-shoe",
    of_next_hand=True,
    drill=Drill(Wording("drill-face-up-in-shoe", "A card lies face up in the shoe.")),
)
DEVICE_RESET = Fact(
    id="device-reset",
    names=("The shoe was reset", "牌靴被重設"),
    floor=("the electronic shoe was restarted",),
    meaning="the dealing device had to be reset",
    conditions=("device-deals", "bets-closed"),
    drill=Drill(Wording("drill-device-reset", "The shoe was reset in the middle of the hand."), when="unfinished"),
)
CARDS_CARRIED_OFF = Fact(
    id="cards-carried-off",
    names=("Cards were carried off", "牌被帶走"),
    floor=("a patron walks off with a card", "a card is gone from the table"),
    meaning="a patron left with cards",
    guards=("value", "from"),
    details=(replace(CARDS, least=1), replace(FACES, role="remembered")),
    conditions=("cards-closed",),
    carried_off=True,
    examples=({"cards": "first-closed"},),
    drill=Drill(
        Wording("drill-cards-carried-off", "A patron has gone away with a card that nobody has seen."), when="squeezing"
    ),
)
BURN_MISSED = Fact(
    id="burn-missed",
    names=("The burn was missed", "漏燒牌"),
    floor=("no card was burnt", "the burn was forgotten"),
    meaning="no cards were burnt",
    guards=("seen", "round"),
    details=(SEEN,),
    moment="any",
    conditions=("not-burnt",),
    drill=Drill(Wording("drill-burn-missed", "It is noticed that no card was burned.")),
)
CUT_CARD = Fact(
    id="cut-card",
    names=("The cut card came out", "切牌卡出現"),
    floor=("the cut card is out",),
    meaning="the cut card appeared",
    guards=("position", "place"),
    moment="any",
    drill=Drill(Wording("drill-cut-card", "The cut card comes out of the shoe.")),
)
LEFT_OVER = Fact(
    id="left-over",
    names=("A card is left over", "剩餘的牌"),
    floor=("a spare card after the round",),
    meaning="a round ended without a card that was drawn or seen in it",
    guards=("left-over", "method"),
    moment="itself",
)
FREE_HAND = Fact(
    id="free-hand",
    names=("Free hand", "飛牌"),
    floor=("a hand without bets",),
    meaning="a free hand is dealt",
    moment="itself",
)

# Facts about errors in general

DEALING_ERROR = Fact(
    id="dealing-error",
    names=("Another error in dealing", "其他發牌錯誤"),
    floor=("any other misdeal",),
    meaning="any other dealing error",
    guards=("reconstructible",),
    details=(RECONSTRUCTIBLE,),
)
LATE_ERROR = Fact(
    id="late-error",
    names=("An error of an earlier round", "先前一局的錯誤"),
    floor=("a mistake found a round later",),
    meaning="an error noticed after the next round began",
    moment="earlier",
    virtual=True,
)

# Facts about people, money and interruptions

INTERRUPTION = Fact(
    id="interruption",
    names=("The game was interrupted", "遊戲中斷"),
    floor=("the power failed", "a system or a shoe failed"),
    meaning="power or equipment failed",
    guards=("cause", "outcome"),
    details=(CAUSE,),
    moment="pause",
    virtual=True,
    drill=Drill(
        Wording("drill-interruption", "The game is interrupted."), variants=({"cause": "power"}, {"cause": "other"})
    ),
)
ABSENT_HANDLER = Fact(
    id="absent-handler",
    names=("Whoever holds the cards is away", "持牌者離開"),
    floor=("the squeezer has walked away",),
    meaning="whoever handles the cards is away",
    details=(PATRON,),
    conditions=("patrons-handle-cards",),
    virtual=True,
    drill=Drill(Wording("drill-absent-handler", "The patron who holds the cards has gone away."), when="squeezing"),
)
WRONG_CALL = Fact(
    id="wrong-call",
    names=("The wrong result was called", "報錯結果"),
    floor=("the wrong winner was called", "a card was misread"),
    meaning="the dealer called a wrong result",
    details=(CARDS, replace(FACES, role="true")),
    moment="last-round",
    conditions=("cards-open", "something-called"),
    virtual=True,
    drill=Drill(Wording("drill-wrong-call", "The dealer called the wrong result."), when="finished"),
)
WRONG_DISPLAY = Fact(
    id="wrong-display",
    names=("The display is wrong", "顯示錯誤"),
    floor=("the scoreboard is wrong",),
    meaning="a display shows a wrong result",
    details=(CARDS, FACES),
    moment="any",
    conditions=("cards-open",),
    virtual=True,
    drill=Drill(
        Wording("drill-wrong-display", "The display shows something else than the cards."),
        when="open-cards",
        after_payment=True,
    ),
)
INSURANCE_NEGLECTED = Fact(
    id="insurance-neglected",
    names=("Insurance was not offered", "漏開保險"),
    floor=("insurance was forgotten",),
    meaning="cover was not offered",
    guards=("insurance", "result", "next-card"),
    moment="last-round",
    conditions=("offer-missed",),
    virtual=True,
    by_patron=True,
    result_by="neglect-scope",
    drill=Drill(
        Wording("drill-insurance-neglected", "Insurance was due, and the dealer did not offer it."),
        when="open-cards",
        after_payment=True,
    ),
)
WRONG_LAMMER = Fact(
    id="wrong-lammer",
    names=("Wrong insurance odds were shown", "保險賠率顯示錯誤"),
    floor=("wrong insurance odds on the board or the lammer",),
    meaning="a wrong price was shown",
    conditions=("insurance-offered",),
    virtual=True,
    drill=Drill(Wording("drill-wrong-lammer", "The board shows the wrong odds for the insurance."), when="open-cards"),
)
OTHER = Fact(
    id="other",
    names=("Something else", "其他"),
    floor=("anything that is not on this list",),
    meaning="what no book foresees, in words; it goes to the residual authority",
    details=(replace(NOTE, missing=say("what-happened", "Say what happened.")),),
    moment="any",
    virtual=True,
    in_books=False,
    examples=({"note": "It happened."},),
)

FACTS: Mapping[str, Fact] = {
    each.id: each
    for each in (
        FOREIGN_CARD,
        DECK_COUNT,
        UNSHUFFLED,
        TOO_FEW_CARDS,
        WRONG_NUMBER,
        EXCESS_CARD,
        EXPOSED_CARD,
        WRONG_AREA,
        WRONG_PERSON,
        NOT_DELIVERED,
        FACE_UP_DEAL,
        SIMULTANEOUS_DRAW,
        SHOE_ORDER_ALTERED,
        SHOWN_IN_MOVEMENT,
        FACE_UP_IN_SHOE,
        DEVICE_RESET,
        CARDS_CARRIED_OFF,
        BURN_MISSED,
        CUT_CARD,
        LEFT_OVER,
        FREE_HAND,
        DEALING_ERROR,
        LATE_ERROR,
        INTERRUPTION,
        ABSENT_HANDLER,
        WRONG_CALL,
        WRONG_DISPLAY,
        INSURANCE_NEGLECTED,
        WRONG_LAMMER,
        OTHER,
    )
}
"""Every fact there is, by its id."""

IN_BOOKS = tuple(each.id for each in FACTS.values() if each.in_books)
"""The facts that a book may have rows about, or be silent on."""

REPORTABLE = tuple(each.id for each in FACTS.values() if each.moment != "itself")
"""The facts that somebody can report."""

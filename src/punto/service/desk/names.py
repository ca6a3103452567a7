"""Steps as the staff call them, in English and in Chinese."""

from punto.messages.languages import language

STEP_NAMES: dict[str, tuple[str, str]] = {
    "void": ("Void the round: every stake goes back", "此局作廢並退回注碼"),
    "stand": ("Earlier rounds stand", "先前各局有效"),
    "close": ("Close the round without a result", "無結果結束此局"),
    "continue": ("Play goes on", "繼續"),
    "note": ("Note it; nothing changes", "記錄在案"),
    "notice": ("Tell everybody at the table", "通知全檯"),
    "correct": ("Put it right", "更正"),
    "check": ("Hold it against the cards again", "按牌再核對"),
    "call": ("Call the result again", "重新宣布結果"),
    "retrieve": ("Take the cards back", "收回牌"),
    "reconstruct": ("Lay the cards as they should be", "復原牌局"),
    "reassign": ("The card counts for the other hand", "改歸另一手"),
    "carry": ("The card begins the next round", "牌帶入下一局"),
    "free-hand": ("Deal a free hand", "飛牌一局"),
    "remove-wagers": ("Take the wagers off", "移走注碼"),
    "deal": ("Deal the carried cards first", "先用帶入的牌"),
    "last-hand": ("The last hand stays the last", "保留最後一局"),
    "decide": ("Somebody decides", "作決定"),
    "offer": ("Offer the patrons a choice", "讓客人選擇"),
    "permit": ("May patrons withdraw", "是否准許取回"),
    "replace-cards": ("Change the cards", "換牌"),
    "refer": ("Refer to the residual authority", "呈交最終決定人"),
    "reopen": ("Open again", "重新開放"),
    "burn": ("Burn", "燒牌"),
    "dealer-opens": ("The dealer opens the cards", "荷官開牌"),
    "attend": ("Somebody attends", "到場"),
    "reserve": ("Set cards aside", "預留牌"),
    "enter": ("Enter what is known", "輸入"),
    "deduce": ("Deduce the missing cards", "推算缺牌"),
    "substitute": ("Substitute the cards", "補牌"),
    "late-offer": ("Offer the insurance late", "補開保險"),
    "return-original": ("Return the original bets", "退回原注"),
    "cancel-cover": ("Cover may be cancelled", "可取消保險"),
}
"""Steps without what they are about."""

OBJECT_NAMES: dict[tuple[str, str], tuple[str, str]] = {
    ("void", "round"): STEP_NAMES["void"],
    ("stand", "earlier"): STEP_NAMES["stand"],
    ("close", "no-wagers"): ("Close the round, on which no wager is left", "沒有注碼時結束此局"),
    ("continue", "from-reserve"): ("Play goes on with the cards set aside", "用預留牌繼續"),
    ("notice", "surplus-card"): ("Tell everybody about the card too many", "通知全檯有多出的牌"),
    ("correct", "delivery"): ("Hand the cards to whom they belong", "把牌交給應得的人"),
    ("check", "draw"): ("Hold the draws against the Table of Play again", "按補牌表再核對補牌"),
    ("check", "insurance"): ("Hold the insurance against the cards again", "按牌再核對保險"),
    ("call", "again"): STEP_NAMES["call"],
    ("reconstruct", "in-order"): ("Lay the cards in their order", "按次序復原牌"),
    ("reconstruct", "surplus-carried"): (
        "Lay the cards as they should be; one too many begins the next round",
        "復原牌局並將多出的牌帶入下一局",
    ),
    ("reassign", "banker-third"): ("The card becomes the Banker's third", "該牌成為庄第三張"),
    ("reassign", "player-third"): ("The card becomes the Player's third", "該牌成為閒第三張"),
    ("carry", "next-round"): STEP_NAMES["carry"],
    ("free-hand", "next"): ("The next round is a free hand", "下一局飛牌"),
    ("free-hand", "after-last"): ("A free hand follows the last one", "最後一局之後飛牌一局"),
    ("free-hand", "this"): ("This round becomes a free hand", "此局改為飛牌"),
    ("deal", "carried-first"): STEP_NAMES["deal"],
    ("last-hand", "kept"): STEP_NAMES["last-hand"],
    ("decide", "order"): ("Somebody decides in which order the cards count", "決定牌的次序"),
    ("decide", "reconstructible"): ("Somebody decides whether the hand can be put right", "決定能否復原"),
    ("offer", "dealing-error"): ("Offer the choice that follows an error in dealing", "發牌錯誤後讓客人選擇"),
    ("offer", "order-fixed"): ("Offer to withdraw, or to play on in the order fixed", "次序定後讓客人取回或繼續"),
    ("offer", "shoe"): ("Ask the patrons whether the shoe stays", "詢問客人是否沿用牌靴"),
    ("offer", "withdraw"): ("Offer to withdraw or to play on", "讓客人取回或繼續"),
    ("offer", "withdraw-remaining"): ("Offer to withdraw what is still at stake", "讓客人取回未定勝負的注"),
    ("offer", "power-failure"): ("Offer to withdraw or to play on after the power failure", "停電後讓客人取回或繼續"),
    ("permit", "withdraw"): ("Somebody decides whether patrons may withdraw", "決定是否准許取回"),
    ("replace-cards", "may"): ("The cards may be changed", "可換牌"),
    ("replace-cards", "must"): ("The cards must be changed", "必須換牌"),
    ("refer", "card"): ("Refer the card to the residual authority", "將該牌呈交最終決定人"),
    ("reopen", "betting"): ("Open bets again", "重新開放下注"),
    ("reopen", "insurance"): ("Open the insurance again", "重新開放保險"),
    ("enter", "value"): ("Enter the face that is known", "輸入已知的牌面"),
    ("enter", "count"): ("Enter the count of the cards", "輸入點算結果"),
    ("deduce", "missing"): STEP_NAMES["deduce"],
    ("substitute", "missing"): STEP_NAMES["substitute"],
    ("late-offer", "present-position"): ("Offer the insurance late, by the points as they are", "按現有點數補開保險"),
    ("return-original", "would-have-won"): ("Return the original bets of whoever would have won", "向本應贏者退回原注"),
    ("cancel-cover", "until-next-card"): ("Cover may be cancelled until the next card", "下一張牌前可取消保險"),
}
"""Steps with what they are about; the offers are those of the shipped books."""


def step_names(verb: str, object: str | None = None) -> tuple[str, str]:
    """A step that a book names, in plain words, with what it is about.

    >>> step_names("replace-cards", "may"), step_names("attend", "pit-manager"), step_names("reserve", "2")[0]
    (('The cards may be changed', '可換牌'), ('Pit manager attends', '巡場經理到場'), 'Set 2 cards aside')
    >>> step_names("offer", "a-house-rule")
    ('Offer the patrons a choice (a house rule)', '讓客人選擇 (a-house-rule)')
    """
    if not object:
        return STEP_NAMES[verb]
    if verb == "attend":
        return f"{object.replace('-', ' ').capitalize()} attends", f"{language('zh-Hant').term('rank', object)}到場"
    if verb == "reserve":
        return f"Set {object} cards aside", f"預留 {object} 張牌"
    english, chinese = STEP_NAMES[verb]
    own = f"{english} ({object.replace('-', ' ')})", f"{chinese} ({object})"
    return OBJECT_NAMES.get((verb, object), own)

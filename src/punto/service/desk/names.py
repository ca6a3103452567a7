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


POLICY_NAMES: dict[str, tuple[str, str]] = {
    "outcome-scope": ("When the outcome counts as established", "何時視為已有結果"),
    "return-scope": ("What comes back to whoever withdraws", "取回時退回哪些注"),
    "differential-scope": ("Where the differential is measured", "差額在何處計算"),
    "payout-rounding": ("Payments that are not whole", "賠付有零數時"),
    "partial-withdrawal": ("Whether single wagers can be withdrawn", "可否只取回部分注"),
    "bound": ("How long the choice to play on binds", "選擇繼續後約束到何時"),
    "box-share": ("Whether several patrons share the room of a box", "同一號位可否分用限額"),
    "forfeit-hands": ("Which hand's insurance is forgone by letting it pass", "放棄保險涉及哪一手"),
    "banker-third-first": ("When the Banker's third card may come first", "何時可先開庄第三張"),
    "insurance-forfeit": ("For how long insurance is forgone by letting it pass", "放棄保險到何時"),
    "neglect-scope": ("Which outcome ends the right to missed insurance", "錯過保險何時失效"),
    "late-cap": ("Which cover counts towards the cap of a late offer", "補開保險上限計入哪些保險"),
}
"""What the readings are about that a ruling may change, in English and in Chinese."""

_YES_OR_NO = {"yes": ("Yes", "是"), "no": ("No", "否")}

VALUE_NAMES: dict[str, dict[str, tuple[str, str]]] = {
    "outcome-scope": {
        "layout": ("once any bet of the layout is decided", "檯面任何一項注已定"),
        "main": ("once Player, Banker or Tie is decided", "閒、庄或和已定"),
        "placed": ("once any bet that lies there is decided", "已下的任何一項注已定"),
    },
    "return-scope": {
        "all": ("all their wagers", "全部注"),
        "undecided": ("the wagers that are not decided", "未定勝負的注"),
    },
    "differential-scope": {
        "both": ("at the table and in each box", "全檯及每個號位"),
        "box": ("in each box", "每個號位"),
        "table": ("at the table", "全檯"),
    },
    "payout-rounding": {
        "down": ("are rounded down", "向下取整"),
        "exact": ("are not made: the stake must fit", "注碼須能整除"),
        "up": ("are rounded up", "向上取整"),
    },
    "partial-withdrawal": _YES_OR_NO,
    "bound": {
        "error": ("until the next error", "直至下一次錯誤"),
        "round": ("for the round", "整局"),
    },
    "box-share": _YES_OR_NO,
    "forfeit-hands": {
        "both": ("of both hands", "兩手"),
        "offered": ("of the hand that was offered", "獲提供的一手"),
    },
    "banker-third-first": {"certain-draw": ("where it is certain to be drawn", "必定補牌時")},
    "insurance-forfeit": {
        "round": ("for the round", "整局"),
        "window": ("for this offer", "僅此一次"),
    },
    "neglect-scope": {
        "layout": ("that of any bet of the layout", "檯面任何一項注"),
        "result": ("Player, Banker or Tie", "閒、庄或和"),
    },
    "late-cap": {
        "all": ("all cover", "全部保險"),
        "late": ("cover that was offered late", "只計補開的保險"),
    },
}
"""What each choice of a reading says."""


def policy_names(name: str) -> tuple[str, str]:
    """What a reading is about, in words.

    >>> policy_names("return-scope")[0]
    'What comes back to whoever withdraws'
    """
    return POLICY_NAMES[name]


def value_names(name: str, value: str) -> tuple[str, str]:
    """A choice of a reading, in words.

    >>> value_names("return-scope", "all")[0]
    'all their wagers'
    """
    return VALUE_NAMES[name][value]


def step_names(verb: str, object: str | None = None) -> tuple[str, str]:
    """A step that a book names, in plain words, with what it is about.

    >>> step_names("replace-cards", "may")
    ('Change the cards (may)', '換牌 (可以)')
    """
    english, chinese = STEP_NAMES[verb]
    if not object:
        return english, chinese
    return f"{english} ({object.replace('-', ' ')})", f"{chinese} ({_chinese(object)})"


def _chinese(object: str) -> str:
    """What a step is about: a word of the books, or a rank."""
    file = language("zh-Hant")
    word = file.term("word", object)
    return file.term("rank", object) if word == object else word

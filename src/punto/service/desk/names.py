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

"""Facts and steps as the staff call them, in English and in Chinese."""

FACT_NAMES: dict[str, tuple[str, str]] = {
    "foreign-card": ("A card that does not belong", "外來牌"),
    "deck-count": ("Wrong number of cards in the shoe", "牌靴張數不符"),
    "unshuffled": ("Cards were not shuffled", "未洗牌"),
    "too-few-cards": ("Too few cards to finish the hand", "牌不足以完成此局"),
    "wrong-number": ("A hand has the wrong number of cards", "手牌張數錯誤"),
    "excess-card": ("A card too many was drawn", "多抽了牌"),
    "exposed-card": ("A card was seen too early", "牌提早曝光"),
    "wrong-area": ("A card lies in the wrong area", "牌放錯位置"),
    "wrong-person": ("Cards went to the wrong person", "牌交錯了人"),
    "not-delivered": ("Cards were not delivered", "牌未交給客人"),
    "face-up-deal": ("Dealt face up instead of down", "應暗發而明發"),
    "simultaneous-draw": ("Cards were drawn together", "同時抽出數張牌"),
    "shoe-order-altered": ("The order in the shoe was altered", "牌靴次序被打亂"),
    "shown-in-movement": ("A card showed while moved", "移動時露牌"),
    "face-up-in-shoe": ("A card lies face up in the shoe", "牌靴內有翻面牌"),
    "device-reset": ("The shoe was reset", "牌靴被重設"),
    "cards-carried-off": ("Cards were carried off", "牌被帶走"),
    "burn-missed": ("The burn was missed", "漏燒牌"),
    "cut-card": ("The cut card came out", "切牌卡出現"),
    "dealing-error": ("Another error in dealing", "其他發牌錯誤"),
    "late-error": ("An error of an earlier round", "先前一局的錯誤"),
    "interruption": ("The game was interrupted", "遊戲中斷"),
    "absent-handler": ("Whoever holds the cards is away", "持牌者離開"),
    "wrong-call": ("The wrong result was called", "報錯結果"),
    "wrong-display": ("The display is wrong", "顯示錯誤"),
    "insurance-neglected": ("Insurance was not offered", "漏開保險"),
    "wrong-lammer": ("Wrong insurance odds were shown", "保險賠率顯示錯誤"),
    "other": ("Something else", "其他"),
}

STEP_NAMES: dict[str, tuple[str, str]] = {
    "void": ("Void the round: every stake goes back", "此局作廢並退回注碼"),
    "stand": ("Earlier rounds stand", "先前各局有效"),
    "close": ("Close the round without a result", "無結果結束此局"),
    "continue": ("Play goes on", "繼續"),
    "note": ("Note it; nothing changes", "記錄在案"),
    "notice": ("Tell everybody at the table", "通知全檯"),
    "correct": ("Put it right", "更正"),
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


def fact_names(fact: str) -> tuple[str, str]:
    """A fact in plain words.

    >>> fact_names("cut-card")
    ('The cut card came out', '切牌卡出現')
    """
    plain = fact.replace("-", " ").capitalize()
    return FACT_NAMES.get(fact, (plain, plain))


def step_names(verb: str, object: str | None = None) -> tuple[str, str]:
    """A step that a book names, in plain words, with what it is about.

    >>> step_names("replace-cards", "may")[0]
    'Change the cards (may)'
    """
    english, chinese = STEP_NAMES[verb]
    about = f" ({object.replace('-', ' ')})" if object else ""
    return english + about, chinese + about

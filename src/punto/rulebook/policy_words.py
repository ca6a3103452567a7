"""The readings that a ruling may change, in words, for the desk of a table and for the documents of a submission."""

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
        "exact": ("are not made, as the stake must fit", "注碼須能整除"),
        "nearest": ("are rounded to the nearest chip", "取整至最接近的籌碼"),
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
    """What a reading is about, in words; a book may name some of its own.

    >>> policy_names("return-scope")[0], policy_names("house-custom")[0]
    ('What comes back to whoever withdraws', 'House custom')
    """
    return POLICY_NAMES.get(name, (name.replace("-", " ").capitalize(), name))


def value_names(name: str, value: str) -> tuple[str, str]:
    """A choice of a reading, in words.

    >>> value_names("return-scope", "all")[0], value_names("house-custom", "as-posted")[0]
    ('all their wagers', 'as posted')
    """
    return VALUE_NAMES.get(name, {}).get(value, (value.replace("-", " "), value))

"""Chinese for the drawings: names of bets, and outcomes in words. Sentences of the program stay in English."""

from collections.abc import Mapping

from punto.messages import Format, Message, render

BETS: Mapping[str, str] = {
    "Player": "閒",
    "Banker": "庄",
    "Tie": "和",
    "Player Pair": "閒對",
    "Banker Pair": "庄對",
    "Tiger": "虎",
    "Big Tiger": "大老虎",
    "Small Tiger": "小老虎",
    "Tiger Tie": "老虎和",
    "Tiger Pair": "老虎對",
    "Big Dragon": "大龍",
    "Small Dragon": "小龍",
    "Dragon Tiger": "龍虎",
    "Banker Big 7": "庄大七",
    "Banker Small 7": "庄小七",
    "Player Big 7": "閒大七",
    "Player Small 7": "閒小七",
    "Wu Song": "武松",
    "Wu Dalang": "武大郎",
}
"""The bets of the shipped books by their English names, as the screens name them."""

HEADINGS: Mapping[str, str] = {
    "Bet": "投注",
    "Outcome": "結果",
    "Pays": "賠率",
    "House edge": "賭場優勢",
    "Third cards": "補牌規則",
    "Insurance": "保險",
    "comes back": "退回",
    "loses": "輸",
    "tie pays": "和局照賠",
    "After four cards": "四張牌後",
    "After the Player's third card": "閒家補牌後",
    "Layout": "檯面",
    "boxes": "個注位",
    "Scale": "比例",
}

PLAY: tuple[str, ...] = (
    "任何一方首兩張牌合計 8 或 9 點，雙方均不補牌。",
    "閒：0 至 5 點補一張，6、7 點不補。",
    "庄：閒不補時，0 至 5 點補，6、7 點不補。",
)
"""The Table of Play in short, the rows of the Banker's table apart."""

BANKER_DRAWS, BANKER_DRAWS_ON, BANKER_STANDS = (
    "庄 {points}：補牌",
    "庄 {points}：閒補 {cards} 時補牌",
    "庄 {points}：不補",
)
"""A row of the Banker's table."""

_TEMPLATES: Mapping[str, str] = {
    "pattern": "{parts:phrase}",
    "pattern-winner": "{winners:or}",
    "pattern-points": "{points} 點",
    "pattern-hands": "{hands:and}",
    "pattern-hand-points": "{hand:hand} {points} 點",
    "pattern-cards": "（{number} 張牌）",
    "pattern-hand-cards": "（{hand:hand} {number} 張牌）",
    "pattern-table-cards": "（共 {number} 張牌）",
    "pattern-tie": "和局",
    "hand-wins": "{hand:hand}贏",
    "either-number": "{numbers:counts}",
    "pairs-exactly-one": "只有一方成對",
    "pairs-both-different": "雙方成對但點數不同",
    "pairs-both-same": "雙方成對且點數相同",
    "pairs-player": "閒家首兩張成對",
    "pairs-banker": "庄家首兩張成對",
    "pairs-both": "雙方成對",
    "pairs-none": "雙方無對",
    "pattern-pairs": "對子：{pairs:list}",
    "pattern-otherwise": "其他情況",
    "pattern-part": "{parts:spaced}",
    "pattern-loser": "，負方 {points} 點",
    "pattern-margin": "，相差 {points} 點",
    "pattern-with": "，{things:and}",
    "pattern-things": "{things:and}",
    "pattern-any": "{patterns:or}",
    "pattern-not": "，但不包括{patterns:or}",
    "pattern-naturals": "例牌：{hands:list}",
    "natural-none": "無例牌",
    "natural-player": "閒家例牌",
    "natural-banker": "庄家例牌",
    "natural-any": "有例牌",
    "natural-one": "只有一方例牌",
    "natural-both": "雙方例牌",
    "pattern-two-card": "{hand:hand}首兩張 {points} 點",
    "pattern-sum": "雙方合計 {points} 點",
    "card-test": "{group}{told:and}",
    "no-card-of": "沒有{meant}",
    "so-many-of": "有 {count} 張{meant}",
    "only-cards-of": "全是{meant}",
    "of-one": "同一{likenesses:and}",
    "of-one-rank": "點數",
    "of-one-suit": "花色",
    "of-one-colour": "顏色",
    "so-many-of-a-rank": "有 {number:count} 張同點數",
    "and-of-another-rank": "{first}，另 {number:count} 張同點數",
    "some-ranks": " {ranks:or} ",
    "some-suits": "{suits:or}",
    "cards-meant": "{named:spaced}",
    "cards-any": "牌",
    "red-cards": "紅牌",
    "black-cards": "黑牌",
    "clubs": "梅花",
    "diamonds": "方塊",
    "hearts": "紅心",
    "spades": "黑桃",
    "the-player-first": "閒家第一張",
    "the-player-second": "閒家第二張",
    "the-player-third": "閒家補牌",
    "the-banker-first": "庄家第一張",
    "the-banker-second": "庄家第二張",
    "the-banker-third": "庄家補牌",
    "the-player-start": "閒家首兩張",
    "the-banker-start": "庄家首兩張",
    "the-first-cards": "雙方第一張",
    "the-first-three": "首三張牌",
    "the-first-four": "首四張牌",
    "the-third-cards": "補牌",
    "the-player-hand": "閒家的牌",
    "the-banker-hand": "庄家的牌",
    "the-cards": "全部牌",
    "cover-situation": "{hand:hand} {own} 點對 {other:hand} {opposite} 點",
}
_HANDS = {"player": "閒", "banker": "庄"}
_FORMATS: Mapping[str, Format] = {
    "phrase": "".join,
    "spaced": "".join,
    "count": str,
    "hand": lambda hand: _HANDS[hand],
    "or": "或".join,
    "and": "，".join,
    "counts": lambda numbers: "或".join(map(str, numbers)),
    "list": "、".join,
}


def in_chinese(message: Message) -> str:
    """An outcome or a situation in Chinese.

    >>> from punto.rulebook import load
    >>> from punto.rulebook.words import pattern_in_words
    >>> in_chinese(pattern_in_words(load("da-hu-ying-xiong").pays["tigers"][0].when).message)
    '庄贏6 點（2 張牌）'
    """
    return render(message, _TEMPLATES, _FORMATS)


def characters() -> str:
    """Every Chinese character that a drawing may need."""
    rows = (BANKER_DRAWS_ON, BANKER_STANDS, "或，、")
    texts = (*BETS.values(), *HEADINGS.values(), *PLAY, *_TEMPLATES.values(), *_HANDS.values(), *rows)
    return "".join(sorted({letter for text in texts for letter in text if ord(letter) > 0x2E7F}))

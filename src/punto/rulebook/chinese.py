"""Outcomes and situations in Chinese, from the messages that say them in English."""

from collections.abc import Mapping

from punto.messages import Format, Message, render

TEMPLATES: Mapping[str, str] = {
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
    "so-many-of-rank": "有 {count} {cards}{meant}",
    "so-many-of-colour": "有 {count} {cards}{meant}",
    "one-card-of": "張",
    "several-cards-of": "張",
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
HANDS = {"player": "閒", "banker": "庄"}
_FORMATS: Mapping[str, Format] = {
    "phrase": "".join,
    "spaced": "".join,
    "count": str,
    "hand": lambda hand: HANDS[hand],
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
    return render(message, TEMPLATES, _FORMATS)

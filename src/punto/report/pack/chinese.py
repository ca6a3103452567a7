"""Chinese for the drawings: names of bets, headings, the Table of Play. Sentences of the program stay in English."""

from collections.abc import Mapping

from punto.rulebook.chinese import HANDS, TEMPLATES

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


def characters() -> str:
    """Every Chinese character that a drawing may need."""
    rows = (BANKER_DRAWS_ON, BANKER_STANDS, "或，、")
    texts = (*BETS.values(), *HEADINGS.values(), *PLAY, *TEMPLATES.values(), *HANDS.values(), *rows)
    return "".join(sorted({letter for text in texts for letter in text if ord(letter) > 0x2E7F}))

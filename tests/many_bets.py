"""A book with as much on its felt as a felt must bear: ids that are words of the pages, long pay tables, forty bets."""

from punto.rulebook import source

ID = "many-bets"
WORDS = {"big": ("Big", "大"), "open": ("Open", "開"), "won": ("Lucky Won", None), "quiet": ("Quiet Night", "靜夜")}
"""Ids that mean something else in the pages, with a name in English and perhaps one in Chinese."""

PLAIN = 40 - len(WORDS) - 5  # besides those that the base carries, the long one and the choice
NAMES = ("Lucky {n}", "Extraordinary Dragon {n}", "Three-Card Six {n}", "Player Natural Bonus {n}")
LONG = """
[bets.dragon-bonus]
name = "Dragon Bonus"
names = { zh-Hans = "龙宝", vi = "Rồng" }
clause = "3.4"
loses = "3.16"
in-order = true
[[pays.more]]
bet = "dragon-bonus"
when = { winner = "player", natural = ["player", "both"] }
odds = "1:1"
clause = "3.4"
[[pays.more]]
bet = "dragon-bonus"
when = { winner = "player" }
by = "margin"
odds = { 4 = "1:1", 5 = "2:1", 6 = "4:1", 7 = "6:1", 8 = "10:1", 9 = "30:1" }
clause = "3.4"
[[pays.more]]
bet = "dragon-bonus"
when = { winner = "tie", natural = "both" }
result = "stand-off"
clause = "3.4"
"""
CHOICE = """
[bets.egalite]
name = "Egalité"
names = { zh-Hant = "平局" }
choose = "points"
clause = "3.4"
loses = "3.16"
[[pays.more]]
bet = "egalite"
when = { winner = "tie", points = "chosen" }
by = "chosen"
odds = { 0 = "150:1", 1 = "215:1", 2 = "225:1", 3 = "200:1", 4 = "120:1", 5 = "110:1", "6-7" = "45:1", "8-9" = "80:1" }
clause = "3.4"
"""
EXCEPTION = """
[[pays.main]]
bet = "banker"
when = { winner = "banker", points = 7, banker-cards = 3 }
result = "stand-off"
clause = "3.4"
"""


def many_bets(book: str = ID, plain: int = PLAIN) -> str:
    """Commission Baccarat in which a three-card 7 of the Banker comes back, with many side bets."""
    text = source("commission-insurance").decode().replace('id = "commission-insurance"', f'id = "{book}"', 1)
    text = text.replace('pays = ["main", "pairs"]', 'pays = ["main", "pairs", "more"]')
    text = text.replace("[layouts.A]\n", '[layouts.A]\ntitles = { zh-Hant = "甲" }\n', 1)
    first = text.index("[[pays.main]]")
    text = text[:first] + EXCEPTION.lstrip() + "\n" + text[first:]
    for bet, (name, chinese) in WORDS.items():
        text += _bet(bet, name, f'names = {{ zh-Hant = "{chinese}" }}' if chinese else "")
    text += LONG + CHOICE
    for at in range(plain):
        text += _bet(f"side-{at}", NAMES[at % len(NAMES)].format(n=at + 1), "")
    return text


def _bet(bet: str, name: str, more: str) -> str:
    return (
        f'\n[bets.{bet}]\nname = "{name}"\n{more}\nclause = "3.4"\nloses = "3.16"\n'
        f'[[pays.more]]\nbet = "{bet}"\nwhen = {{ cards = "5-6" }}\nodds = "1:2"\nclause = "3.4"\n'
    )

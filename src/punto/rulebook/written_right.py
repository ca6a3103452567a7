"""How something is written that stands in a file in another way, where that is plain."""

import re

_RATIO = re.compile(r"(\d[\d.,]*)\s*(?::|to|[-/\u2010-\u2015\u2212\u2236\uff1a])\s*(\d{1,9})", re.IGNORECASE)
_FOR = re.compile(r"(\d{1,9})\s*for\s*(\d{1,9})", re.IGNORECASE)
_THOUSANDS = re.compile(r"\d{1,3}(,\d{3})+")
_LONGEST = 9
_SAID = {"even": "1:1", "evens": "1:1", "even money": "1:1", "half": "1:2", "half pay": "1:2"}
_SUITS = {"clubs": "c", "diamonds": "d", "hearts": "h", "spades": "s"}
_MARKS = str.maketrans({"♣": "c", "♦": "d", "♥": "h", "♠": "s"})
_RANKS = {"ace": "A", "king": "K", "queen": "Q", "jack": "J", "ten": "T", "10": "T", "1": "A"}
_BETWEEN = re.compile(r"[\s,;/]+")
_CARD = re.compile(r"([A2-9TJQK]|10)([cdhs])")


def odds_meant(text: str) -> str | None:
    """Odds that were written as people say them; None where it is not plain.

    >>> [odds_meant(each) for each in ("45 to 1", "0,95:1", "1,000:1", "45/1", "45 for 1", "evens", "fair")]
    ['45:1', '0.95:1', '1000:1', '45:1', '44:1', '1:1', None]
    """
    text = text.strip()
    if text.lower() in _SAID:
        return _SAID[text.lower()]
    if back := _FOR.fullmatch(text):
        return f"{int(back[1]) - int(back[2])}:{int(back[2])}" if int(back[1]) > int(back[2]) > 0 else None
    found = _RATIO.fullmatch(text)
    if found is None:
        return None
    left = found[1].replace(",", "" if _THOUSANDS.fullmatch(found[1]) else ".")
    whole = left.replace(".", "", 1).isdecimal() and not left.endswith(".") and len(left) <= _LONGEST
    return f"{left}:{int(found[2])}" if whole and float(left) and int(found[2]) else None


def letters_meant(key: str, said: object) -> str | None:
    """Letters for ranks or suits that were written in another way; None where it is not plain.

    >>> letters_meant("ranks", "7,8"), letters_meant("suits", "Spades"), letters_meant("ranks", ["J", "Q"])
    ('78', 's', 'JQ')
    """
    words = said if isinstance(said, list) else _BETWEEN.split(said.strip()) if isinstance(said, str) else [said]
    names, letters = (_SUITS, "cdhs") if key == "suits" else (_RANKS, "A23456789TJQK")
    found = ""
    for word in words:
        text = str(word).translate(_MARKS)
        letter = names.get(text.lower()) or names.get(f"{text.lower()}s")
        found += letter or (text.lower() if key == "suits" else text.upper())
    return found if found and set(found) <= set(letters) and len(set(found)) == len(found) else None


def card_meant(said: str) -> tuple[str, str] | None:
    """Rank and suit where one card was written in the place of ranks.

    >>> card_meant("As"), card_meant("10h"), card_meant("AK")
    (('A', 's'), ('T', 'h'), None)
    """
    found = _CARD.fullmatch(said)
    return (found[1].replace("10", "T"), found[2]) if found else None

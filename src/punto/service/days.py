"""The gaming day: the day of a casino begins at an hour of its own."""

from datetime import datetime, time, timedelta


def start_of_days(text: str) -> time:
    """The time of day at which gaming days begin, with its zone; `ValueError` if it is none.

    >>> start_of_days("06:00+08:00").hour
    6
    """
    found = time.fromisoformat(text)
    if found.tzinfo is None:
        raise ValueError(f"{text!r} has no zone")
    return found


def gaming_day(at: str, starts: time) -> str:
    """The gaming day of a moment.

    >>> gaming_day("2026-11-15T21:59:00Z", start_of_days("06:00+08:00"))
    '2026-11-15'
    >>> gaming_day("2026-11-15T22:00:00Z", start_of_days("06:00+08:00"))
    '2026-11-16'
    """
    moment = datetime.fromisoformat(at).astimezone(starts.tzinfo)
    since_midnight = timedelta(hours=starts.hour, minutes=starts.minute, seconds=starts.second)
    return (moment - since_midnight).date().isoformat()

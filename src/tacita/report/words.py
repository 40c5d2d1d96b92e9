"""Numbers and names as a reader wants them: few digits, groups of three, a real minus."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

__all__ = [
    "GAP",
    "NOTHING",
    "coarse",
    "count",
    "decimals_of_spread",
    "figure",
    "fixed",
    "names_in_words",
    "plain_text",
    "quantity",
    "significant",
    "spread_words",
    "title_of",
]

GAP = "\u00a0"
"""Between groups of digits and before a unit; a line never breaks there."""
NOTHING = "–"
"""What stands in a cell that has no number."""
_LONGEST = 100
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\ufffe\uffff]+")


def fixed(value: float | None, decimals: int) -> str:
    """Write a number with that many decimals; groups of three stand apart from five digits on.

    Examples
    --------
    >>> fixed(-1234.5, 1), fixed(1234567, 0) == "1\u00a0234\u00a0567", fixed(None, 2)
    ('−1234.5', True, '–')
    """
    if value is None or not math.isfinite(value):
        return NOTHING
    if abs(value) >= 1e15:
        return f"{value:.3g}".replace("-", "−")
    text = f"{abs(value):,.{decimals}f}"
    text = text.replace(",", GAP if abs(value) >= 9999.5 else "")
    negative = value < 0 and any(digit in text for digit in "123456789")
    return f"−{text}" if negative else text


def significant(value: float | None, digits: int = 3) -> str:
    """Write a number with that many significant digits; digits before the point are never dropped.

    Examples
    --------
    >>> significant(12.3456), significant(0.0012345), significant(1234.5), significant(0)
    ('12.3', '0.00123', '1234', '0')
    """
    if value is None or not math.isfinite(value):
        return NOTHING
    if abs(value) < 1e-11:  # rounding of the arithmetic, not of the data
        return "0"
    if abs(value) < 1e-6:
        return f"{value:.{digits - 1}e}".replace("-", "−")
    return fixed(value, max(0, digits - 1 - math.floor(math.log10(abs(value)))))


def count(value: int) -> str:
    """Write a whole number."""
    return fixed(value, 0)


def figure(value: float | None, unit: str = "") -> str:
    """Write a number that may be a count: whole ones with all their digits and no others, the rest with three.

    Examples
    --------
    >>> figure(5.0, "records") == "5\u00a0records", figure(0.0123), figure(None)
    (True, '0.0123', '–')
    """
    if value is not None and unit != "%" and math.isfinite(value) and abs(value) < 1e15 and value == round(value):
        return f"{count(int(value))}{GAP}{unit}" if unit else count(int(value))
    return quantity(value, unit)


def quantity(value: float | None, unit: str = "", digits: int = 3) -> str:
    """Write a number with its unit.

    Examples
    --------
    >>> quantity(14.02, "%") == "14.0\u00a0%"
    True
    """
    text = significant(value, digits)
    if unit == "%" and value and abs(value) < 1:  # thousandths of a percent say nothing
        text = fixed(value, 2) if abs(value) >= 0.005 else "below 0.01"
    return f"{text}{GAP}{unit}" if unit and text != NOTHING else text


def coarse(value: float, unit: str = "") -> tuple[float, str]:
    """Round for the public: two significant digits, percentages no finer than whole ones. Return number and words.

    A measure in full precision works like a hash of the original: with it a guess of the whole file can be confirmed.

    Examples
    --------
    >>> coarse(57.31, "%")[0], coarse(5234.0, "%")[0], coarse(0.01234)[0]
    (57.0, 5200.0, 0.012)
    >>> coarse(0.2, "%")[1] == "below 1\u00a0%"
    True
    """
    if value == 0 or not math.isfinite(value):
        return value, quantity(value, unit)
    finest = 1 - math.floor(math.log10(abs(value)))
    places = min(finest, 0) if unit == "%" else finest
    rounded = round(value, places)
    if unit == "%" and 0 < value < 0.5:
        return 0.0, f"below 1{GAP}%"
    text = fixed(rounded, max(places, 0))
    return rounded, f"{text}{GAP}{unit}" if unit else text


def spread_words(mean: float, sd: float | None) -> str:
    """Write a mean with its standard deviation where it has one.

    Examples
    --------
    >>> spread_words(12.34, 0.567), spread_words(3, None)
    ('12.3 ± 0.57', '3.00')
    """
    return f"{significant(mean)} ± {significant(sd, 2)}" if sd else significant(mean)


def decimals_of_spread(spread: float) -> int:
    """Return how many decimals show three significant digits of a column's spread.

    Examples
    --------
    >>> decimals_of_spread(0.0123), decimals_of_spread(4.5), decimals_of_spread(8000.0)
    (4, 2, 0)
    """
    if not math.isfinite(spread) or spread <= 0:
        return 2
    return min(max(2 - math.floor(math.log10(spread)), 0), 8)


def names_in_words(names: Sequence[str], limit: int = 12) -> str:
    """Write names as a list in a sentence; a long one ends with how many more there are.

    Examples
    --------
    >>> names_in_words(["a", "b", "c"]), names_in_words([]), names_in_words(list("abcd"), limit=2)
    ('a, b, c', 'none', 'a, b and 2 more')
    """
    if not names:
        return "none"
    more = len(names) - limit
    return ", ".join(names[:limit]) + (f" and {more} more" if more > 0 else "")


def title_of(name: str) -> str:
    """Write a registered name as words.

    Examples
    --------
    >>> title_of("rank_swap")
    'Rank swap'
    """
    return name.replace("_", " ").strip().capitalize()


def plain_text(text: object, longest: int = _LONGEST) -> str:
    r"""Return text from data for a page or picture: short, and without control characters, which neither can hold.

    Examples
    --------
    >>> plain_text("a\x00b")
    'a b'
    """
    whole = str(text)
    # A text of millions of characters would keep the drawing of its label busy for hours.
    return _CONTROL.sub(" ", whole if len(whole) <= longest else whole[: longest - 1] + "…")

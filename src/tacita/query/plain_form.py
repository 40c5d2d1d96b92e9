"""Reading the JSON form of an answer that came from elsewhere: every part is checked, and what does not fit is an error."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import ParameterError

__all__ = ["LONGEST_TEXT", "PlainForm"]

LONGEST_TEXT = 10_000
"""Letters of one text; no name, class or note of an answer is longer."""

_NUMBERS = {int, float}


@dataclass(frozen=True)
class PlainForm:
    """An object of JSON whose parts are read one by one, each as what it must be.

    Parameters
    ----------
    what
        What it is, for messages: "A coefficient".
    parts
        Its parts by name.

    Notes
    -----
    A message names the part and never what was found there: it may come from a server that says anything.

    Examples
    --------
    >>> form = PlainForm.of("A box", {"label": "f", "n": 12}, ("label", "n"))
    >>> form.text("label"), form.whole("n")
    ('f', 12)
    >>> form.number("label")
    Traceback (most recent call last):
    ...
    tacita.core.errors.ParameterError: A box: 'label' must be a number.
    """

    what: str
    parts: Mapping[str, Any] = field(repr=False)

    @classmethod
    def of(cls, what: str, given: Any, names: Collection[str], optional: Collection[str] = ()) -> PlainForm:
        """Return the form of an object that has these parts, perhaps some optional ones, and no others.

        Raises
        ------
        ParameterError
            When it is no object, or lacks a part, or has one more: leaving out what is not known would change an answer.
        """
        if not isinstance(given, Mapping):
            raise ParameterError(f"{what} must be an object.")
        lacking = next((name for name in names if name not in given), None)
        if lacking is not None:
            raise ParameterError(f"{what}: '{lacking[:60]}' must be given.")
        if not all(name in names or name in optional for name in given):
            raise ParameterError(f"{what} must have no parts that this version of the package does not know.")
        return cls(what, given)

    def __contains__(self, name: object) -> bool:
        return name in self.parts

    def misfit(self, name: str, wanted: str) -> NoReturn:
        """Raise the error that a part must be something else."""
        raise ParameterError(f"{self.what}: '{name[:60]}' must be {wanted}.")

    # --- texts -----------------------------------------------------------------------------------------------------------

    def text(self, name: str) -> str:
        """Return a text."""
        if not _is_text(self.parts[name]):
            self.misfit(name, f"a text of at most {LONGEST_TEXT:,} letters")
        return str(self.parts[name])

    def said(self, name: str) -> str:
        """Return a text that is shown on screens: no letter of it steers a terminal."""
        found = self.text(name)
        if not _is_shown(found):
            self.misfit(name, "a text without control characters")
        return found

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts."""
        found = self.parts[name]
        if not isinstance(found, list) or not all(map(_is_text, found)):
            self.misfit(name, "a list of texts")
        return tuple(found)

    def sayings(self, name: str) -> tuple[str, ...]:
        """Return a list of texts that are shown on screens."""
        found = self.texts(name)
        if not all(map(_is_shown, found)):
            self.misfit(name, "a list of texts without control characters")
        return found

    def choice(self, name: str, options: Collection[str]) -> Any:
        """Return one of some words."""
        found = self.parts[name]
        if not isinstance(found, str) or found not in options:
            self.misfit(name, f"one of {', '.join(options)}")
        return found

    # --- numbers ---------------------------------------------------------------------------------------------------------

    def number(self, name: str, *, is_optional: bool = False) -> float:
        """Return a finite number; NaN for null, where there may be none."""
        found = self.parts[name]
        if found is None and is_optional:
            return float("nan")
        made = _finite(found)
        if made is None:
            self.misfit(name, "a number")
        return made

    def whole(self, name: str) -> int:
        """Return a whole number."""
        found = self.parts[name]
        if type(found) is not int or abs(found) >= 1 << 63:
            self.misfit(name, "a whole number")
        return int(found)

    def whole_or_none(self, name: str) -> int | None:
        """Return a whole number, or None for null."""
        return None if self.parts[name] is None else self.whole(name)

    def numbers(self, name: str, count: int | None = None, *, has_gaps: bool = False) -> FloatArray:
        """Return a list of finite numbers, as many as told; NaN for null, where there may be gaps."""
        found, kinds = self.parts[name], {*_NUMBERS, type(None)} if has_gaps else _NUMBERS
        wanted = "a list of numbers" if count is None else f"a list of {count:,} numbers"
        if not isinstance(found, list) or not set(map(type, found)) <= kinds or count not in (None, len(found)):
            self.misfit(name, wanted)
        try:
            made = np.array(found, dtype=np.float64)
        except OverflowError:
            self.misfit(name, wanted)
        if np.isinf(made).any() or int(np.isnan(made).sum()) != found.count(None):
            self.misfit(name, wanted)
        return made

    # --- parts of parts --------------------------------------------------------------------------------------------------

    def part(self, name: str) -> Mapping[str, Any]:
        """Return an object whose names are texts."""
        found = self.parts[name]
        if not isinstance(found, Mapping) or not all(map(_is_text, found)):
            self.misfit(name, "an object")
        return found

    def listed(self, name: str) -> list[Any]:
        """Return a list, whose entries are still to be read."""
        found = self.parts[name]
        if not isinstance(found, list):
            self.misfit(name, "a list")
        return found


def _is_text(value: object) -> bool:
    """Whether it is a text that a file can have; half of a pair of code units is none."""
    if not isinstance(value, str) or len(value) > LONGEST_TEXT:
        return False
    return value.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in value)


def _is_shown(text: str) -> bool:
    return not any(letter < " " or "\x7f" <= letter < "\xa0" for letter in text if letter not in "\t\n")


def _finite(value: object) -> float | None:
    if type(value) not in _NUMBERS:
        return None
    try:
        made = float(value)  # type: ignore[arg-type]
    except OverflowError:
        return None
    return made if np.isfinite(made) else None

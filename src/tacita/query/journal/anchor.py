"""An anchor: the number and the hash of one entry, kept where nobody who can write the journal can change it.

A chain alone cannot show that its end was cut off. An anchor can: it names an entry that must be there, and the hash of that
entry stands for everything before it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tacita.core.errors import ParameterError

__all__ = ["Anchor"]

_FORM = re.compile(r"(\d{1,18}):([0-9a-f]{64})")


@dataclass(frozen=True)
class Anchor:
    """The number and the hash of one entry.

    Parameters
    ----------
    number
        Number of the entry.
    hash
        Its hash, 64 hexadecimal digits.

    Examples
    --------
    >>> anchor = Anchor.parse(" 12:" + "ab" * 32)
    >>> anchor.number, str(anchor) == "12:" + "ab" * 32
    (12, True)
    """

    number: int
    hash: str

    def __str__(self) -> str:
        return f"{self.number}:{self.hash}"

    @classmethod
    def parse(cls, text: str) -> Anchor:
        """Read an anchor as it was printed; blanks around it and capital letters do not matter.

        Raises
        ------
        ParameterError
            When the text is no anchor.
        """
        found = _FORM.fullmatch(text.strip().lower())
        if found is None:
            raise ParameterError(
                "An anchor must be the number of an entry, a colon and 64 hexadecimal digits, as 'tacita journal head' prints "
                "it; copy the whole line."
            )
        return cls(int(found[1]), found[2])

    @classmethod
    def of(cls, given: str | Anchor) -> Anchor:
        """Return an anchor from what a user may give: an anchor or its text."""
        return given if isinstance(given, Anchor) else cls.parse(given)

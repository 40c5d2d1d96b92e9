"""Who the users are: names, telephone numbers, e-mail addresses, streets and numbers of social security, all made up.

Surnames are put together of syllables, telephone numbers begin with 555, e-mail goes to hosts that nobody can have, and the
numbers of social security begin with 9, which none that was given out does.
"""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from tacita.data.samples.draws import Draw, numbered, texts
from tacita.data.samples.query_logs.outline import word_lists

__all__ = ["PERSONAL", "PersonalTexts", "draw_personal_texts"]

PERSONAL = ("telephone", "mail", "street", "social")
"""What identifies a user beside the name."""


@dataclass(frozen=True, eq=False)
class PersonalTexts:
    """One text a user for the name and for each of ``PERSONAL``."""

    name: pa.StringArray
    identifying: tuple[pa.StringArray, ...]

    def __repr__(self) -> str:
        return f"PersonalTexts of {len(self.name)} users"


def draw_personal_texts(draw: Draw, n: int) -> PersonalTexts:
    """Draw what identifies ``n`` users."""
    people = word_lists()["people"]

    def one_of(what: str) -> pa.StringArray:
        return texts(draw("personal", what).integers(0, len(people[what]), n), people[what])

    def digits(what: str, low: int, high: int, width: int) -> pa.StringArray:
        return numbered("", draw("personal", what).integers(low, high, n), width)

    def joined(*parts: pa.StringArray | str, by: str) -> pa.StringArray:
        return pc.binary_join_element_wise(*parts, by)

    first = one_of("first")
    last = joined(one_of("first_half"), one_of("second_half"), by="")
    mailbox = joined(first, last, digits("mailbox", 1, 99, 1), by="")
    return PersonalTexts(
        name=joined(first, last, by=" "),
        identifying=(
            joined("555", digits("exchange", 100, 1000, 3), digits("line", 0, 10_000, 4), by="-"),
            joined(mailbox, one_of("mail_hosts"), by="@"),
            joined(digits("house", 1, 2000, 1), one_of("streets"), one_of("street_kinds"), by=" "),
            joined(digits("area", 900, 1000, 3), digits("group", 1, 50, 2), digits("serial", 1, 10_000, 4), by="-"),
        ),
    )

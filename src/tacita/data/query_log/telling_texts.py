"""Texts that may tell who wrote them, as somebody outside looks for them: addresses, numbers and names of people.

It shares no code with what removes such texts before a release, so that what one of both overlooks the other may see.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from tacita.core.arrays import BoolArray
from tacita.data.query_log.query_log import Codes

__all__ = ["TellingTexts", "telling_texts"]

_GIVEN = (
    "aaron adam alan albert alejandro alex alexander alice amanda amy ana andrea andrew angela ann anna anne "
    "anthony antonio arthur ashley barbara benjamin betty beverly bob brandon brenda brian bruce carl carlos "
    "carol carolyn catherine charles cheryl chris christian christina christine christopher claudia cynthia "
    "daniel david deborah debra denise dennis diana diane donald donna dorothy douglas ed edward elena elizabeth "
    "emily emma eric ethel eugene evelyn florence frances francisco frank franz fred gary george gerald gloria "
    "grace greg gregory hannah hans harold harry heather heidi helen henry howard jack jacqueline jacob james jan "
    "jane janet janice jason jean jeff jeffrey jennifer jeremy jerry jesse jessica jim joan joe john jonathan "
    "jordan jose joseph joshua joyce juan judith judy julia julie justin karen karl katharina katherine kathleen "
    "kathryn kathy keith kelly kenneth kevin kim kyle larry laura lauren lawrence linda lisa lori louis louise "
    "luis luigi maria marie marilyn mario marion mark martha martin mary matthew megan melissa michael michelle "
    "miguel mike mildred monika nancy nathan nicholas nicole noah olivia pamela patricia patrick paul paula peter "
    "petra philip phyllis pierre rachel ralph randy raymond rebecca renate richard robert robin roger ronald rose "
    "roy russell ruth ryan samantha samuel sandra sara sarah scott sean sharon shawn shirley sophia stefan "
    "stephanie stephen steve steven susan tammy teresa terry theresa thomas tiffany timothy tina todd tom tracy "
    "tyler ursula victoria vincent virginia walter wanda wayne wendy wilhelm william willie wolfgang zachary"
)
"""Given names that are frequent where query logs were released; anybody has longer lists."""

_MAIL = r"[\w.+-]+@[\w-]+\.[a-z]{2,}"
_NUMBER = r"(?:^|\s)\+?\(?\d(?:[ ().-]{0,2}\d){6,14}(?:$|\s)"
_YEAR = r"(?:^|\s)(?:19|20)\d\d\b"
_NAME = rf"^(?:{'|'.join(_GIVEN.split())})(?: [a-z]\.?)? (?P<surname>\pL[\pL'-]{{2,}})(?: \pL+){{0,2}}$"


@dataclass(frozen=True, eq=False)
class TellingTexts:
    """What of each text may tell who wrote it.

    Parameters
    ----------
    has_address, has_number
        Whether an e-mail address or a number of seven digits or more stands in it.
    surname
        A number for the surname, where it begins like the name of a person; -1 where it does not.
    """

    has_address: BoolArray
    has_number: BoolArray
    surname: Codes

    @property
    def any(self) -> BoolArray:
        """Which texts may tell it."""
        found: npt.NDArray[np.bool_] = self.has_address | self.has_number | (self.surname >= 0)
        return found


def telling_texts(texts: pa.StringArray) -> TellingTexts:
    """Return what of each text may tell who wrote it. O(n) in the characters of all texts.

    Examples
    --------
    >>> found = telling_texts(pa.array(["mary harrowmoor leeds", "me@example.com", "call 555 123 4567", "cheap flights"]))
    >>> found.has_address.tolist(), found.has_number.tolist(), found.surname.tolist()
    ([False, True, False, False], [False, False, True, False], [0, -1, -1, -1])
    """
    small = pc.utf8_lower(texts)
    named = pc.struct_field(pc.extract_regex(small, _NAME), "surname")
    coded = pc.dictionary_encode(named)
    return TellingTexts(
        has_address=_matches(small, _MAIL),
        has_number=_matches(pc.replace_substring_regex(small, _YEAR, " "), _NUMBER),
        surname=np.asarray(pc.fill_null(coded.indices, -1).to_numpy(zero_copy_only=False), np.int32),
    )


def _matches(texts: pa.StringArray, pattern: str) -> BoolArray:
    found = pc.fill_null(pc.match_substring_regex(texts, pattern), False)
    return np.asarray(found.to_numpy(zero_copy_only=False), bool)

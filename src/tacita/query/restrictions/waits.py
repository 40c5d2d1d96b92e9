"""Waits: a user asks a limited number of questions in a span of time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import numpy as np

from tacita.core.constraints import Interval
from tacita.core.traits import RestrictionTraits
from tacita.query.audit.waits import seconds_to_wait
from tacita.query.restrictions.restriction import ALLOW, Restriction, Ruling, deny

if TYPE_CHECKING:
    from tacita.query.question import Question

__all__ = ["Waits"]


@dataclass(frozen=True, kw_only=True)
class Waits(Restriction):
    """Refuse a user who asks too often.

    Protects against attacks of very many questions, by making them slow enough to be seen. Does not protect against
    several users, nor against patience.

    Parameters
    ----------
    most
        Questions of a user in a window.
    window
        Its length in seconds.
    least_gap
        Seconds between two questions.

    Complexity
    ----------
    O(q) for q questions of the user that are kept.

    Notes
    -----
    All questions count, refused ones too, and those of before the database was opened anew: the journal has them. Where the
    policy keeps no identities the journal cannot tell users apart, and times begin again.

    References
    ----------
    Lucero et al. (2011), section 3.1.2, on Roehrig et al. (2008): a wait between queries.

    Examples
    --------
    >>> Waits(most=100).window
    3600.0
    """

    name = "waits"
    faces = ("repeated_question",)
    traits = RestrictionTraits(stage="request", value_free=True)

    most: Annotated[int, Interval(1)] = 1000
    window: Annotated[float, Interval(0)] = 3600.0
    least_gap: Annotated[float, Interval(0)] = 0.0

    def judge(self, question: Question) -> Ruling:
        times = np.array(question.history.times(question.user), dtype=np.float64)
        left = seconds_to_wait(times, question.now, most=self.most, window=self.window, least_gap=self.least_gap)
        return ALLOW if left <= 0 else deny(f"the user must wait {left:.0f} s")

"""Line by line, what may leave of it: its text, a category in the place of the text, or nothing."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from tacita.core.arrays import BoolArray, IntArray
from tacita.data.directory.classified import Classified
from tacita.logs.microaggregation.generalisation import generalised, is_shared, shared_interests
from tacita.logs.microaggregation.interests import Interests
from tacita.logs.microaggregation.plain_log import PlainLog

__all__ = ["Leaving", "Treatment", "what_leaves"]

Treatment = Literal["generalise", "remove", "keep"]
"""What becomes of texts that identify somebody."""


class Leaving(NamedTuple):
    """What becomes of the lines with a query."""

    item: IntArray
    """A text; a category, counted from behind the texts; or -1 for nothing."""
    identifies: BoolArray
    """Whether the text identifies somebody."""


def what_leaves(
    plain: PlainLog,
    topics: Classified,
    interests: Interests,
    labels: IntArray,
    *,
    identifies: BoolArray,
    treatment: Treatment,
    askers: int,
) -> Leaving:
    """Decide for every line with a query.

    A text stays when at least ``askers`` users of the group asked it and it identifies nobody. In the place of any other stands
    the deepest category of the text that so many users of the group asked about.

    Parameters
    ----------
    plain
        The log.
    topics
        What the directory says of its texts.
    interests
        The interests of all users.
    labels
        The group of each user who asked something.
    identifies
        Whether each text of the log identifies somebody.
    treatment
        What becomes of such a text.
    askers
        Fewest users.
    """
    text, group = plain.text, labels[plain.user]
    same = plain.same[text]
    flagged = _for_all_forms(identifies, plain.same)[text] & (treatment != "keep")
    stays = is_shared(group, same, plain.user, askers) & ~flagged
    other = np.flatnonzero(~stays if treatment == "generalise" else ~stays & ~flagged)
    shared = shared_interests(interests.counts[plain.asking], labels)
    category = generalised(group[other], text[other], topics, interests, shared, askers)
    item = np.where(stays, same, -1)
    item[other] = np.where(category >= 0, category + topics.texts, -1)
    return Leaving(item, flagged)


def _for_all_forms(identifies: BoolArray, same: IntArray) -> BoolArray:
    """Return whether a text identifies somebody in any of the forms in which it was written."""
    flagged = np.zeros(len(same) + 1, bool)  # the last is for texts without a letter
    flagged[same[identifies]] = True
    return flagged[same]

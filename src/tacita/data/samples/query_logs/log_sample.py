"""A query log together with the truth about it: what each line was about, and what kind of question it was."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from tacita.core.arrays import BoolArray
from tacita.core.errors import ParameterError, did_you_mean
from tacita.data.directory.directory import Directory
from tacita.data.query_log.query_log import Codes, QueryLog

__all__ = ["KINDS", "LogSample"]

KINDS = ("topical", "illness", "navigational", "vanity", "identifying", "adult", "none")
"""What a line can be: about a topic, about an illness of the user's own, a site, the user's own name, something else that
identifies the user (telephone, e-mail, street, social security), for adults, or the lone dash of AOL's logs."""


@dataclass(frozen=True, eq=False)
class LogSample:
    """A made log and what its maker knows; immutable.

    Parameters
    ----------
    log
        Who asked what, sorted by user and time.
    directory
        The topics that users want.
    truth
        The category of each line as a place in the directory's tree; -1 for a line that is about no topic.
    kind
        The kind of each line as a place in ``topical, illness, navigational, vanity, identifying, adult, none``; :meth:`is_of`
        asks for one by its name.
    language
        For each user the place in ``English, Deutsch, Español, Français, Italiano, Polski``.
    interests
        For each user up to six categories, -1 for none.
    names
        Who each user is, first name and surname; made up.

    Notes
    -----
    ``truth``, ``kind`` and ``names`` are the maker's knowledge. No release has them.
    """

    log: QueryLog
    directory: Directory
    truth: Codes
    kind: npt.NDArray[np.int8]
    language: npt.NDArray[np.int8]
    interests: Codes
    names: pa.StringArray

    def __repr__(self) -> str:
        return (
            f"LogSample of {len(self.log)} lines, {len(self.log.users)} users, {len(self.log.texts)} different queries"
        )

    def truth_at(self, level: int) -> Codes:
        """Return the category of each line at a level; -1 where the truth lies above it or the line is about no topic.

        Examples
        --------
        >>> from tacita.data.samples import query_log
        >>> sample = query_log(50, seed=1)
        >>> tree = sample.directory.tree
        >>> bool((tree.levels[sample.truth_at(2)[sample.truth_at(2) >= 0]] == 2).all())
        True
        """
        return np.where(self.truth >= 0, self.directory.tree.at_level(level)[self.truth], -1).astype(np.int32)

    def is_of(self, *kinds: str) -> BoolArray:
        """Return which lines are of one of some kinds.

        Examples
        --------
        >>> from tacita.data.samples import query_log
        >>> sample = query_log(50, seed=1)
        >>> bool((sample.truth[sample.is_of("vanity")] == -1).all())
        True
        """
        for kind in kinds:
            if kind not in KINDS:
                raise ParameterError(f"LogSample: 'kinds' must be among {', '.join(KINDS)}.{did_you_mean(kind, KINDS)}")
        return np.isin(self.kind, [KINDS.index(kind) for kind in kinds])

"""Times of searches: whoever saw when somebody searched finds the profile with lines at these times."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.random import Generator

from tacita.attack.claims import Claims
from tacita.attack.logs.further_queries import claims_of_profiles, rows_of_profiles
from tacita.attack.logs.log_target import LogTarget
from tacita.attack.logs.profile_reader import ProfileReader
from tacita.attack.logs.released_profiles import FoundProfiles, ReleasedProfiles, find_profiles, matching_seconds
from tacita.core.arrays import IntArray
from tacita.core.errors import AttackError
from tacita.core.traits import AttackTraits
from tacita.data.query_log.same_texts import places_of_texts

if TYPE_CHECKING:
    from tacita.data.query_log.query_log import QueryLog, Times

__all__ = ["TimeTrace", "times_as_released"]


def times_as_released(released: Times, times: Times) -> tuple[IntArray, IntArray]:
    """Return numbers for released times and for others, equal where these would have been released as those.

    Times are compared by the coarsest of month, week, day, hour, minute and second that all released ones are the beginning of.
    Gaps are -1.

    Examples
    --------
    >>> released = np.array(["2006-03-01T10:00", "2006-03-01T11:00"], "datetime64[us]")
    >>> one, two = times_as_released(released, np.array(["2006-03-01T11:59:30", "NaT"], "datetime64[us]"))
    >>> (one[1] == two[0]).tolist(), two[1].tolist()
    (True, -1)
    """
    known = released[~np.isnat(released)]
    exact: tuple[IntArray, IntArray] = _numbers(released, "us"), _numbers(times, "us")
    for unit in ("M", "W", "D", "h", "m", "s"):
        first = known.min().astype("datetime64[D]") if len(known) else np.datetime64(0, "D")
        # A week may begin on any day: that of the first one does.
        shift = (
            (first - first.astype("datetime64[W]")).astype("timedelta64[us]")
            if unit == "W"
            else np.timedelta64(0, "us")
        )
        coarse = (known - shift).astype(f"datetime64[{unit}]").astype("datetime64[us]") + shift
        if (coarse == known).all():
            return _numbers(released - shift, unit), _numbers(times - shift, unit)
    return exact


def _numbers(times: Times, unit: str) -> IntArray:
    return np.where(np.isnat(times), -1, times.astype(f"datetime64[{unit}]").astype(np.int64))


@dataclass(frozen=True, kw_only=True)
class TimeTrace(ProfileReader):
    """Find the profile with lines at the times at which somebody was seen to search, and read what he asked then.

    Times are compared as exactly as the release has them: to the second, the hour, the day or the month. A time at which few
    profiles have a line counts more. Of the lines that the found profile has at these times, that with the rarest text is said.

    Returns
    -------
    Claims
        Of ``profile``, ``identity``, ``query`` and, where there is a directory, ``sensitive_query`` and ``sensitive_topic``.

    Complexity
    ----------
    O(n log n) for n released lines, and O(sum over seen times of the profiles that have it).

    Notes
    -----
    He knows no word of what was asked. Whoever keeps a log of a network, or sits beside, has such times. Times that were moved
    at random are not found.

    References
    ----------
    de Montjoye, Y.-A., Hidalgo, C. A., Verleysen, M. and Blondel, V. D. (2013), Unique in the crowd: the privacy bounds of human
    mobility, for how few times single out a person; Cooper, A. (2008), A survey of query log privacy-enhancing techniques.

    Examples
    --------
    >>> from tacita.attack.judge.stage_log import stage_log
    >>> from tacita.data.query_log.query_log import QueryLog
    >>> users, texts = [f"u{i // 5}" for i in range(200)], [f"query {i}" for i in range(200)]
    >>> times = np.datetime64("2006-03-01") + 1009 * np.arange(200).astype("timedelta64[s]")
    >>> log = QueryLog.from_columns(users, texts, time=times)
    >>> staged = stage_log(log, log, range(40), watched=3)
    >>> import tacita as tc
    >>> tc.attack.attack_once(TimeTrace(), staged.target, staged.answers, seed=1).standing
    'broken'
    """

    name = "time_trace"
    title = "Who was seen to search"
    traits = AttackTraits(
        against="log",
        learns="value",
        knows="when each victim searched, a few times",
        breaks="times to the second that stay with their lines, whatever was done to users",
        held_by="releases without times, or with days that are dealt out anew in a group",
    )

    def declined(self, target: LogTarget) -> str:
        if target.seen is None or target.seen.time is None:
            return "Nobody saw a victim search."
        if target.released.time is None or bool(np.isnat(target.released.time).all()):
            return "The release has no times."
        return ""

    def cost(self, target: LogTarget) -> float:
        return matching_seconds(target.known if target.seen is None else target.seen, target.released)

    def run(self, target: LogTarget, rng: Generator) -> tuple[Claims, ...]:
        released, seen = target.released, target.seen
        if seen is None or seen.time is None or released.time is None:
            raise AttackError(self.declined(target))
        own, others = times_as_released(released.time, seen.time)
        moments = np.unique(own[own >= 0])
        at, place = _places(own, moments), _places(others, moments)
        profiles = ReleasedProfiles(_counts(released, at, len(moments)))
        watched = _counts(seen, place, len(moments))
        found = find_profiles(watched, profiles, rng)
        texts = ReleasedProfiles.of_texts(released)
        rows = _texts_then(released, at, found, watched)
        sure = found.is_sure & (target.k == 1)
        return (
            *claims_of_profiles(target, found),
            *self.read(
                target,
                texts,
                rows,
                is_sure=sure,
                rng=rng,
            ),
        )


def _places(values: IntArray, among: IntArray) -> IntArray:
    """Return where values stand among sorted ones, -1 where they do not."""
    place = np.minimum(np.searchsorted(among, values), max(len(among) - 1, 0))
    return np.where(among[place] == values, place, -1)


def _counts(log: QueryLog, at: IntArray, width: int) -> Any:
    """Return how many lines each user has at each moment."""
    from scipy import sparse

    has = at >= 0
    ones = np.ones(int(has.sum()), np.int64)
    return sparse.csr_array((ones, (log.user[has], at[has])), shape=(len(log.users), width))


def _texts_then(released: QueryLog, at: IntArray, found: FoundProfiles, watched: Any) -> Any:
    """Return for each victim the texts that his profile has at moments at which he was seen, with their lines."""
    from scipy import sparse

    lines = np.flatnonzero((at >= 0) & (released.query >= 0))
    ones = np.ones(len(lines), np.int64)
    of_profile = sparse.csr_array(
        (ones, (released.user[lines], np.arange(len(lines)))), shape=(len(released.users), len(lines))
    )
    pairs = sparse.coo_array(rows_of_profiles(found, ReleasedProfiles(of_profile)))
    then = np.asarray(watched[pairs.row, at[lines][pairs.col]]).ravel() != 0 if pairs.nnz else np.zeros(0, bool)
    text = places_of_texts(released.texts, released.texts)[released.query[lines][pairs.col[then]]]
    shape = (watched.shape[0], len(released.texts))
    return sparse.csr_array((np.ones(int(then.sum()), np.int64), (pairs.row[then], text)), shape=shape)

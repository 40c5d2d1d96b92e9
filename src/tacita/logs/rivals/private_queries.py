"""Queries and noisy counts under differential privacy: what many users asked is published, and nothing of who asked it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Annotated, NamedTuple, Self

import numpy as np
import pyarrow as pa

from tacita.core.arrays import IntArray
from tacita.core.errors import ParameterError
from tacita.core.parameters import Interval
from tacita.core.streams import Streams
from tacita.core.traits import AnonymiserTraits
from tacita.data.directory.classified import Classified
from tacita.data.query_log.query_log import QueryLog
from tacita.logs.anonymiser import AnonymisedLog, Anonymiser
from tacita.logs.microaggregation.profiles import LeavingLines, make_profiles
from tacita.numeric.privacy.exact_noise import ExactNoise
from tacita.numeric.privacy.many_chances import happenings, passing_chance

__all__ = ["PrivateQueries", "first_of_each", "loss_of_publishing"]


def first_of_each(user: IntArray, most: int) -> IntArray:
    """Return the places of the first entries of each user, at most so many, in their order. O(n log n)."""
    order = np.argsort(user, kind="stable")
    ordered = user[order]
    first = np.flatnonzero(np.diff(ordered, prepend=-1))
    rank = np.arange(len(order)) - np.repeat(first, np.diff(first, append=len(order)))
    return np.sort(order[rank < most])


def loss_of_publishing(activity: int, scale: int, count_scale: int, threshold: int) -> tuple[float, float]:
    """Return epsilon and delta of publishing texts whose noisy count passes a threshold, with a second noisy count.

    ``epsilon = d ln(alpha) + d / b_q`` with ``alpha = max(exp(1 / b), 1 + 1 / (2 exp((K - 1) / b) - 1))``, and
    ``delta = d / 2 exp((d - K) / b)``.

    Examples
    --------
    >>> epsilon, delta = loss_of_publishing(5, 5, 5, 67)
    >>> round(epsilon, 6), f"{delta:.2g}"
    (2.0, '1e-05')
    """
    alone = math.exp(-(threshold - 1) / scale)
    log_alpha = max(1 / scale, math.log1p(alone / (2 - alone)))
    return activity * (log_alpha + 1 / count_scale), activity / 2 * math.exp((activity - threshold) / scale)


class _Published(NamedTuple):
    """Which things are published and how often, after noise."""

    thing: IntArray
    times: IntArray


@dataclass(frozen=True, kw_only=True)
class PrivateQueries(Anonymiser):
    """Publish the queries that pass a noisy threshold, with noisy counts, under differential privacy.

    Of each user only his first d = ``activity`` queries count. With M(q) how often query q is among these:

    1. q is published when ``M(q) + noise(b) > K``, with b = ``selection_scale`` and K = ``count_above``;
    2. its count is published as ``M(q) + noise(b_q)``, with b_q = ``count_scale``.

    Nothing says who asked: the release is one profile that has each query as often as its noisy count says. Both steps together
    are (epsilon, delta)-differentially private when all queries of a user come or go::

        alpha = max(exp(1 / b), 1 + 1 / (2 exp((K - 1) / b) - 1))
        epsilon = d ln(alpha) + d / b_q,   delta = d / 2 exp((d - K) / b)

    With ``click_activity`` above 0 the clicks after published queries pass a threshold of their own in the same way, and their
    epsilon and delta are added.

    Protects against any intruder, whatever he knows, up to epsilon and delta. Does not protect a text that more than a few users
    have in common, such as the secret of a family; and little is left of a small log.

    Parameters
    ----------
    activity
        How many queries of a user count, the first ones.
    selection_scale
        The scale of the noise that decides whether a query is published.
    count_scale
        The scale of the noise of published counts.
    count_above
        What a noisy count must pass; above ``activity``.
    click_activity
        How many clicks of a user count, the first ones; 0 publishes no clicks.
    click_scale
        The scale of both noises of clicks.
    clicks_above
        What a noisy count of clicks must pass; above ``click_activity``.

    Returns
    -------
    AnonymisedLog
        One profile with the published queries, each in as many lines as its noisy count has, at least one; it stands for no user.

    Raises
    ------
    ParameterError
        When a threshold is not above the activity.
    DataError
        When the log is empty.

    Complexity
    ----------
    O(n log n) time for n lines, and 15 microseconds for each published query.

    Notes
    -----
    Noise is whole: v with chances proportional to exp(-abs(v) / b), drawn exactly. The theorem is one of continuous noise; it
    holds for whole noise because each chance to pass ``p^(K - M + 1) / (1 + p)``, p = exp(-1 / b), is below the continuous ``1/2
    exp((M - K) / b)``, and the chances of neighbouring counts differ by no more than the factor exp(1 / b). The decision is drawn
    from the chance itself, so that only published queries need a noise of their own.

    The authors publish clicks on results that are public beforehand; addresses of a log are not, so that here a click must pass a
    threshold as a query does, and costs as much. Several lines of one search, which differ in what was clicked, are one query.
    Which queries of a user are his first is told by the order of the log. Fewer than one line is shown as one.

    References
    ----------
    Korolova, A., Kenthapadi, K., Mishra, N. and Ntoulas, A. (2009), Releasing search queries and clicks privately, WWW 2009,
    algorithm 1 and theorem 1.

    Examples
    --------
    >>> log = QueryLog.from_columns(list(range(300)), ["weather"] * 200 + [f"name {i}" for i in range(100)])
    >>> method = PrivateQueries(activity=1, selection_scale=2, count_scale=2, count_above=30)
    >>> method.apply(log, seed=1).log.texts.to_pylist()
    ['weather']
    >>> round(method.epsilon, 3), f"{method.delta:.1g}"
    (1.0, '3e-07')
    """

    name = "private_queries"
    title = "Differentially private queries"
    traits = AnonymiserTraits(private=True)
    activity: Annotated[int, Interval(1)] = 5
    selection_scale: Annotated[int, Interval(1)] = 5
    count_scale: Annotated[int, Interval(1)] = 5
    count_above: Annotated[int, Interval(2)] = 67
    click_activity: Annotated[int, Interval(0)] = 0
    click_scale: Annotated[int, Interval(1)] = 5
    clicks_above: Annotated[int, Interval(2)] = 67

    def check(self) -> None:
        """Check that thresholds are above what one user can reach alone."""
        for threshold, activity in (("count_above", "activity"), ("clicks_above", "click_activity")):
            if getattr(self, threshold) <= getattr(self, activity):
                raise ParameterError(
                    f"{self.speaker()}: '{threshold}' must be above '{activity}', or one user alone passes it, "
                    f"got {getattr(self, threshold)} and {getattr(self, activity)}."
                )

    @classmethod
    def for_budget(cls, epsilon: float, delta: float, *, activity: int = 5) -> Self:
        """Return the method with half of epsilon for the choice and half for the counts, and the least threshold for delta.

        Examples
        --------
        >>> made = PrivateQueries.for_budget(2.0, 1e-5)
        >>> made.selection_scale, made.count_above, made.epsilon <= 2.0, made.delta <= 1e-5
        (5, 68, True, True)
        """
        if not (0 < epsilon < math.inf and 0 < delta < 1):
            raise ParameterError(
                f"{cls.speaker()}: epsilon must be finite and above 0 and delta in (0, 1), got {epsilon:g} and {delta:g}."
            )
        scale = max(1, math.ceil(2 * activity / epsilon))
        threshold = max(activity + 1, math.ceil(activity + scale * math.log(activity / (2 * delta))))
        while loss_of_publishing(activity, scale, scale, threshold)[0] > epsilon * (1 + 1e-12) and threshold < 2**40:
            threshold *= 2
        return cls(activity=activity, selection_scale=scale, count_scale=scale, count_above=threshold)

    @property
    def _losses(self) -> tuple[tuple[float, float], tuple[float, float]]:
        queries = loss_of_publishing(self.activity, self.selection_scale, self.count_scale, self.count_above)
        if not self.click_activity:
            return queries, (0.0, 0.0)
        return queries, loss_of_publishing(self.click_activity, self.click_scale, self.click_scale, self.clicks_above)

    @property
    def epsilon(self) -> float:
        """The epsilon of the release, by the theorem."""
        return sum(epsilon for epsilon, _ in self._losses)

    @property
    def delta(self) -> float:
        """The delta of the release, by the theorem."""
        return sum(delta for _, delta in self._losses)

    def make(self, log: QueryLog, topics: Classified | None, streams: Streams) -> AnonymisedLog:
        """Count, choose, and add noise."""
        searches = _searches(log)
        counted = searches.take(first_of_each(searches.user.astype(np.int64), self.activity))
        times = np.bincount(counted.query, minlength=len(log.texts))
        queries = self._publish(times, self.selection_scale, self.count_scale, self.count_above, streams, "queries")
        item, url = self._lines_of(log, queries, streams)
        named = np.unique(item)
        line = LeavingLines(
            group=np.zeros(len(item), np.int64),
            item=item,
            url=None if url is None else url.astype(np.int32),
            urls=None if url is None else log.urls,
        )
        texts = log.texts.take(pa.array(named))
        nobody = pa.array([], pa.string())  # names that are avoided would tell that somebody has them
        made = make_profiles(line, texts, named, 1, nobody, streams.stream("order"))
        gone = len(searches) - int(times[queries.thing].sum())
        return AnonymisedLog(
            log=made.log,
            profile=np.full(len(log.users), -1, np.int32),
            method=self.words(),
            topics=None if topics is None else topics.at(made.items),
            removed={"not counted or below the threshold": gone},
            notes=(f"epsilon = {self.epsilon:.4g}, delta = {self.delta:.2g} for all queries of a user.",),
        )

    def _publish(
        self, times: IntArray, scale: int, count_scale: int, threshold: int, streams: Streams, what: str
    ) -> _Published:
        """Choose among things that were counted at least once, and add noise to the counts of those chosen."""
        there = np.flatnonzero(times)
        different, which = np.unique(times[there], return_inverse=True)
        chances = [passing_chance(int(count), threshold, scale) for count in different]
        chosen = there[happenings(chances, which, streams.stream(what, "choice"))]
        noise = ExactNoise(streams.stream(what, "counts"))
        drawn = np.array([noise.laplace(count_scale) for _ in chosen], np.int64)
        return _Published(chosen, np.maximum(times[chosen] + drawn, 1))

    def _lines_of(self, log: QueryLog, queries: _Published, streams: Streams) -> tuple[IntArray, IntArray | None]:
        """Return the query of each line that is published, and what was clicked where clicks are."""
        if not self.click_activity or log.url is None or log.urls is None:
            return np.repeat(queries.thing, queries.times), None
        clicked = np.flatnonzero((log.query >= 0) & (log.url >= 0))
        counted = clicked[first_of_each(log.user[clicked].astype(np.int64), self.click_activity)]
        width = max(len(log.urls), 1)
        pairs, times = np.unique(log.query[counted].astype(np.int64) * width + log.url[counted], return_counts=True)
        allowed = np.isin(pairs // width, queries.thing)
        clicks = self._publish(
            np.where(allowed, times, 0), self.click_scale, self.click_scale, self.clicks_above, streams, "clicks"
        )
        query, url = pairs[clicks.thing] // width, pairs[clicks.thing] % width
        with_click = np.bincount(query, weights=clicks.times, minlength=len(log.texts)).astype(np.int64)
        without = np.maximum(queries.times - with_click[queries.thing], 0)
        item = np.concatenate([np.repeat(query, clicks.times), np.repeat(queries.thing, without)])
        return item, np.concatenate([np.repeat(url, clicks.times), np.full(int(without.sum()), -1)])


def _searches(log: QueryLog) -> QueryLog:
    """Return one line for each search that has a query."""
    asked = log.take(log.query >= 0)
    return asked if log.url is None and log.rank is None else asked.searches()

"""Refusals as an oracle: what it tells that a rule refused, and how soon its threshold is found."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import ParameterError
from tacita.core.streams import Seed, Streams
from tacita.numeric.statistics.shares import interval_of_share
from tacita.query.database import Database
from tacita.query.question import Question, RefusalError, understand
from tacita.query.requests import QueryRequest
from tacita.query.restrictions.restriction import Restriction
from tacita.query.universe.boxes import TooComplex

__all__ = [
    "Event",
    "RefusalOracle",
    "ThresholdSearch",
    "refusal_oracle",
    "small_cell",
    "small_piece",
    "small_total",
    "threshold_search",
]

Event: TypeAlias = Callable[[Question], bool]
"""Something about the data that an attacker would like to know of a question."""

_DRAWS = 2000


def small_total(below: int = 3) -> Event:
    """Return the event that a total of the unfiltered table, over one variable of the universe, is 1 to ``below - 1``."""

    def happens(question: Question) -> bool:
        names = question.boxes.variables
        if not names:
            return False
        table = question.version.table(names)
        return any(_has_small(table.sum(axis=axis), below) for axis in range(len(names)))

    return happens


def small_cell(below: int = 3) -> Event:
    """Return the event that a cell of the unfiltered table of the universe's variables has 1 to ``below - 1`` records."""

    def happens(question: Question) -> bool:
        return _has_small(question.version.table(question.boxes.variables), below)

    return happens


def small_piece(below: int) -> Event:
    """Return the event that a piece of the universe has fewer than ``below`` records, cut as the gamma rule cuts it."""

    def happens(question: Question) -> bool:
        boxes, version = question.boxes, question.version
        is_cutpoint = [version.catalogue[name].is_cutpoint for name in boxes.variables]
        table = version.table(boxes.variables)
        try:
            parts = [part for box in boxes.boxes for part in boxes.split(box, is_cutpoint)]
        except TooComplex:
            return False
        return any(boxes.count(part, table) < below for part in parts)

    return happens


@dataclass(frozen=True, kw_only=True)
class RefusalOracle:
    """What a rule's refusals tell about an event.

    Parameters
    ----------
    rule
        Its name.
    questions
        How many were put to it.
    refused
        Part that it refused.
    prior, posterior
        Part of all questions, and of those refused, for which the event is true, each with its 95 % interval; a
        posterior of None where nothing was refused.
    prior_interval, posterior_interval
        Their 95 % intervals (Wilson).
    bits
        Mutual information between "refused" and the event, in bits for each question.
    bits_interval
        Its 95 % interval, by drawing the questions anew.
    entropy
        Bits of the event itself: what an oracle that is never wrong would tell.
    """

    rule: str
    questions: int
    refused: float
    prior: float
    prior_interval: tuple[float, float]
    posterior: float | None
    posterior_interval: tuple[float, float] | None
    bits: float
    bits_interval: tuple[float, float]
    entropy: float

    @property
    def share(self) -> float:
        """Which part of the event's bits the refusals tell: 1 where a refusal and the event are the same."""
        return self.bits / self.entropy if self.entropy > 0 else 0.0

    def to_plain(self) -> dict[str, Any]:
        """Return all numbers, ready for JSON."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__} | {"share": self.share}


def refusal_oracle(
    db: Database,
    rule: str | Restriction,
    questions: Iterable[QueryRequest],
    *,
    event: Event | None = None,
    seed: Seed = 0,
) -> RefusalOracle:
    """Measure what the refusals of one rule tell about the data.

    With R "refused by the rule" and E the event, over the questions: ``I(R; E) = H(R) + H(E) - H(R, E)`` in bits.

    Parameters
    ----------
    db
        The database; nothing is answered or entered.
    rule
        A restriction, or the name of one of the policy.
    questions
        What an attacker asks; those that are not understood are left out.
    event
        What he would like to know; by default that a total of 1 or 2 exists (:func:`small_total`).
    seed
        Of the interval's draws.

    Raises
    ------
    ParameterError
        When the policy has no such rule, or no question is understood.

    Complexity
    ----------
    That of judging each question once.

    Notes
    -----
    The rule is asked alone, with the memory that the database has: rules of the stage ``history`` see what was answered
    so far. The plug-in estimate of the information is a little too large, by about 1 / (2 n ln 2) bits for n questions.

    References
    ----------
    Lucero et al. (2011), section 3.1.1: the rules; that refusals tell something is left open there. Kenthapadi, K.,
    Mishra, N. and Nissim, K. (2005), Simulatable auditing: denials leak when they depend on data.

    Examples
    --------
    >>> import tacita as tc
    >>> db = tc.query.open(tc.samples.household_survey(500, seed=1), policy="mas", key=b"an example's key")
    >>> asked = [tc.query.Tabulate(by=["sex"], where={"region": r, "urban": "rural"}) for r in ("Corrin", "Lunden")]
    >>> refusal_oracle(db, "small_marginals", asked).questions
    2
    """
    restriction = _rule(db, rule)
    wanted = small_total() if event is None else event
    said = []
    for request in questions:
        try:
            question = understand(request, db.version, db.policy, db.history, "", 0.0)
        except RefusalError:
            continue
        refused = restriction.applies(question) and restriction.judge(question).decision == "deny"
        said.append((refused, bool(wanted(question))))
    if not said:
        raise ParameterError("refusal_oracle: there must be at least one question that is understood.")
    pairs = np.array(said, dtype=np.int64)
    counts = np.bincount(2 * pairs[:, 0] + pairs[:, 1], minlength=4)
    return _measured(restriction.name, counts, seed)


def _measured(rule: str, counts: IntArray, seed: Seed) -> RefusalOracle:
    n = int(counts.sum())
    refused, happened = int(counts[2:].sum()), int(counts[1] + counts[3])
    prior = happened / n
    posterior = float(counts[3]) / refused if refused else None
    drawn = Streams(seed).stream("refusals").multinomial(n, counts / n, size=_DRAWS)
    low, high = np.quantile(_information(drawn.astype(np.float64)), [0.025, 0.975])
    return RefusalOracle(
        rule=rule,
        questions=n,
        refused=refused / n,
        prior=prior,
        prior_interval=interval_of_share(prior, n),
        posterior=posterior,
        posterior_interval=None if posterior is None else interval_of_share(posterior, refused),
        bits=float(_information(counts[None, :].astype(np.float64))[0]),
        bits_interval=(float(low), float(high)),
        entropy=float(_entropy(np.array([[prior, 1 - prior]]))[0]),
    )


def _information(counts: FloatArray) -> FloatArray:
    """Mutual information of 2 x 2 tables, one a row, in bits."""
    p = (counts / counts.sum(axis=1, keepdims=True)).reshape(-1, 2, 2)
    joint, first, second = _entropy(p.reshape(-1, 4)), _entropy(p.sum(axis=2)), _entropy(p.sum(axis=1))
    return np.maximum(first + second - joint, 0.0)


def _entropy(p: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(-np.where(p > 0, p * np.log2(p), 0.0).sum(axis=1))


def _has_small(counts: IntArray, below: int) -> bool:
    found = np.asarray(counts)
    return bool(((found > 0) & (found < below)).any())


def _rule(db: Database, rule: str | Restriction) -> Restriction:
    if isinstance(rule, Restriction):
        return rule
    for restriction in db.policy.restrictions:
        if restriction.name == rule:
            return restriction
    raise ParameterError(f"The policy has no rule '{str(rule)[:60]}'.")


# --- finding the threshold ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class ThresholdSearch:
    """What a search by bisection found.

    Parameters
    ----------
    threshold
        The size from which on sets are answered, as far as the search could tell; None where all or none were answered.
    questions
        How many it took, checks included.
    is_exact
        Whether the sizes leave no other threshold, and no check spoke against it.
    contradictions
        Checks that spoke against it: sets below that were answered, or above that were refused. A fixed threshold has
        none.
    """

    threshold: int | None
    questions: int
    is_exact: bool
    contradictions: int

    def to_plain(self) -> dict[str, Any]:
        """Return all numbers, ready for JSON."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


def threshold_search(ask: Callable[[int], bool], sizes: Sequence[int], *, checks: int = 20) -> ThresholdSearch:
    """Find the threshold of a rule by asking for sets whose sizes are known: bisection, then some checks nearby.

    Parameters
    ----------
    ask
        Whether the set of that number was answered.
    sizes
        The sizes of the sets, in any order; an attacker has them from tables that were answered, or from elsewhere.
    checks
        How many further sets are asked for, the nearest to the threshold, to see whether it holds for them.

    Raises
    ------
    ParameterError
        When there is no set.

    Complexity
    ----------
    About log2(m) questions for m different sizes, and the checks.

    Examples
    --------
    >>> found = threshold_search(lambda i: i + 1 >= 50, range(1, 401))
    >>> found.threshold, found.is_exact, found.questions
    (50, True, 29)
    """
    if not len(sizes):
        raise ParameterError("threshold_search: 'sizes' must have the size of at least one set.")
    order = sorted(range(len(sizes)), key=lambda i: (sizes[i], i))
    known: dict[int, bool] = {}

    def answered(place: int) -> bool:
        if place not in known:
            known[place] = bool(ask(order[place]))
        return known[place]

    low, high = (
        -1,
        len(order),
    )  # everything up to low is refused, everything from high on answered, if there is one threshold
    while high - low > 1:
        middle = (low + high) // 2
        if answered(middle):
            high = middle
        else:
            low = middle
    near = sorted((p for p in range(len(order)) if p not in known), key=lambda p: (abs(p - high + 0.5), p))[:checks]
    for place in near:
        answered(place)
    edge = sizes[order[high]] if high < len(order) else math.inf
    against = sum(said != (sizes[order[place]] >= edge) for place, said in known.items())
    if high in (0, len(order)):
        return ThresholdSearch(threshold=None, questions=len(known), is_exact=False, contradictions=against)
    tight = sizes[order[high]] - sizes[order[low]] == 1
    return ThresholdSearch(
        threshold=int(sizes[order[high]]),
        questions=len(known),
        is_exact=tight and not against,
        contradictions=against,
    )

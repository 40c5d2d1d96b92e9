"""The best linear attacker: how much closer all answers together bring him to a variable than a guess."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray
from tacita.core.errors import DataError
from tacita.numeric.compiled.blas import one_blas_thread
from tacita.query.answer import Answer
from tacita.query.catalogue.version import Version
from tacita.query.database import Database
from tacita.query.requests import QueryRequest
from tacita.query.steward.equations import Equations, equations_of
from tacita.query.steward.trial import trial_of
from tacita.query.steward.workload import Workload

__all__ = ["PolicyRisk", "policy_risk", "risk_of_answers"]

_NOISES = (0.01, 0.3, 1.0, 2.0, 4.0, 8.0, 16.0, 64.0)
"""Supposed standard deviations of the noise in an answer, in standard deviations of the variable."""
_MOST_DENSE = 3000
"""Records or equations, whichever are fewer, up to which everything is computed at once."""
_STEPS = 400
_NORMAL_95 = 1.959963984540054


@dataclass(frozen=True, kw_only=True)
class PolicyRisk:
    """What the best linear attacker gains.

    Parameters
    ----------
    target, of
        The variable he wants, and the class of it; None for numbers.
    records
        Records that have a value.
    equations
        What the answers tell him.
    gain
        ``1 - sum (x - found)^2 / sum (x - guess)^2``: 0 for no better than guessing, 1 when he has every value.
    low, high
        95 % interval of the gain, over records.
    outsider
        The same gain about somebody who is *not* in the data, from the answers as they would be without him: what
        tables tell about groups. None where there are too many records and equations to compute it.
    precision
        Of as many records as have the class, those he is surest of: the part that has it. None for numbers.
    prior
        Part of all records that has the class: the precision of guessing. None for numbers.
    """

    target: str
    of: str | None
    records: int
    equations: int
    gain: float
    low: float
    high: float
    outsider: float | None = None
    precision: float | None = None
    prior: float | None = None

    @property
    def excess(self) -> float | None:
        """What being in the data adds to the gain: the part that is disclosure, not statistics."""
        return None if self.outsider is None else self.gain - self.outsider

    def to_plain(self) -> dict[str, Any]:
        """Return all numbers, ready for JSON."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


def policy_risk(
    db: Database,
    workload: Workload | Iterable[QueryRequest],
    *,
    target: str | None = None,
    of: str | None = None,
) -> PolicyRisk:
    """Measure how well one variable of every record follows from all answers to a workload.

    The attacker knows every other variable of every record, and the share or the mean of the variable among all; that
    is his guess g. Each answered cell is an equation ``a' x = b``. He takes

        ``argmin |A (x - g) - (b - A g)|^2 + s^2 |x - g|^2``

    with s the noise that he expects, which he is told: of several s the one counts that brings him closest, so no
    attacker who solves these equations by damped least squares does better.

    Parameters
    ----------
    db
        The database. The questions are put to a trial of it: nothing is entered, spent or remembered.
    workload
        The questions, such as those of :func:`random_workload` with ``about=target``.
    target
        The variable; by default the first confidential one.
    of
        A class of it; by default the one that is nearest to half of the records. None for a numeric variable means its
        numbers.

    Raises
    ------
    DataError
        When there is no variable that could be a target, or all records have the same value.

    Complexity
    ----------
    For n records and m equations with k = min(n, m): O(n m k) time where k is at most 3000, otherwise some hundred
    products with the sparse matrix of the equations for each noise.

    Notes
    -----
    The attacker is stronger than most: who knows less than all other variables gains less. He is linear: bounds (a
    count is never negative, a class is 0 or 1) and exact integer solutions are not used, so a small gain is no proof
    against those.

    Part of the gain is what any table tells about groups. With ``H = A' (A A' + s^2)^-1 A`` the estimate of record i
    from the same answers without that record is ``(found_i - H_ii x_i) / (1 - H_ii)``, both less the guess, which is
    exact for damped least squares; its gain is that of an ``outsider``.

    The interval takes records as independent draws and the key as given.

    References
    ----------
    Dinur, I. and Nissim, K. (2003), Revealing information while preserving privacy: linear reconstruction.

    Examples
    --------
    >>> import tacita as tc
    >>> db = tc.query.open(tc.samples.household_survey(300, seed=1), policy="internal", key=b"an example's key")
    >>> asked = [tc.query.Tabulate(by=["sex", "victim"]), tc.query.Tabulate(by=["region", "victim"])]
    >>> 0 <= policy_risk(db, asked, target="victim", of="no").gain < 0.3
    True
    """
    trial = trial_of(db)
    asked = Workload.of(workload)
    answers = [trial.ask(request) for request, _ in asked]
    return risk_of_answers(db.version, asked, answers, target=target, of=of)


def risk_of_answers(
    version: Version,
    workload: Workload,
    answers: Iterable[Answer],
    *,
    target: str | None = None,
    of: str | None = None,
) -> PolicyRisk:
    """Measure how well a variable follows from answers that are there already; see :func:`policy_risk`."""
    name, part = _target(version, target, of)
    found = equations_of(version, zip(workload.requests, answers, strict=True), target=name, of=part)
    known = ~np.isnan(found.truth)
    x = found.truth[known]
    guess = float(x.mean()) if len(x) else 0.0
    spread = float(x.std()) if len(x) else 0.0
    if spread == 0:
        raise DataError(f"Nothing can be found out about '{name}': all records have the same value.")
    z = (x - guess) / spread
    best, outside, is_small = _closest(found, known, guess, spread, z)
    errors = (z - best) ** 2
    # z has the variance 1, which is the error of the guess; who stays with the guess gains nothing at all.
    gain = 1 - float(errors.mean()) if best.any() else 0.0
    # The gain is a ratio of two means over records: its variance by linearisation.
    deviations = (1 - gain) * z**2 - errors
    half = _NORMAL_95 * float(deviations.std()) / math.sqrt(len(x)) if best.any() else 0.0
    return PolicyRisk(
        target=name,
        of=part,
        records=len(x),
        equations=len(found),
        gain=gain,
        low=max(0.0, gain - half),
        high=min(1.0, gain + half),
        outsider=outside if is_small else None,
        precision=None if part is None else _precision(x, best),
        prior=None if part is None else guess,
    )


def _closest(
    found: Equations, known: BoolArray, guess: float, spread: float, z: FloatArray
) -> tuple[FloatArray, float, bool]:
    """The estimates that come closest, the best gain about outsiders, and whether that was computed; in standard units."""
    best, least, outside = np.zeros(len(z)), 1.0, 0.0
    if not len(found):
        return best, outside, True
    matrix, right = _system(found, known, guess, spread)
    is_small = min(matrix.shape) <= _MOST_DENSE
    solved = _dense(matrix, right, z) if is_small else _sparse(matrix, right)
    for estimate, absent in solved:
        error = float(((z - estimate) ** 2).mean())
        if error < least:
            best, least = estimate, error
        if absent is not None:
            outside = max(outside, 1 - float(((z - absent) ** 2).mean()))
    return best, outside, is_small


def _system(found: Equations, known: BoolArray, guess: float, spread: float) -> tuple[Any, FloatArray]:
    """The equations in standard units, records without a value left out; rows scaled to a mean coefficient of 1.

    Scaled like this, weighted and plain sums carry the same noise.
    """
    from scipy.sparse import csr_matrix

    m = len(found)
    size = np.bincount(found.rows, np.abs(found.coefficients), m) / np.bincount(found.rows, minlength=m)
    entries = found.coefficients / size[found.rows]
    place = np.cumsum(known) - 1
    matrix = csr_matrix((entries, (found.rows, place[found.columns])), shape=(m, int(known.sum())))
    return matrix, (found.totals / size - guess * np.bincount(found.rows, entries, m)) / spread


def _dense(matrix: Any, right: FloatArray, z: FloatArray) -> Iterator[tuple[FloatArray, FloatArray | None]]:
    """Estimates for every noise at once, from the eigenvectors of the smaller Gram matrix; with those of outsiders."""
    m, n = matrix.shape
    gram = (matrix @ matrix.T if m <= n else matrix.T @ matrix).toarray()
    with one_blas_thread():  # the same last digits on every machine
        values, vectors = np.linalg.eigh(gram)
    there = values > 1e-10 * max(float(values[-1]), 1e-300)
    values, vectors = values[there], vectors[:, there]
    if m <= n:  # eigenvectors of A A' lead to those of A' A
        vectors = np.asarray(matrix.T @ vectors) / np.sqrt(values)
    turned = vectors.T @ (matrix.T @ right)
    for noise in _NOISES:
        estimate = vectors @ (turned / (values + noise**2))
        own = (vectors**2) @ (values / (values + noise**2))
        left = 1 - own
        with np.errstate(divide="ignore", invalid="ignore"):
            absent = np.where(left > 1e-6, (estimate - own * z) / left, 0.0)
        yield estimate, absent


def _sparse(matrix: Any, right: FloatArray) -> Iterator[tuple[FloatArray, FloatArray | None]]:
    """Estimates by iteration, where no dense matrix is small enough."""
    from scipy.sparse.linalg import lsmr

    for noise in _NOISES:
        yield lsmr(matrix, right, damp=noise, atol=1e-9, btol=1e-9, maxiter=_STEPS)[0], None


def _precision(x: FloatArray, found: FloatArray) -> float:
    """Of as many records as have the class, those with the largest numbers found: the part that has it; ties by chance."""
    claimed = round(float(x.sum()))
    limit = np.sort(found)[len(found) - claimed]
    sure, even = found > limit, found == limit
    hits = float(x[sure].sum()) + (claimed - int(sure.sum())) * float(x[even].mean())
    return hits / claimed


def _target(version: Version, target: str | None, of: str | None) -> tuple[str, str | None]:
    """The variable and the class that are attacked, where they are left open."""
    schema, catalogue = version.store.schema, version.catalogue
    if target is None:
        hidden = [
            v.name for v in catalogue if schema[v.column].has_role("confidential") and {"table", "response"} & {*v.uses}
        ]
        others = [v.name for v in catalogue if "table" in v.uses]
        if not hidden and not others:
            raise DataError("There is no variable that could be found out; name one with 'target'.")
        target = (hidden or others)[0]
    variable = catalogue[target]
    if of is not None or variable.is_numeric:
        return target, of
    counts = np.bincount(version.codes(target), minlength=variable.size)[: len(variable.classes)]
    return target, variable.classes[int(np.abs(counts - len(version) / 2).argmin())]

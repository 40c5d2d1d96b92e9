"""What insiders could find out if they knew the vertices: the worst case for camouflage, measured.

An insider knows his own value exactly, so only candidates with that value remain for him. No answers can narrow other values
below their range over these, which is what :func:`insider_bounds` returns; to get as far, he must know the vertices.

Whoever knows his own value a_i and all vertices knows one equation of the secret weights, sum_j w_j P^j_i = a_i. With k
vertices, k - 1 independent insiders who pool their values solve for the weights and then know every value. Users see
intervals, not vertices, and know less: with answers for every single record and a hundred random sums of 24 records (k = 6),
up to three insiders left every other record at least three quarters of its range, where the vertices would have given some
records away. One insider who knows the vertices is enough against a record whose vertices are high and low together with his
own.

Weights of sums must be the steward's: sums with weights of a user's choice, above all negative ones, show the vertices.
"""

from __future__ import annotations

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import ParameterError
from tacita.query.camouflage.hull import Hull
from tacita.solve import Solver

__all__ = ["insider_bounds"]


def insider_bounds(hull: Hull, insiders: IntArray, others: IntArray) -> tuple[FloatArray, FloatArray]:
    """Return what remains possible for other records when some respondents know their own values and all vertices.

    For each other record i: least and greatest sum_j u_j P^j_i over convex weights u with sum_j u_j P^j_c = a_c for every
    insider c.

    Parameters
    ----------
    hull
        The candidates; its secret weights give the insiders' values.
    insiders
        Row numbers of the respondents who pool what they know.
    others
        Row numbers of the records that are asked for.

    Returns
    -------
    tuple of FloatArray
        Least and greatest possible value of each of the others.

    Raises
    ------
    ParameterError
        When a row number is not there, or a record has no value.

    Notes
    -----
    Two small linear programmes for each of the others, in k variables. The records of a whole file are measured by a sample.

    Examples
    --------
    >>> hidden = Hull(np.array([[1.0, 5.0, 3.0], [2.0, 4.0, 9.0]]), np.array([0.5, 0.5]))
    >>> low, high = insider_bounds(hidden, np.array([0]), np.array([2]))
    >>> low.round(6).tolist(), high.round(6).tolist()
    ([6.0], [6.0])
    """
    for rows in (insiders, others):
        if len(rows) and not (rows.min() >= 0 and rows.max() < hull.records):
            raise ParameterError(f"insider_bounds: row numbers must be from 0 to {hull.records - 1}.")
        if np.isnan(hull.least[rows]).any():
            raise ParameterError("insider_bounds: all records must have a value.")
    k = len(hull.points)
    # around the truth and in units of each range, so that one tolerance fits all
    own = hull.points[:, insiders].T - hull.truth(insiders)[:, None]
    size = np.abs(own).max(axis=1, keepdims=True, initial=0.0)
    rows = np.vstack([np.ones((1, k)), own / np.where(size > 0, size, 1.0)])
    sides = np.append(1.0, np.zeros(len(insiders)))
    model = Solver(np.zeros(k), rows, sides, sides, np.zeros(k), np.ones(k), method="primal")
    truth = hull.truth(others)
    low, high = np.empty(len(others)), np.empty(len(others))
    everything = np.arange(k)
    for place, record in enumerate(others.tolist()):
        offset = hull.points[:, record] - truth[place]
        unit = float(np.abs(offset).max()) or 1.0
        model.set_cost(everything, offset / unit)
        low[place] = truth[place] + unit * min(_objective(model, maximise=False), 0.0)
        high[place] = truth[place] + unit * max(_objective(model, maximise=True), 0.0)
    return low, high


def _objective(model: Solver, *, maximise: bool) -> float:
    """Return the best objective; where tolerances leave no solution nothing but the truth is left, at 0."""
    answer = model.run(maximise=maximise, prices=False)
    return answer.objective if answer.has_solution else 0.0

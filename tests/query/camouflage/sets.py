"""Sets of candidates for the tests, and statistics computed the plain way."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tacita.core.arrays import FloatArray
from tacita.core.keyed import Key
from tacita.query.camouflage.camouflage import Camouflage
from tacita.query.camouflage.hull import Hull

KEY = Key(b"a key for the tests alone")

PLAIN = {
    "sum": lambda x: x.sum(),
    "mean": lambda x: x.mean(),
    "minimum": lambda x: x.min(),
    "maximum": lambda x: x.max(),
    "variance": lambda x: x.var(ddof=1),
    "sd": lambda x: x.std(ddof=1),
    "median": np.median,
}


def incomes(n: int, seed: int = 1) -> FloatArray:
    return np.round(np.random.default_rng(seed).lognormal(7, 0.8, n))


def hidden(n: int = 40, seed: int = 1, *, settings: Camouflage | None = None) -> tuple[FloatArray, Hull]:
    values = incomes(n, seed)
    return values, (settings or Camouflage(p=10, low=0)).cover(values, key=KEY, label=str(seed))


def candidates(hull: Hull, count: int = 200, seed: int = 0) -> FloatArray:
    """All vertices, the truth, and random convex combinations, some of them near faces."""
    rng = np.random.default_rng(seed)
    k = len(hull.points)
    inside = rng.dirichlet(np.ones(k), count // 2)
    outside = rng.dirichlet(np.full(k, 0.2), count - count // 2)
    return np.vstack([np.eye(k), hull.weights[None, :], inside, outside]) @ hull.points


@st.composite
def hulls(draw: st.DrawFn) -> Hull:
    k, n = draw(st.integers(1, 5)), draw(st.integers(1, 8))
    points = draw(arrays(np.float64, (k, n), elements=st.floats(-1e6, 1e6, allow_subnormal=False)))
    return Hull(points, np.full(k, 1 / k))

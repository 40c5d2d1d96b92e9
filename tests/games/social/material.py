"""Small networks for the tests of the folder."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from tacita.games.social.network import Network

__all__ = ["Small", "small_networks"]

Small = tuple[Network, list[tuple[int, int]], np.ndarray, np.ndarray]


@st.composite
def small_networks(draw: st.DrawFn, users: int = 7) -> Small:
    """A network, its edges, sensitivities (n, l) with zeros among them, and a reach."""
    n = draw(st.integers(2, users))
    pairs = [(a, b) for a in range(n) for b in range(a)]
    edges = draw(st.lists(st.sampled_from(pairs), unique=True))
    attributes, far = draw(st.integers(1, 2)), draw(st.integers(1, 3))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    beta = rng.choice([0.0, 0.5, 1.0, 3.0], (attributes, far))
    reach = rng.integers(0, far + 1, (n, attributes)).astype(np.int32)
    return Network.of_arrays(np.array(edges, np.int64).reshape(-1, 2), n), edges, beta, reach

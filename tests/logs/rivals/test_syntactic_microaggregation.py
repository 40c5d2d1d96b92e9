"""Groups by spelling: users of the same terms are put together, and those of the same topic in other words are not."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from tacita.data.directory.classified import Classified
from tacita.data.query_log.query_log import QueryLog
from tacita.logs import SyntacticMicroaggregation
from tacita.logs.rivals.syntactic_microaggregation import hashed_terms
from tests.logs.material import TREE


def test_inner_products_are_kept_on_average() -> None:
    rng = np.random.default_rng(1)
    counts = sparse.csr_array(rng.poisson(0.3, (20, 200)))
    exact = hashed_terms(counts, 100_000, np.random.default_rng(0))
    drawn = [hashed_terms(counts, 16, np.random.default_rng(seed)) for seed in range(400)]
    mean = np.mean([points @ points.T for points in drawn], axis=0)
    assert np.abs(mean - exact @ exact.T).max() < 0.08
    assert np.diag(exact @ exact.T) == pytest.approx(np.ones(20))


def test_terms_of_everybody_tell_nothing() -> None:
    counts = sparse.csr_array(np.array([[3, 0], [1, 1]]))
    assert hashed_terms(counts, 8, np.random.default_rng(1))[0] == pytest.approx(np.zeros(8))


@pytest.mark.parametrize("seed", range(5))
def test_users_of_the_same_words_are_together(seed: int) -> None:
    words = ["goal keeper", "opera house", "green tea"]
    users = [f"user {i}" for i in range(12) for _ in range(4)]
    asked = [f"{words[i % 3]} {j}" for i in range(12) for j in range(4)]
    log = QueryLog.from_columns(users, asked)
    every = np.arange(len(log.texts))
    topics = Classified.from_categories(TREE, len(every), every, every, np.full(len(every), 2), depth=3)
    made = SyntacticMicroaggregation(k=4, mode="paper", hashed_to=64).apply(log, topics, seed=seed)
    assert all(len(set(made.profile[first::3].tolist())) == 1 for first in range(3))
    assert made.smallest == 4

"""Clustered microaggregation: groups stay within clusters, one cluster is the technique itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tacita as tc
from tacita.core.errors import ParameterError
from tacita.mask.microaggregation.clustered import Clustered
from tests.conformance.examples import numbers


@pytest.mark.parametrize("within", ["mdav", "rmd", "component"])
def test_groups_do_not_reach_over_clusters(within: Any) -> None:
    rng = np.random.default_rng(1)
    cloud = rng.integers(0, 3, 120)
    x = rng.normal(size=(120, 2)) + 100.0 * cloud[:, None]
    data = numbers(a=x[:, 0], b=x[:, 1])
    masked = Clustered(columns=["a", "b"], k=4, clusters=3, within=within, decimals="any").apply(data).float("a")
    assert np.abs(masked - x[:, 0]).max() < 10
    assert min(np.unique(masked, return_counts=True)[1]) >= 4
    for c in range(3):
        assert masked[cloud == c].mean() == pytest.approx(x[cloud == c, 0].mean())


@pytest.mark.parametrize(
    ("within", "other"),
    [("mdav", tc.mask.Mdav), ("rmd", tc.mask.Rmd), ("component", tc.mask.Projection)],
)
def test_one_cluster_is_the_technique_itself(within: Any, other: Any) -> None:
    data = tc.samples.household_survey(150, seed=3)
    columns = ["age", "savings"]
    one = Clustered(columns=columns, k=3, clusters=1, within=within).apply(data)
    assert one.to_arrow().equals(other(columns=columns, k=3).apply(data).to_arrow())


def test_bad_parameters() -> None:
    with pytest.raises(ParameterError, match="clusters"):
        Clustered(clusters=0)
    with pytest.raises(ParameterError, match="within"):
        Clustered(within="pca")  # type: ignore[arg-type]

"""Comparison: Figure 3 of the paper, and names that stay apart."""

import numpy as np
import pytest

from tacita.core.errors import ParameterError
from tacita.query.cutpoints.comparison import compare_cutpoints, normal_comparison
from tacita.query.cutpoints.fixed_width import FixedWidth
from tacita.query.cutpoints.given import Given
from tacita.query.cutpoints.minimum_width import MinimumWidth


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_figure_3(seed: int) -> None:
    fixed, narrow = normal_comparison(n=1000, minimum=10, seed=seed)
    assert fixed.counts.sum() == narrow.counts.sum() == 1000
    # Fixed width: one width, set by the tails, so the centre is dense.
    inner = fixed.widths[1:-1]
    assert np.allclose(inner, inner[0])
    assert fixed.counts.max() > 10 * min(fixed.counts[0], fixed.counts[-1])
    centre = fixed.bins.codes(np.zeros(1))[0]
    assert fixed.counts[centre] > 100
    # Minimum width: about the minimum in every bin, finer in the centre than in the tails.
    assert narrow.bins.n_bins == 100
    assert narrow.counts.max() <= 11
    middle = narrow.bins.codes(np.zeros(1))[0]
    assert narrow.widths[middle] < 0.2 * min(narrow.widths[1], narrow.widths[-2])
    assert narrow.widths[middle] < 0.1 * inner[0]


def test_the_sample_repeats_with_its_seed() -> None:
    one, again, other = (normal_comparison(seed=seed)[1].bins for seed in (1, 1, 2))
    assert one == again != other
    with pytest.raises(ParameterError, match="'seed'"):
        normal_comparison(seed=-1)


def test_methods_have_names() -> None:
    values = np.append(np.arange(30.0), np.nan)
    methods = [FixedWidth(minimum=3), FixedWidth(minimum=6), MinimumWidth(minimum=3), Given(edges=[10])]
    found = compare_cutpoints(values, methods)
    assert [entry.name for entry in found] == ["fixed", "fixed 2", "minimum", "given"]
    assert [int(entry.counts.sum()) for entry in found] == [30] * 4
    assert found[3].counts.tolist() == [11, 19]
    (named,) = compare_cutpoints(values, {"tens": Given(edges=[10, 20])})
    assert (named.name, named.counts.tolist()) == ("tens", [11, 10, 9])

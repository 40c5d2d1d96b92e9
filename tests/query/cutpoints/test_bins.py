"""Bins: codes, labels, choices, and what they look like in a file."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.core.errors import ParameterError
from tacita.query.cutpoints.bins import ALL_VALUES, Bins
from tests.effort import examples

WHOLE = Bins(cuts=[1, 3, 4], whole=True, tree=[(0, 3), (0, 1), (2, 3)])
INCOME = Bins(cuts=[28_000, 39_000, 45_000])


def test_a_value_on_a_cutpoint_belongs_below_and_missing_ones_nowhere() -> None:
    values = np.array([-np.inf, 28_000, np.nextafter(28_000, np.inf), 45_000, 45_001, np.inf, np.nan])
    assert INCOME.codes(values).tolist() == [0, 0, 1, 2, 3, 3, -1]
    assert INCOME.codes(values).dtype == np.int64
    assert INCOME.codes(np.zeros(0)).tolist() == []


def test_labels_name_ranges_and_never_the_ends() -> None:
    assert INCOME.labels == ("up to 28000", "above 28000 up to 39000", "above 39000 up to 45000", "above 45000")
    assert WHOLE.labels == ("up to 1", "2 to 3", "exactly 4", "above 4")
    assert Bins().labels == (ALL_VALUES,)
    assert Bins(cuts=[0.1, 0.25]).labels == ("up to 0.1", "above 0.1 up to 0.25", "above 0.25")
    assert Bins(cuts=[-3, -0.0], whole=True).labels == ("up to -3", "-2 to 0", "above 0")


def test_every_choice_has_a_number_and_a_label() -> None:
    assert [(node.number, node.label, node.leaves, node.parent) for node in WHOLE.nodes] == [
        (0, "up to 1", (0,), 5),
        (1, "2 to 3", (1,), 5),
        (2, "exactly 4", (2,), 6),
        (3, "above 4", (3,), 6),
        (4, "all values", (0, 1, 2, 3), None),
        (5, "up to 3", (0, 1), 4),
        (6, "above 3", (2, 3), 4),
    ]
    for node in WHOLE.nodes:
        assert WHOLE.leaves(node.number) == WHOLE.leaves(node.label) == node.leaves
    assert [node.label for node in INCOME.nodes] == list(INCOME.labels)
    assert [node.leaves for node in Bins(tree=[(0, 0)]).nodes] == [(0,)]


def test_ranges_between_cutpoints_can_be_chosen_in_words() -> None:
    assert INCOME.leaves("up to 39000") == (0, 1)
    assert INCOME.leaves("above 28000 up to 45000") == (1, 2)
    assert INCOME.leaves("above 28000") == (1, 2, 3)
    assert INCOME.leaves(ALL_VALUES) == (0, 1, 2, 3)
    assert WHOLE.leaves("2 to 4") == WHOLE.leaves("above 1 up to 4") == (1, 2)
    assert WHOLE.leaves(np.int64(2)) == (2,)


@pytest.mark.parametrize(
    "choice",
    [
        *("", "above 28000up to 39000", "above 39000 up to 28000", "above 28000 up to 28000", "up to 46000", "above x"),
        *("28000 to 39000", "exactly 28000", "28000", "above 28000 up to 39000 ", "above 28000 ", " up to 39000"),
        *(-1, 4, True, 1.0),
    ],
)
def test_what_is_not_published_cannot_be_chosen(choice: str | int) -> None:
    with pytest.raises(ParameterError, match="A bin must be one of the published ones"):
        INCOME.leaves(choice)


def test_a_near_miss_is_helped() -> None:
    with pytest.raises(ParameterError, match="Did you mean 'above 39000 up to 45000'"):
        INCOME.leaves("above 39000 up to 46000")
    with pytest.raises(ParameterError, match="a number from 0 to 6"):
        WHOLE.leaves(7)


@settings(max_examples=examples(25), deadline=None)
@given(st.lists(st.floats(-1e9, 1e9), max_size=8, unique=True), st.booleans(), st.data())
def test_every_run_is_found_by_its_label(cuts: list[float], whole: bool, data: st.DataObject) -> None:
    cuts = sorted({float(round(cut)) for cut in cuts} if whole else {cut + 0.0 for cut in cuts})
    bins = Bins(cuts=cuts, whole=whole)
    first = data.draw(st.integers(0, bins.n_bins - 1))
    last = data.draw(st.integers(first, bins.n_bins - 1))
    assert bins.leaves(bins.label(first, last)) == tuple(range(first, last + 1))
    assert len(set(bins.labels)) == bins.n_bins


@pytest.mark.parametrize("bins", [WHOLE, INCOME, Bins(), Bins(cuts=[0.5], low=0, high=1)])
def test_files_give_the_same_bins_back(bins: Bins) -> None:
    again = Bins.from_plain(json.loads(json.dumps(bins.to_plain())))
    assert again == bins
    assert again.labels == bins.labels
    assert hash(again) == hash(bins)


def test_middles_and_widths() -> None:
    assert INCOME.widths.tolist() == [np.inf, 11_000, 6000, np.inf]
    # An open bin is as wide as its neighbour.
    assert INCOME.midpoints.tolist() == [22_500, 33_500, 42_000, 48_000]
    assert Bins(cuts=[10, 20], low=0, high=100).midpoints.tolist() == [5, 15, 60]
    assert np.isnan(Bins().midpoints).all()
    assert np.isnan(Bins(cuts=[3]).midpoints).all()
    assert Bins(cuts=[3], low=1).midpoints.tolist() == [2, 4]
    assert len(INCOME) == INCOME.n_bins == 4


@pytest.mark.parametrize(
    ("settings_", "said"),
    [
        ({"cuts": [2, 1]}, "must ascend"),
        ({"cuts": [1, 1]}, "must ascend"),
        ({"cuts": [float("nan")]}, "a list, each entry a number"),
        ({"cuts": [float("inf")]}, "a list, each entry a number"),
        ({"cuts": [1.5], "whole": True}, "whole numbers"),
        ({"cuts": [1], "tree": [(0, 2)]}, "bins 0 to 1"),
        ({"cuts": [1], "tree": [(1, 0)]}, "bins 0 to 1"),
        ({"cuts": [1, 2], "tree": [(0, 1), (1, 2)]}, "in each other or apart"),
        ({"cuts": [1], "low": 2}, "'low' must not be above"),
        ({"cuts": [1], "high": 1}, "'high' must be above"),
        ({"low": 3, "high": 1}, "'high' must be above"),
    ],
)
def test_bins_that_contradict_themselves_are_refused(settings_: dict[str, object], said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        Bins.from_plain(settings_)

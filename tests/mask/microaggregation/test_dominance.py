"""The warning of dominated groups: which columns, how many groups, and silence where there is none."""

from __future__ import annotations

import warnings

import pytest

from tacita.core.errors import TacitaWarning
from tacita.mask.microaggregation.dominance import DOMINANCE, warn_of_dominance


def test_the_warning_counts_groups_by_column() -> None:
    with pytest.warns(TacitaWarning, match=r"Mdav: .* more than 90 % .*\(2 of 5 for 'a', 1 of 7 for 'c'\)"):
        warn_of_dominance("Mdav", {"a": (2, 5), "b": (0, 5), "c": (1, 7)}, DOMINANCE)


def test_nothing_dominated_nothing_said() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warn_of_dominance("Mdav", {"a": (0, 5)}, DOMINANCE)
    assert not caught


def test_the_default_is_ten_percent_of_the_p_rule() -> None:
    assert pytest.approx(0.111, abs=1e-3) == 100 / DOMINANCE - 1

"""Probabilistic linkage: weights that nobody tells the intruder, ties, blocking, the census file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from tacita.core.errors import ColumnError, MeasureError, ParameterError
from tacita.data.microdata import Microdata
from tacita.data.pairing import pair_records
from tacita.mask import RankSwap
from tacita.risk import DistanceLinkage, ProbabilisticLinkage, RankSwapLinkage
from tests.oracles.risk import record_linkage as oracle


def microdata(x: np.ndarray) -> Microdata:
    return Microdata.from_frame(pa.table({f"c{j}": x[:, j] for j in range(x.shape[1])}))


def noisy(n: int = 300, d: int = 4, noise: float = 0.1) -> tuple[Microdata, Microdata]:
    rng = np.random.default_rng(7)
    x = rng.normal(size=(n, d))
    original = microdata(x)
    y = x + noise * rng.normal(size=x.shape)
    return original, original.with_numbers({f"c{j}": y[:, j] for j in range(d)})


def test_ties_by_hand() -> None:
    """Two pairs of equal originals and one alone, unmasked: each of a pair is found with chance 1/2."""
    x = np.array([[1.0], [1.0], [5.0], [9.0], [9.0]])
    found = ProbabilisticLinkage(widths=(0.0,))(microdata(x), microdata(x), pairing="order")
    assert found.per_record is not None
    assert found.per_record.tolist() == [0.5, 0.5, 1.0, 0.5, 0.5]
    assert found.value == pytest.approx(60)
    assert found.note == "intruder knows c0"


@pytest.mark.parametrize("matches", ["one", "free"])
@pytest.mark.parametrize("agreement", ["ranks", "sd"])
def test_linked_where_the_weights_say_so(matches: str, agreement: str) -> None:
    """The weights that were estimated, applied one pair at a time, give the same links."""
    from tacita.numeric.linkage.agreement import positions_of
    from tacita.numeric.linkage.fellegi_sunter import count_patterns, estimate_free, estimate_one_each, weights_of

    original, masked = noisy(60, 3, 0.3)
    widths, names = (2.0, 10.0, 40.0), original.names
    x, y = original.floats(names), masked.floats(names)
    positions, rows = positions_of(x, y, widths, agreement), np.arange(60)  # type: ignore[arg-type]
    found = (
        estimate_one_each(positions, rows)
        if matches == "one"
        else estimate_free(*count_patterns(positions, rows), 1 / 60, kinds=4)
    )
    if agreement == "ranks":
        a, b = (np.column_stack([oracle.middle_percents(c) for c in z.T.tolist()]) for z in (x, y))
    else:
        a, b = 100 * x / x.std(axis=0, ddof=1), 100 * y / x.std(axis=0, ddof=1)
    expected = oracle.weight_share(a, b, rows.tolist(), [w + 1e-6 for w in widths], weights_of(found).tolist())
    risk = ProbabilisticLinkage(widths=widths, agreement=agreement, matches=matches)  # type: ignore[arg-type]
    assert risk(original, masked).per_record == pytest.approx(np.array(expected))


def test_nothing_known_from_constants() -> None:
    x = np.full((20, 2), 3.0)
    assert ProbabilisticLinkage()(microdata(x), microdata(x), pairing="order").value == pytest.approx(5)


def test_without_masking_nearly_everybody_is_linked() -> None:
    original, _ = noisy()
    assert ProbabilisticLinkage()(original, original).value > 99


def test_missing_values_say_nothing() -> None:
    """A column that is missing everywhere in the masked file changes no link."""
    original, masked = noisy()
    gone = masked.with_numbers({"c3": np.full(300, np.nan)})
    known = ProbabilisticLinkage(columns=("c0", "c1", "c2"))(original, masked)
    assert ProbabilisticLinkage()(original, gone).per_record == pytest.approx(known.per_record)


def test_blocking_loses_only_what_is_out_of_the_window() -> None:
    original, masked = noisy(noise=0.3)
    whole = ProbabilisticLinkage()(original, masked)
    assert ProbabilisticLinkage(block="c0", window=100)(original, masked).value == whole.value
    part = ProbabilisticLinkage(block="c0", window=2)(original, masked)
    assert "only originals within 2 % in c0 were looked at" in part.note
    rank = [np.argsort(np.argsort(data.float("c0"))) for data in (original, masked)]
    far = np.abs(rank[0] - rank[1]) > 0.02 * 300
    assert far.any()
    assert part.per_record is not None
    assert not part.per_record[far].any()
    assert (part.per_record[~far] >= whole.per_record[~far]).all()  # type: ignore[index]


def test_a_subset_of_records_has_the_same_weights() -> None:
    original, masked = noisy(noise=0.3)
    chosen = np.arange(300) % 7 == 0
    whole, part = (
        ProbabilisticLinkage().of_pair(pair)
        for pair in (pair_records(original, masked), pair_records(original, masked).among(chosen))
    )
    assert part.per_record == pytest.approx(whole.per_record[chosen])  # type: ignore[index]


def test_weights_of_large_files_are_learned_from_a_sample() -> None:
    original, masked = noisy(800, 5, 0.2)
    whole = ProbabilisticLinkage()(original, masked).value
    assert len(ProbabilisticLinkage(pairs=1)._learning_rows(800, 800)) == 200
    assert ProbabilisticLinkage(pairs=1)(original, masked).value == pytest.approx(whole, abs=5)


def test_bad_parameters() -> None:
    original, masked = noisy(30)
    with pytest.raises(ColumnError, match="'block' must be one of the columns, got 'c9'"):
        ProbabilisticLinkage(block="c9")(original, masked)
    with pytest.raises(
        ParameterError, match="'widths' must be a list, each entry in \\[0, 100\\], with at least 1 entry"
    ):
        ProbabilisticLinkage(widths=())
    with pytest.raises(ParameterError, match="'matches' must be one of 'one', 'free', got 'two'"):
        ProbabilisticLinkage(matches="two")  # type: ignore[arg-type]
    wide = microdata(np.random.default_rng(1).normal(size=(10, 21)))
    with pytest.raises(MeasureError, match="21 columns have too many patterns of 8 levels"):
        ProbabilisticLinkage(matches="free")(wide, wide)
    assert ProbabilisticLinkage()(wide, wide).value <= 100


def test_census(reference: Callable[[str], Path]) -> None:
    """EM finds out by itself that swapped values stay within a band: about 87 % are linked, where plain linkage finds 45 %.

    An intruder who is told p = 14 reaches 91 %. The classical EM takes correlated columns for matches and finds 40 %.
    """
    from pyarrow import csv

    table = csv.read_csv(reference("census.csv"))
    census = Microdata.from_frame(table, keys=table.column_names)
    masked = RankSwap(p=14).apply(census, seed=1)
    found = ProbabilisticLinkage()(census, masked).value
    assert found == pytest.approx(87, abs=4)
    assert DistanceLinkage()(census, masked).value < found - 30
    assert found < RankSwapLinkage(p=14)(census, masked).value + 2
    assert ProbabilisticLinkage(matches="free")(census, masked).value == pytest.approx(40, abs=5)

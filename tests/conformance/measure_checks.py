"""Checks of measures. Each takes a measure ready to run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from tacita.core.errors import ColumnError, DataError, MeasureError, ParameterError
from tacita.core.selectors import Selector
from tacita.data.measure import Measure, Measured
from tacita.data.microdata import Microdata
from tacita.data.pairing import pair_records
from tests.conformance.examples import REGIONS, SCHEMA, changed, disturbed, numbers, survey, words

__all__ = ["MEASURE_CHECKS", "MeasureCheck"]


@dataclass(frozen=True)
class MeasureCheck:
    """A check and the measures that it is for."""

    body: Callable[[Any], None]
    when: Callable[[Measure], bool]

    @property
    def name(self) -> str:
        """How the check is called in the test report."""
        return self.body.__name__


MEASURE_CHECKS: list[MeasureCheck] = []


def check(
    when: Callable[[Measure], bool] = lambda _: True,
) -> Callable[[Callable[[Any], None]], Callable[[Any], None]]:
    """Enter a check for the measures that ``when`` accepts."""

    def enter(body: Callable[[Any], None]) -> Callable[[Any], None]:
        MEASURE_CHECKS.append(MeasureCheck(body, when))
        return body

    return enter


def numeric(measure: Measure) -> bool:
    """Whether a measure compares numeric columns."""
    return "numeric" in measure.traits.scales


def categorical(measure: Measure) -> bool:
    """Whether a measure compares nominal columns."""
    return "nominal" in measure.traits.scales


def sound(measure: Any, measured: Measured, records: int) -> None:
    """Check what holds for every result: finite, in range, one value a record where that is promised."""
    upper = measure.traits.upper
    assert np.isfinite(measured.value)
    assert measured.value >= 0
    assert upper is None or measured.value <= upper * (1 + 1e-12)
    assert all(np.isfinite(part) for part in measured.parts.values())
    assert (measured.per_record is not None) == measure.traits.per_record
    if measured.per_record is not None:
        assert measured.per_record.shape == (records,)
        assert np.isfinite(measured.per_record).all()
        assert (measured.per_record >= 0).all()


def measure_or_refuse(measure: Any, original: Microdata, masked: Microdata, **options: Any) -> Measured | None:
    """Measure files that the measure may refuse; any other exception than a refusal fails the test."""
    try:
        return measure(original, masked, **options)
    except (MeasureError, ColumnError):
        return None


# --- every measure ---------------------------------------------------------------------------------------------------


@check()
def result_is_sound(measure: Any) -> None:
    data = survey()
    masked = disturbed(data, 0.3)
    sound(measure, measure(data, masked), len(masked))


@check(lambda measure: measure.kind == "loss" and measure.traits.better == "lower")
def identity_loses_nothing(measure: Any) -> None:
    for data in (survey(), survey(missing=False), survey(1, missing=False), survey(2, missing=False)):
        measured = measure_or_refuse(measure, data, data)
        if measured is not None:
            assert measured.value == pytest.approx(0, abs=1e-12)
            if measured.per_record is not None:
                assert measured.per_record == pytest.approx(np.zeros(len(data)), abs=1e-12)
    assert measure(survey(), survey(), pairing="order").value == pytest.approx(0, abs=1e-12)


@check(lambda measure: not measure.traits.of_file and not measure.sees_bands)
def stronger_disturbance_costs_more_and_shows_less(measure: Any) -> None:
    data = survey()
    weak, strong = (measure(data, disturbed(data, strength)).value for strength in (0.05, 0.8))
    rises = (measure.kind == "loss") == (measure.traits.better == "lower")
    assert strong > weak if rises else strong < weak


@check()
def inputs_are_untouched(measure: Any) -> None:
    data = survey()
    masked = disturbed(data, 0.3)
    before = data.fingerprint(), masked.fingerprint()
    measure(data, masked)
    assert (data.fingerprint(), masked.fingerprint()) == before


@check()
def again_gives_the_same(measure: Any) -> None:
    data = survey()
    masked = disturbed(data, 0.3)
    first, again = measure(data, masked), measure(data, masked)
    assert first.value == again.value
    assert first.parts == again.parts


@check()
def shuffled_release_is_paired_by_its_link(measure: Any) -> None:
    data = survey()
    masked = disturbed(data, 0.3)
    order = np.random.default_rng(1).permutation(len(data))
    straight, shuffled = measure(data, masked), measure(data, masked.take(order))
    assert shuffled.value == pytest.approx(straight.value, rel=1e-9)
    if straight.per_record is not None:
        assert shuffled.per_record == pytest.approx(straight.per_record[order], rel=1e-9)


@check()
def row_order_equals_link_when_nothing_moved(measure: Any) -> None:
    data = survey()
    masked = disturbed(data, 0.3)
    assert measure(data, masked, pairing="order").value == measure(data, masked, pairing="link").value


@check()
def order_of_both_files_does_not_matter(measure: Any) -> None:
    data = survey()
    masked = disturbed(data, 0.3)
    order = np.random.default_rng(2).permutation(len(data))
    turned = measure(data.take(order), masked.take(order), pairing="order")
    assert turned.value == pytest.approx(measure(data, masked).value, rel=1e-9)


@check()
def sample_of_the_records(measure: Any) -> None:
    """A release of fewer records is measured on the records it has."""
    data = survey()
    part = disturbed(data, 0.3).take(np.arange(0, len(data), 3))
    sound(measure, measure(data, part), len(part))


@check()
def unequal_lengths_by_row_order_are_refused(measure: Any) -> None:
    data = survey()
    with pytest.raises(MeasureError, match="files of equal length, got 600 and 599"):
        measure(data, disturbed(data, 0.3).take(np.arange(599)), pairing="order")


@check()
def strangers_have_no_link(measure: Any) -> None:
    with pytest.raises(MeasureError, match="carry no link"):
        measure(survey(), survey(), pairing="link")


@check()
def strangers_are_paired_by_nearness(measure: Any) -> None:
    """Files without a link, and of different lengths, give the primed measure or the reason why there is none."""
    data = survey()
    stranger = Microdata(disturbed(data, 0.3).take(np.arange(100, 500)).to_arrow(), data.schema)
    measured = measure_or_refuse(measure, data, stranger)
    if measured is not None:
        sound(measure, measured, 400)


@check()
def empty_files_are_refused(measure: Any) -> None:
    data = survey().take(np.arange(0))
    for pairing in ("auto", "link", "order", "nearest"):
        with pytest.raises(MeasureError):
            measure(data, data, pairing=pairing)


@check()
def one_record(measure: Any) -> None:
    data = survey(1, missing=False)
    measured = measure_or_refuse(measure, data, disturbed(data, 0.3))
    if measured is not None:
        sound(measure, measured, 1)


@check()
def unknown_pairing_is_refused(measure: Any) -> None:
    with pytest.raises(ParameterError, match="'pairing' must be one of auto, link, order, nearest, got 'rows'"):
        measure(survey(12), survey(12), pairing="rows")


@check()
def frame_is_refused(measure: Any) -> None:
    with pytest.raises(ParameterError, match="'masked' must be Microdata, got Table"):
        measure(survey(12), survey(12).to_arrow())


@check()
def unknown_column_is_refused(measure: Any) -> None:
    with pytest.raises(ColumnError, match=r"'incom' is not in the data\. Did you mean 'income'\?"):
        changed(measure, columns=("incom",))(survey(), survey())


@check()
def wrong_scale_is_refused(measure: Any) -> None:
    for column in SCHEMA:
        if column.scale not in measure.traits.scales:
            with pytest.raises(ColumnError, match=f"'{column.name}' is {column.scale}"):
                changed(measure, columns=(column.name,))(survey(), survey(), pairing="order")


@check()
def no_matching_column_is_refused(measure: Any) -> None:
    if isinstance(measure.columns, Selector):
        bare = survey(60).select(["person", "house", "weight"])
        with pytest.raises(ColumnError, match="'columns' selects no column"):
            measure(bare, bare)


@check()
def columns_that_were_dropped_are_left_out(measure: Any) -> None:
    """A rule selects among the columns that both files have."""
    data = survey(missing=False)
    if isinstance(measure.columns, Selector):
        sound(measure, measure(data, disturbed(data, 0.3).drop(["rent", "sex"])), len(data))


# --- measures of numbers ---------------------------------------------------------------------------------------------


@check(numeric)
def constant_columns(measure: Any) -> None:
    """A column without spread neither gives NaN nor swamps the others."""
    moving = np.arange(1.0, 51.0)
    for constant in (0.0, 0.1, -3.0):
        data = numbers(a=np.full(50, constant), b=moving)
        for after in (np.full(50, constant), np.full(50, constant) + np.arange(50)):
            masked = data.with_numbers({"a": after, "b": moving + 0.25})
            measured = measure_or_refuse(changed(measure, columns=("a", "b")), data, masked)
            if measured is not None:
                sound(measure, measured, 50)
                assert measured.value < 1e6, "rounding of a constant's mean was taken for spread"
            alone = measure_or_refuse(changed(measure, columns=("a",)), data, masked)
            if alone is not None:
                sound(measure, alone, 50)


@check(lambda measure: numeric(measure) and not measure.traits.of_file)
def zero_denominators(measure: Any) -> None:
    x = np.array([0.0, 0.0, 0.0, 1.0, 2.0, -2.0, 5.0, 7.0])
    y = np.array([0.0, 3.0, -3.0, 0.0, 2.5, -2.0, 5.5, 7.0])
    data = numbers(a=x, b=np.zeros(8))
    for after in (np.zeros(8), y):
        masked = data.with_numbers({"a": y, "b": after})
        sound(measure, changed(measure, columns=("a", "b"))(data, masked), 8)


@check(lambda measure: numeric(measure) and not measure.traits.of_file)
def ties(measure: Any) -> None:
    data = numbers(a=np.repeat([1.0, 2.0, 3.0], 20), b=np.tile([5.0, 5.0, 6.0], 20))
    masked = data.with_numbers({"a": np.repeat([1.0, 2.0, 3.0], 20)[::-1].copy()})
    sound(measure, changed(measure, columns=("a", "b"))(data, masked), 60)


@check(numeric)
def all_values_missing(measure: Any) -> None:
    """A column without any value is left out or refused with its name; never NaN."""
    data = numbers(a=pa.nulls(30, pa.float64()), b=np.arange(30.0))
    for names in (("a",), ("a", "b")):
        measured = measure_or_refuse(changed(measure, columns=names), data, data)
        if measured is not None:
            sound(measure, measured, 30)


@check(numeric)
def values_suppressed_by_the_mask(measure: Any) -> None:
    data = survey(missing=False)
    x = data.float("income").copy()
    x[::3] = np.nan
    sound(measure, measure(data, data.with_numbers({"income": x})), len(data))


@check(lambda measure: numeric(measure) and not measure.traits.of_file)
def infinities_are_refused(measure: Any) -> None:
    data = numbers(a=np.array([1.0, 2.0, np.inf, 4.0]), b=np.arange(4.0))
    with pytest.raises(DataError, match="infinite"):
        changed(measure, columns=("a", "b"))(data, data, pairing="order")


@check(numeric)
def very_large_and_small_numbers(measure: Any) -> None:
    for scale in (1e-300, 1e-150, 1e120):
        x = np.arange(1.0, 41.0) * scale
        data = numbers(a=x, b=np.arange(40.0, 0.0, -1.0))
        masked = data.with_numbers({"a": x[::-1].copy()})
        measured = measure_or_refuse(changed(measure, columns=("a", "b")), data, masked)
        if measured is not None:
            sound(measure, measured, 40)


# --- measures of categories ------------------------------------------------------------------------------------------


@check(categorical)
def odd_categories(measure: Any) -> None:
    """Columns with one category, with one for each record, or with no value at all."""
    n = 60
    mixed, same, own = [REGIONS[i % 3] for i in range(n)], ["x"] * n, [f"c{i}" for i in range(n)]
    data = words(a=mixed, b=same, c=own, d=[None] * n)
    masked = data.with_values_of(["a", "c"], np.roll(np.arange(n), 7))
    for names in (("a",), ("b",), ("c",), ("d",), ("a", "b", "c", "d")):
        measured = measure_or_refuse(changed(measure, columns=names), data, masked)
        if measured is not None:
            sound(measure, measured, n)


@check(categorical)
def categories_that_only_one_file_has(measure: Any) -> None:
    """Recoding gives new names to categories, suppression takes values away."""
    data = words(a=[REGIONS[i % 3] for i in range(60)], b=["f", "m"] * 30)
    for values in (
        ["rest"] * 60,
        ["rest" if i % 3 else "north" for i in range(60)],
        [None, *["south"] * 59],
        [None] * 60,
    ):
        masked = data.with_column("a", pa.array(values, pa.string()))
        measured = measure_or_refuse(changed(measure, columns=("a", "b")), data, masked)
        if measured is not None:
            sound(measure, measured, 60)
            assert measured.value > 0 or measure.kind == "risk"


# --- any subset of records -------------------------------------------------------------------------------------------


@check()
def some_of_the_records(measure: Any) -> None:
    """A part of the records is measured against the whole of the other file; values of single records stay."""
    data = survey()
    masked = disturbed(data, 0.3)
    pair = pair_records(data, masked)
    chosen = np.arange(len(data)) % 3 == 0
    whole, part = measure.of_pair(pair), measure.of_pair(pair.among(chosen))
    sound(measure, part, int(chosen.sum()))
    if whole.per_record is not None:
        assert part.per_record == pytest.approx(whole.per_record[chosen], rel=1e-9)

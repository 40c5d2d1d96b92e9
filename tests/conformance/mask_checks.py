"""Checks of masks. Each takes a mask ready to run; ``when`` says for which masks it has a meaning."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from tacita.core import registry
from tacita.core.errors import ColumnError, DataError, ParameterError, TacitaError, TacitaWarning
from tacita.core.selectors import Selector
from tacita.data.microdata import Microdata
from tacita.data.pairing import pair_records
from tacita.mask.base import Mask
from tacita.release.recipe import Recipe
from tacita.risk.strongest import Strongest
from tests.conformance.examples import SCHEMA, changed, numbers, survey
from tests.conformance.property_checks import PROPERTY_CHECKS

__all__ = ["MASK_CHECKS", "MaskCheck", "claims", "masked_columns", "run", "sound"]

SEED = 7


@dataclass(frozen=True)
class MaskCheck:
    """A check and the masks that it is for."""

    body: Callable[[Any], None]
    when: Callable[[Mask], bool]

    @property
    def name(self) -> str:
        """How the check is called in the test report."""
        return self.body.__name__


MASK_CHECKS: list[MaskCheck] = []


def takes(*names: str) -> Callable[[Mask], bool]:
    """Whether a mask has all these parameters."""
    return lambda mask: set(names) <= {p.name for p in type(mask).parameters()}


def check(when: Callable[[Mask], bool] = lambda _: True) -> Callable[[Callable[[Any], None]], Callable[[Any], None]]:
    """Enter a check for the masks that ``when`` accepts."""

    def enter(body: Callable[[Any], None]) -> Callable[[Any], None]:
        MASK_CHECKS.append(MaskCheck(body, when))
        return body

    return enter


def claims(mask: Mask) -> bool:
    """Whether a mask claims to preserve anything."""
    return bool(mask.traits.preserves)


# --- what the checks are made of -------------------------------------------------------------------------------------


def run(mask: Mask, data: Microdata, seed: int = SEED) -> Microdata:
    """Apply a mask with a seed; a deterministic mask takes no notice of it."""
    return mask.apply(data, seed=seed)


def run_or_refuse(mask: Mask, data: Microdata) -> Microdata | None:
    """Apply a mask to a file that it may refuse; any other exception than ours fails the test."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TacitaWarning)  # that little is left of a strange file may be said
        try:
            return run(mask, data)
        except TacitaError:
            return None


def masked_columns(mask: Any, data: Microdata) -> tuple[str, ...]:
    """Return the columns that a mask may change."""
    if not hasattr(mask, "columns"):
        return data.names
    return data.schema.resolve(mask.columns, owner=type(mask).__name__, scales=mask.traits.scales)


def sound(mask: Mask, data: Microdata, masked: Microdata) -> None:
    """Check what holds for every result: the schema, no number out of nothing, no NaN and no infinity."""
    assert masked.schema.names == data.schema.names
    if not mask.traits.recodes:
        assert masked.schema == data.schema
    assert [column.roles for column in masked.schema] == [column.roles for column in data.schema]
    assert masked.source == data.source, "the link to the original is lost"
    for column in masked.to_arrow(codes=False).columns:
        if pa.types.is_floating(column.type):
            assert np.isfinite(column.drop_null().to_numpy()).all(), "NaN or infinity instead of missing"
        if pa.types.is_integer(column.type):
            # A NaN that is cast to an integer becomes the smallest one.
            assert (np.abs(column.drop_null().to_numpy().astype(np.float64)) < 2.0**60).all()
    if not mask.traits.keeps_rows:
        return
    assert len(masked) == len(data)
    assert np.array_equal(masked.origin_rows(), data.origin_rows())
    for name in data.names:
        gone, after = data.is_missing(name), masked.is_missing(name)
        if like_numeric_mask(mask):
            assert after[gone].all(), f"a missing value of '{name}' became a value"
        elif not (
            mask.traits.recodes or mask.traits.fills
        ):  # what moves whole values moves gaps as well, but fills none
            assert after.sum() >= gone.sum(), f"missing values of '{name}' became values"


def find_repeats(data: Microdata, masked: Microdata) -> list[tuple[Any, ...]]:
    """Return the records that are in both files with all that describes the respondent."""
    names = [column.name for column in data.schema if {"key", "confidential", "other"}.intersection(column.roles)]
    rows = [set(zip(*(file.to_arrow().column(n).to_pylist() for n in names), strict=True)) for file in (data, masked)]
    return sorted(rows[0] & rows[1], key=repr)


def only(mask: Any, *names: str) -> Any:
    """Return the mask for some columns, where it takes columns."""
    return changed(mask, columns=names) if hasattr(mask, "columns") else mask


def numeric(mask: Mask) -> bool:
    """Whether a mask works on numeric columns that are named."""
    return "numeric" in mask.traits.scales and hasattr(mask, "columns")


def like_numeric_mask(mask: Mask) -> bool:
    """Whether a mask has the common options of masks for numeric columns."""
    from tacita.mask.numeric_mask import NumericMask

    return isinstance(mask, NumericMask)


def columnwise(mask: Mask) -> bool:
    """Whether a mask treats every column by itself."""
    from tacita.mask.numeric_mask import ColumnwiseMask

    return isinstance(mask, ColumnwiseMask)


# --- every mask ------------------------------------------------------------------------------------------------------


@check()
def input_is_untouched(mask: Any) -> None:
    data = survey()
    before, schema, codes = data.fingerprint(), data.schema, data.user_missing
    run(mask, data)
    assert data.fingerprint() == before
    assert data.schema == schema
    assert data.user_missing == codes


@check()
def result_is_sound(mask: Any) -> None:
    data = survey()
    sound(mask, data, run(mask, data))


@check()
def changes_something(mask: Any) -> None:
    data = survey()
    masked = run(mask, data)
    assert not masked.same_content(data), "the mask left the file as it was"


@check(lambda mask: mask.traits.synthetic)
def records_are_nobodys(mask: Any) -> None:
    """No link to an original, no identifier, and households that are not those of the original."""
    data = survey()
    masked = run(mask, data)
    assert not mask.traits.keeps_rows
    assert (masked.origin_rows() == -1).all()
    assert masked.is_missing("person").all()
    assert len(masked) == 0 or masked.is_synthetic
    if not mask.traits.private:
        assert not find_repeats(data, masked), "a record of the original came out again"


@check(lambda mask: mask.traits.private)
def a_private_mask_says_what_it_spends(mask: Any) -> None:
    """The parts of its statement add up to what it promises, whatever the records are; and their order tells nothing."""
    data = survey()
    said = mask.statement(data)
    assert said == mask.statement(data.schema) == mask.statement(data.take(np.arange(0)))
    assert 0.999 * said.rho < float(sum(part.times * part.rho for part in said.parts)) <= said.rho
    assert all(part.scale > 0 for part in said.parts)
    turned = data.take(np.random.default_rng(1).permutation(len(data)))
    assert run(mask, turned).to_arrow().equals(run(mask, data).to_arrow())


@check(lambda mask: not mask.traits.synthetic)
def other_columns_are_untouched(mask: Any) -> None:
    data = survey()
    masked = run(mask, data)
    source = data.take(masked.origin_rows()) if not mask.traits.keeps_rows else data
    for name in set(data.names) - set(masked_columns(mask, data)):
        assert masked.to_arrow().column(name).equals(source.to_arrow().column(name)), f"'{name}' was not to be masked"


@check(lambda mask: not mask.traits.synthetic)
def design_columns_are_untouched(mask: Any) -> None:
    """Identifier, household and weight describe the sample; no mask changes them unless that is what it is for."""
    data = survey()
    masked = run(mask, data)
    source = data.take(masked.origin_rows()) if not mask.traits.keeps_rows else data
    for name in ("person", "house") if mask.traits.reweights else ("person", "house", "weight"):
        assert masked.to_arrow().column(name).equals(source.to_arrow().column(name))


@check()
def same_seed_same_result(mask: Any) -> None:
    first = run(mask, survey())
    again = run(type(mask).from_plain(mask.to_plain()), survey())
    assert first.fingerprint() == again.fingerprint()
    assert first.same_content(again)


@check(lambda mask: mask.traits.stochastic)
def other_seed_other_result(mask: Any) -> None:
    data = survey()
    assert run(mask, data, 1).fingerprint() != run(mask, data, 2).fingerprint()


@check(lambda mask: mask.traits.stochastic)
def chance_needs_a_seed(mask: Any) -> None:
    with pytest.raises(ParameterError, match="'seed' must be given"):
        mask.apply(survey())


@check(lambda mask: not mask.traits.stochastic)
def no_chance_needs_no_seed(mask: Any) -> None:
    data = survey()
    assert mask.apply(data).same_content(mask.apply(data, seed=SEED))


@check()
def bad_seeds_are_refused(mask: Any) -> None:
    for seed in (-1, 1.5, "7", True, np.array([1])):
        with pytest.raises(ParameterError, match="'seed' must be a non-negative integer"):
            mask.apply(survey(12), seed=seed)


@check()
def frame_is_refused(mask: Any) -> None:
    with pytest.raises(ParameterError, match="'data' must be Microdata, got Table"):
        mask.apply(survey(12).to_arrow(), seed=SEED)


@check()
def edge_sizes(mask: Any) -> None:
    """No record, one, k - 1, k, k + 1: the right result, or an error of ours."""
    k = getattr(mask, "k", 3)
    for missing in (False, True):
        whole = survey(missing=missing)
        for n in sorted({0, 1, 2, k - 1, k, k + 1, 2 * k - 1}):
            data = whole.take(np.arange(n))
            masked = run_or_refuse(mask, data)
            if masked is not None:
                sound(mask, data, masked)


@check(lambda mask: not mask.traits.private)
def empty_file_stays_empty(mask: Any) -> None:
    data = survey().take(np.arange(0))
    assert len(run(mask, data)) == 0


@check(claims)
def claims_hold(mask: Any) -> None:
    """Whatever the mask claims to preserve is there, with missing values and without, for few values and many."""
    for data in (survey(), survey(missing=False), survey(60, missing=False), _tied_survey()):
        masked = run(mask, data)
        for claim in mask.traits.preserves:
            PROPERTY_CHECKS[claim](mask, data, masked, masked_columns(mask, data))


@check()
def order_of_columns_in_file_does_not_matter(mask: Any) -> None:
    data = survey()
    turned = data.select(reversed(data.names))
    if hasattr(mask, "columns"):
        mask = changed(mask, columns=masked_columns(mask, data))
    assert run(mask, turned).select(data.names).to_arrow().equals(run(mask, data).to_arrow())


@check()
def recipe_file_comes_back(mask: Any) -> None:
    recipe = Recipe([mask])
    assert Recipe.from_toml(recipe.to_toml()) == recipe


@check()
def recipe_gives_the_same_as_apply(mask: Any) -> None:
    data = survey()
    assert Recipe([mask]).apply(data, seed=SEED).data.same_content(run(mask, data))


@check()
def repr_shows_no_data(mask: Any) -> None:
    data = survey(60, missing=False)
    masked = run(mask, data)
    shown = repr(mask) + repr(masked)
    for name in ("person", "income", "rent"):
        for value in masked.to_arrow().column(name).to_pylist():
            assert value is None or str(value) not in shown


# --- masks that take columns -----------------------------------------------------------------------------------------


@check(takes("columns"))
def unknown_column_is_refused(mask: Any) -> None:
    with pytest.raises(ColumnError, match=r"'incom' is not in the data\. Did you mean 'income'\?"):
        run(only(mask, "incom"), survey())


@check(takes("columns"))
def column_twice_is_refused(mask: Any) -> None:
    name = next(c.name for c in SCHEMA if c.scale in mask.traits.scales and {"key", "other"}.intersection(c.roles))
    with pytest.raises(ColumnError, match="twice"):
        run(only(mask, name, name), survey())


@check(takes("columns"))
def wrong_scale_is_refused(mask: Any) -> None:
    for column in SCHEMA:
        if column.scale not in mask.traits.scales:
            with pytest.raises(ColumnError, match=f"'{column.name}' is {column.scale}"):
                run(only(mask, column.name), survey())


@check(lambda mask: isinstance(getattr(mask, "columns", None), Selector))
def no_matching_column_is_refused(mask: Any) -> None:
    """A rule that selects nothing must not give an unmasked file."""
    data = survey(60).select(["person", "house", "weight"])
    with pytest.raises(ColumnError, match="'columns' selects no column"):
        run(mask, data)


@check(lambda mask: numeric(mask) and "nominal" not in mask.traits.scales)
def infinities_are_refused(mask: Any) -> None:
    for bad in (np.inf, -np.inf):
        data = numbers(a=np.array([*range(1, 40), bad], dtype=float), b=np.arange(40.0))
        with pytest.raises(DataError, match="infinite"):
            run(only(mask, "a", "b"), data)


@check(numeric)
def constant_columns(mask: Any) -> None:
    """A constant column has no spread, and 0.1 has a mean that rounding puts beside it."""
    for constant in (0.0, 0.1, -3.0, 1e12):
        data = numbers(a=np.full(50, constant), b=np.arange(50.0))
        for names in (("a",), ("a", "b")):
            masked = run_or_refuse(only(mask, *names), data)
            if masked is not None:
                sound(mask, data, masked)


@check(numeric)
def ties(mask: Any) -> None:
    data = numbers(a=np.repeat([1, 2, 3], 20), b=np.tile([0.5, 0.5, 2.5], 20))
    masked = run_or_refuse(only(mask, "a", "b"), data)
    assert masked is not None or mask.traits.synthetic, (
        "only where every combination is an original's is there none to draw"
    )
    if masked is not None:
        sound(mask, data, masked)


@check(numeric)
def all_values_missing(mask: Any) -> None:
    for empty in (pa.nulls(30), pa.nulls(30, pa.float64()), pa.nulls(30, pa.int64())):
        data = numbers(a=empty, b=np.arange(30.0))
        for names in (("a",), ("a", "b")):
            masked = run_or_refuse(only(mask, *names), data)
            if masked is not None:
                sound(mask, data, masked)
                assert masked.is_missing("a").all()


@check(numeric)
def number_types_of_files(mask: Any) -> None:
    """Narrow integers, decimals and floats of a file can all be masked; the values that come out fit their type."""
    values = np.arange(1, 61)
    for kind in (pa.int8(), pa.uint8(), pa.int32(), pa.uint64(), pa.float32(), pa.float16(), pa.decimal128(21, 2)):
        data = numbers(a=pa.array([int(v) for v in values]).cast(pa.float32() if kind == pa.float16() else kind))
        masked = run_or_refuse(only(mask, "a"), data)
        assert masked is not None or mask.traits.synthetic, (
            "only where every value is an original's is there none to draw"
        )
        if masked is None:
            continue
        sound(mask, data, masked)
        assert mask.traits.recodes or mask.traits.suppresses or np.isfinite(masked.float("a")).all()


@check(numeric)
def very_large_and_small_numbers(mask: Any) -> None:
    for scale in (1e-200, 1e150):
        data = numbers(a=np.arange(1.0, 41.0) * scale, b=np.arange(40.0, 0.0, -1.0) * scale)
        masked = run_or_refuse(only(mask, "a", "b"), data)
        if masked is not None:
            sound(mask, data, masked)


def _tied_survey() -> Microdata:
    data = survey(missing=False)
    return data.with_numbers({"income": np.round(data.float("income"), -3), "turnover": data.float("turnover") % 4})


# --- the strongest attack --------------------------------------------------------------------------------------------


@check()
def names_an_attack_or_says_why_there_is_none(mask: Any) -> None:
    """Every method names what it is weakest against; what it names can be run on what it made."""
    assert bool(mask.attacks) != bool(mask.no_attack)
    data = survey()
    masked = run(mask, data)
    assert masked.history == (mask,)
    found = Strongest().among(pair_records(data, masked), data.names, ())
    for attack in mask.attacks_on(data):
        risk = registry.find("risk", attack.measure)
        assert risk.traits.identifies, f"{attack.measure} is no percentage of identified records"
        assert attack.knows
        assert "{" not in attack.knows
        scales = {data.schema[name].scale for name in attack.columns or data.names}
        assert not scales & set(risk.traits.scales) or attack.measure in {e.attack.measure for e in found.attacks}

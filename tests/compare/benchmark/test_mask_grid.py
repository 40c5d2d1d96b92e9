"""What is tried of each mask: every registered one has a place or a reason."""

from __future__ import annotations

import pytest

import tacita as tc
from tacita.compare.benchmark.mask_grid import STRENGTHS, masks_for
from tacita.core import registry
from tacita.core.errors import UnknownMethodError


def test_every_mask_is_tried_or_has_a_reason() -> None:
    data = tc.samples.household_survey(60, seed=1)
    found, misfits = masks_for(data)
    every = {kind.name for kind in registry.methods("mask")}
    assert {mask.name for mask in found} | set(misfits) == every
    assert not {mask.name for mask in found} & set(misfits)
    assert misfits["weight_noise"] == "It changes weights only, and nothing that is measured."
    assert misfits["date_coarsen"].startswith("There are no date keys")


def test_the_strength_is_varied_and_numbers_are_masked_as_a_whole() -> None:
    data = tc.samples.household_survey(60, seed=1)
    swaps, _ = masks_for(data, ["rank_swap"])
    assert tuple(mask.p for mask in swaps) == STRENGTHS["p"]  # type: ignore[attr-defined]
    assert {str(mask.columns) for mask in swaps} == {"numeric columns"}  # type: ignore[attr-defined]
    recoded, _ = masks_for(data, ["global_recode"])
    assert len(recoded) == 1
    assert set(recoded[0].levels) == {"region", "occupation", "birth_country"}  # type: ignore[attr-defined]
    assert set(recoded[0].breaks) == {"age"}  # type: ignore[attr-defined]
    moved, _ = masks_for(data, ["record_swap"])
    assert [mask.rate for mask in moved] == [5, 20]  # type: ignore[attr-defined]
    rounded, _ = masks_for(data, ["rounding"])
    assert len({mask.base for mask in rounded}) == 3  # type: ignore[attr-defined]


def test_numbers_without_keys_get_no_mask_of_categories() -> None:
    data = tc.samples.business_survey(60, seed=1).select(["turnover", "wages"])
    found, misfits = masks_for(data)
    assert {"rank_swap", "mdav", "additive_noise"} <= {mask.name for mask in found}
    assert {"pram", "generalise", "global_recode", "local_suppression", "record_swap", "safe"} <= set(misfits)


def test_unknown_masks_are_refused() -> None:
    with pytest.raises(UnknownMethodError, match="rank_swop"):
        masks_for(tc.samples.household_survey(20, seed=1), ["rank_swop"])

"""Small files and intruders for tests of attacks on files."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

import tacita as tc
from tacita.attack.judge.stage_file import StagedFile, as_it_leaves, stage_file
from tacita.attack.targets import FileTarget
from tacita.core.errors import TacitaWarning

__all__ = ["file_of", "firms", "quietly", "staged", "target_of"]

MONEY = ["employees", "turnover", "wages", "energy"]


def firms(n: int = 200, seed: int = 1) -> tc.Microdata:
    """Firms with an activity, a region and four numbers."""
    return tc.samples.business_survey(n, seed=seed).select(["activity", "region", *MONEY])


def quietly(mask: Any, data: tc.Microdata, seed: int = 7) -> tc.Microdata:
    """Mask without being told what a steward would be told."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", TacitaWarning)
        return mask.apply(data, seed=seed)


def staged(data: tc.Microdata, masked: tc.Microdata, known: Sequence[str], **options: Any) -> StagedFile:
    """Somebody who knows some columns of everybody."""
    return stage_file(data, masked, scenario=tc.Scenario(keys=[], known=list(known)), **options)


def file_of(columns: dict[str, Any], **options: Any) -> tc.Microdata:
    """A file of a few columns."""
    return tc.Microdata.from_frame(pa.table(columns), **options)


def target_of(released: tc.Microdata, known: tc.Microdata, **options: Any) -> FileTarget:
    """A target without a judge."""
    return FileTarget(released=as_it_leaves(released), known=as_it_leaves(known), **options)


def rng(seed: int = 1) -> np.random.Generator:
    """Random numbers for an attack."""
    return np.random.default_rng(seed)

"""Predictors: the given columns of some records as models see them, cut into bins once for all trees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

import numpy as np

from tacita.core.arrays import BoolArray, IntArray
from tacita.numeric.synthesis.trees.features import BinnedFeatures, Features, bin_features
from tacita.numeric.synthesis.variables import ModelVariable

__all__ = ["Predictors"]


class Predictors(Sequence[ModelVariable]):
    """Columns that a model is given, of the same records.

    Parameters
    ----------
    variables
        The columns.
    features
        Where they are cut into bins, and the bins of these very records; by default they are cut when it is asked for.

    Notes
    -----
    Whoever fits many models on the first few of the same columns makes one of these and takes :meth:`first` and :meth:`of` of it,
    so that nothing is cut twice.
    """

    def __init__(self, variables: Sequence[ModelVariable], features: Features | None = None) -> None:
        self._variables = tuple(variables)
        self._features = features

    def __len__(self) -> int:
        return len(self._variables)

    @overload
    def __getitem__(self, place: int) -> ModelVariable: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[ModelVariable, ...]: ...
    def __getitem__(self, place: int | slice) -> ModelVariable | tuple[ModelVariable, ...]:
        return self._variables[place]

    @classmethod
    def from_variables(cls, x: Sequence[ModelVariable]) -> Predictors:
        """Return the columns as predictors, themselves where they are some already."""
        return x if isinstance(x, Predictors) else cls(x)

    def features(self) -> Features:
        """Return the columns cut into bins; there must be one at least."""
        if self._features is None:
            self._features = bin_features(self._variables)
        return self._features

    @property
    def has_features(self) -> bool:
        """Whether the columns are cut into bins already."""
        return self._features is not None

    def some(self, chosen: Sequence[int]) -> Predictors:
        """Return some of the columns; the first few of them share the memory of all."""
        features = None if self._features is None or not len(chosen) else self._features.some(chosen)
        return Predictors([self._variables[j] for j in chosen], features)

    def of(self, rows: IntArray | BoolArray) -> Predictors:
        """Return the columns of some records, cut as they are."""
        found = self._features
        if found is not None:
            codes = BinnedFeatures(np.ascontiguousarray(found.binned.codes[:, rows]))
            found = Features(found.cuts, found.bins, found.classes, found.middles, codes)
        return Predictors([variable.of(rows) for variable in self._variables], found)

    @classmethod
    def beside(cls, parts: Sequence[Predictors]) -> Predictors:
        """Return the columns of several side by side; all are cut already, or none."""
        variables = [variable for part in parts for variable in part]
        if not variables or any(part._features is None for part in parts):
            return cls(variables)
        found = [part.features() for part in parts]
        return cls(
            variables,
            Features(
                tuple(cut for f in found for cut in f.cuts),
                np.concatenate([f.bins for f in found]),
                np.concatenate([f.classes for f in found]),
                tuple(middle for f in found for middle in f.middles),
                BinnedFeatures(np.concatenate([f.binned.codes for f in found])),
            ),
        )

    def without_records(self) -> Predictors:
        """Return where the columns are cut, without the records: what a fitted tree must remember."""
        nobody = np.empty(0, np.int64)
        return Predictors([variable.of(nobody) for variable in self], self.features()).of(nobody)

    def binned_here(self, x: Sequence[ModelVariable]) -> BinnedFeatures:
        """Return the bins of other records, cut where these are; where they are cut so already, as they are."""
        if isinstance(x, Predictors) and x.has_features:
            return x.features().binned
        return self.features().apply(x)

    def cut_like(self, features: Features) -> Predictors:
        """Return the same columns cut where other records were."""
        own = Features(features.cuts, features.bins, features.classes, features.middles, features.apply(self))
        return Predictors(self._variables, own)

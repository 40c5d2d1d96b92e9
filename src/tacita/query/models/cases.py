"""What a model is fitted to: response and predictors as plain arrays, and the complete cases among them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import DataError
from tacita.query.models.form_rules import VariableKind

__all__ = ["ModelData", "Predictor", "complete_cases"]


@dataclass(frozen=True, eq=False)
class Predictor:
    """A variable that explains, as an array.

    Parameters
    ----------
    name
        Its name.
    values
        Numbers, NaN where missing; None for a categorical variable.
    codes
        Places of the classes, -1 where missing; None for a numerical variable.
    classes
        Names of the classes, in the order of the codes.
    lowest
        For a numerical variable, its published lower bound, where the steward has declared one. It says which
        transformations are allowed without a look at the records.

    Raises
    ------
    DataError
        When it has not exactly one of values and codes, or a code without a class.

    Examples
    --------
    >>> Predictor("sex", codes=np.array([0, 1, 1]), classes=("f", "m")).kind
    'categorical'
    """

    name: str
    values: FloatArray | None = field(default=None, repr=False)
    codes: IntArray | None = field(default=None, repr=False)
    classes: tuple[str, ...] = ()
    lowest: float | None = None

    def __post_init__(self) -> None:
        if (self.values is None) == (self.codes is None):
            raise DataError(f"Predictor '{self.name}' must have either values or codes; give one of them.")
        if self.codes is not None and len(self.codes) and not _are_places(self.codes, len(self.classes)):
            raise DataError(f"Predictor '{self.name}' must have codes from -1 to its last class; name every class.")

    @property
    def kind(self) -> VariableKind:
        """Whether it is numeric or categorical."""
        return "categorical" if self.values is None else "numeric"

    @property
    def size(self) -> int:
        """Number of records."""
        return len(self.values if self.values is not None else self.codes)  # type: ignore[arg-type]

    def there(self) -> BoolArray:
        """Return which records have a value."""
        if self.values is not None:
            return np.asarray(np.isfinite(self.values))
        return np.asarray(self.codes >= 0)  # type: ignore[operator]

    def only(self, rows: BoolArray) -> Predictor:
        """Return it for some of the records."""
        if self.values is not None:
            return replace(self, values=self.values[rows])
        return replace(self, codes=self.codes[rows])  # type: ignore[index]


@dataclass(frozen=True, eq=False)
class ModelData:
    """Response and predictors of the same records, with what the survey's design says of these.

    Parameters
    ----------
    response
        Numbers, NaN where missing; 0 and 1 for a logistic model.
    predictors
        The variables of the model.
    weights
        Survey weights, above 0; with them standard errors are those of the design.
    strata, clusters
        Codes of the stratum and of the primary sampling unit, 0, 1, ...; clusters are numbered over all strata.

    Raises
    ------
    DataError
        When arrays differ in length, or weights are not above 0.

    Examples
    --------
    >>> ModelData(np.array([1.0, 2.0]), (Predictor("age", np.array([30.0, 40.0])),)).size
    2
    """

    response: FloatArray = field(repr=False)
    predictors: tuple[Predictor, ...]
    weights: FloatArray | None = field(default=None, repr=False)
    strata: IntArray | None = field(default=None, repr=False)
    clusters: IntArray | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        given = [*(p.size for p in self.predictors), *(len(a) for a in self._beside() if a is not None)]
        if any(size != len(self.response) for size in given):
            raise DataError("ModelData: all arrays must have one entry a record; take them from the same records.")
        if self.weights is not None and not bool((np.isfinite(self.weights) & (self.weights > 0)).all()):
            raise DataError("ModelData: weights must be above 0; leave out records without one.")
        for codes in (self.strata, self.clusters):
            if codes is not None and len(codes) and int(codes.min()) < 0:
                raise DataError("ModelData: every record must have its stratum and its cluster; number them from 0.")

    def _beside(self) -> tuple[FloatArray | IntArray | None, ...]:
        return self.weights, self.strata, self.clusters

    @property
    def size(self) -> int:
        """Number of records."""
        return len(self.response)

    @property
    def follows_design(self) -> bool:
        """Whether standard errors are those of the survey's design."""
        return any(array is not None for array in self._beside())

    def named(self, name: str) -> Predictor:
        """Return a predictor by name.

        Raises
        ------
        DataError
            When it is not there.
        """
        for predictor in self.predictors:
            if predictor.name == name:
                return predictor
        raise DataError(f"ModelData: the model speaks of '{name}', which is not among the predictors; add its array.")


def complete_cases(data: ModelData) -> tuple[ModelData, BoolArray | None]:
    """Return the records without a missing value, and which they are (None: all of them).

    Nothing is copied when no value is missing. O(n q).

    Examples
    --------
    >>> made, rows = complete_cases(ModelData(np.array([1.0, np.nan]), (Predictor("age", np.array([30.0, 40.0])),)))
    >>> made.size, rows.tolist()
    (1, [True, False])
    """
    there = np.isfinite(data.response)
    for predictor in data.predictors:
        there &= predictor.there()
    if bool(there.all()):
        return data, None
    kept = [None if array is None else array[there] for array in data._beside()]
    return (
        ModelData(data.response[there], tuple(p.only(there) for p in data.predictors), *kept),  # type: ignore[arg-type]
        there,
    )


def _are_places(codes: IntArray, classes: int) -> bool:
    return codes.dtype.kind in "iu" and int(codes.min()) >= -1 and int(codes.max()) < classes

"""What a model of synthesis sees of a column: numbers, or classes that are numbered."""

from __future__ import annotations

from dataclasses import dataclass

from tacita.core.arrays import BoolArray, FloatArray, IntArray

__all__ = ["ModelVariable"]


@dataclass(frozen=True)
class ModelVariable:
    """One column as a model sees it: a value for each record, and no gap.

    Parameters
    ----------
    values
        (n,): the numbers; for classes the number of each record's class, 0, 1, 2 and so on, as a float.
    classes
        How many classes there are, whether or not they occur; 0 for a number. Ranks of ordered categories are numbers.

    Examples
    --------
    >>> import numpy as np
    >>> region = ModelVariable(np.array([0.0, 2.0, 1.0]), classes=3)
    >>> len(region), region.is_number, region.of(np.array([0, 2])).values.tolist()
    (3, False, [0.0, 1.0])
    """

    values: FloatArray
    classes: int = 0

    def __len__(self) -> int:
        return len(self.values)

    @property
    def is_number(self) -> bool:
        """Whether the values are numbers, and no classes."""
        return self.classes == 0

    def of(self, rows: IntArray | BoolArray) -> ModelVariable:
        """Return the same column of some records."""
        return ModelVariable(self.values[rows], self.classes)

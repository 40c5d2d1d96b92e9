"""The population behind a file: who has which keys outside, from a file of its own or by the weights of the records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import ColumnError, DataError
from tacita.data.microdata import Microdata
from tacita.mask.recode.ladders import KeyLadder, as_text

__all__ = ["Population"]


@dataclass(frozen=True, eq=False)
class Population:
    """The persons that a file was drawn from.

    Parameters
    ----------
    data
        All of them, those of the file included; None where only weights tell of them.
    persons
        (n,): how many persons each record stands for, where there is no such file; None where nobody asks.
    """

    data: Microdata | None = field(default=None, repr=False)
    persons: FloatArray | None = field(default=None, repr=False)

    @classmethod
    def of(cls, data: Microdata, path: str | None, *, owner: str) -> Population:
        """Return the population of a file, or the one that the weights of the records stand for.

        Raises
        ------
        DataError
            When there is neither such a file nor a weight, or it has fewer persons than the data have records.
        """
        if path is None:
            if data.schema.weight is None:
                raise DataError(
                    f"{owner}: the population is not known; give 'population', or the data a weight column."
                )
            return cls(persons=data.weights())
        from tacita.data.read import read

        people = read(path)
        if len(people) < len(data):
            raise DataError(f"{owner}: 'population' has {len(people)} persons, fewer than the {len(data)} records.")
        return cls(people)

    @property
    def size(self) -> float:
        """Number of persons."""
        if self.data is not None:
            return float(len(self.data))
        return 0.0 if self.persons is None else float(self.persons.sum())

    def texts(self, name: str, owner: str) -> Sequence[str]:
        """Return the values of a column in the population's file, as texts."""
        if self.data is None:
            return ()
        if name not in self.data.schema:
            raise ColumnError(f"{owner}: 'population' must have the key column '{name}'.")
        return [as_text(value) for value in self.data.codes(name).categories]

    def joined(self, ladders: Sequence[KeyLadder], n: int) -> tuple[list[IntArray], FloatArray, BoolArray]:
        """Return the codes of the file's records and then of all persons, whom each row stands for, and which are the file's."""
        m = 0 if self.data is None else len(self.data)
        columns = [np.concatenate([ladder.codes, self._codes(ladder)]) for ladder in ladders]
        return columns, np.repeat([0.0, 1.0], [n, m]), np.repeat([True, False], [n, m])

    def _codes(self, ladder: KeyLadder) -> IntArray:
        if self.data is None:
            return np.zeros(0, dtype=np.int64)
        codes = self.data.codes(ladder.name)
        place = {text: i for i, text in enumerate(ladder.texts)}
        own = [place[as_text(value)] for value in codes.categories]
        return np.array([*own, len(place)], dtype=np.int64)[codes.values]  # a missing value is the last code

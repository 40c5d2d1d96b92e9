"""The shape of a measure: a function from an original and a masked file to a number."""

from __future__ import annotations

import copy
from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import numpy.typing as npt

from tacita.core import registry
from tacita.core.arrays import FloatArray
from tacita.core.errors import MeasureError, UnknownMethodError, did_you_mean
from tacita.core.method import Method
from tacita.core.parameters import Columns
from tacita.core.selectors import Selector
from tacita.core.traits import MeasureTraits
from tacita.data.memory import give_back
from tacita.data.microdata import Microdata
from tacita.data.pairing import Pair, Pairing, pair_records
from tacita.data.scenario import Scenario, names_in_a_row
from tacita.data.schema import Schema

__all__ = [
    "LARGE_FILE",
    "NO_SETTINGS",
    "FewValues",
    "Measure",
    "Measured",
    "MeasuredAgain",
    "OtherRecords",
    "find_measure",
    "judges_records",
    "lean",
    "measure_names",
]


NO_SETTINGS: Mapping[str, Any] = {}
LARGE_FILE = 2**20
"""From so many records on, what is not needed any more is let go, though it would have to be made again."""
_GLANCE = 2**16
"""How many values tell whether there are few different ones."""
_DEFAULT = Scenario()


@dataclass(frozen=True, eq=False)
class Measured:
    """The result of a measure.

    Parameters
    ----------
    value
        The number for the whole file.
    per_record
        A value for each paired masked record, where the measure has one.
    parts
        Numbers that the value is made of, by name.
    note
        What the reader must know: cells left out, columns without spread, a sample instead of all records.
    upper
        Where a sample of the records was looked at: the upper end of the 95 % interval of the value.
    """

    value: float
    per_record: FloatArray | None = field(default_factory=lambda: None, repr=False)
    parts: Mapping[str, float] = field(default_factory=dict)
    note: str = ""
    upper: float | None = None

    def __float__(self) -> float:
        return self.value

    @property
    def holds_records(self) -> bool:
        """Whether the values of single records lie in the result, rather than being made when they are asked for."""
        return self.__dict__.get("per_record") is not None

    def with_records(self, made: Callable[[], FloatArray | None]) -> Self:
        """Return the result without its values of single records, which are made whenever somebody asks for them."""
        lean = copy.copy(self)
        lean.__dict__.pop("per_record", None)
        lean.__dict__["_records"] = made
        return lean

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name == "per_record" and "_records" in self.__dict__:
                return self.__dict__["_records"]()
            return object.__getattribute__(self, name)  # which says that it is not there


@dataclass(frozen=True, eq=False)
class FewValues:
    """An array that has few different values: these, and for each place which of them it has."""

    values: FloatArray
    places: npt.NDArray[np.uint8]

    def __call__(self) -> FloatArray:
        return self.values[self.places]

    @classmethod
    def of(cls, array: FloatArray) -> FewValues | None:
        """Return an array in this form, bit by bit the same; None where it has more than 256 different values."""
        bits = np.ascontiguousarray(array).view(np.int64)  # so that missing values and both zeros are values too
        known = np.unique(bits[:_GLANCE])
        for _ in range(2):
            if len(known) > 256:
                return None
            places = np.minimum(np.searchsorted(known, bits), len(known) - 1).astype(np.uint8)
            others = bits[known[places] != bits]
            if not len(others):
                return cls(known.view(np.float64), places)
            known = np.union1d(known, others)
        return None


@dataclass(frozen=True, eq=False)
class OtherRecords:
    """The values of single records that another result has, or makes."""

    result: Measured

    def __call__(self) -> FloatArray | None:
        return self.result.per_record


@dataclass(frozen=True, eq=False)
class MeasuredAgain:
    """What a measure says of single records of two files, measured again."""

    measure: Measure
    original: Microdata
    masked: Microdata
    pairing: Pairing

    def __call__(self) -> FloatArray | None:
        return self.measure(self.original, self.masked, pairing=self.pairing).per_record


@dataclass(frozen=True, kw_only=True)
class Measure(Method):
    """Base of losses and risks.

    Parameters
    ----------
    columns
        The columns to compare; by default all numeric columns that describe the respondent.
    """

    traits: ClassVar[MeasureTraits] = MeasureTraits()
    sees_bands: ClassVar[bool] = False
    """Whether it looks at the categories that numbers were recoded into; others get their middles."""
    looks_at: ClassVar[str] = "measured"
    """What its columns are: those that are measured, the keys of a scenario, or what records are linked by in it."""
    part_units: ClassVar[tuple[tuple[str, str], ...]] = ()
    """Units of parts whose unit is not that of the value, by name or by a pattern such as ``below *``; the first counts."""
    columns: Columns = Selector("numeric columns")

    @classmethod
    def unit_of_part(cls, name: str) -> str:
        """Return the unit of one of the parts: ``records``, ``of 1`` for a fraction, or the unit of the value."""
        fitting = (unit for pattern, unit in cls.part_units if fnmatchcase(name, pattern))
        return next(fitting, cls.traits.unit)

    @classmethod
    def under(
        cls,
        scenario: Scenario,
        schema: Schema,
        columns: Columns | None = None,
        settings: Mapping[str, Any] = NO_SETTINGS,
    ) -> Self:
        """Return the measure for columns that are measured, under a scenario: what anybody knows is never the former.

        Parameters
        ----------
        scenario
            What the intruder knows.
        schema
            Of the original data.
        columns
            What is measured; None leaves it to the measure.
        settings
            Parameters of the measure, which go before.
        """
        chosen = cls._own_columns(scenario, schema, columns)
        return cls.from_plain({**({} if chosen is None else {"columns": chosen}), **settings})

    @classmethod
    def _own_columns(cls, scenario: Scenario, schema: Schema, columns: Columns | None) -> Columns | None:
        if cls.looks_at == "measured":
            return columns
        names, usual = (scenario.keys, _DEFAULT.keys) if cls.looks_at == "keys" else (scenario.known, _DEFAULT.known)
        if names == usual:
            return None
        if isinstance(names, Selector):
            return names
        fitting = tuple(name for name in names if schema[name].scale in cls.traits.scales)
        return fitting or names  # where none fits, the measure says so

    def __call__(self, original: Microdata, masked: Microdata, *, pairing: Pairing = "auto") -> Measured:
        """Measure a masked file against its original."""
        return self.of_pair(pair_records(original, masked, pairing))

    def of_pair(self, pair: Pair) -> Measured:
        """Measure two files whose records are paired already."""
        scales = frozenset(self.traits.scales)
        whole, pair = pair, pair if self.sees_bands else pair.seen_by(scales)
        names = pair.resolve(self.columns, owner=type(self).__name__, scales=scales)
        if not len(pair.rows):
            raise MeasureError(f"{type(self).__name__}: there are no paired records to measure.")
        if not self.traits.of_file and len(pair.rows) >= LARGE_FILE:
            pair.forget()
        with np.errstate(over="ignore"):  # what overflows is not finite, and that is said in our own words
            measured = self.measure(pair, names)
        give_back(len(pair.rows))
        if not np.isfinite(measured.value):
            raise MeasureError(f"{type(self).__name__}: the value is not finite for these data.")
        return measured if pair is whole else _with_bands(measured, [name for name in names if name in whole.banded])

    def fitted(self, pair: Pair, *, share: float = 1.0) -> Self:
        """Return the measure as it runs where nobody asked for it by name: bounded in time, or refused with the reason.

        Parameters
        ----------
        pair
            The files to be measured.
        share
            The share of the usual work that may be done; a search takes less for each of its many files.
        """
        del pair, share
        return self

    @abstractmethod
    def measure(self, pair: Pair, names: tuple[str, ...]) -> Measured:
        """Return the measure for the named columns."""


def _with_bands(measured: Measured, names: Sequence[str]) -> Measured:
    """Say of which columns the middles of categories were compared."""
    if not names:
        return measured
    words = f"{names_in_a_row(names, 5)} recoded, taken at the middle of each category"
    return replace(measured, note=f"{measured.note}; {words}" if measured.note else words)


def lean(measured: Measured, measure: Measure, pair: Pair) -> Measured:
    """Return a result without an array for all records, where a file is large: a card keeps many results.

    Few different values are kept in a byte for each record; others are measured again when somebody asks for them.
    """
    if len(pair.rows) < LARGE_FILE or not measured.holds_records:
        return measured
    few = None if measured.per_record is None else FewValues.of(measured.per_record)
    if few is not None:
        return measured.with_records(few)
    if pair.is_part or not pair.is_true_pairing:  # which records, or which pairs, is not known any more
        return measured
    return measured.with_records(MeasuredAgain(measure, pair.original, pair.masked, pair.how))


def measure_names() -> list[str]:
    """Return the names of all registered losses and risks."""
    return [m.name for m in registry.methods() if issubclass(m, Measure)]


def judges_records(method: type[Method]) -> bool:
    """Whether a method is a risk of one file with a value for each record, so that a mask can go by it."""
    return issubclass(method, Measure) and method.traits.of_file and method.traits.per_record


def find_measure(name: str) -> type[Measure]:
    """Return the registered loss or risk of that name."""
    named = {m.name: m for m in registry.methods() if issubclass(m, Measure)}
    if name not in named:
        raise UnknownMethodError(f"There is no measure named '{name}'.{did_you_mean(name, named)}")
    return named[name]

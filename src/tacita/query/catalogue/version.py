"""A data version as questions see it: classes as numbers, unfiltered tables, sets of records with their names."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import DataError, ParameterError
from tacita.core.keyed import Key
from tacita.query.catalogue.catalogue import Catalogue
from tacita.query.catalogue.variable import Variable
from tacita.query.tables.design import SampleDesign
from tacita.query.universe.boxes import Boxes
from tacita.query.universe.canonical import boxes_of, words_of
from tacita.query.universe.members import MemberSet, sums_by_cell
from tacita.query.universe.universe import Universe

if TYPE_CHECKING:
    from tacita.data.schema import Column
    from tacita.data.store.record_store import RecordStore
    from tacita.query.camouflage.camouflage import Camouflage
    from tacita.query.camouflage.hull import Hull
    from tacita.query.noise.dp.contribution import ContributionLimit, PublicRange
    from tacita.query.noise.input_noise import InputNoise

__all__ = ["MOST_CELLS", "CellIndex", "Version"]

MOST_CELLS = 1_000_000
"""The largest table that is looked at, for universes and for answers."""

_KEPT = 6
_MOST_KEPT_CELLS = 8 * MOST_CELLS
"""Cells of all tables that are kept, 64 MB."""


@dataclass(frozen=True, eq=False)
class CellIndex:
    """For every record the cell that it lies in, in the table of some variables.

    Parameters
    ----------
    values
        (n,): the cell of each record, in the order of the flattened table.
    shape
        Number of classes of each variable.
    """

    values: npt.NDArray[np.int32]
    shape: tuple[int, ...]

    @property
    def count(self) -> int:
        """Number of cells."""
        return int(np.prod(self.shape, dtype=np.int64)) if self.shape else 1


class Version:
    """One version of the data, with its catalogue.

    Parameters
    ----------
    store
        The records, in their one order.
    catalogue
        What is published about them.
    key
        The secret of the database; hashes of records are made under a key that is derived from it, once for all versions, so that
        a record that stays the same keeps its hash.
    strata
        Variables with classes whose combinations make the strata that Drop q drops within.

    Notes
    -----
    All records of one version lie in one order, and every statistic is computed here, from arrays, by the same code:
    which engine the records came from, with how many threads and in which pieces, changes nothing.
    """

    def __init__(self, store: RecordStore, catalogue: Catalogue, key: Key, *, strata: Sequence[str] = ()) -> None:
        catalogue.check_fits(store)
        self.store, self.catalogue, self.strata = store, catalogue, tuple(strata)
        self._record_key = key.derive("records")
        for name in self.strata:
            self.catalogue[name]
        self.id = key.digest("version", store.content_digest()).hex()[:32]
        self.key = key.derive("version", self.id)
        # Of all versions: a set that stays the same keeps the noise of its cells, or each correction would draw it anew.
        self.cell_key = key.derive("cells of all versions")
        self._codes: dict[str, IntArray] = {}
        self._cells: OrderedDict[tuple[str, ...], CellIndex] = OrderedDict()
        self._contributing: dict[tuple[int, str], BoolArray] = {}
        self._polytopes: dict[tuple[str, Camouflage], Hull] = {}
        self._tables: OrderedDict[tuple[str, ...], IntArray] = OrderedDict()

    def __len__(self) -> int:
        return int(self.store.n_records)

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays that are kept: columns, classes, hashes, tables and their cells."""
        arrays: list[Any] = [
            *self._codes.values(),
            *(index.values for index in self._cells.values()),
            *self._tables.values(),
        ]
        arrays += [self.__dict__[name] for name in ("record_keys", "record_ids", "stratum") if name in self.__dict__]
        return int(self.store.nbytes) + sum(int(array.nbytes) for array in arrays)

    # --- columns -----------------------------------------------------------------------------------------------------

    @cached_property
    def record_keys(self) -> IntArray:
        """(n, 2): keyed hashes of the records."""
        return self._record_key.record_keys(self.store.record_ids())

    @cached_property
    def record_ids(self) -> Any:
        """(n,): what tells records apart, 64 bits each."""
        ids = self.store.record_ids()
        return ids if ids.ndim == 1 else ids[:, 0]

    @cached_property
    def stratum(self) -> IntArray:
        """(n,): the stratum of each record; one for all where the version has none."""
        found = self.cells(self.strata).values if self.strata else np.zeros(len(self), dtype=np.int64)
        return np.asarray(found, dtype=np.int64)

    @cached_property
    def weights(self) -> FloatArray | None:
        """The sampling weights; None where the data have none."""
        return None if self.store.schema.weight is None else self.store.weights()

    @cached_property
    def households(self) -> IntArray:
        """(n,): the household of each record as a number.

        Raises
        ------
        DataError
            When the data have no household.
        """
        found = self.store.households()
        if found is None:
            raise DataError("The data have no household to count; the schema gives no column this role.")
        numbers = np.asarray(found, dtype=np.int64)
        alone = np.flatnonzero(numbers < 0)  # without a household number a record is a household of its own
        if len(alone):
            numbers = numbers.copy()
            numbers[alone] = int(numbers.max()) + 1 + np.arange(len(alone))
        return numbers

    @cached_property
    def design(self) -> SampleDesign:
        """How the records were drawn: design strata of the schema, households as clusters."""
        strata = [name for name in self.store.schema.strata if name in self.catalogue and self.catalogue[name].classes]
        layer = self.cells(strata).values if strata else None
        cluster = None if self.store.schema.household is None else self.households
        return SampleDesign.of(layer, cluster, len(self))

    @cached_property
    def design_effect(self) -> float:
        """Kish's design effect of the weights of the whole version, 1 + cv**2, to two digits."""
        if self.weights is None or not len(self) or self.weights.sum() <= 0:
            return 1.0
        return round(1.0 + float(np.var(self.weights) / np.mean(self.weights) ** 2), 2)

    def column(self, name: str) -> Column:
        """Return what the schema says of the column that a variable is made from."""
        return self.store.schema[self.catalogue[name].column]

    def codes(self, name: str) -> IntArray:
        """Return the class of each record in the catalogue; records without a value are in the last class."""
        if name not in self._codes:
            variable = self.catalogue[name]
            if not variable.classes:
                raise DataError(f"The variable '{name}' has no classes; give it cutpoints.")
            if variable.bins is not None:
                found = np.asarray(variable.bins.codes(self.store.floats(variable.column)))
            else:
                found = self._matched(variable)
            missing = found < 0
            if missing.any():
                if not variable.has_missing:
                    raise DataError(f"The variable '{name}' has values that are in no class of the catalogue.")
                found = np.where(missing, len(variable.classes), found)
            self._codes[name] = found.astype(np.min_scalar_type(max(variable.size - 1, 0)))
        return self._codes[name]

    def _matched(self, variable: Variable) -> IntArray:
        """Classes as the data number them, brought to the numbers of the catalogue."""
        from tacita.query.universe.universe import class_word

        codes = self.store.codes(variable.column)
        there = [variable.places.get(class_word(value), -2) for value in codes.categories]
        table = np.array([*there, -1], dtype=np.int64)  # the last entry is what -1, missing, looks up
        found: IntArray = table[codes.values]
        if (found == -2).any():
            raise DataError(f"The variable '{variable.name}' has values that are in no class of the catalogue.")
        return found

    def values(self, name: str) -> FloatArray:
        """Return the numbers of a numeric variable; NaN where they are missing."""
        if not self.catalogue[name].is_numeric:
            raise DataError(f"The variable '{name}' has no numbers.")
        return self.store.floats(self.catalogue[name].column)

    def analysed(self, name: str, noise: InputNoise | None = None) -> FloatArray:
        """Return the numbers of a variable as analyses see them: with the policy's input noise, fixed for the version."""
        values = self.values(name)
        return values if noise is None else noise.apply(values, self.record_ids, key=self.key, variable=name)

    def contributing(self, limit: ContributionLimit) -> BoolArray:
        """Return which records count where each unit may contribute a limited number of them; the same for all questions."""
        place = (limit.most, limit.unit)
        if place not in self._contributing:
            units = self.record_ids if limit.unit == "person" else self.households.astype(np.uint64)
            self._contributing[place] = limit.keep(units, self.record_ids, key=self.key)
        return self._contributing[place]

    def is_public(self, name: str) -> bool:
        """Whether the classes of a variable are public knowledge: declared so in the schema, or given cutpoints."""
        return self.column(name).public and not self.catalogue[name].made_from_data

    def public_bounds(self, name: str) -> tuple[float, float] | None:
        """Return the smallest and largest value that a variable can have, where the schema declares both as public."""
        column = self.column(name)
        if not column.public or column.bounds is None or None in column.bounds:
            return None
        return float(column.bounds[0]), float(column.bounds[1])  # type: ignore[arg-type]

    def public_range(self, name: str, step: float) -> PublicRange:
        """Return the public bounds of a variable in whole steps.

        Raises
        ------
        DataError
            When the variable has none.
        """
        from tacita.query.noise.dp.contribution import PublicRange

        bounds = self.public_bounds(name)
        if bounds is None:
            raise DataError(
                f"The variable '{name}' has no public bounds; declare them in the schema, with public = true."
            )
        return PublicRange(low=bounds[0], high=bounds[1], step=step)

    def spread(self, name: str) -> float:
        """Return the standard deviation of a variable over the whole version, to two digits."""
        found = float(np.nanstd(self.values(name))) if len(self) else 0.0
        return float(f"{found:.1e}")

    def polytope(self, name: str, hidden: Camouflage) -> Hull:
        """Return the candidates that hide a variable; made once for a version."""
        place = (name, hidden)
        if place not in self._polytopes:
            lowest, highest = self.column(name).bounds or (None, None)
            if (
                hidden.width == 0
            ):  # p percent of 0 is nothing: every value gets a tenth of a standard deviation at least
                hidden = replace(hidden, width=self.spread(name) / 10)
            if hidden.low is None and hidden.high is None:
                hidden = replace(hidden, low=lowest, high=highest)
            self._polytopes[place] = hidden.cover(self.values(name), key=self.key, label=name, ids=self.record_ids)
        return self._polytopes[place]

    # --- tables of all records ------------------------------------------------------------------------------------------

    def cells(self, names: Sequence[str]) -> CellIndex:
        """Return the cell of every record in the table of some variables, in their order."""
        wanted = tuple(names)
        if wanted in self._cells:
            self._cells.move_to_end(wanted)
            return self._cells[wanted]
        shape = tuple(self.catalogue[name].size for name in wanted)
        count = int(np.prod(shape, dtype=object)) if shape else 1
        if count > MOST_CELLS:
            raise ParameterError(f"The table of {', '.join(wanted)} must have at most {MOST_CELLS} cells, got {count}.")
        index = np.zeros(len(self), dtype=np.int32)
        for name, size in zip(wanted, shape, strict=True):
            index *= np.int32(size)
            index += self.codes(name)
        made = CellIndex(index, shape)
        self._cells[wanted] = made
        if len(self._cells) > _KEPT:
            self._cells.popitem(last=False)
        return made

    def table(self, names: Sequence[str]) -> IntArray:
        """Return the counts of the unfiltered table of some variables."""
        wanted = tuple(names)
        if wanted not in self._tables:
            cells = self.cells(wanted)
            counts = np.bincount(cells.values, minlength=cells.count) if wanted else np.array(len(self))
            self._tables[wanted] = counts.astype(np.int64).reshape(cells.shape)
            while len(self._tables) > 1 and sum(table.size for table in self._tables.values()) > _MOST_KEPT_CELLS:
                self._tables.popitem(last=False)
        self._tables.move_to_end(wanted)
        return self._tables[wanted]

    def key_table(self, names: Sequence[str]) -> IntArray:
        """Return the sums of the records' keyed hashes in every cell of the unfiltered table: (..., 2)."""
        cells = self.cells(names)
        return sums_by_cell(cells.values, self.record_keys, cells.count).reshape(*cells.shape, 2)

    # --- universes --------------------------------------------------------------------------------------------------------

    def boxes(self, universe: Universe) -> Boxes:
        """Return the canonical form of a universe.

        Raises
        ------
        ColumnError, ParameterError
            When a variable or a class is not in the catalogue, or a variable may not be used in universes.
        """
        return boxes_of(universe, self.catalogue)

    def members(self, boxes: Boxes) -> MemberSet:
        """Return the records of a universe."""
        if not boxes.variables:
            return MemberSet(np.arange(len(self), dtype=np.int64), self.record_keys)
        cells = self.cells(boxes.variables)
        inside = boxes.grid().ravel()[cells.values]
        return MemberSet(np.flatnonzero(inside), self.record_keys)

    def words(self, boxes: Boxes) -> dict[str, Any]:
        """Return a canonical universe as conditions again, in one way only: what the journal keeps."""
        return words_of(boxes, self.catalogue)

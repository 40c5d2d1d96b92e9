"""A data version as questions see it: classes as numbers, unfiltered tables, sets of records with their names."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import BoolArray, FloatArray, IntArray, PlaceArray
from tacita.core.errors import DataError
from tacita.core.keyed import Key
from tacita.query.catalogue.catalogue import Catalogue
from tacita.query.catalogue.variable import Variable
from tacita.query.cubes.kept_arrays import KeptArrays
from tacita.query.cubes.record_planes import RecordPlanes
from tacita.query.cubes.record_tables import MOST_CELLS, KeptName, RecordTables
from tacita.query.subsample.stratum_rows import StratumRows
from tacita.query.tables.design import SampleDesign
from tacita.query.universe.boxes import Boxes
from tacita.query.universe.canonical import boxes_of, words_of
from tacita.query.universe.members import MemberSet
from tacita.query.universe.universe import Universe

if TYPE_CHECKING:
    from tacita.data.schema import Column
    from tacita.data.store.record_store import RecordStore
    from tacita.query.camouflage.camouflage import Camouflage
    from tacita.query.camouflage.hull import Hull
    from tacita.query.noise.dp.contribution import ContributionLimit, PublicRange
    from tacita.query.noise.input_noise import InputNoise

__all__ = ["MOST_CELLS", "MOST_KEPT_BYTES", "CellIndex", "Version"]

MOST_KEPT_BYTES = 128 << 20
"""Bytes of cubes, and of columns as numbers, that are kept to be read again, beside the records themselves."""

_KEPT = 6


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

    Tables of counts are read from cubes that are kept, within :data:`MOST_KEPT_BYTES`; all their numbers are whole, so it does
    not matter which cube one is read from. Sums of numbers with decimals are added up record by record, in the order of rows.
    Several threads may ask at a time.
    """

    def __init__(self, store: RecordStore, catalogue: Catalogue, key: Key, *, strata: Sequence[str] = ()) -> None:
        catalogue.check_fits(store)
        self.store, self.catalogue, self.strata = store, catalogue, tuple(strata)
        self._record_key = key.derive("records")
        for name in self.strata:
            self.catalogue[name]
        self.id = key.digest("version", store.content_digest()).hex()[:32]
        self.key = key.derive("version", self.id)
        # Of all versions: records that stay the same keep what was drawn for them, or each correction would draw it anew.
        self.lasting_key = key.derive("cells of all versions")
        sizes = {variable.name: variable.size for variable in catalogue if variable.classes}
        self._cells: OrderedDict[tuple[str, ...], CellIndex] = OrderedDict()
        self._contributing: dict[tuple[int, str], BoolArray] = {}
        self._polytopes: dict[tuple[str, Camouflage], Hull] = {}
        self._spreads: dict[str, float] = {}
        self._missing: dict[str, bool] = {}
        self._kept: KeptArrays[KeptName] = KeptArrays(MOST_KEPT_BYTES)
        planes = RecordPlanes(sizes, int(store.n_records), self._coded)
        self.records = RecordTables(planes, lambda: self.record_keys, self._kept)
        self._lock = threading.RLock()

    def __len__(self) -> int:
        return int(self.store.n_records)

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays that stay: columns, classes, hashes and cells of records; :attr:`kept_bytes` come and go."""
        arrays: list[Any] = [index.values for index in self._cells.values()]
        arrays += [self.__dict__[name] for name in ("record_keys", "record_ids", "stratum") if name in self.__dict__]
        return int(self.store.nbytes) + self.records.nbytes + sum(int(array.nbytes) for array in arrays)

    @property
    def kept_bytes(self) -> int:
        """Bytes of cubes and columns that are kept to be read again; at most :data:`MOST_KEPT_BYTES`."""
        return self._kept.nbytes

    # --- columns -----------------------------------------------------------------------------------------------------

    @cached_property
    def record_keys(self) -> PlaceArray:
        """(n, 2): keyed hashes of the records, of 31 bits."""
        return self._record_key.record_keys(self.store.record_ids()).astype(np.int32)

    @cached_property
    def record_ids(self) -> Any:
        """(n,): what tells records apart, 64 bits each."""
        ids = self.store.record_ids()
        return np.require(ids if ids.ndim == 1 else ids[:, 0], requirements=["C", "W"])  # as kernels read it

    @cached_property
    def stratum(self) -> IntArray:
        """(n,): the stratum of each record; one for all where the version has none."""
        return np.asarray(self.records.places(self.strata), dtype=np.int64)

    @cached_property
    def stratum_rows(self) -> StratumRows:
        """The records of each stratum, by their ids."""
        return StratumRows.of(self.stratum if self.strata else None, self.record_ids)

    @cached_property
    def all_rows(self) -> StratumRows:
        """All records by their ids, as one stratum."""
        return StratumRows.of(None, self.record_ids)

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
        layer = self.records.places(strata) if strata else None
        cluster = None if self.store.schema.household is None else self.households
        return SampleDesign.of(layer, cluster, len(self))

    @cached_property
    def design_effect(self) -> float:
        """Kish's design effect of the weights of the whole version, 1 + cv**2, to two digits."""
        if self.weights is None or not len(self) or self.weights.sum() <= 0:
            return 1.0
        return round(1.0 + float(np.var(self.weights) / np.mean(self.weights) ** 2), 2)

    @cached_property
    def mean_weight(self) -> float:
        """The mean of the weights; 1 where the data have none."""
        return 1.0 if self.weights is None else float(self.weights.mean())

    def column(self, name: str) -> Column:
        """Return what the schema says of the column that a variable is made from."""
        return self.store.schema[self.catalogue[name].column]

    def codes(self, name: str) -> npt.NDArray[np.unsignedinteger[Any]]:
        """Return the class of each record in the catalogue; records without a value are in the last class."""
        if not self.catalogue[name].classes:
            raise DataError(f"The variable '{name}' has no classes; give it cutpoints.")
        return self.records.codes(name)

    def _coded(self, name: str) -> npt.NDArray[np.unsignedinteger[Any]]:
        variable = self.catalogue[name]
        if variable.bins is not None:
            found = np.asarray(variable.bins.codes(self.store.floats(variable.column)))
        else:
            found = self._matched(variable)
        missing = found < 0
        if missing.any():
            if not variable.has_missing:
                raise DataError(f"The variable '{name}' has values that are in no class of the catalogue.")
            found = np.where(missing, len(variable.classes), found)
        return found.astype(np.min_scalar_type(max(variable.size - 1, 0)))

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
        """Return the numbers of a numeric variable, read-only; NaN where they are missing."""
        if not self.catalogue[name].is_numeric:
            raise DataError(f"The variable '{name}' has no numbers.")
        place = (self.catalogue[name].column, None)
        kept = self._kept.get(place)
        return self._kept.keep(place, self.store.floats(place[0])) if kept is None else kept

    def has_missing(self, name: str) -> bool:
        """Whether a record has no value of a numeric variable."""
        if name not in self._missing:
            self._missing[name] = bool(np.isnan(self.values(name)).any())
        return self._missing[name]

    def analysed(self, name: str, noise: InputNoise | None = None) -> FloatArray:
        """Return the numbers of a variable as analyses see them: with the policy's input noise, fixed for the version."""
        values = self.values(name)
        if noise is None:
            return values
        kept = self._kept.get((name, noise))
        if kept is None:
            made = noise.apply(values, self.record_ids, key=self.key, variable=name)
            kept = self._kept.keep((name, noise), made)
        return kept

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
        if name not in self._spreads:
            found = float(np.nanstd(self.values(name))) if len(self) else 0.0
            self._spreads[name] = float(f"{found:.1e}")
        return self._spreads[name]

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
            self._polytopes[place] = hidden.cover(
                self.values(name), key=self.lasting_key, label=name, ids=self.record_ids
            )
        return self._polytopes[place]

    # --- tables of all records ------------------------------------------------------------------------------------------

    def cells(self, names: Sequence[str]) -> CellIndex:
        """Return the cell of every record in the table of some variables, in their order."""
        wanted = tuple(names)
        with self._lock:
            if wanted in self._cells:
                self._cells.move_to_end(wanted)
                return self._cells[wanted]
            made = CellIndex(self.records.places(wanted), self.records.shape(wanted))
            self._cells[wanted] = made
            if len(self._cells) > _KEPT:
                self._cells.popitem(last=False)
            return made

    def table(self, names: Sequence[str]) -> IntArray:
        """Return the counts of the unfiltered table of some variables, in their order."""
        return self.records.cube(names).in_order(names)[..., 0]

    def key_table(self, names: Sequence[str]) -> IntArray:
        """Return the sums of the records' keyed hashes in every cell of the unfiltered table: (..., 2)."""
        return self.records.cube(names).in_order(names)[..., 1:]

    # --- universes --------------------------------------------------------------------------------------------------------

    def boxes(self, universe: Universe) -> Boxes:
        """Return the canonical form of a universe.

        Raises
        ------
        ColumnError, ParameterError
            When a variable or a class is not in the catalogue, or a variable may not be used in universes.
        """
        return boxes_of(universe, self.catalogue)

    def members(self, boxes: Boxes, *, known: tuple[int, int, int] | None = None) -> MemberSet:
        """Return the records of a universe; their rows are looked for when somebody asks for them.

        Parameters
        ----------
        boxes
            The universe.
        known
            The two sums of their keyed hashes and their number, where a table of the universe has told them.
        """
        first, second, n = self.records.counted((), boxes).whole if known is None else known
        return MemberSet.named(partial(self._rows, boxes), self.record_keys, size=n, sums=(first, second))

    def _rows(self, boxes: Boxes) -> IntArray:
        return self.records.find((), boxes)[0].astype(np.int64)

    def words(self, boxes: Boxes) -> dict[str, Any]:
        """Return a canonical universe as conditions again, in one way only: what the journal keeps."""
        return words_of(boxes, self.catalogue)

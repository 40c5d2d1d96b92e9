"""What masks share that make groups of equal keys fulfil a privacy model: its parameters and the lattice of the keys."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.errors import ColumnError, DataError
from tacita.core.parameters import ColumnName, Columns, Interval
from tacita.core.selectors import keys
from tacita.data.microdata import Microdata
from tacita.data.units import Unit, Units, find_units
from tacita.mask.base import Mask
from tacita.mask.recode.ladders import CellLoss, KeyLadder, as_text, key_ladder
from tacita.mask.recode.population import Population

if TYPE_CHECKING:
    from tacita.numeric.keys.lattice import Lattice
    from tacita.numeric.keys.privacy_model import PrivacyModel

__all__ = ["GroupModelMask", "RecodingTask"]


@dataclass(frozen=True, eq=False)
class RecodingTask:
    """Keys, lattice and model of one file.

    Parameters
    ----------
    ladders
        The key columns with their levels.
    lattice
        All combinations of levels.
    pattern
        (n,): key pattern of each record.
    model
        What every group must fulfil.
    """

    ladders: tuple[KeyLadder, ...] = field(repr=False)
    lattice: Lattice = field(repr=False)
    pattern: IntArray = field(repr=False)
    model: PrivacyModel = field(repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        """The key columns."""
        return tuple(ladder.name for ladder in self.ladders)


@dataclass(frozen=True, kw_only=True)
class GroupModelMask(Mask):
    """A mask after which every group of records with equal keys fulfils a privacy model.

    Parameters
    ----------
    columns
        The keys; a column without a hierarchy has its values and one label ``*`` for all of them.
    k
        Smallest number of records with equal keys.
    confidential
        The column whose values groups must not give away (``l``, ``t`` and the like); by default the first one with the role
        ``confidential``.
    l
        Smallest diversity of the confidential values of a group; 1 asks for none.
    form
        Definition of diversity: number of ``distinct`` values, exp of the ``entropy``, or ``recursive`` with factor ``c``.
    c
        Factor of the recursive form: the most frequent value is less than c times as frequent as all from the l-th on.
    t
        Largest distance between the confidential values of a group and of the file; 1 asks for none.
    distance
        Distance of t-closeness; by default ``ordered`` for numeric, ordinal and date columns, else ``equal``.
    unit
        The household column: keys that have one value for all members of a household keep one, so that nobody shows more than
        another member. By default the column with that role; ``False`` for none.

    Raises
    ------
    ColumnError
        When a column is not there, or ``l`` or ``t`` is asked for and no column is confidential.
    """

    columns: Columns = keys()
    k: Annotated[int, Interval(1)] = 3
    confidential: ColumnName | None = None
    l: Annotated[float, Interval(1)] = 1.0  # noqa: E741 (the letter of the literature)
    form: Literal["distinct", "entropy", "recursive"] = "distinct"
    c: Annotated[float, Interval(0, closed="right")] = 3.0
    t: Annotated[float, Interval(0, 1)] = 1.0
    distance: Literal["equal", "ordered", "hierarchical"] | None = None
    unit: Unit = None

    def shared(self, data: Microdata, task: RecodingTask) -> tuple[Units | None, tuple[int, ...]]:
        """Return the units and the positions of the keys that belong to them; no units where no key does."""
        units = find_units(data, self.unit, owner=type(self).__name__)
        names = () if units is None else units.shared(data, task.names)
        return (units, tuple(task.names.index(name) for name in names)) if names else (None, ())

    @property
    def looks_at_values(self) -> bool:
        """Whether the confidential column enters."""
        return self.l > 1 or self.t < 1

    def task(
        self, data: Microdata, *, loss: CellLoss = "granularity", population: Population | None = None
    ) -> RecodingTask:
        """Return keys, lattice and model for a file, with what cells lose and who the population is."""
        from tacita.numeric.keys.lattice import build_lattice  # loads when used
        from tacita.numeric.keys.privacy_model import PrivacyModel

        owner = type(self).__name__
        names = data.schema.resolve(self.columns, owner=owner, scales=self.traits.scales)
        model, values, n_values = PrivacyModel(k=self.k), None, 0
        if self.looks_at_values:
            column = self._confidential(data)
            names = tuple(name for name in names if name != column)
            if not names:
                raise ColumnError(f"{owner}: there is no key column beside the confidential '{column}'.")
            model, values, n_values = self._with_values(data, column)
        people = Population() if population is None else population
        ladders = tuple(key_ladder(data, name, owner=owner, others=people.texts(name, owner)) for name in names)
        columns = [ladder.codes for ladder in ladders]
        persons, released = people.persons, None
        if people.data is not None:
            columns, persons, released = people.joined(ladders, len(data))
            values = None if values is None else np.append(values, np.zeros(len(people.data), dtype=np.int64))
        lattice, pattern = build_lattice(
            columns,
            [ladder.ladder(loss) for ladder in ladders],
            values,
            n_values,
            population=persons,
            released=released,
        )
        return RecodingTask(ladders, lattice, pattern[: len(data)], model)

    def unattainable(self, task: RecodingTask, limit: int) -> DataError:
        """Return the error that says why no levels fulfil the model."""
        lattice, owner = task.lattice, type(self).__name__
        node = lattice.node(lattice.top)
        small = int(node.counts[node.counts < self.k].sum())
        bad = int(node.counts[task.model.bad(node)].sum())
        asked = [f"{self.k} records"]
        asked += [f"{self.form} diversity {self.l:g}"] if self.l > 1 else []
        asked += [f"closeness {self.t:g}"] if self.t < 1 else []
        asked += self.further_demands()
        rootless = [ladder.name for ladder in task.ladders if len(set(ladder.up[-1].tolist())) > 1]
        advice = "lower what is asked for"
        advice += f", give the hierarchies of {', '.join(rootless)} one label for all values" if rootless else ""
        advice += ", or allow more records to be suppressed by 'suppress'" if hasattr(self, "suppress") else ""
        return DataError(
            f"{owner}: no levels give every group {' and '.join(asked)}. Even at the coarsest levels {bad} of "
            f"{lattice.n_records} records are in groups that break this ({small} of them in groups that are too small), and "
            f"{limit} may be suppressed; {advice}."
        )

    def further_demands(self) -> list[str]:
        """Name what a subclass asks of groups beside this."""
        return []

    def _confidential(self, data: Microdata) -> str:
        if self.confidential is not None:
            return data.schema[self.confidential].name
        named = data.schema.confidential
        if not named:
            raise ColumnError(
                f"{type(self).__name__}: models of a confidential value need such a column; give 'confidential' or the column "
                "its role."
            )
        return named[0]

    def _with_values(self, data: Microdata, column: str) -> tuple[PrivacyModel, IntArray, int]:
        from tacita.numeric.keys.privacy_model import PrivacyModel

        codes = data.codes(column)
        absent = bool((codes.values < 0).any())  # a missing value is one more value, the last
        n_values = max(len(codes.categories) + absent, 1)
        values = np.where(codes.values < 0, n_values - 1, codes.values)
        kind = self.distance or ("equal" if data.schema[column].scale == "nominal" else "ordered")
        ancestors = self._ancestors(data, column, n_values) if self.t < 1 and kind == "hierarchical" else None
        model = PrivacyModel(k=self.k, l=self.l, form=self.form, c=self.c, t=self.t, distance=kind, ancestors=ancestors)
        return model, values, n_values

    def _ancestors(self, data: Microdata, column: str, n_values: int) -> IntArray:
        """Return the node of each confidential value at every level; a missing value hangs under the root alone."""
        owner, hierarchy = type(self).__name__, data.schema[column].hierarchy
        if hierarchy is None or hierarchy.depth < 2:
            raise ColumnError(f"{owner}: the hierarchical distance needs a hierarchy of column '{column}'.")
        texts = [as_text(value) for value in data.codes(column).categories]
        unknown = [text for text in texts if text not in set(hierarchy.values)]
        if unknown:
            raise DataError(
                f"{owner}: the hierarchy of column '{column}' must have every value of the column, but {len(unknown)} "
                "value(s) are not in it.",
                details={"column": column, "values": unknown},
            )
        levels = []
        for level in range(1, hierarchy.depth):
            labels = hierarchy.labels(level)
            named = [labels[text] for text in texts] + ["\x00missing"] * (n_values - len(texts))
            levels.append(np.unique(named, return_inverse=True)[1].ravel())
        if len(np.unique(levels[-1])) > 1:
            levels.append(np.zeros(n_values, dtype=np.int64))
        return np.array(levels, dtype=np.int64)

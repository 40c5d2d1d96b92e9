"""Tables that know the keys of the records in their cells: the same set of respondents has the same sums in every table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from tacita.core.arrays import IntArray
from tacita.core.errors import DataError, ParameterError
from tacita.core.keyed import Key, KeyLike
from tacita.data.microdata import Microdata
from tacita.data.schema import Schema
from tacita.data.tabulate import Chosen, TallyRequest
from tacita.numeric.perturbation.set_keys import check_members, key_sums, keyed_words
from tacita.numeric.perturbation.whole_parts import WholeParts
from tacita.tables.model.dimension import TOTAL, Dimension
from tacita.tables.model.grid import grid_of, shape_of
from tacita.tables.model.placing import placed
from tacita.tables.model.structural import Structural, check_structural, structural_cells
from tacita.tables.model.table import Table
from tacita.tables.model.tabulate import tables_of_tally, tabulate, warn_left_out
from tacita.tables.perturbation.key_cells import cell_key_sums, spread_everywhere, spread_whole
from tacita.tables.perturbation.key_use import KeyUse

if TYPE_CHECKING:
    from tacita.data.store.key_tally import KeyTally

__all__ = ["KeyedTable", "checked_key", "keyed_by_rows", "keyed_table"]


@dataclass(frozen=True, eq=False)
class KeyedTable(Table):
    """A table with the sums of its records' keys.

    Parameters
    ----------
    sums
        (n, 2): exact sums of the record keys of each cell.
    unit
        What a record is: persons, households and dwellings have keys of their own.
    fingerprint
        The fingerprint of the secret key.
    contributors
        (n, m): a keyed word for each of the largest contributors (:attr:`Table.units`); None in tables of counts.
    """

    sums: IntArray = field(default_factory=lambda: np.zeros((0, 2), np.int64), repr=False)
    unit: str = "person"
    fingerprint: str = ""
    contributors: npt.NDArray[np.uint64] | None = field(default=None, repr=False)

    def with_records(self, arrived: KeyedTable | None = None, left: KeyedTable | None = None) -> KeyedTable:
        """Return the table after records arrived and others left: sums are added and taken away, nothing is read again.

        Parameters
        ----------
        arrived, left
            Tables of these records alone, with the same dimensions, unit and key; a corrected record leaves and arrives.

        Raises
        ------
        ParameterError
            When the tables are of other cells, another unit or another key.
        DataError
            When more records leave a cell than are there.
        """
        if not self.is_frequency or self.counts is None:
            raise ParameterError("Only tables of counts can be brought up to date; make the table of sums anew.")
        counts, values, sums = self.counts.copy(), self.values.copy(), self.sums.copy()
        for other, sign in ((arrived, 1), (left, -1)):
            if other is None:
                continue
            same = other.dimensions == self.dimensions and np.array_equal(other.codes, self.codes)
            if not same or (other.unit, other.fingerprint) != (self.unit, self.fingerprint) or other.counts is None:
                raise ParameterError(
                    "Records can arrive in a table, or leave it, as a table of the same cells, unit and key only; make it with "
                    "the dimensions of this one."
                )
            counts += sign * other.counts
            values += sign * other.values
            sums += sign * other.sums
        if (counts < 0).any() or (sums < 0).any():
            raise DataError(f"From {int((counts < 0).sum())} cells more records leave than are there.")
        check_members(int(counts.max(initial=0)))
        return replace(self, counts=counts, values=values, sums=sums)


def keyed_table(
    data: Microdata | str | Path,
    by: Sequence[str | Dimension],
    response: str | None = None,
    *,
    key: KeyLike,
    identity: str,
    unit: str = "person",
    weight: Chosen = False,
    structural: Structural = (),
    total: str = TOTAL,
    empties: bool = True,
    depth: int = 5,
    schema: Schema | str | Path | None = None,
    memory: str = "4GB",
    threads: int = 1,
    use: KeyUse | None = None,
) -> KeyedTable:
    """Make a table of counts or sums whose cells know the keys of their records.

    Parameters
    ----------
    data
        The records, or the path of a Parquet or CSV file, which DuckDB then reads in chunks; the table is the same.
    by
        The classifying columns, as in :func:`tacita.tables.tabulate`.
    response
        The column to sum; None counts records.
    key
        The secret key: a key, bytes, or the path of a key file.
    identity
        The column that says who a record is, such as the number of a person. It must be different for each record and the same
        in every version of the data; what is in the other columns plays no part.
    unit
        What a record is. The same identity has other keys as a person than as a household or a dwelling.
    weight
        The column of weights: its name, None for that of the schema, False for none.
    structural, total, empties, depth
        As in :func:`tacita.tables.tabulate`.
    schema, memory
        Of a file.
    threads
        How many threads add up; the result does not depend on it.
    use
        Where it is written down which data version the key was used with; a key of another version is refused.

    Returns
    -------
    KeyedTable
        The table; of counts without contributors.

    Raises
    ------
    ParameterError
        When the key is missing, short, or one of an example, or was used with other data.
    DataError
        When identities are missing or stand twice.

    Notes
    -----
    Record keys are two parts of 31 bits of a cipher, under a key derived for the unit; sums are exact up to 2**32 records.
    Sums of weights and of (weighted) amounts are exact too, and rounded once for each cell, so that neither the order of the
    records nor chunks nor threads change a digit; what is exact are the sums of the products of weight and amount, each of
    which is rounded. Of a file only the largest contributors of each cell are known afterwards, by keyed numbers.
    Complexity: O(n d) for n records, and what the cells take.

    Examples
    --------
    >>> from tacita.data.samples import person_register
    >>> people = person_register(500, seed=1)
    >>> table = keyed_table(people, ["sex"], key=Key(bytes(range(3, 67, 2))), identity="person_id")
    >>> bool((table.sums[0] == table.sums[1:].sum(axis=0)).all())
    True
    """
    secret = checked_key(key)
    own = secret.derive("record keys", unit)
    names = [item.name if isinstance(item, Dimension) else item for item in by]
    facts: dict[str, Any] = {"unit": unit, "fingerprint": secret.fingerprint}
    if use is not None:
        use = replace(use, version=use.check(secret, data))
    shape: dict[str, Any] = {"structural": structural, "total": total, "empties": empties}
    if not isinstance(data, Microdata):
        from tacita.data.store.key_tally_file import key_tally_of_file

        of_file: dict[str, Any] = {"schema": schema, "memory": memory, "weight": weight, "depth": depth}
        found = key_tally_of_file(data, names, identity=identity, key=own, response=response, **of_file)
        if response is None:
            made = _of_counts(found, by, **shape, **facts)
        else:
            made = _sums_of_file(found, by, response, depth, shape, facts)
    elif response is None:
        made = _counts_in_memory(data, by, identity, own, weight, threads, shape, facts)
    else:
        made = _of_sums(data, by, response, identity, own, weight, threads, shape | {"depth": depth}, facts)
    if use is not None:  # only now: a table that could not be made has used nothing
        use.note(secret, data)
    return made


# --- tables of sums -----------------------------------------------------------------------------------------------------


def _of_sums(
    data: Microdata,
    by: Sequence[str | Dimension],
    response: str,
    identity: str,
    own: Key,
    weight: Chosen,
    threads: int,
    shape: dict[str, Any],
    facts: dict[str, Any],
) -> KeyedTable:
    """Sums with their contributors; equal amounts stand in the order of identities, and broken numbers are added exactly."""
    from tacita.data.store.key_tally import in_order_of, key_tally, record_keys_of, record_weights

    data = in_order_of(data, identity)
    names = [item.name if isinstance(item, Dimension) else item for item in by]
    keys = record_keys_of(data, identity, own)
    table = tabulate(data, by, response, weight=weight, holding=False, **shape)
    amounts = data.float(response)
    there = ~np.isnan(amounts)
    weighing = data.schema.weight if weight is None else weight or None
    if weighing is not None:
        amounts = amounts * record_weights(data, weighing)
    found = key_tally(data, names, keys=keys, amounts=amounts, there=there, threads=threads)
    words = (keys[:, 0].astype(np.uint64) << np.uint64(31)) | keys[:, 1].astype(np.uint64)
    return _with_keys(table, found, words, facts)


def _sums_of_file(
    found: KeyTally,
    by: Sequence[str | Dimension],
    response: str,
    depth: int,
    shape: dict[str, Any],
    facts: dict[str, Any],
) -> KeyedTable:
    """The same from a file: of its contributors the largest of each cell are known, by their keyed words."""
    names = tuple(item.name if isinstance(item, Dimension) else item for item in by)
    request = TallyRequest(by=names, responses=(response,), depth=depth)
    warn_left_out(request.responses, found.tally)
    (table,) = tables_of_tally(found.tally, by, request, **shape)
    words = np.zeros(0, np.uint64) if found.words is None else found.words
    made = _with_keys(table, found, words, facts)

    def named(owners: IntArray) -> IntArray:
        # Numbers that are the same in every table of these people, so that tables can be linked.
        return np.where(owners >= 0, words[np.maximum(owners, 0)].astype(np.int64), -1) if len(words) else owners

    units = None if made.units is None else replace(made.units, owners=named(made.units.owners))
    sources = tuple(replace(one, units=replace(one.units, owner=named(one.units.owner))) for one in made.sources)
    return replace(made, units=units, sources=sources)


def _with_keys(table: Table, found: KeyTally, words: npt.NDArray[np.uint64], facts: dict[str, Any]) -> KeyedTable:
    sums, values = cell_key_sums(found, table)
    owners = table.units.owners if table.units is not None else np.zeros((len(table), 0), np.int64)
    safe = words if len(words) else np.zeros(1, np.uint64)
    return KeyedTable(
        **{name: getattr(table, name) for name in Table.__dataclass_fields__ if name != "values"},
        values=values,
        sums=sums,
        contributors=np.where(owners >= 0, safe[np.maximum(owners, 0)], np.uint64(0)),
        **facts,
    )


# --- keys ---------------------------------------------------------------------------------------------------------------


def checked_key(given: KeyLike) -> Key:
    """Return a secret key that is none of an example.

    Raises
    ------
    ParameterError
        When it is missing, short, or looks like a default.
    FileError
        When it is a file that cannot be read.
    """
    if given is None:
        raise ParameterError("'key' must be given: without a secret key everybody could repeat the noise.")
    key = Key.of(given)
    if key.is_guessable:
        raise ParameterError("'key' looks like one of an example, which everybody can guess; draw one with Key.draw().")
    return key


def keyed_by_rows(table: Table, secret: Key) -> KeyedTable:
    """Return a table with keys whose contributors are known by their numbers in the data alone.

    The numbers are the same in all tables of one file in one order. In another order, or after a revision, the same people have
    other numbers and get other noise, which can be averaged out: :func:`keyed_table` is for what is published.

    Raises
    ------
    DataError
        When the table does not know all its contributors.
    """
    if not table.sources or not all(source.units.is_whole for source in table.sources):
        raise DataError(
            "CellKey: the table must know the records of its cells; make it with keyed_table(..., identity=...)."
        )
    own, sums = secret.derive("record keys", "row"), np.zeros((len(table), 2), np.int64)
    for source in table.sources:
        inner, where = np.unique(source.units.key, return_inverse=True)
        each = key_sums(where, own.record_keys(source.units.owner.astype(np.uint64)), len(inner))[:, 1:]
        sizes, strides = shape_of(source.dimensions)
        codes = np.stack([(inner // step) % size for size, step in zip(sizes, strides, strict=True)], axis=1)
        keys, added = spread_whole(source.dimensions, codes, each)
        at = np.searchsorted(source.keys, keys)
        there = at < len(source.keys)
        there[there] = source.keys[at[there]] == keys[there]
        sums[source.places[at[there]]] = added[there]
    owners = np.zeros((len(table), 0), np.int64) if table.units is None else table.units.owners
    named = keyed_words(own, np.maximum(owners, 0).ravel().astype(np.uint64)).reshape(owners.shape)
    return KeyedTable(
        **{name: getattr(table, name) for name in Table.__dataclass_fields__},
        sums=sums,
        unit="row",
        fingerprint=secret.fingerprint,
        contributors=np.where(owners >= 0, named, np.uint64(0)),
    )


# --- tables of counts ---------------------------------------------------------------------------------------------------


def _counts_in_memory(
    data: Microdata,
    by: Sequence[str | Dimension],
    identity: str,
    own: Key,
    weight: Chosen,
    threads: int,
    shape: dict[str, Any],
    facts: dict[str, Any],
) -> KeyedTable:
    from tacita.data.store.key_tally import key_tally, record_keys_of, record_weights

    names = [item.name if isinstance(item, Dimension) else item for item in by]
    weighing = data.schema.weight if weight is None else weight or None
    amounts = None if weighing is None else record_weights(data, weighing)
    found = key_tally(data, names, keys=record_keys_of(data, identity, own), amounts=amounts, threads=threads)
    return _of_counts(found, by, **shape, **facts)


def _of_counts(
    found: KeyTally, by: Sequence[str | Dimension], structural: Structural, total: str, empties: bool, **facts: Any
) -> KeyedTable:
    """Make the table of counts of inner cells."""
    dimensions, codes = placed(found.tally, by, total=total)
    exact = found.amounts
    columns = np.column_stack([found.records, found.sums, *([] if exact is None else [exact.parts])])
    if empties:
        added = spread_everywhere(dimensions, codes, columns)
        keys = np.arange(len(added), dtype=np.int64)
    else:
        keys, added = spread_whole(dimensions, codes, columns)
    values = added[:, 0].astype(np.float64) if exact is None else WholeParts(exact.lowest, added[:, 3:]).rounded()
    cells, relations = grid_of(dimensions, keys)
    known = None if not structural else structural_cells(dimensions, structural)[keys]
    made = KeyedTable(
        tuple(dimensions),
        cells,
        values,
        relations,
        responses=("",),
        counts=added[:, 0],
        structural=known,
        sums=np.ascontiguousarray(added[:, 1:3]),
        **facts,
    )
    check_structural(made)
    return made

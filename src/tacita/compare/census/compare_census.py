"""Which way for my census? Every way to protect counts, tried on the tables that will be published, and measured alike."""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from typing import Annotated

import numpy as np

from tacita.compare.census.census_attacks import (
    MOST_CELLS,
    MOST_LISTED,
    Found,
    JointCells,
    averaging_gain,
    fitting_gain,
    joint_cells,
    narrow_small_cells,
    solve_small_cells,
)
from tacita.compare.census.census_comparison import CensusComparison, CensusWay
from tacita.compare.census.census_ways import WAYS, CensusCase
from tacita.compare.census.published_counts import PublishedCounts
from tacita.core.arrays import IntArray
from tacita.core.errors import DataError, ParameterError, TacitaError, TacitaNote, TacitaWarning, did_you_mean
from tacita.core.keyed import Key, KeyLike
from tacita.core.parameters import Interval
from tacita.core.progress import task
from tacita.core.streams import Seed, Streams, check_seed, draw_seed
from tacita.data.microdata import Microdata
from tacita.tables.additive.consistency import consistency
from tacita.tables.additive.declared_set import DeclaredSet, declare
from tacita.tables.model.grid import shape_of
from tacita.tables.perturbation.keyed_table import checked_key, keyed_table

__all__ = ["compare_census"]

_OWNER = "compare_census"


def compare_census(
    data: Microdata,
    tables: Sequence[Sequence[str]],
    *,
    key: KeyLike,
    identity: str | None = None,
    geography: str | None = None,
    seed: Seed | None = None,
    ways: Sequence[str] | None = None,
    k: Annotated[int, Interval(2)] = 3,
    D: Annotated[int, Interval(1)] = 3,
    V: Annotated[float, Interval(0, closed="neither")] = 2.0,
    rate: Annotated[float, Interval(0, 100)] = 5.0,
    sweeps: int | None = 400,
    time_limit: float | None = 60.0,
    most_tried: int = 200,
) -> CensusComparison:
    """Try every way to protect the tables of a census, and measure each alike.

    Suppression with the auditor's certificate; controlled rounding; cell keys; cell keys made additive, table by table; the same
    for all tables at once, which makes them consistent too; SAFE; targeted record swapping, alone and with cell keys after it,
    which is the practice of the European census of 2021.

    Parameters
    ----------
    data
        The records, one a person; weights are not used.
    tables
        The classifying columns of each table that will be published.
    key
        The secret key: a key, bytes, or the path of a key file.
    identity
        The column that says who a record is. By default the first identifier that is different for each record.
    geography
        The declared column of places, for swapping. By default the one with the deepest hierarchy.
    seed
        Same seed and key, same figures but for the time. Without it one is drawn.
    ways
        Names of the ways to try; by default all.
    k
        Smallest count but 0 that may be shown; also the base of rounding, and what makes a person rare for swapping.
    D, V
        The most noise of a count by cell keys, and its variance.
    rate
        Percentage of the households of each place that are swapped at least.
    sweeps
        Work of SAFE; None for its own default, which takes longer and comes closer.
    time_limit
        Seconds for suppression and for rounding; where they may have ended a search a remark says so, and that the result may
        not repeat.
    most_tried
        How many small cells linear programmes are tried on at most; drawn by the seed where there are more.

    Returns
    -------
    CensusComparison
        One row for each way; one that cannot be done for these data has its reason. For the owner's eyes.

    Raises
    ------
    ParameterError
        When there is no table, the key is missing or short, or a parameter is out of bounds.
    ColumnError
        When a column is not there.

    Complexity
    ----------
    That of the ways; and two linear programmes for each small cell tried, where the tables have at most 20 000 cells with the
    empty ones. In larger ones all small cells are tried by the sums one after the other, up to 4 000 000 cells.

    Notes
    -----
    The attacker is a reader who knows the way and its bounds (D, the base, the largest deviation of SAFE, what swapping keeps,
    that empty cells are neither hidden nor changed), all declared tables, and that the true sums hold. He does not know the key,
    the seed, or anybody's record. That he is sure of nothing in a swapped cell is not much: most records are where they were, and
    ``open_small`` says how many small counts stand as they are.

    Examples
    --------
    >>> import tacita as tc
    >>> people = tc.samples.census_register(1000, seed=1, regions=5)
    >>> key = Key(bytes(range(3, 67, 2)))
    >>> found = compare_census(people, [["municipality", "sex"], ["sex", "marital"]], key=key, ways=["cell keys"], seed=1)
    >>> found["cell keys"].differ, found["cell keys"].small
    (0, 0)
    """
    chosen = _checked_ways(ways)
    _check_numbers(k=k, D=D, V=V, rate=rate, most_tried=most_tried)
    if isinstance(tables, str) or not len(tables) or any(isinstance(table, str) or not len(table) for table in tables):
        raise ParameterError(f"{_OWNER}: 'tables' must have at least one table, each a list of columns.")
    secret = checked_key(key)
    drawn = draw_seed() if seed is None else check_seed(seed, owner=_OWNER)
    for name, given in (("identity", identity), ("geography", geography)):
        if given is not None:
            data.schema.resolve((given,), owner=_OWNER, parameter=name)
    declared = declare(data, [list(table) for table in tables])
    case = CensusCase(
        data=data,
        declared=declared,
        key=secret,
        identity=_identity(data, declared, secret) if identity is None else identity,
        geography=_geography(data, declared, geography),
        k=k,
        D=D,
        V=V,
        rate=rate,
        sweeps=sweeps,
        time_limit=time_limit,
        seed=drawn,
    )
    attacked = _Attacked(case, most_tried)
    with task("Trying ways", len(chosen)) as running:
        rows = []
        for way in chosen:
            rows.append(_row(way, case, attacked))
            running.advance(note=way)
    return CensusComparison(
        ways=tuple(rows),
        tables=tuple(tuple(table) for table in tables),
        records=len(data),
        cells=len(declared),
        shared=consistency(declared.tables).cells,
        small_cells=int(attacked.small),
        k=k,
        settings=_settings(case),
        notes=attacked.notes(),
        frame_kind=data._frame_kind,
    )


def _checked_ways(ways: Sequence[str] | None) -> tuple[str, ...]:
    for way in ways or ():
        if way not in WAYS:
            raise ParameterError(
                f"{_OWNER}: 'ways' must be among {', '.join(WAYS)}, got '{way}'.{did_you_mean(way, WAYS)}"
            )
    return tuple(WAYS) if not ways else tuple(way for way in WAYS if way in ways)


def _check_numbers(*, k: int, D: int, V: float, rate: float, most_tried: int) -> None:
    for name, value, least in (("k", k, 2), ("D", D, k - 1), ("most_tried", most_tried, 0)):
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
            raise ParameterError(f"{_OWNER}: '{name}' must be a whole number of at least {least}, got {value}.")
    if not V > 0:
        raise ParameterError(f"{_OWNER}: 'V' must be above 0, got {V}.")
    if not 0 <= rate <= 100:
        raise ParameterError(f"{_OWNER}: 'rate' must be from 0 to 100, got {rate}.")


def _identity(data: Microdata, declared: DeclaredSet, key: Key) -> str:
    """Return the first identifier that is different for each record; empty where there is none."""
    for column in data.schema:
        if "identifier" in column.roles:
            try:
                keyed_table(data, declared.tables[0].dimensions, key=key, identity=column.name, empties=False)
            except DataError:
                continue
            return column.name
    return ""


def _geography(data: Microdata, declared: DeclaredSet, given: str | None) -> str:
    """Return the column of places; empty where there is none."""
    names = [dimension.name for dimension in declared.dimensions]
    if given is not None:
        if given not in names:
            raise ParameterError(f"{_OWNER}: 'geography' must be a column of the tables, which '{given}' is not.")
        return given
    trees = {name: data.schema[name].hierarchy for name in names}
    depth = {name: tree.depth for name, tree in trees.items() if tree is not None and tree.depth > 1}
    return max(depth, key=lambda name: depth[name]) if depth else ""


def _settings(case: CensusCase) -> str:
    where = (
        f"swapped between codes of '{case.geography}', at least {case.rate:g} %" if case.geography else "not swapped"
    )
    who = f"keys of '{case.identity}'" if case.identity else "no keys"
    return f"Counts below {case.k} are small; D = {case.D}, V = {case.V:g}; base of rounding {case.k}; {who}; households {where}."


# --- measuring one way ----------------------------------------------------------------------------------------------------


class _Attacked:
    """The small cells that are tried, the same for every way."""

    def __init__(self, case: CensusCase, most: int) -> None:
        declared = case.declared
        self.k = case.k
        keys: IntArray = declared.codes @ shape_of(declared.dimensions)[1]
        small = np.flatnonzero((declared.counts > 0) & (declared.counts < case.k))
        self.small = len(small)
        grids = [int(np.prod([len(d.codes) for d in table.dimensions], dtype=np.int64)) for table in declared.tables]
        self.cells = sum(grids)
        self.is_listed, self.is_solved = self.cells <= MOST_LISTED, self.cells <= MOST_CELLS
        if self.is_solved and len(small) > most:
            rng = Streams(case.seed).stream(_OWNER, "targets")
            small = np.sort(rng.choice(small, most, replace=False))
        self.targets: IntArray = keys[small] if self.is_listed else np.zeros(0, np.int64)

    def notes(self) -> tuple[str, ...]:
        """Say who attacks, and which cells."""
        tried = f"{len(self.targets)} of the {self.small} small cells were tried"
        if self.is_solved:
            tried += " by linear programmes over all tables."
        elif self.is_listed:
            tried += (
                f" by the sums one after the other; more than {MOST_CELLS:,} cells are too many for linear programmes."
            )
        else:
            tried = f"not tried, since the tables have {self.cells:,} cells with the empty ones."
        return (
            f"Small left: cells shown with a count from 1 to {self.k - 1}. Small shown: share of the truly small cells that are "
            "shown as they are.",
            "The attacker is a reader who knows the way, its bounds, all these tables, and that true sums hold; no key, no seed.",
            "Averaging gains: how much smaller the error of the mean over tables is than that of one table, in shared cells.",
            "Fitting gains: how much smaller the error is, in all cells, after he fits the counts to all sums.",
            f"Small solved: share of the small cells that he knows exactly; {tried}",
            "A dash: there is no error that could become smaller, cells are hidden, or the tables are too large.",
        )

    def find(self, cells: JointCells) -> Found:
        """Solve for the small cells, as far as the size of the tables lets."""
        return solve_small_cells(cells, self.targets) if self.is_solved else narrow_small_cells(cells, self.targets)


def _row(way: str, case: CensusCase, attacked: _Attacked) -> CensusWay:
    """Do one way and measure it; what cannot be done has its reason."""
    begin = time.perf_counter()
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            published = WAYS[way](case)
        except TacitaError as error:
            return CensusWay(way=way, reason=str(error), seconds=time.perf_counter() - begin)
    seconds = time.perf_counter() - begin
    told = [str(found.message) for found in heard if issubclass(found.category, (TacitaWarning, TacitaNote))]
    return _measured(way, published, attacked, seconds, (*published.notes, *dict.fromkeys(told)))


def _measured(
    way: str, published: PublishedCounts, attacked: _Attacked, seconds: float, notes: tuple[str, ...]
) -> CensusWay:
    truth = np.concatenate([table.truth for table in published.tables])
    shown = np.concatenate([table.shown for table in published.tables])
    hidden = np.concatenate([table.hidden for table in published.tables])
    away = np.abs(shown - truth)[~hidden]
    is_small = (truth > 0) & (truth < attacked.k)
    cells = joint_cells(published, empties=attacked.is_listed)
    found = attacked.find(cells)
    return CensusWay(
        way=way,
        mean=float(away.mean()) if len(away) else None,
        largest=int(away.max()) if len(away) else None,
        hidden=100.0 * float(hidden.mean()),
        small=int(((shown > 0) & (shown < attacked.k) & ~hidden).sum()),
        open_small=100.0 * float(((shown == truth) & ~hidden)[is_small].mean()) if is_small.any() else None,
        is_additive=not any(len(table.relations.violated(table.shown.astype(float))) for table in published.tables),
        differ=consistency([table.to_table() for table in published.tables]).differ,
        averaging=averaging_gain(cells),
        fitting=fitting_gain(cells) if attacked.is_listed else None,
        found=found.share,
        tried=found.tried,
        seconds=seconds,
        notes=notes,
    )

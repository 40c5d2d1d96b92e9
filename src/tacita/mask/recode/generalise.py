"""Generalisation: the levels of the keys' hierarchies that fulfil a privacy model and lose least."""

from __future__ import annotations

import time
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tacita.core.arrays import BoolArray, IntArray
from tacita.core.attacks import Attack
from tacita.core.errors import DataError, ParameterError, TacitaWarning
from tacita.core.parameters import Interval
from tacita.core.streams import Streams
from tacita.core.traits import Traits
from tacita.data.microdata import Microdata
from tacita.data.units import Units, say_units
from tacita.mask.recode.group_model import GroupModelMask, RecodingTask
from tacita.mask.recode.ladders import CellLoss, recoded_column, with_labels
from tacita.mask.recode.population import Population

if TYPE_CHECKING:
    from tacita.numeric.keys.lattice import Node

__all__ = ["Generalisation", "Generalise"]


@dataclass(frozen=True)
class Generalisation:
    """What a search for the best generalisation found.

    Parameters
    ----------
    levels
        The chosen level of each key.
    granularity
        1 less the mean over all key cells of (values that the cell may stand for - 1) / (values of the hierarchy - 1);
        suppressed and missing cells count 0.
    loss, bound
        The loss that was minimised, and a value below which no acceptable generalisation can come.
    is_optimal
        Whether it is proven that no other levels lose less.
    suppressed
        Records whose keys are suppressed.
    checked, nodes
        Combinations of levels whose groups were counted, and all there are.
    seconds
        Time of the search.
    by_units
        Whether households that had to go as a whole cost more than the search knew of; nothing is proven then.
    """

    levels: Mapping[str, int]
    granularity: float
    loss: float
    bound: float
    is_optimal: bool
    suppressed: int
    checked: int
    nodes: int
    seconds: float
    by_units: bool = False

    @property
    def gap(self) -> float:
        """How much better, relative to the loss, another choice of levels could be; 0 where the optimum is proven."""
        return max(self.loss - self.bound, 0.0) / self.loss if self.loss > 0 else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return all of it, ready for JSON."""
        return {**vars(self), "levels": dict(self.levels), "gap": self.gap}

    def __str__(self) -> str:
        chosen = ", ".join(f"{name} {level}" for name, level in self.levels.items())
        proof = "the optimum" if self.is_optimal else f"the optimum is at most {100 * self.gap:.1f} % lower"
        proof = "before households went as a whole" if self.by_units else proof
        return (
            f"levels: {chosen}; granularity {self.granularity:.3f}; loss {self.loss:.6g}, {proof}; "
            f"{self.suppressed} records suppressed; {self.checked} of {self.nodes} nodes checked in {self.seconds:.2f} s"
        )


@dataclass(frozen=True, kw_only=True)
class Generalise(GroupModelMask):
    """Bring every key to the level of its hierarchy that together fulfil a privacy model at the least loss.

    Among all combinations of levels, the lattice, the search takes the one of least loss in which the groups of records with
    equal keys have ``k`` records or more (and enough diverse or close confidential values). Up to ``suppress`` percent of
    the records may break that: their keys are suppressed.

    Protects against linkage by the keys: nobody can be told apart from k - 1 others; with ``l`` and ``t`` also against
    learning a confidential value from the group alone. Does not protect against an intruder who knows the others of a group, nor
    columns that are not named as keys.

    Parameters
    ----------
    suppress
        Percentage of records whose keys may be suppressed.
    loss
        What is minimised. ``granularity``: mean share of its hierarchy that a cell covers, (values - 1) / (all values - 1), 1
        when suppressed. ``precision``: mean of level / coarsest level, 1 when suppressed. ``entropy``: mean of -log P(value |
        label), P by the frequencies of the file, divided by that of suppression. ``discernibility``: sum of squared group
        sizes, n for each suppressed record. ``class size``: records per group, divided by k; the suppressed are one group.
    gs_factor
        What weighs more in a loss of cells: at 0.5 both are charged in full, towards 0 suppression costs less, towards 1
        generalisation does.
    beta_max
        Largest relative gain (p - q) / q of a confidential value's share p in a group over its share q in the file; none for
        no limit.
    enhanced
        Whether no gain may exceed -log q either.
    k_map
        Smallest number of persons of the population with equal keys; none for no limit. Alone with ``k = 1``.
    presence_min, presence_max
        Smallest and largest share of the persons with equal keys that are in the file, as fractions: what anybody learns about
        who is in it.
    uniques
        Largest percentage of records that are estimated to be unique in the population, with ``k = 1``; none for no limit.
    model
        How uniques are estimated: ``pitman``, ``zayatz``, ``negative binomial``, or ``dankar``, the rule that chooses one.
    fraction
        Sampling fraction for ``uniques``; by default the number of records over that of persons.
    population
        A file of the population, with the keys, those of the data included. By default each record stands for as many persons
        as its weight says.
    time_limit
        Seconds after which the best so far is taken, with a warning; none for no limit.

    Returns
    -------
    Microdata
        With labels of the chosen levels. Recoded columns are ordinal where the labels keep an order, else nominal; keys of
        suppressed records are missing.

    Raises
    ------
    DataError
        When a hierarchy does not cover a value, no levels fulfil the model, or nothing is known about the population.
    ParameterError
        When records may be suppressed and ``presence_min`` is above 0, or ``gs_factor`` is set for a loss of groups.

    Preserves
    ---------
    k-anonymity: every combination of masked values occurs k times or more, but for records of which nothing is left.

    Complexity
    ----------
    O(g d) a node, for the g groups of a finer node that it is made from; at most all nodes, usually a few percent of them.

    Notes
    -----
    Without suppression all rules for groups are monotone: what holds for levels holds for coarser ones. With suppression that
    is so for k-anonymity, k-map and distinct l-diversity; for the others the search counts the records that must go from each
    group at any finer levels. The loss is not monotone with suppression, and nodes are excluded by bounds that contain only
    the suppression that finer levels cannot avoid. Uniques have no bound: only levels that would be better are estimated. In
    all cases :meth:`find` says whether the optimum is proven. Lattices of more than four million nodes are searched by descent,
    and bounded from below by blocks of columns. A search that a time limit ended may end otherwise when it is repeated.

    A missing key is a value of its own until the level has one label for all values, which it then gets as well.

    The percentage of ``uniques`` is that of the risk ``population_uniqueness``: of records, not of persons as in other tools.
    Where it is exceeded, all records that are alone with their keys are suppressed. A suppressed record is not present for
    ``presence_max``; with ``presence_min`` that would give away somebody who is not in the file, so the two are not combined.
    ``gs_factor`` g charges a generalised cell min(1, 2 - 2g) of its loss, a suppressed one its loss at the chosen levels and
    min(1, 2g) of the rest.

    One level for the whole file treats all members of a household alike. Suppression does not: where a key belongs to the
    household, the keys of all its members are suppressed, and those of groups that become too small by that. If these are
    more than ``suppress`` allows, the search is repeated with half as many; the loss that is reported is that of the search.

    References
    ----------
    Samarati, P. (2001), Protecting respondents' identities in microdata release; Kohlmayer, F. et al. (2012), Flash: efficient,
    stable and optimal k-anonymity; Iyengar, V. (2002), Transforming data to satisfy privacy constraints (the loss);
    Sweeney, L. (2002), Achieving k-anonymity privacy protection using generalization and suppression (precision, k-map);
    de Waal, T. and Willenborg, L. (1999), Information loss through global recoding and local suppression (entropy);
    Nergiz, M., Atzori, M. and Clifton, C. (2007), Hiding the presence of individuals from shared databases; Cao, J. and Karras,
    P. (2012), Publishing microdata with a robust privacy guarantee; Dankar, F. et al. (2012), Estimating the re-identification
    risk of clinical data sets; Prasser, F. et al. (2020), Flexible data anonymization using ARX (the factor).

    Examples
    --------
    >>> import pyarrow as pa, tacita as tc
    >>> tree = tc.Hierarchy((("1", "1-2", "*"), ("2", "1-2", "*"), ("3", "3-4", "*"), ("4", "3-4", "*")))
    >>> data = tc.Microdata.from_frame(pa.table({"x": [1, 2, 3, 4, 4]}), keys=["x"], hierarchies={"x": tree})
    >>> mask = Generalise(k=2)
    >>> mask.apply(data).to_arrow().column("x").to_pylist()
    ['1-2', '1-2', '3-4', '3-4', '3-4']
    >>> mask.find(data).is_optimal
    True
    """

    name = "generalise"
    title = "Generalisation"
    attacks = (Attack(measure="individual_risk", knows="the coarser categories of everybody"),)
    faces = ("key_match", "probabilistic_link")
    traits = Traits(scales={"numeric", "ordinal", "nominal", "date"}, preserves=("k-anonymity",), recodes=True)
    suppress: Annotated[float, Interval(0, 100)] = 0.0
    loss: Literal["granularity", "precision", "entropy", "discernibility", "class size"] = "granularity"
    gs_factor: Annotated[float, Interval(0, 1)] = 0.5
    time_limit: Annotated[float, Interval(0, closed="right")] | None = 60.0
    beta_max: Annotated[float, Interval(0, closed="right")] | None = None
    enhanced: bool = False
    k_map: Annotated[int, Interval(2)] | None = None
    presence_min: Annotated[float, Interval(0, 1)] = 0.0
    presence_max: Annotated[float, Interval(0, 1)] = 1.0
    uniques: Annotated[float, Interval(0, 100)] | None = None
    model: Literal["pitman", "zayatz", "negative binomial", "dankar"] = "dankar"
    fraction: Annotated[float, Interval(0, 1, closed="right")] | None = None
    population: str | None = None

    def check(self) -> None:
        """Refuse what contradicts itself."""
        if self.presence_min > 0 and self.suppress > 0:
            raise ParameterError(
                "Generalise: 'suppress' must be 0 with 'presence_min': whoever is suppressed is not present."
            )
        if self.presence_min > self.presence_max:
            raise ParameterError("Generalise: 'presence_min' must not exceed 'presence_max'.")
        if self.gs_factor != 0.5 and self.loss in ("discernibility", "class size"):
            raise ParameterError(f"Generalise: 'gs_factor' weighs losses of cells; '{self.loss}' is one of groups.")
        if self.uniques is not None and self.k > 1:
            raise ParameterError("Generalise: 'uniques' needs 'k' = 1; where k is larger no record is unique at all.")

    @property
    def looks_at_values(self) -> bool:
        """Whether the confidential column enters."""
        return super().looks_at_values or self.beta_max is not None

    @property
    def looks_outside(self) -> bool:
        """Whether the keys of the population enter."""
        return self.k_map is not None or self.presence_min > 0 or self.presence_max < 1

    def further_demands(self) -> list[str]:
        """Name what is asked of groups beside size, diversity and closeness."""
        asked = [f"beta-likeness {self.beta_max:g}"] if self.beta_max is not None else []
        asked += [f"{self.k_map} persons of the population"] if self.k_map is not None else []
        low, high = self.presence_min, self.presence_max
        asked += [f"presence from {low:g} to {high:g}"] if low > 0 or high < 1 else []
        return [*asked, *([f"at most {self.uniques:g} % population uniques"] if self.uniques is not None else [])]

    def find(self, data: Microdata) -> Generalisation:
        """Search without changing the data."""
        return self._search(data)[0]

    def transform(self, data: Microdata, streams: Streams) -> Microdata:
        """Generalise the chosen columns."""
        if not len(data):
            data.schema.resolve(self.columns, owner="Generalise", scales=self.traits.scales)
            return data
        found, task, gone = self._search(data)
        if not found.is_optimal and not found.by_units:
            warnings.warn(
                f"Generalise: the search ended before the optimum was proven; it is at most {100 * found.gap:.1f} % "
                "below the loss reached. A longer 'time_limit' or fewer columns may help.",
                TacitaWarning,
                stacklevel=3,
            )
        made = data
        for ladder in task.ladders:
            level, name = found.levels[ladder.name], ladder.name
            if level == 0:
                made = _suppressed(made, name, gone) if gone.any() else made
                continue
            codes = np.where(gone, -1, ladder.up[level][ladder.codes])
            column = recoded_column(data.schema[name], ladder.hierarchy, level)
            made = with_labels(made, name, codes, ladder.labels[level], column, owner="Generalise")
        return made

    def _task(self, data: Microdata) -> RecodingTask:
        """Return keys, lattice and the whole model."""
        loss: CellLoss = self.loss if self.loss in ("precision", "entropy") else "granularity"
        people = Population.of(data, self.population, owner="Generalise") if self.looks_outside else None
        task = self.task(data, loss=loss, population=people)
        model = replace(
            task.model,
            beta=np.inf if self.beta_max is None else self.beta_max,
            is_enhanced=self.enhanced,
            k_map=0.0 if self.k_map is None else float(self.k_map),
            presence=(self.presence_min, self.presence_max),
            uniques=None if self.uniques is None else self.uniques / 100,
            rule=self.model,
            persons=self._persons(data) if self.uniques is not None else 0.0,
        )
        return replace(task, model=model)

    def _persons(self, data: Microdata) -> float:
        """Return the size of the population."""
        if self.fraction is not None:
            return len(data) / self.fraction
        return Population.of(data, self.population, owner="Generalise").size

    def _search(self, data: Microdata) -> tuple[Generalisation, RecodingTask, BoolArray]:
        """Return the result, what it was searched in, and the records to suppress."""
        from tacita.numeric.keys.lattice_search import CellPrices, search_lattice

        started = time.monotonic()
        task, prices = self._task(data), CellPrices.of(self.gs_factor)
        limit = int(np.floor(len(data) * self.suppress / 100 + 1e-9))
        units, places = self.shared(data, task) if limit else (None, ())
        allowed, bound = limit, None
        while (
            True
        ):  # with households fewer records may break the model by half in every turn; with none, none are suppressed
            found = search_lattice(
                task.lattice, task.model, limit=allowed, loss=self.loss, time_limit=self.time_limit, prices=prices
            )
            if found.levels is None:
                if allowed < limit:
                    raise DataError(
                        "Generalise: no levels fulfil the model when households are suppressed as a whole and no more than "
                        "'suppress' percent of the records may be; allow more, or treat persons alone by unit = false."
                    )
                if found.is_optimal:
                    raise self.unattainable(task, limit)
                raise DataError(
                    "Generalise: no levels that fulfil the model were found within 'time_limit'; allow more time."
                )
            bound = found.bound if bound is None else bound
            node, labels = task.lattice.grouped(found.levels)
            bad = task.model.suppressed(node)[labels][task.pattern]
            gone = bad if units is None else self._whole_units(data, task, node, labels[task.pattern], bad, units)
            if gone.sum() <= limit or not bad.any():
                break
            allowed //= 2
        by_units = allowed < limit or int(gone.sum()) > int(bad.sum())
        if units is not None and gone.any():
            names = [task.names[j] for j in places]
            say_units(units, names, owner="Generalise", done="keys are suppressed for whole households")
        return (
            Generalisation(
                levels=dict(zip(task.names, found.levels, strict=True)),
                granularity=_granularity(task, found.levels, gone),
                loss=found.loss,
                bound=bound,
                is_optimal=found.is_optimal and not by_units,
                suppressed=int(gone.sum()),
                checked=found.checked,
                nodes=found.nodes,
                seconds=time.monotonic() - started,
                by_units=by_units,
            ),
            task,
            gone,
        )

    def _whole_units(
        self, data: Microdata, task: RecodingTask, node: Node, labels: IntArray, bad: BoolArray, units: Units
    ) -> BoolArray:
        """Return the records to suppress when units go as a whole, and groups that break the model by that go too."""
        column = None if node.values is None else self._confidential(data)
        values = np.zeros(len(data), dtype=np.int64) if column is None else self._with_values(data, column)[1]
        gone = units.spread(bad)
        while not gone.all():  # every turn but the last takes a record
            rest = np.flatnonzero(~gone)
            left, at = np.unique(labels[rest], return_inverse=True)
            broken = task.model.suppressed(_node_of(node, left, at.ravel(), values[rest]))[at.ravel()]
            if not broken.any():
                break
            gone[rest[broken]] = True
            gone = units.spread(gone)
        return gone


def _node_of(node: Node, left: IntArray, labels: IntArray, values: IntArray) -> Node:
    """Return the groups of a node with fewer records; shares of the whole file stay."""
    counts = np.bincount(labels, minlength=len(left)).astype(np.int64)
    node = replace(node, population=None if node.population is None else node.population[left], full=None)
    if node.values is None:
        return replace(node, member=left, counts=counts)
    from tacita.numeric.keys.diversity import group_values

    made = group_values(labels, values, len(node.values.overall))
    return replace(node, member=left, counts=counts, values=replace(made, overall=node.values.overall))


def _granularity(task: RecodingTask, levels: tuple[int, ...], gone: BoolArray) -> float:
    if not len(gone):
        return 1.0
    lost = [
        np.where(gone, 1.0, ladder.share[level][ladder.codes]).mean()
        for ladder, level in zip(task.ladders, levels, strict=True)
    ]
    return 1.0 - float(np.mean(lost))


def _suppressed(data: Microdata, name: str, gone: BoolArray) -> Microdata:
    column = data.column(name).combine_chunks()
    return data.with_column(name, pc.if_else(pa.array(gone), pa.scalar(None, column.type), column))

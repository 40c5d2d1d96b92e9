"""Private tables: records drawn from noisy one- and two-way tables, with a proof of differential privacy."""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Annotated, Any, Literal

import numpy as np
import pyarrow as pa

from tacita.core.arrays import IntArray
from tacita.core.errors import ColumnError, DataError, ParameterError, TacitaWarning
from tacita.core.parameters import ColumnName, Columns, Interval
from tacita.core.streams import Streams
from tacita.core.traits import Traits
from tacita.data.microdata import Microdata
from tacita.data.schema import Column, Schema
from tacita.mask.base import Mask
from tacita.mask.synthetic.new_records import described_columns, new_records
from tacita.mask.synthetic.public_domains import (
    BinDomain,
    Domain,
    day_number,
    listed_classes,
    occurring_domain,
    schema_domain,
)
from tacita.numeric.privacy.cost import rho_of_epsilon
from tacita.numeric.privacy.exact_noise import ExactNoise
from tacita.numeric.synthesis.private.budget import MeasuredPart, TablesBudget
from tacita.numeric.synthesis.private.private_tables import fit_private_tables, noisy_sum

__all__ = ["PrivacyStatement", "PrivateTables"]

_MANY = 10**8
"""Records beyond which a noisy number of records is noise alone."""


@dataclass(frozen=True)
class PrivacyStatement:
    """What a release promises, and what was measured for it. Nothing in it comes from a record, so it may be published.

    Parameters
    ----------
    epsilon, delta
        Of (epsilon, delta)-differential privacy, for adding or taking away one unit.
    rho
        The same as zero-concentrated differential privacy, by which the parts add up.
    unit
        What may be added or taken away: ``a record``, or ``all records of one household``.
    members
        The most records that a unit has; its others are left out.
    parts
        What was measured, how often, what each costs, and the scale of its noise.
    """

    epsilon: float
    delta: float
    rho: float
    unit: str
    members: int
    parts: tuple[MeasuredPart, ...]

    def sentences(self) -> tuple[str, ...]:
        """Return the promise and the parts in words."""
        said = [
            f"With or without {self.unit}, every result is at most e^{self.epsilon:g} times as likely, but for a chance of "
            f"{self.delta:g}; as zero-concentrated differential privacy rho = {self.rho:.4g}."
        ]
        for part in self.parts:
            scale = "epsilon" if part.what == "choice of a pair" else "noise of scale"
            said.append(f"{part.times} x {part.what}: rho = {float(part.rho):.4g} each, {scale} {part.scale:.4g}.")
        return tuple(said)


@dataclass(frozen=True, kw_only=True)
class PrivateTables(Mask):
    r"""Draw all records anew from noisy tables, so that no record can change much of what leaves: differential privacy.

    All one-way tables are measured with a third of the budget, a tree of pairs is chosen with a third, their two-way tables are
    measured with the last. The noise is discrete Gaussian, ``P(v) ~ exp(-v^2 / (2 s^2))``. Records are drawn from the
    distribution on the tree that fits the noisy tables; numbers evenly over their bins.

    Protects against everybody, whatever he knows: with or without any one unit, every result is at most ``exp(epsilon)`` times as
    likely, but for a chance of ``delta``. Does not protect what follows from the population as a whole, nor what is declared
    public: classes, bounds, names and types of columns. A household is protected as a whole only where it is the ``unit``.

    Parameters
    ----------
    epsilon, delta
        The budget. A second release of the same people is paid for anew: budgets add up.
    unit
        The column whose records are protected as one, such as the household; by default every record is one. None takes the
        household where the schema has one.
    members
        The most records that a unit has; the others of it are left out, at random. Noise grows with it.
    domains
        ``declared``: every column has its classes or bounds in a schema that says they are public, or in ``categories`` or
        ``breaks``. ``public``: what the schema lists, and where it lists nothing what occurs in the data (values, the least and
        the largest number, whether there are gaps), is public knowledge. That is your word, no part of the proof.
    categories
        Public lists of classes: ``{"sex": ["f", "m"]}``.
    breaks
        Public edges of the bins of numbers, both ends included: ``{"age": [0, 18, 30, 65, 105]}``; of dates as texts such as
        2024-01-31.
    bins
        Into how many bins the bounds of a number are cut where it has no breaks.
    complete
        Columns that have no gaps by definition. In all others a gap is a class, whether there are gaps or not.
    decimals
        With how many digits after the point numbers are drawn that are not whole; ``any`` does not round.
    records
        How many records to draw; by default as many as the noisy tables tell.
    largest_weight
        The largest weight that a record can have by definition; by default the upper bound of the weight in a public schema.

    Returns
    -------
    Microdata
        New records with all columns that describe the respondent. Weights are equal, with a noisy total.

    Raises
    ------
    ColumnError
        When a column has no declared domain, or nothing is to be drawn.
    ParameterError
        When ``breaks`` do not rise, or ``members`` is given without a ``unit``.
    DataError
        When the noise is so large that it tells no number of records.

    Preserves
    ---------
    Nothing exactly. One-way tables and two-way tables of the chosen pairs come back up to their noise.

    Complexity
    ----------
    O(d^2 n) time for d columns, and O(cells) for the noise and a few hundred rounds of the fit.

    Notes
    -----
    Written out in numpy rather than with the authors' library ``mbi``, which needs JAX. The budget is turned into rho by the
    bound of Canonne, Kamath and Steinke. Noise and choices are drawn with whole numbers only, from the stream of the seed, so
    that the same seed gives the same bytes: the promise is to whoever does not know the seed. A release without a seed draws 128
    bits from the system and keeps them inside; writing one with a short seed warns. Streams come from Philox, which is no
    cipher: the proof takes them for random. One seed for two versions of a file gives both the same noise, and their difference
    shows who was added: never use a seed twice. In a recipe, steps before this one must work record by record; one that mixes
    records, such as microaggregation, changes many of them for one, which the proof does not count.

    A value outside of its domain counts as a gap, or in a complete column as the first value; a number beyond its bounds falls
    into the last bin. A warning says so to the data owner alone. Weights are not learned. Repeats of original records are left
    in: to take them out would tell who is there.

    References
    ----------
    McKenna, R., Miklau, G. and Sheldon, D. (2021), Winning the NIST contest: a scalable and general approach to differentially
    private synthetic data, Journal of Privacy and Confidentiality 11(3).

    Canonne, C., Kamath, G. and Steinke, T. (2020), The discrete Gaussian for differential privacy.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(500, seed=1).select(["region", "sex", "age"])
    >>> mask = PrivateTables(epsilon=5, domains="public", complete=["region", "sex", "age"])
    >>> made = mask.apply(data, seed=7)
    >>> made.names, made.is_synthetic
    (('region', 'sex', 'age'), True)
    """

    name = "private_tables"
    title = "Private tables"
    no_attack = (
        "what leaves is made of noisy tables alone, and no attack learns more of a record than the budget allows"
    )
    traits = Traits(
        scales={"numeric", "ordinal", "nominal", "date"},
        stochastic=True,
        keeps_rows=False,
        reweights=True,
        synthetic=True,
        private=True,
    )
    epsilon: Annotated[float, Interval(1e-3)] = 1.0
    delta: Annotated[float, Interval(0, 0.1, closed="neither")] = 1e-9
    unit: ColumnName | Literal[False] | None = False
    members: Annotated[int, Interval(1)] = 1
    domains: Literal["declared", "public"] = "declared"
    categories: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    breaks: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    bins: Annotated[int, Interval(1, 1000)] = 20
    complete: Columns = ()
    decimals: Literal["any"] | Annotated[int, Interval(0, 9)] = "any"
    records: Annotated[int, Interval(0)] | None = None
    largest_weight: Annotated[float, Interval(0, closed="neither")] | None = None

    def __hash__(self) -> int:
        return hash(json.dumps(self.to_plain(), sort_keys=True, default=str))

    def check(self) -> None:
        """Check lists and edges."""
        for word in ("categories", "breaks"):
            table: dict[str, tuple[Any, ...]] = {}
            for name, values in getattr(self, word).items():
                if isinstance(values, str) or not isinstance(values, (Sequence, np.ndarray)) or not len(values):
                    raise ParameterError(f"PrivateTables: '{word}' must have a list of values for '{name}'.")
                table[name] = tuple(values)
            object.__setattr__(self, word, table)
        twice = set(self.categories) & set(self.breaks)
        if twice:
            raise ParameterError(f"PrivateTables: '{min(twice)}' must be in 'categories' or in 'breaks', not in both.")
        for name, edges in self.breaks.items():
            if len({isinstance(edge, str) for edge in edges}) > 1 or len(edges) < 2 or not _rise(edges):
                raise ParameterError(
                    f"PrivateTables: 'breaks' must have rising numbers or dates for '{name}', both ends of the range among them."
                )
        if self.unit is False and self.members != 1:
            raise ParameterError("PrivateTables: 'members' must be 1 where every record is a 'unit' of its own.")

    # --- what it promises --------------------------------------------------------------------------------------------

    def budget(self, schema: Schema) -> TablesBudget:
        """Return how the budget is shared for the columns of a schema."""
        columns = len(described_columns(schema))
        members = 1 if self._unit(schema) is None else self.members
        return TablesBudget(rho_of_epsilon(self.epsilon, self.delta), columns, members, schema.weight is not None)

    def statement(self, data: Microdata | Schema) -> PrivacyStatement:
        """Return what a release promises, and what is measured for it; only the schema is looked at.

        Parameters
        ----------
        data
            The data, or their schema.
        """
        schema = data.schema if isinstance(data, Microdata) else data
        shared, unit = self.budget(schema), self._unit(schema)
        words = "a record" if unit is None else f"all records of one '{unit}'"
        return PrivacyStatement(self.epsilon, self.delta, float(shared.rho), words, shared.members, shared.parts)

    def promises(self, schema: Schema) -> tuple[str, ...]:
        """Return the statement in sentences."""
        return self.statement(schema).sentences()

    def worked_on(self, schema: Schema) -> tuple[str, ...]:
        """Return all columns that are drawn."""
        return (*described_columns(schema), *([schema.weight] if schema.weight else []))

    def _unit(self, schema: Schema) -> str | None:
        if self.unit is False:
            return None
        return schema.household if self.unit is None else schema[self.unit].name

    # --- records -----------------------------------------------------------------------------------------------------

    def transform(self, data: Microdata, streams: Streams) -> Microdata:
        """Measure, fit and draw."""
        domains = self._domains(data)
        budget, noise = self.budget(data.schema), ExactNoise(streams.stream("noise"))
        largest = self._largest_weight(data)
        counted = self._counted(data, streams)
        numbered = [domain.numbered(counted) for domain in domains]
        outside = [domain.name for domain, (_, is_outside) in zip(domains, numbered, strict=True) if is_outside]
        if outside:
            warnings.warn(
                f"PrivateTables: {', '.join(outside)} have values outside of what is declared. They count as gaps, or as the "
                "first value; numbers as the nearest bin. Declare all values that these columns can have.",
                TacitaWarning,
                stacklevel=4,
            )
        total = None
        if data.schema.weight is not None:
            total = noisy_sum(counted.float(data.schema.weight), largest, budget, noise)
        fit = fit_private_tables([codes for codes, _ in numbered], [domain.size for domain in domains], budget, noise)
        n = self.records if self.records is not None else max(round(fit.total), 0)
        if n > _MANY:
            raise DataError(
                "PrivateTables: the noise is so large that it tells no number of records; give more 'epsilon', or say how many "
                "'records' to draw."
            )
        codes = fit.drawn(n, streams.stream("records"))
        made = self._filled(data, domains, codes, streams)
        return new_records(made, data, "equal", total=None if total is None else total if total > 0 else float(n))

    def _domains(self, data: Microdata) -> list[Domain]:
        """Return the domains of all columns that are drawn, in the order of their names: that of the file tells nothing."""
        names = described_columns(data.schema)
        if not names:
            raise ColumnError("PrivateTables: no column describes the respondent, so there is nothing to draw.")
        for word in ("categories", "breaks"):
            for name in getattr(self, word):
                data.schema[name]  # raises with a suggestion where the name is unknown
        complete = (
            set(data.schema.resolve(self.complete, owner="PrivateTables", parameter="complete"))
            if self.complete
            else ()
        )
        lacking, found = [], []
        for name in sorted(names):
            domain = self._domain(data, data.schema[name], has_gaps=name not in complete)
            lacking += [name] if domain is None else []
            found += [] if domain is None else [domain]
        if lacking:
            raise ColumnError(
                f"PrivateTables: {', '.join(lacking)} must have a public domain, since what occurs in the data is private. Give "
                "classes in 'categories' and edges of numbers in 'breaks', or list them in a schema with public = true, or say "
                "by domains='public' that everybody knows them."
            )
        return found

    def _domain(self, data: Microdata, column: Column, *, has_gaps: bool) -> Domain | None:
        name, kind = column.name, data.type_of(column.name)
        if name in self.breaks:
            if column.scale not in ("numeric", "date"):
                raise ColumnError(f"PrivateTables: 'breaks' cut numbers and dates, but '{name}' is {column.scale}.")
            texts = isinstance(self.breaks[name][0], str)
            if texts != (column.scale == "date"):
                raise ColumnError(f"PrivateTables: 'breaks' of '{name}' must be {'numbers' if texts else 'dates'}.")
            edges = tuple(day_number(edge) if texts else float(edge) for edge in self.breaks[name])
            return BinDomain(name, kind, has_gaps, edges)
        if name in self.categories:
            return listed_classes(column, kind, has_gaps, self.categories[name])
        if column.public or self.domains == "public":
            if self.domains == "public":
                has_gaps = has_gaps and bool(data.is_missing(name).any())
            domain = schema_domain(column, kind, has_gaps, self.bins)
            if domain is not None or self.domains == "declared":
                return domain
            return occurring_domain(data, column, has_gaps, self.bins)
        return None

    def _largest_weight(self, data: Microdata) -> float:
        """Return the largest weight that counts; 0 where there are no weights."""
        name = data.schema.weight
        if name is None:
            return 0.0
        if self.largest_weight is not None:
            return self.largest_weight
        column = data.schema[name]
        bound = None if column.bounds is None else column.bounds[1]
        if bound is not None and bound > 0 and (column.public or self.domains == "public"):
            return float(bound)
        if self.domains == "declared":
            raise ColumnError(
                f"PrivateTables: the weight '{name}' must have a public largest value; give it as 'largest_weight', or drop the "
                "column."
            )
        return max(float(np.max(np.nan_to_num(data.float(name)), initial=0.0)), 1.0)

    def _counted(self, data: Microdata, streams: Streams) -> Microdata:
        """Return the records that count: of each unit at most as many as it may have, chosen at random."""
        unit = self._unit(data.schema)
        if unit is None:
            return data
        labels = data.groups([unit]).copy()
        alone = data.is_missing(unit)
        labels[alone] = labels.max(initial=0) + 1 + np.arange(int(alone.sum()))
        order = np.lexsort((streams.stream("members").random(len(labels)), labels))
        place = np.arange(len(order)) - np.searchsorted(labels[order], labels[order])
        return data.take(np.sort(order[place < self.members]))

    def _filled(
        self, data: Microdata, domains: Sequence[Domain], codes: Sequence[IntArray], streams: Streams
    ) -> Microdata:
        """Return drawn codes as values."""
        places = None if self.decimals == "any" else self.decimals
        columns = {
            domain.name: domain.drawn(numbers, streams.stream("values", domain.name), places)
            for domain, numbers in zip(domains, codes, strict=True)
        }
        schema = data.schema.select(name for name in data.names if name in columns)
        return Microdata(pa.table({name: columns[name] for name in schema.names}), schema)


def _rise(edges: Sequence[Any]) -> bool:
    try:
        numbers = [day_number(edge) if isinstance(edge, str) else float(edge) for edge in edges]
    except (TypeError, ValueError):
        return False
    return bool(np.isfinite(numbers).all()) and all(a < b for a, b in pairwise(numbers))

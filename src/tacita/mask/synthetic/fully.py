"""Fully synthetic data: values imputed for people of the population who were not in the sample, and a sample of these."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import numpy as np
import pyarrow as pa

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import ColumnError, DataError, ParameterError, TacitaNote
from tacita.core.parameters import Columns, Interval
from tacita.core.streams import Streams
from tacita.core.traits import Traits
from tacita.core.vocabulary import DESIGN_ROLES
from tacita.data.made.joined import joined_records
from tacita.data.microdata import Microdata
from tacita.mask.synthetic.column_source import ColumnSource, nobody_of, take_apart
from tacita.mask.synthetic.column_synthesis import ColumnSynthesis
from tacita.mask.synthetic.repeated_draws import RepeatedDraws, drawn_without_repeats
from tacita.numeric.synthesis.sequential import fit_columns

__all__ = ["FullySynthetic", "drawn_units", "population_shares"]


def population_shares(weights: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Draw the share that each sampled unit stands for among those that were not sampled.

    With n units of weights w_i that sum to N, the shares have a Dirichlet distribution with parameters ``n (w_i - 1) / (N - n)``,
    the limit of a weighted Polya urn; equal weights give the Bayesian bootstrap.

    References
    ----------
    Dong, Q., Elliott, M. R., Raghunathan, T. E. (2014), A nonparametric method to generate synthetic populations to adjust for
    complex sampling design features, Survey Methodology 40, 29-46.
    """
    others = np.maximum(weights - 1, 0.0)
    if not others.sum() > 0:
        return np.full(len(weights), 1 / max(len(weights), 1))
    drawn = rng.standard_gamma(len(weights) * others / others.sum())
    return np.asarray(drawn / max(drawn.sum(), 1e-300))


def drawn_units(sampled: IntArray, population: IntArray, wanted: int, rng: np.random.Generator) -> IntArray:
    """Draw units of a population who were not sampled.

    Parameters
    ----------
    sampled, population
        The background of each, as a number: equal numbers are equal values.
    wanted
        How many are drawn, without replacement.
    rng
        Where the random numbers come from.

    Raises
    ------
    DataError
        When the sample cannot be one of the population, or too few units are left.
    """
    order = rng.permutation(len(population))
    kinds = int(max(sampled.max(initial=-1), population.max(initial=-1))) + 1
    taken = np.bincount(sampled, minlength=kinds)
    lacking = int(np.maximum(taken - np.bincount(population, minlength=kinds), 0).sum())
    if lacking:
        raise DataError(
            f"FullySynthetic: {lacking} record(s) of the sample have a background that no unit of 'population_file' has left; "
            "the population must contain the sampled units, with the same values."
        )
    mixed = population[order]
    by_kind = np.argsort(mixed, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(population, minlength=kinds))[:-1]])
    rank = np.empty(len(population), np.int64)
    rank[by_kind] = np.arange(len(population)) - starts[mixed[by_kind]]
    left = order[rank >= taken[mixed]]  # as many of each kind as were sampled are taken out
    if len(left) < wanted:
        raise DataError(
            f"FullySynthetic: 'records' asks for {wanted} units who were not sampled, and 'population_file' has {len(left)} of "
            "them."
        )
    return np.asarray(left[:wanted], np.int64)


@dataclass(frozen=True, kw_only=True)
class FullySynthetic(ColumnSynthesis):
    """Impute values of people who were not sampled, given what is known of everybody, and release a sample of them.

    The background A (such as sex, age and region) is known of the whole population. Other columns are learned from the sample,
    ``f(B | A)``, and drawn for people of the population who were not in the sample; as many as wanted of these, drawn with equal
    chances, are the new file. Several copies (``copies=M``) are what Rubin proposed: users fit their model to each, and
    :func:`tacita.combine` with ``kind="fully"`` puts the results together.

    Protects: no released record is a respondent's; who was in the sample is not in the file. Does not protect what the models
    carry over, nor the background, which is published as the population has it; a background that singles out a person of the
    population shows a value that was imputed for him, and he may take it for his own.

    Parameters
    ----------
    columns
        The columns that are imputed; by default all that describe the respondent. What is background is known, and not imputed.
    background
        The columns that are known of everybody.
    population_file
        A data file with the background of the whole population. Without one it is made: of the units that were not sampled, each
        record stands for as many as its weight says, up to the uncertainty of a weighted Bayesian bootstrap.
    records
        Number of records; by default as many as the sample has.
    proper
        Whether the parameters of the models are drawn too. The combining rules ask for it.
    repeats
        What becomes of a drawn record that is equal to a respondent's, as for :class:`SequentialSynthesis`. The combining rules
        are for ``keep``.

    Returns
    -------
    Microdata
        New records, with equal weights that sum to the size of the population.

    Raises
    ------
    ParameterError
        When no background is named.
    DataError
        When the population does not contain the sample, is smaller than it, or weights are below 1.

    Preserves
    ---------
    What the models see; intervals by the combining rules hold their level where the models are right and proper.

    Complexity
    ----------
    That of the models, and O(N log N) for a population of N.

    Notes
    -----
    Units of the population that have the background of a sampled record, as many as were sampled, are taken out at random: which
    of people with the same background was sampled does not matter to what is drawn for them. Without weights and without a file
    the population is taken to be infinite. Households are not kept: every record is one.

    References
    ----------
    Rubin, D. B. (1993), Discussion: statistical disclosure limitation, Journal of Official Statistics 9, 461-468; Raghunathan,
    T. E., Reiter, J. P., Rubin, D. B. (2003), Multiple imputation for statistical disclosure limitation, Journal of Official
    Statistics 19, 1-16; Reiter, J. P. (2002), Satisfying disclosure restrictions with synthetic data sets, 18, 531-543.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(300, seed=1)
    >>> mask = FullySynthetic(columns=["earnings"], background=["sex", "age"], repeats="keep")
    >>> files = tc.Recipe([mask]).apply(data, seed=7, copies=3).files
    >>> [len(file) for file in files]
    [300, 300, 300]
    """

    name = "fully_synthetic"
    title = "Fully synthetic data by multiple imputation"
    traits = Traits(
        scales={"numeric", "ordinal", "nominal", "date"}, stochastic=True, keeps_rows=False, synthetic=True, fills=True
    )
    no_attack = "Its records come from nobody, so that there is none to be linked with; membership is what is attacked."
    faces = ("closest_record", "shadow_membership", "attribute_cap", "shadow_attribute", "singling_out", "linkability")
    background: Columns
    population_file: str = ""
    records: Annotated[int, Interval(0)] | None = None
    proper: bool = True
    repeats: RepeatedDraws = "redraw_unique"

    def check(self) -> None:
        """Ask for a background."""
        super().check()
        if self.background == ():
            raise ParameterError(
                "FullySynthetic: 'background' must name columns that are known of the whole population."
            )

    def transform(self, data: Microdata, streams: Streams) -> Microdata:
        """Draw units who were not sampled, and impute what is not known of them."""
        owner = type(self).__name__
        found = data.schema.resolve(self.columns, owner=owner, scales=self.traits.scales)
        base = data.schema.resolve(self.background, owner=owner, parameter="background")
        names = self._imputed(data, found, base)
        everybody = self._background(data, base)
        whole = {name: ColumnSource.of(everybody, name) for name in base}
        known = {name: _of_rows(one, np.arange(len(data))) for name, one in whole.items()} | take_apart(data, names)
        plan = self.plan_for(data, known, names, base)
        wanted = len(data) if self.records is None else self.records
        if not len(data) or not wanted:
            return self.made_file(data, known, nobody_of(known), "equal")
        units = self._units(data, everybody, base, wanted, streams)
        given = {name: one.values.of(units) for name, one in whole.items()}
        old = {name: source.values for name, source in known.items()}
        fitted = fit_columns(old, plan, streams=streams)
        drawn, left = drawn_without_repeats(fitted, wanted, old, streams, repeats=self.repeats, given=given)
        self.tell_found_rules([fitted])
        if left.any():
            warnings.warn(
                f"{owner}: {int(left.sum())} of {wanted} records were equal to an original one, however often drawn, and were "
                "left out; repeats='keep' keeps them.",
                TacitaNote,
                stacklevel=4,
            )
        made = {name: column.of(~left) for name, column in {**given, **drawn}.items()}
        return self.made_file(data, known, made, "equal")

    def _imputed(self, data: Microdata, found: tuple[str, ...], base: tuple[str, ...]) -> tuple[str, ...]:
        """Return the columns that are imputed."""
        owner = type(self).__name__
        names = tuple(name for name in found if name not in base)
        for name in (*names, *base):
            role = next((role for role in data.schema[name].roles if role in DESIGN_ROLES), None)
            if role is not None:
                raise ColumnError(f"{owner}: '{name}' has the role {role}; it is neither imputed nor a background.")
        if not names:
            raise ColumnError(f"{owner}: no column is left to impute.")
        return names

    def _background(self, data: Microdata, base: tuple[str, ...]) -> Microdata:
        """Return the background of the sample and, below it, of the population where there is a file."""
        from tacita.data.read import read

        own = data.select(base)
        if not self.population_file:
            return own
        read_file = read(Path(self.population_file))
        lacking = [name for name in base if name not in read_file.names]
        if lacking:
            raise ColumnError(f"FullySynthetic: the file in 'population_file' has no column '{lacking[0]}'.")
        people = Microdata(_like(read_file.select(base).to_arrow(), own.to_arrow()), own.schema)
        if len(people) < len(data):
            raise DataError(
                f"FullySynthetic: 'population_file' has {len(people)} records, fewer than the {len(data)} of the sample."
            )
        return joined_records([own, people], own.schema)

    def _units(
        self, data: Microdata, everybody: Microdata, base: tuple[str, ...], wanted: int, streams: Streams
    ) -> IntArray:
        """Return which rows of :meth:`_background` the new records have theirs from."""
        rng, n = streams.stream("population"), len(data)
        if len(everybody) > n:
            labels = everybody.groups(base)
            return n + drawn_units(labels[:n], labels[n:], wanted, rng)
        weights = data.weights()
        if data.schema.weight and (weights < 1).any():
            raise DataError(
                f"FullySynthetic: {int((weights < 1).sum())} weights are below 1, so they do not say how many units of the "
                "population a record stands for; give a file in 'population_file'."
            )
        shares = population_shares(weights if data.schema.weight else np.full(n, 2.0), rng)
        return np.asarray(rng.permutation(np.repeat(np.arange(n), rng.multinomial(wanted, shares))), np.int64)


def _of_rows(source: ColumnSource, rows: IntArray) -> ColumnSource:
    """Return a column taken apart, of some records."""
    return replace(source, values=source.values.of(rows))


def _like(table: pa.Table, pattern: pa.Table) -> pa.Table:
    """Return a table with the types of another."""
    try:
        return table.cast(pattern.schema)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise DataError(
            "FullySynthetic: the file in 'population_file' has other types than the sample in 'background'."
        ) from None

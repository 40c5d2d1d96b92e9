"""Sequential synthesis: a whole new file, drawn column after column from models of the original."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.errors import ColumnError, DataError, TacitaNote
from tacita.core.parameters import Columns, Interval
from tacita.core.streams import Streams
from tacita.core.traits import Traits
from tacita.core.vocabulary import DESIGN_ROLES
from tacita.data.microdata import Microdata
from tacita.mask.synthetic.column_source import ColumnSource, nobody_of, take_apart
from tacita.mask.synthetic.column_synthesis import ColumnSynthesis
from tacita.mask.synthetic.new_records import NewWeights, shared_out
from tacita.mask.synthetic.repeated_draws import RepeatedDraws, drawn_without_repeats
from tacita.numeric.synthesis.column_values import ColumnValues, joined_values
from tacita.numeric.synthesis.sequential import SynthesisPlan, fit_columns

__all__ = ["SequentialSynthesis"]

_FEW = 100
"""Records of a stratum below which it is put together with other small ones."""


@dataclass(frozen=True, kw_only=True)
class SequentialSynthesis(ColumnSynthesis):
    """Draw a whole new file, one column after another, from models that were fitted to the original.

    The first column is drawn from its distribution. Each further column y_j is drawn from a model of the original columns,
    ``f(y_j | y_1, ..., y_j-1)``, given what was drawn before. By default the models are classification and regression trees: the
    record falls into a leaf, and takes the value of an original record of that leaf; a number is moved to anywhere between its
    neighbours in the leaf, unless at least 10 records share it. Whether a value is missing, and with which code, is drawn before
    the value; so is whether it is a *spike*, a number that many records have, such as 0. Numbers keep their decimals, declared
    bounds and signs.

    Protects against linkage: no record comes from a respondent, none has an identifier or the number of a household, and none is
    equal in all drawn columns to a respondent who is alone with these values. Protects numbers of single respondents: those that
    come out are moved. Does not protect a class that hardly anybody has, nor what a group shares: a tree learns them, and they
    come out. Does not promise that nobody can tell who was in the data: that is measured by attacks, not proved. Who knows that
    repeats are drawn again learns that the values of a synthetic record are those of no respondent, or of several.

    Parameters
    ----------
    columns
        The columns that are drawn; by default all that describe the respondent. The others come out empty.
    records
        Number of synthetic records; by default as many as the original has.
    by
        Strata: models are fitted and records drawn within each combination of their values, as many as its share. Those with
        fewer than 100 records are put together, with a note.
    new_weights
        ``draw`` draws the weight like a column and scales it to the original's total. ``equal`` gives all records the same
        weight, and lets original ones count by theirs, so that the file stands for the population as it is.
    repeats
        ``redraw_unique`` draws a record again that has, in all drawn columns, the values of exactly one respondent; ``redraw``
        one that has those of any; ``keep`` none. Of several draws one is chosen so that columns keep their shares. A record that
        repeats a respondent whenever it is drawn is left out.

    Returns
    -------
    Microdata
        New records with the columns of the original.

    Raises
    ------
    DataError
        When most records repeat an original one whatever is drawn, as with few columns of few classes.

    Preserves
    ---------
    What the models see: distributions of columns and relations to those before them. Nothing exactly, but rules and identities,
    which hold in every record.

    Complexity
    ----------
    O(n d^2 log n) time for trees over d columns, O(n d) memory.

    Notes
    -----
    Every record becomes a household of its own. Conditions on one column that always decide the state of another (missing, a
    spike) are found in the original and kept, with a note that names the columns. Columns with more than 20 unordered classes
    come late in the visit order, so that others do not depend on them.

    References
    ----------
    Rubin, D. B. (1993), Discussion: statistical disclosure limitation, Journal of Official Statistics 9, 461-468; Reiter, J. P.
    (2005), Using CART to generate partially synthetic public use microdata, Journal of Official Statistics 21, 441-462; Nowok,
    B., Raab, G. M., Dibben, C. (2016), synthpop: bespoke creation of synthetic data in R, Journal of Statistical Software 74(11).

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(500, seed=1)
    >>> made = SequentialSynthesis(records=200, rules=["marital = single where age < 16"]).apply(data, seed=7)
    >>> len(made), made.is_synthetic
    (200, True)
    """

    name = "sequential_synthesis"
    title = "Sequential synthesis"
    traits = Traits(
        scales={"numeric", "ordinal", "nominal", "date"}, stochastic=True, keeps_rows=False, synthetic=True, fills=True
    )
    no_attack = "Its records come from nobody, so that there is none to be linked with; membership is what is attacked."
    faces = ("closest_record", "shadow_membership", "attribute_cap", "shadow_attribute", "singling_out", "linkability")
    records: Annotated[int, Interval(0)] | None = None
    by: Columns = ()
    new_weights: NewWeights = "draw"
    repeats: RepeatedDraws = "redraw_unique"

    def transform(self, data: Microdata, streams: Streams) -> Microdata:
        """Fit, draw, and put the new file together."""
        owner = type(self).__name__
        names = data.schema.resolve(self.columns, owner=owner, scales=self.traits.scales)
        by = data.schema.resolve(self.by, owner=owner, parameter="by") if self.by != () else ()
        self._look_at_columns(data, names, by)
        wanted = len(data) if self.records is None else self.records
        weight = data.schema.weight if self.new_weights == "draw" else None
        known = take_apart(data, [*names, *([weight] if weight else [])])
        plan = self.plan_for(data, known, tuple(known), ())
        if not len(data) or not wanted:
            return self.made_file(data, known, nobody_of(known), self.new_weights)
        drawn = self._drawn(data, known, plan, by, wanted, streams)
        return self.made_file(data, known, drawn, self.new_weights)

    def _look_at_columns(self, data: Microdata, names: tuple[str, ...], by: tuple[str, ...]) -> None:
        owner = type(self).__name__
        for name in names:
            role = next((role for role in data.schema[name].roles if role in DESIGN_ROLES), None)
            if role is not None:
                raise ColumnError(
                    f"{owner}: 'columns' names '{name}', whose role is {role}; such columns are made, not drawn."
                )
        for name in by:
            if name not in names:
                raise ColumnError(f"{owner}: 'by' names '{name}', which is not among the columns that are drawn.")

    def _drawn(
        self,
        data: Microdata,
        known: dict[str, ColumnSource],
        plan: SynthesisPlan,
        by: tuple[str, ...],
        wanted: int,
        streams: Streams,
    ) -> dict[str, ColumnValues]:
        """Draw stratum by stratum."""
        old = {name: source.values for name, source in known.items()}
        weights = data.weights() if self.new_weights == "equal" and data.schema.weight else None
        if weights is not None and not weights.sum() > 0:
            raise DataError(
                f"{type(self).__name__}: all weights are 0, so that no record counts; take new_weights='draw'."
            )
        labels = self._strata(data, by)
        sizes = np.bincount(labels, weights)
        if weights is not None:
            sizes = np.rint(sizes / max(sizes.sum(), 1e-300) * 2.0**40)
        parts, fitted = [], []
        for label, count in enumerate(shared_out(wanted, sizes.astype(np.int64)).tolist()):
            rows = np.flatnonzero(labels == label)
            own = streams.within("stratum", str(label)) if by else streams
            learn = old if len(rows) == len(data) else {name: column.of(rows) for name, column in old.items()}
            fitted.append(fit_columns(learn, plan, streams=own, weights=_of(weights, rows)))
            drawn, is_left = drawn_without_repeats(
                fitted[-1], count, old, own, repeats=self.repeats, aside=[str(data.schema.weight)]
            )
            parts.append({name: column.of(~is_left) for name, column in drawn.items()})
        self.tell_found_rules(fitted)
        joined = parts[0]
        for part in parts[1:]:
            joined = {name: joined_values(column, part[name]) for name, column in joined.items()}
        self._say_lacking(wanted, len(next(iter(joined.values()))))
        if by:  # strata one after the other would tell where one ends
            mixed = streams.stream("order of strata").permutation(len(next(iter(joined.values()))))
            joined = {name: column.of(mixed) for name, column in joined.items()}
        return joined

    def _strata(self, data: Microdata, by: tuple[str, ...]) -> IntArray:
        """Return the stratum of each record, small ones put together."""
        labels = data.groups(by) if by else np.zeros(len(data), np.int64)
        sizes = np.bincount(labels)
        small = np.flatnonzero((sizes > 0) & (sizes < _FEW))
        if by and len(small):
            labels = np.where(np.isin(labels, small), small[0], labels)
            warnings.warn(
                f"{type(self).__name__}: {len(small)} strata of 'by' have fewer than {_FEW} records and were put together.",
                TacitaNote,
                stacklevel=5,
            )
        return np.unique(labels, return_inverse=True)[1].ravel().astype(np.int64)

    def _say_lacking(self, wanted: int, made: int) -> None:
        """Say how many records were left out; without half of them there is no file."""
        if made == wanted:
            return
        text = (
            f"{type(self).__name__}: {wanted - made} of {wanted} records were equal to an original one in all columns, however "
            "often they were drawn"
        )
        if 2 * made < wanted:
            raise DataError(
                f"{text}: the columns have few combinations. With repeats='keep' they stay, and are nobody's own where many "
                "respondents share them."
            )
        warnings.warn(f"{text}, and were left out; repeats='keep' keeps them.", TacitaNote, stacklevel=5)


def _of(weights: FloatArray | None, rows: IntArray) -> FloatArray | None:
    return None if weights is None else weights[rows]

"""Partial synthesis: chosen columns are drawn anew given all others, in every record or in risky ones."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.attacks import Attack
from tacita.core.errors import ColumnError, TacitaNote, TacitaWarning
from tacita.core.parameters import Columns
from tacita.core.selectors import Selector
from tacita.core.streams import Streams
from tacita.core.traits import Traits
from tacita.core.vocabulary import DESIGN_ROLES
from tacita.data.microdata import Microdata
from tacita.mask.risk_ruled import RiskRuledMask
from tacita.mask.synthetic.column_source import take_apart
from tacita.mask.synthetic.column_synthesis import ColumnSynthesis
from tacita.mask.synthetic.repeated_draws import RepeatedDraws, drawn_without_repeats
from tacita.numeric.synthesis.column_values import ColumnValues
from tacita.numeric.synthesis.sequential import FittedColumns, fit_columns

__all__ = ["PartialSynthesis"]


@dataclass(frozen=True, kw_only=True)
class PartialSynthesis(ColumnSynthesis, RiskRuledMask):
    """Draw chosen columns anew given all others, in every record or only in those that a risk rule calls risky.

    Let Z be the chosen columns and X the others. Each chosen column z_j is drawn from a model fitted to all original records,
    ``f(z_j | X, z_1, ..., z_j-1)``, given the record's own X and what was drawn before. Records stay as many as they were and in
    their order; X is published as it is, and so is Z of records that are not risky with ``only_risky``.

    Protects the chosen columns: a value that comes out is drawn from what records with the same other columns have. Drawn keys
    protect against linkage as far as others do not tell them. Does not protect the other columns, nor a chosen column that
    follows from them: it is drawn as it was. With ``only_risky`` records that are called safe are published as they are.

    Parameters
    ----------
    columns
        The columns that are drawn; by default the keys.
    only_risky
        Whether only records are drawn anew that the rule calls risky, judged by ``keys``.
    repeats
        ``keep`` leaves a drawn record that is equal to an original in all columns, its own included. ``redraw_unique`` draws it
        again where one respondent alone has these values, ``redraw`` in any case. Who knows that then rules out the value that is
        published, so that a column of two classes is given away.

    Returns
    -------
    Microdata
        With the chosen columns drawn anew.

    Raises
    ------
    ColumnError
        When a column that describes the sample, such as the weight, is to be drawn.

    Preserves
    ---------
    What the models see of the relation of chosen columns to others; all other columns, and weights, exactly.

    Complexity
    ----------
    O(n d p log n) time for p chosen ones of d columns with trees, and that of the rule; O(n d) memory.

    Notes
    -----
    Gaps are drawn like values, so a missing value may become one. Weights count as a given column. The models learn from all
    records, also where only risky ones are drawn. Members of one household are drawn each for itself: columns that are equal in
    households may differ afterwards.

    References
    ----------
    Little, R. J. A. (1993), Statistical analysis of masked data, Journal of Official Statistics 9, 407-426; Reiter, J. P. (2003),
    Inference for partially synthetic, public use microdata sets, Survey Methodology 29, 181-188; Reiter, J. P. (2005), Using CART
    to generate partially synthetic public use microdata, Journal of Official Statistics 21, 441-462.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(500, seed=1)
    >>> masked = PartialSynthesis(columns=["earnings", "savings"]).apply(data, seed=7)
    >>> len(masked), masked.column("age").equals(data.column("age"))
    (500, True)
    """

    name = "partial_synthesis"
    title = "Partial synthesis"
    traits = Traits(scales={"numeric", "ordinal", "nominal", "date"}, stochastic=True, fills=True)
    attacks = (Attack(measure="agreement_linkage", knows="how often each column keeps its value"),)
    faces = ("distance_link", "probabilistic_link")
    columns: Columns = Selector("keys else columns")
    only_risky: bool = False
    repeats: RepeatedDraws = "keep"

    def transform(self, data: Microdata, streams: Streams) -> Microdata:
        """Fit to all records, draw for those that are to be drawn."""
        owner = type(self).__name__
        names = data.schema.resolve(self.columns, owner=owner, scales=self.traits.scales)
        for name in names:
            role = next((role for role in data.schema[name].roles if role in DESIGN_ROLES), None)
            if role is not None:
                raise ColumnError(
                    f"{owner}: 'columns' names '{name}', whose role is {role}; such columns are not drawn."
                )
        # In the order of their names, so that the order of columns in the file does not decide between equally good splits.
        given = sorted(
            c.name
            for c in data.schema
            if c.name not in names and not DESIGN_ROLES.difference({"weight"}).intersection(c.roles)
        )
        known = take_apart(data, [*given, *names])
        plan = self.plan_for(data, known, names, given)
        rows = np.flatnonzero(self.risky(data)) if self.only_risky and len(data) else np.arange(len(data))
        if not len(rows):
            return data
        old = {name: source.values for name, source in known.items()}
        fitted = fit_columns(old, plan, streams=streams)
        self.tell_found_rules([fitted])
        drawn = self._drawn(fitted, old, rows, streams)
        masked = data
        for name in names:
            made = known[name].together(old[name].put(rows, drawn[name]))
            masked = masked.with_column(name, made, keeps_codes=False)
        masked = masked.with_schema(data.schema)  # takes the missing codes out again
        self._say_risky(masked)
        return masked

    def _drawn(
        self, fitted: FittedColumns, old: Mapping[str, ColumnValues], rows: IntArray, streams: Streams
    ) -> dict[str, ColumnValues]:
        """Draw the columns of some records."""
        given = {name: old[name].of(rows) for name in fitted.plan.given}
        drawn, is_left = drawn_without_repeats(fitted, len(rows), old, streams, repeats=self.repeats, given=given)
        if is_left.any():
            warnings.warn(
                f"{type(self).__name__}: {int(is_left.sum())} record(s) are equal to an original one in all columns, however "
                "often they were drawn.",
                TacitaNote,
                stacklevel=5,
            )
        return drawn

    def _say_risky(self, masked: Microdata) -> None:
        """Warn where records are still risky."""
        left = int(self.risky(masked).sum()) if self.only_risky else 0
        if left:
            warnings.warn(
                f"{type(self).__name__}: {left} record(s) are still risky by the rule '{self.rule_name}'; draw more columns, or "
                "replace or suppress them.",
                TacitaWarning,
                stacklevel=5,
            )

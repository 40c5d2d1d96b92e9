"""Household synthesis: new households, whose members fit together, drawn from models of those that are there."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from tacita.core.errors import ColumnError, DataError, TacitaNote
from tacita.core.parameters import Columns, Interval
from tacita.core.streams import Streams
from tacita.core.traits import Traits
from tacita.core.vocabulary import DESIGN_ROLES
from tacita.data.microdata import Microdata
from tacita.data.units import Unit, Units, find_units
from tacita.mask.synthetic.column_source import nobody_of, take_apart
from tacita.mask.synthetic.column_synthesis import ColumnSynthesis
from tacita.mask.synthetic.household_draw import HouseholdColumns, draw_homes, kinship_of
from tacita.mask.synthetic.new_records import NewWeights
from tacita.mask.synthetic.repeated_draws import RepeatedDraws
from tacita.numeric.synthesis.households.draw_households import FittedHouseholds

__all__ = ["HouseholdSynthesis"]


@dataclass(frozen=True, kw_only=True)
class HouseholdSynthesis(ColumnSynthesis):
    """Draw new households: who lives together, what they share, who is who, and then everything else.

    First a household gets its *composition*: how many live in it, and the classes that say who is who (such as the marital
    status) of all members at once, as some household has them. Columns that all members share (region, weight) are drawn given
    size and composition. Then comes kinship: sex and age of the first member, of the second given the first, and so on; ages of
    later members as differences to the first. All other columns follow, of later members given also the first one's value.

    Of the members of one kind (place in the household, marital status of the first two and of the member) none stands in the
    original nearer in age to the first or second than some years: a child is never five years younger than its mother. Nobody
    stands nearer in the new file either, and no class has members younger or older than its youngest and oldest. Who would
    is drawn again, and at last moved to the nearest age that can be.

    Protects against linkage as :class:`SequentialSynthesis` does: no household is anybody's. Does not protect what a composition
    tells: one that is rare in the original is as rare in the new file; and it says what distances of ages occur.

    Parameters
    ----------
    columns
        The columns that are drawn; by default all that describe the respondent. The others come out empty. A column that counts
        the members is counted.
    households
        Number of new households; by default as many as the original has. How many persons there are then follows.
    unit
        The column of households; by default the one with that role. Without any, or with ``False``, everybody lives alone.
    kinship
        The columns that say who is who, the most telling first; by default the keys whose names say so (relation, marital
        status, sex, age or year of birth, in several languages). Classes among them are drawn for all members at once, as long as
        nine of ten households have a composition that several have.
    new_weights
        ``draw`` draws the weight like a column and scales it to the original's total. ``equal`` gives all records the same
        weight, and lets original ones count by theirs, so that the file stands for the population as it is.
    repeats
        ``redraw_unique`` draws a member again who has, in all drawn columns, the values of exactly one respondent; ``redraw`` one
        who has those of any; ``keep`` none. What is shared or kinship stays; a household is left out whose member is a repeat
        after 24 times.

    Returns
    -------
    Microdata
        New records with the columns of the original, the members of a household one after the other.

    Raises
    ------
    ColumnError
        When a rule about what all members share depends on what one member has.
    DataError
        When most households would be left out.

    Preserves
    ---------
    What the models see. Nothing exactly, but rules and identities, which hold in every record, and that members of a household
    have in common what they have in common in the original.

    Complexity
    ----------
    O(n d^2 log n) time for trees over d columns, O(n d) memory; one pass a place in the household.

    Notes
    -----
    The order of members in the file counts: surveys have the reference person first. Of kinds with fewer than 30 members nothing
    is learned of distances; they count with others whose first two members have the same classes. A member of a rare kind may so
    stand at a distance that no such member has.

    References
    ----------
    Alfons, A., Kraft, S., Templ, M., Filzmoser, P. (2011), Simulation of close-to-reality population data for household surveys,
    Statistical Methods and Applications 20, 383-407; Reiter, J. P. (2005), Using CART to generate partially synthetic public use
    microdata, Journal of Official Statistics 21, 441-462.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(500, seed=1)
    >>> made = HouseholdSynthesis(households=100).apply(data, seed=7)
    >>> len(np.unique(made.codes("household").values)), made.is_synthetic
    (100, True)
    """

    name = "household_synthesis"
    title = "Synthesis of households"
    traits = Traits(
        scales={"numeric", "ordinal", "nominal", "date"}, stochastic=True, keeps_rows=False, synthetic=True, fills=True
    )
    no_attack = "Its records come from nobody, so that there is none to be linked with; membership is what is attacked."
    faces = ("closest_record", "shadow_membership", "attribute_cap", "shadow_attribute", "singling_out", "linkability")
    households: Annotated[int, Interval(0)] | None = None
    unit: Unit = None
    kinship: Columns | None = None
    new_weights: NewWeights = "draw"
    repeats: RepeatedDraws = "redraw_unique"

    def transform(self, data: Microdata, streams: Streams) -> Microdata:
        """Fit, draw, and put the new file together."""
        owner = type(self).__name__
        names = data.schema.resolve(self.columns, owner=owner, scales=self.traits.scales)
        for name in names:
            role = next((role for role in data.schema[name].roles if role in DESIGN_ROLES), None)
            if role is not None:
                raise ColumnError(f"{owner}: 'columns' names '{name}', whose role is {role}; such columns are made.")
        weight = data.schema.weight if self.new_weights == "draw" else None
        known = take_apart(data, [*names, *([weight] if weight else [])])
        plan = self.plan_for(data, known, tuple(known), ())
        units = find_units(data, self.unit, owner=owner)
        if units is None:
            units = Units("", np.arange(len(data), dtype=np.int64), is_named=True)
        columns = HouseholdColumns(data, units, plan, self._kinship(data, names), often=self.min_leaf)
        count = int(units.labels.max(initial=-1)) + 1 if self.households is None else self.households
        if not len(data) or not count:
            return self.made_file(data, known, nobody_of(known), self.new_weights)
        drawn, homes, left_out, fitted = draw_homes(
            known,
            columns,
            units.labels,
            count,
            streams,
            repeats=self.repeats,
            aside=[str(data.schema.weight)],
            weights=data.weights() if self.new_weights == "equal" and data.schema.weight else None,
            proper=self.proper,
        )
        self._say_what_was_done(columns, fitted, left_out, count)
        return self.made_file(data, known, drawn, self.new_weights, homes.household)

    def _kinship(self, data: Microdata, names: tuple[str, ...]) -> tuple[str, ...]:
        if self.kinship is None:
            return kinship_of(data, names)
        owner = type(self).__name__
        found = data.schema.resolve(self.kinship, owner=owner, parameter="kinship")
        for name in found:
            if name not in names:
                raise ColumnError(f"{owner}: 'kinship' names '{name}', which is not among the columns that are drawn.")
        return found

    def _say_what_was_done(
        self, columns: HouseholdColumns, fitted: FittedHouseholds, left_out: int, count: int
    ) -> None:
        """Say what was taken for what, and how many households were left out."""
        owner = type(self).__name__
        if 2 * left_out > count:
            raise DataError(
                f"{owner}: {left_out} of {count} households have a member who is equal to an original one, however often drawn; "
                "the columns have few combinations. With repeats='keep' they stay."
            )
        who = ", ".join(columns.plan.kinship) or "nothing"
        at_once = ", ".join(fitted.compositions.names) or "the size alone"
        lost = (
            f"; {left_out} of {count} households were left out because a member repeats an original one"
            if left_out
            else ""
        )
        warnings.warn(
            f"{owner}: who is who in a household is told by {who}; drawn at once for all members: {at_once}; shared by all "
            f"members: {', '.join(columns.plan.shared) or 'nothing'}{lost}.",
            TacitaNote,
            stacklevel=4,
        )

"""Differential privacy as the protection of a policy: which noise, which budget, whose data count as one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.constraints import Interval
from tacita.core.errors import ParameterError
from tacita.core.parameterised import Parameterised
from tacita.numeric.privacy.cost import Cost
from tacita.query.noise.dp.accountant import Accountant, PrivacyUnit
from tacita.query.noise.dp.contribution import ContributionLimit
from tacita.query.noise.dp.mechanisms import DiscreteGaussian, DiscreteLaplace, Mechanism
from tacita.query.requests.request import QueryRequest
from tacita.query.requests.statistic import Statistic
from tacita.query.requests.tabulate import Tabulate
from tacita.query.tables.cell_table import CellTable
from tacita.query.universe.universe import class_word

if TYPE_CHECKING:
    from tacita.query.question import Question

__all__ = ["ANSWERED_STATISTICS", "DifferentialPrivacy"]

ANSWERED_STATISTICS = ("count", "sum", "mean", "total")
"""Statistics with a bounded sensitivity, which are answered; all others are refused."""


@dataclass(frozen=True, kw_only=True)
class DifferentialPrivacy(Parameterised):
    """Answer counts, sums and means with fresh noise of known distribution, until the budget is spent.

    A table of counts costs one answer whatever its size, since a record is in one cell only; a mean costs a sum and a
    count, each at half the price.

    **Protects against** everybody, whatever he knows and however he combines answers: with or without the data of one
    unit, any set of answers is at most e^epsilon times as likely (for ``zcdp`` see
    :func:`~tacita.numeric.privacy.cost.epsilon_of_rho`). **Does not protect** what follows from the population as a
    whole, nor classes, cutpoints or bounds made from the data: they must be public.

    Parameters
    ----------
    budget
        Epsilon (or rho) of all answers to a data version, over all users.
    price
        Epsilon (or rho) of one answer.
    measure
        ``pure`` (discrete Laplace noise) or ``zcdp`` (discrete Gaussian noise).
    unit
        Whose data are protected as one: ``person`` or ``household``.
    most
        Records of a unit that count; 1 for persons.
    step
        What sums are counted in: values are brought to whole multiples of it.

    Raises
    ------
    ParameterError
        When the price is above the budget, or a person would have several records.

    Notes
    -----
    The noise is drawn by OpenDP from the system's secure source and cannot be repeated by a key. An answer is
    therefore kept, and given again when the same question comes back; after the database was opened anew it is drawn
    and paid for again. That a variable has records without a value is published with its classes and is no part of the
    guarantee; neither is the number of all records.
    """

    budget: Annotated[float, Interval(0, closed="neither")] = 1.0
    price: Annotated[float, Interval(0, closed="neither")] = 0.05
    measure: Literal["pure", "zcdp"] = "pure"
    unit: PrivacyUnit = "person"
    most: Annotated[int, Interval(1)] = 1
    step: Annotated[float, Interval(0, closed="neither")] = 1.0

    def check(self) -> None:
        """Check price against budget, and records against unit."""
        if self.price > self.budget:
            raise ParameterError(
                f"DifferentialPrivacy: 'price' must be at most the budget ({self.budget:g}), got {self.price:g}."
            )
        if self.unit == "person" and self.most != 1:
            raise ParameterError(
                "DifferentialPrivacy: 'most' must be 1 where the unit is a person, who has one record."
            )

    @property
    def limit(self) -> ContributionLimit:
        """How many records of a unit count."""
        return ContributionLimit(most=self.most, unit=self.unit)

    @property
    def cost(self) -> Cost:
        """What one answer costs."""
        return Cost(self.measure, self.price)

    def account(self) -> Accountant:
        """Open an account for a data version."""
        return Accountant(total=self.budget, measure=self.measure, unit=self.unit)

    def answers(self, request: QueryRequest) -> bool:
        """Whether this request has a bounded sensitivity; counts of households have another one than counts of records."""
        if isinstance(request, Tabulate) and request.unit != "persons":
            return False
        return isinstance(request, (Tabulate, Statistic)) and request.statistic in ANSWERED_STATISTICS

    def rows(self, question: Question) -> IntArray:
        """Return the records that count: at most ``most`` of each unit, the same for all questions."""
        version, rows = question.version, question.rows
        if self.unit == "person":
            return rows
        kept = version.contributing(self.limit)
        return rows[kept[rows]]

    def table(self, question: Question, request: Tabulate) -> CellTable:
        """Answer a table of counts, totals or means."""
        rows = self.rows(question)
        index = question.version.cells(request.by)
        cells = index.values[rows].astype(np.int64)
        values = self._released(question, request.response, request.statistic, rows, cells, index.count)
        catalogue = question.version.catalogue
        classes = {name: catalogue[name].all_classes for name in request.by}
        return CellTable(request.by, classes, request.statistic, values.reshape(index.shape))

    def number(self, question: Question, request: Statistic) -> float:
        """Answer one count, sum or mean."""
        rows = self.rows(question)
        kind = "total" if request.statistic == "sum" else request.statistic
        return float(self._released(question, request.response, kind, rows, np.zeros(len(rows), dtype=np.int64), 1)[0])

    def _released(
        self, question: Question, response: str | None, statistic: str, rows: IntArray, cells: IntArray, count: int
    ) -> Any:
        if response is None:
            counts = np.bincount(cells, minlength=count).astype(np.int64)
            noisy = self._mechanism(self.price, self.limit.count_sensitivity()).release(counts)
            return np.maximum(noisy, 0).astype(np.float64)
        public = question.version.public_range(response, self.step)
        values = question.version.values(response)[rows]
        there = ~np.isnan(values)
        centred = statistic == "mean"
        steps = public.steps(values, centred=centred)
        sums = np.zeros(count, dtype=np.int64)
        np.add.at(sums, cells[there], steps[there])
        price = self.price / 2 if centred else self.price
        noisy = self._mechanism(price, public.sum_sensitivity(self.limit, centred=centred)).release(sums)
        if not centred:
            return noisy * self.step
        counts = np.bincount(cells[there], minlength=count).astype(np.int64)
        return public.mean(noisy, self._mechanism(price, self.limit.count_sensitivity()).release(counts))

    def _mechanism(self, price: float, sensitivity: int) -> Mechanism:
        kind: type[Mechanism] = DiscreteLaplace if self.measure == "pure" else DiscreteGaussian
        return kind.for_cost(price, sensitivity)

    def check_public(self, question: Question) -> str:
        """Say what of a question was made from the data; empty where everything is public."""
        version, request = question.version, question.request
        named = [*question.boxes.variables, *(request.by if isinstance(request, Tabulate) else ())]
        made = [
            name for name in dict.fromkeys(named) if not (version.is_public(name) and self._is_declared(question, name))
        ]
        response = getattr(request, "response", None)
        if response is not None and version.public_bounds(response) is None:
            made.append(f"bounds of {response}")
        return ", ".join(made)

    def _is_declared(self, question: Question, name: str) -> bool:
        """Whether the classes are those that the schema lists; a list of what occurs in the data is made from them."""
        variable, column = question.version.catalogue[name], question.version.column(name)
        if variable.is_cutpoint:
            return not variable.made_from_data
        listed = {word for _, words in variable.groups for word in words} or set(variable.classes)
        return column.categories is not None and listed == set(map(class_word, column.categories))

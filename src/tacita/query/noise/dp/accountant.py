"""The account of a privacy budget: what was spent, what is left, and a refusal before any work when it is not enough."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Literal, Self

from tacita.core.errors import ParameterError
from tacita.numeric.privacy.cost import Cost, PrivacyMeasure, epsilon_of_rho

__all__ = ["Accountant", "PrivacyUnit"]

PrivacyUnit = Literal["person", "household"]


class Accountant:
    """Adds up the costs of answers and refuses those that no longer fit.

    Costs of one kind add up: epsilons to an epsilon, rhos to a rho. An account in rho takes pure costs as well, epsilon as
    epsilon^2 / 2; an account in epsilon takes no rho, because there is no epsilon for it.

    Parameters
    ----------
    total
        The budget for this data, over all users and for all time.
    measure
        ``pure``: the budget is an epsilon; ``zcdp``: a rho.
    unit
        Whose data are protected as one: a person's, or all of a household's.

    Raises
    ------
    ParameterError
        When the budget is not finite and positive, or the kind or unit is unknown.

    Notes
    -----
    One account serves all users, because users can talk to each other. Costs do not depend on data, so refusals tell
    nothing. An answer that is given again costs nothing and is not spent. Sums are exact, in fractions of the decimal
    numbers that were given, so ten times 0.1 is 1. A failed computation after spending keeps what it cost.

    Examples
    --------
    >>> account = Accountant(total=1.0)
    >>> account.spend(Cost("pure", 0.6))
    >>> account.left, account.affords(Cost("pure", 0.6))
    (0.4, False)
    """

    def __init__(self, *, total: float, measure: PrivacyMeasure = "pure", unit: PrivacyUnit = "person") -> None:
        if measure not in ("pure", "zcdp"):
            raise ParameterError(f"Accountant: 'measure' must be 'pure' or 'zcdp', got {measure!r}.")
        if unit not in ("person", "household"):
            raise ParameterError(f"Accountant: 'unit' must be 'person' or 'household', got {unit!r}.")
        if not 0 < total < float("inf"):
            raise ParameterError(f"Accountant: 'total' must be finite and above 0, got {total}.")
        self.measure: PrivacyMeasure = measure
        self.unit: PrivacyUnit = unit
        self._total = Fraction(repr(float(total)))
        self._spent = Fraction(0)
        self._answers = 0

    def __repr__(self) -> str:
        return f"Accountant(measure={self.measure!r}, unit={self.unit!r}, spent={self.spent:g}, total={self.total:g})"

    @property
    def total(self) -> float:
        """The budget."""
        return float(self._total)

    @property
    def spent(self) -> float:
        """What was spent."""
        return float(self._spent)

    @property
    def left(self) -> float:
        """What is left."""
        return float(self._total - self._spent)

    @property
    def answers(self) -> int:
        """How many answers were paid for."""
        return self._answers

    def affords(self, cost: Cost) -> bool:
        """Whether the cost still fits; nothing is spent."""
        return self._spent + self._amount(cost) <= self._total

    def spend(self, cost: Cost) -> None:
        """Take the cost from the budget; call it before the work begins.

        Raises
        ------
        ParameterError
            When the cost does not fit, or is of a kind that this account cannot add; then nothing is spent.
        """
        if not self.affords(cost):
            raise ParameterError(
                f"Accountant: a cost must be at most what is left, {self.left:g} of {self.total:g}, got "
                f"{float(self._amount(cost)):g}; ask for less precision, or not at all."
            )
        self._spent += self._amount(cost)
        self._answers += 1

    def epsilon(self, delta: float = 0.0) -> float:
        """Return what all answers so far amount to: an epsilon, for an account in rho at the given delta.

        Raises
        ------
        ParameterError
            When an account in rho is asked without a delta.
        """
        if self.measure == "pure":
            return self.spent
        if not 0 < delta < 1:
            raise ParameterError(f"Accountant: 'delta' must be in (0, 1) for an account in rho, got {delta:g}.")
        return epsilon_of_rho(self.spent, delta)

    def _amount(self, cost: Cost) -> Fraction:
        """Return the cost in the unit of this account."""
        if cost.measure == self.measure:
            return Fraction(repr(float(cost.amount)))
        if self.measure == "zcdp":
            return Fraction(repr(float(cost.amount))) ** 2 / 2
        raise ParameterError(
            "Accountant: an account of pure costs cannot take a cost in rho; use discrete Laplace noise."
        )

    def to_plain(self) -> dict[str, Any]:
        """Return the state, ready for JSON, exactly."""
        return {
            "measure": self.measure,
            "unit": self.unit,
            "total": str(self._total),
            "spent": str(self._spent),
            "answers": self._answers,
        }

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> Self:
        """Return the account whose state was written by :meth:`to_plain`.

        Raises
        ------
        ParameterError
            When the state is none, or one that no account can be in.
        """
        try:
            total, spent, answers = Fraction(plain["total"]), Fraction(plain["spent"]), int(plain["answers"])
            made = cls(total=float(total), measure=plain["measure"], unit=plain["unit"])
        except (KeyError, TypeError, ValueError, ZeroDivisionError, OverflowError) as error:
            raise ParameterError("Accountant: the saved state is not one; restore it from the journal.") from error
        if not 0 <= spent <= total or answers < 0:
            raise ParameterError("Accountant: the saved state must have spent between 0 and its total.")
        made._total, made._spent, made._answers = total, spent, answers
        return made

"""Combinations of variables that may not meet in one question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacita.core.errors import ParameterError
from tacita.core.traits import RestrictionTraits
from tacita.query.restrictions.restriction import ALLOW, Restriction, Ruling, deny, review

if TYPE_CHECKING:
    from tacita.query.question import Question

__all__ = ["Combinations"]


@dataclass(frozen=True, kw_only=True)
class Combinations(Restriction):
    """Refuse questions in which some variables meet, in the table, the universe or the model; or leave them to a person.

    Protects what the steward knows to be risky: fine geography beside an occupation code, say.

    Parameters
    ----------
    never
        Sets of variables that never meet.
    ask
        Sets of variables whose meeting is left to a person.

    Notes
    -----
    A set of one variable is that variable wherever it stands, also in a condition of the universe. Conditions that are
    no conditions, because they name every class, do not count: the universe is looked at in its canonical form. Two
    questions that have the variables one each are not stopped.

    References
    ----------
    Willenborg, L. and de Waal, T. (2001), Elements of Statistical Disclosure Control: combinations of identifying
    variables. As a list of the steward's: the disclosure file of Berkeley's SDA.

    Examples
    --------
    >>> Combinations(never=[["region", "occupation"]]).never
    (('region', 'occupation'),)
    """

    name = "combinations"
    faces = ("universe_difference",)
    traits = RestrictionTraits(stage="request", value_free=True)

    never: tuple[tuple[str, ...], ...] = ()
    ask: tuple[tuple[str, ...], ...] = ()

    def check(self) -> None:
        """Check that each set names something."""
        if any(not names for names in (*self.never, *self.ask)):
            raise ParameterError("Combinations: a set of variables that may not meet must name at least one.")

    def judge(self, question: Question) -> Ruling:
        named = {*question.request.variables, *question.boxes.variables}
        there = named | {question.version.catalogue[name].column for name in named}  # a recode brings its column along
        for names in self.never:
            if there.issuperset(names):
                return deny(f"{', '.join(names)} may not meet")
        for names in self.ask:
            if there.issuperset(names):
                return review(f"{', '.join(names)} meet")
        return ALLOW

"""Why a model is refused: the name of a rule, which is public, and a detail, which is not."""

from __future__ import annotations

from dataclasses import dataclass, field

__all__ = ["ModelViolation"]


@dataclass(frozen=True)
class ModelViolation:
    """One rule that a model breaks.

    Rules on the form of a model, on its data and on its result all answer in this shape, and so do failures of the
    fit (no convergence, separated records, dependent columns), because these depend on the data as well.

    Parameters
    ----------
    rule
        Name of the rule: what the analyst sees.
    detail
        What was found, for the journal alone; it may contain counts of records. Not part of ``repr``.

    Examples
    --------
    >>> ModelViolation("r_squared", "0.999 is above 0.95")
    ModelViolation(rule='r_squared')
    """

    rule: str
    detail: str = field(default="", repr=False)

"""What a rule of restriction says about a query: allow, deny, or free because nothing new would be told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = ["Decision", "Outcome"]

Outcome: TypeAlias = Literal["allow", "deny", "free"]


@dataclass(frozen=True)
class Decision:
    """The outcome of one rule for one query.

    Parameters
    ----------
    outcome
        ``allow``: it may be answered and must then be recorded. ``deny``: it must not. ``free``: the answer follows
        from earlier answers, so it may be given and changes nothing.
    rule
        Name of the rule, which the analyst sees.
    reason
        One sentence for the journal; it has no data value.

    Examples
    --------
    >>> Decision("deny", "sum_audit", "A small set would be determined.").is_allowed
    False
    """

    outcome: Outcome
    rule: str
    reason: str = ""

    @property
    def is_allowed(self) -> bool:
        """Whether the query may be answered as far as this rule goes."""
        return self.outcome != "deny"

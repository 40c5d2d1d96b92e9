"""The settings of post-masking optimisation: what ``optimise`` takes beside data and seed, checked when they are built."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal, TypeAlias

from tacita.core.errors import ParameterError
from tacita.core.parameterised import Parameterised
from tacita.core.parameters import Columns, Interval
from tacita.core.selectors import Selector

__all__ = ["Bounds", "Method", "OptimiseSettings", "Reading"]

Method: TypeAlias = Literal["gradient", "hill_climbing", "score"]
Reading: TypeAlias = Literal["raw", "standardised"]
Bounds: TypeAlias = Mapping[str, tuple[float | None, float | None]]

_SCORE_PASSES = 30


@dataclass(frozen=True, kw_only=True)
class OptimiseSettings(Parameterised):
    """How masked data are improved, and what must stay.

    Parameters
    ----------
    columns
        The columns to work on; by default all numeric ones that both files have.
    method
        ``gradient``, ``hill_climbing`` or ``score``.
    known
        The columns that an intruder knows for DLD', best known first; by default the numeric keys if there are other
        columns beside them, otherwise the first half of the columns.
    target_ratio
        The paper's p: IL1' afterwards relative to before. Not used by ``score``.
    share
        The paper's q: the share of records that may change; by default 0.1, and 1 for ``score``.
    of
        Whether ``share`` counts ``records`` or ``values``: the paper's M is a set of records in the text and of values in (5.3).
    reading
        Relative errors of ``raw`` values, or of ``standardised`` ones as Algorithm 13 prints it; there denominators come near 0.
    target_e
        Stop when E is there and IL1' in its band; by default go on until E no longer falls. Not used by ``score``.
    step
        Largest change of one value in a step, in standard deviations: a value moves by ``step u^3`` of them with u uniform on
        (-1, 1), mostly a little. By default 3 for ``hill_climbing`` and 1 for ``score``, which takes every second step towards
        the nearest original instead.
    max_steps
        Most steps; by default 5 000 000 of ``hill_climbing``, 30 for each value of ``score``, 1000 iterations of ``gradient``.
    time_limit
        Seconds after which the search stops; the result then depends on the speed of the machine.
    bounds
        Smallest and largest value of a column, None for no bound; by default those of the schema. A column without a lower
        bound that has no negative value in either file gets none.
    decimals
        ``keep`` writes every column with as many decimals as it has in the masked file: whole numbers stay whole, and parts of
        a whole total move by whole numbers. ``any`` does not round.
    keep_zeros
        Zeros of the masked file stay zeros, and no other value becomes one. Parts of a total that is 0 stay as they are.
    identities
        Accounting identities such as ``total = part + part``: parts move, totals are recomputed.
    chains
        Chains of columns, largest first, such as ``["income", "tax"]``: no record gets out of order.
    rewards_lower_risk
        Let ``score`` gain by risk below where it started. Such a search learns to put values barely outside the rank
        intervals that ID' looks at, which a person who knows the method can use; see the notes.
    """

    owner: ClassVar[str] = "optimise"
    columns: Columns = Selector("numeric columns")
    method: Method = "gradient"
    known: Columns | None = None
    target_ratio: Annotated[float, Interval(0, closed="neither")] = 0.5
    share: Annotated[float, Interval(0, 1, closed="right")] | None = None
    of: Literal["records", "values"] = "records"
    reading: Reading = "raw"
    target_e: Annotated[float, Interval(0)] | None = None
    step: Annotated[float, Interval(0, closed="neither")] | None = None
    max_steps: Annotated[int, Interval(1)] | None = None
    time_limit: Annotated[float, Interval(0)] | None = None
    bounds: Bounds | None = None
    decimals: Literal["keep", "any"] = "keep"
    keep_zeros: bool = True
    identities: tuple[str, ...] = ()
    chains: tuple[tuple[str, ...], ...] = ()
    rewards_lower_risk: bool = False

    def check(self) -> None:
        """Check that the reading is one that the method has."""
        if self.reading == "standardised" and self.method == "score":
            raise ParameterError(
                "optimise: 'reading' must be 'raw' for the method 'score', whose IL' is on raw values."
            )

    @property
    def own_share(self) -> float:
        """The share that was given, else that of the method."""
        return self.share if self.share is not None else 1.0 if self.method == "score" else 0.1

    @property
    def own_step(self) -> float:
        """The step that was given, else that of the method."""
        return self.step if self.step is not None else 3.0 if self.method == "hill_climbing" else 1.0

    def most_steps(self, movable: int) -> int:
        """Return the number of steps that was given, else that of the method for so many values that may move."""
        if self.max_steps is not None:
            return self.max_steps
        return {"gradient": 1_000, "hill_climbing": 5_000_000}.get(self.method, _SCORE_PASSES * movable)

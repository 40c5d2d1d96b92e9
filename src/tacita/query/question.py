"""A question on its way: the request, its universe in canonical form, the records, and what restrictions have to look at."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from tacita.core.arrays import IntArray, PlaceArray
from tacita.core.errors import ColumnError, DataError, ParameterError, TacitaError
from tacita.query.catalogue.variable import Use
from tacita.query.catalogue.version import MOST_CELLS, Version
from tacita.query.cubes.cube import CellSums
from tacita.query.requests.correlate import Correlate
from tacita.query.requests.quantiles import Quantiles
from tacita.query.requests.regress import Regress
from tacita.query.requests.request import QueryRequest
from tacita.query.requests.statistic import Statistic
from tacita.query.requests.tabulate import Tabulate
from tacita.query.subsample.drop_q import DropFixed, DropQ
from tacita.query.subsample.member_choice import PartSums, UniverseView
from tacita.query.universe.boxes import Boxes, TooComplex
from tacita.query.universe.canonical import canonical_request
from tacita.query.universe.members import MemberSet

if TYPE_CHECKING:
    from tacita.query.history import History
    from tacita.query.policy.policy import Policy
    from tacita.query.restrictions.restriction import Restriction

__all__ = ["Question", "RefusalError", "journal_form", "understand"]

T = TypeVar("T")

_MOST_TEXT = 100_000
"""A request whose canonical form is longer is no question that anybody asks; an entry of the journal must hold it."""


class RefusalError(TacitaError):
    """A question is not answered; ``rule`` is all that the user learns, the message is for the journal.

    Parameters
    ----------
    rule
        The public name of the reason.
    detail
        What the steward reads.
    hint
        What the user may read beside the rule; made of published metadata only.
    """

    def __init__(self, rule: str, detail: str = "", *, hint: str = "") -> None:
        super().__init__(f"The question is refused: {rule}.")
        self.rule, self.detail, self.hint = rule, detail, hint


@dataclass(eq=False)
class Question:
    """A request against one data version.

    Parameters
    ----------
    request
        What is asked.
    version
        The data.
    boxes
        Its universe in canonical form.
    policy
        The policy that it is answered under.
    history
        What was answered before.
    user
        Who asks.
    now
        When, in seconds.
    result
        What was computed, where a restriction looks at it.
    """

    request: QueryRequest
    version: Version
    boxes: Boxes
    policy: Policy
    history: History
    user: str = ""
    now: float = 0.0
    result: Any = field(default=None, repr=False)
    _counted: dict[tuple[str, ...], CellSums] = field(default_factory=dict, repr=False, init=False)
    _worked_out: dict[Restriction, Any] = field(default_factory=dict, repr=False, init=False)

    @cached_property
    def canonical(self) -> dict[str, Any]:
        """The request with its universe in canonical form: one text for all wordings."""
        return canonical_request(self.request, self.boxes, self.version.catalogue)

    @cached_property
    def text(self) -> str:
        """The canonical request as JSON on one line."""
        return json.dumps(self.canonical, sort_keys=True, ensure_ascii=False, separators=(",", ":"))

    def worked_out(self, restriction: Restriction, made: Callable[[], T]) -> T:
        """Return what a restriction has worked out about this question; it judges and remembers by the same."""
        if restriction not in self._worked_out:
            self._worked_out[restriction] = made()
        found: T = self._worked_out[restriction]
        return found

    def counted(self, by: Sequence[str]) -> CellSums:
        """Return counts and sums of keyed hashes of the universe in every cell of a table."""
        place = tuple(by)
        if place not in self._counted:
            self._counted[place] = self.version.records.counted(place, self.boxes)
        return self._counted[place]

    def counted_analysed(self, by: Sequence[str]) -> CellSums:
        """Return the same of the records that are analysed."""
        whole, dropped = self.counted(by), self.dropped
        return whole.less(self.version.records.cells_at(by, dropped), self.version.record_keys[dropped])

    @cached_property
    def members(self) -> MemberSet:
        """The records of the universe."""
        if not self._counted:
            return self.version.members(self.boxes)
        first, second, n = next(iter(self._counted.values())).whole  # every table of a universe has all of it
        return self.version.members(self.boxes, known=(first, second, n))

    @cached_property
    def dropped(self) -> IntArray:
        """The records of the universe that the policy's subsampling drops, increasing."""
        subsample, version = self.policy.subsample, self.version
        if subsample is None:
            return np.zeros(0, dtype=np.int64)
        key = version.lasting_key.derive("drop")
        if not isinstance(subsample, (DropQ, DropFixed)):
            rows = self.members.rows
            return np.setdiff1d(rows, subsample.apply(rows, version.stratum, version.record_ids, key))
        strata = version.strata if subsample.stratified else ()
        listed = version.stratum_rows if strata else version.all_rows
        found = self.counted(strata)
        parts = PartSums(found.counts[listed.codes], found.sums[listed.codes])
        view = UniverseView(parts, partial(version.records.has, self.boxes), lambda: self.members.rows)
        return subsample.dropped(view, listed, version.record_ids, key)

    @property
    def size(self) -> int:
        """How many records are analysed."""
        return len(self.members) - len(self.dropped)

    @cached_property
    def rows(self) -> IntArray:
        """The records that are analysed: the universe, less what the policy's subsampling drops."""
        return _without(self.members.rows, self.dropped)

    def rows_in_cells(self, by: Sequence[str]) -> tuple[PlaceArray, PlaceArray]:
        """Return the rows that are analysed, increasing, and their cells in the table of some variables."""
        rows, cells = self.version.records.find(by, self.boxes)
        places = np.searchsorted(rows, self.dropped.astype(rows.dtype))  # of one type, or all rows would be converted
        return (np.delete(rows, places), np.delete(cells, places)) if len(places) else (rows, cells)


def _without(rows: IntArray, dropped: IntArray) -> IntArray:
    return np.delete(rows, np.searchsorted(rows, dropped)) if len(dropped) else rows


def understand(
    request: QueryRequest, version: Version, policy: Policy, history: History, user: str, now: float
) -> Question:
    """Bring a request to its canonical form; what cannot be understood is refused, by a rule's name.

    Raises
    ------
    RefusalError
        When a variable or a class is unknown, a variable may not be used in this way, or the question is too large.
    """
    for name, use in _uses(request, version):
        if name not in version.catalogue:
            raise _refused_for_name(version, name)
        try:
            version.catalogue.usable(name, use)
        except ColumnError as error:
            raise RefusalError("variable_use", str(error), hint=str(error)) from None
    for name in request.where.variables:
        if name not in version.catalogue:
            raise _refused_for_name(version, name)
    try:
        boxes = version.boxes(request.where)
    except TooComplex as error:
        raise RefusalError("universe_complexity", str(error), hint=str(error)) from None
    except ColumnError as error:
        raise RefusalError("variable_use", str(error), hint=str(error)) from None
    except ParameterError as error:
        raise RefusalError("unknown_class", str(error), hint=str(error)) from None
    for names in (boxes.variables, request.by if isinstance(request, Tabulate) else ()):
        cells = int(np.prod([version.catalogue[name].size for name in names], dtype=object)) if names else 1
        if cells > MOST_CELLS:
            raise RefusalError("table_size", f"{cells} cells", hint=f"A table must have at most {MOST_CELLS} cells.")
    made = Question(request, version, boxes, policy, history, user, now)
    if len(made.text) > _MOST_TEXT:
        hint = (
            f"A question must have at most {_MOST_TEXT} letters when its classes are written out; ask for less at once."
        )
        raise RefusalError("universe_complexity", f"{len(made.text)} letters", hint=hint)
    return made


def journal_form(request: QueryRequest | None) -> dict[str, Any]:
    """Return what is kept of a question that was not understood: the request, unless it is none, too long, or no text.

    Examples
    --------
    >>> journal_form(None)
    {'kind': 'unreadable'}
    """
    if request is None:
        return {"kind": "unreadable"}
    plain = request.to_plain()
    try:
        text = json.dumps(plain, ensure_ascii=False).encode("utf-8")
    except ValueError:  # half of a surrogate pair
        return {"kind": request.kind, "is_cut": True}
    return plain if len(text) <= _MOST_TEXT else {"kind": request.kind, "is_cut": True}


def _refused_for_name(version: Version, name: str) -> RefusalError:
    try:
        version.catalogue[name]
    except ColumnError as error:
        return RefusalError("unknown_variable", str(error), hint=str(error))
    raise DataError(f"The variable '{name}' is known.")


def _uses(request: QueryRequest, version: Version) -> list[tuple[str, Use]]:
    """The variables of a request and what it wants to use them for."""
    if isinstance(request, Tabulate):
        found: list[tuple[str, Use]] = [(name, "table") for name in request.by]
        return found if request.response is None else [*found, (request.response, "response")]
    if isinstance(request, Regress):
        return [(request.response, "response"), *((effect.variable, "predictor") for effect in request.predictors)]
    if isinstance(request, Quantiles):
        variable = request.response
        if variable in version.catalogue and not version.catalogue[variable].is_cutpoint:
            raise RefusalError("variable_use", "no cutpoints", hint=f"The variable '{variable}' has no cutpoints.")
        return [(variable, "table")]
    if isinstance(request, Correlate):
        return [(name, "predictor") for name in request.columns]
    if isinstance(request, Statistic):
        return [] if request.response is None else [(request.response, "response")]
    return []

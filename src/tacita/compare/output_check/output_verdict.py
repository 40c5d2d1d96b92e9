"""Verdicts on outputs: each of them, and all together."""

from __future__ import annotations

import html
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from tacita.compare.output_check.output import AMOUNTS, Output
from tacita.compare.output_check.output_limits import OutputException, OutputRules
from tacita.compare.output_check.reason import OutputReason, OutputState, worst
from tacita.core.errors import ParameterError, did_you_mean
from tacita.data.frames import frame_from_arrow
from tacita.data.microdata import Microdata

if TYPE_CHECKING:
    from tacita.tables.protect.protected import Protected

__all__ = ["OutputCheck", "OutputVerdict"]


@dataclass(frozen=True, eq=False)
class OutputVerdict:
    """Whether one output may leave.

    Parameters
    ----------
    name, title
        How it is called, and what it is.
    figures
        Number of figures that it shows.
    reasons
        What speaks against it; those that the steward excepted have the state ``pass``.
    exceptions
        The steward's exceptions that were used.
    note
        What the researcher said.
    """

    name: str
    title: str
    figures: int
    reasons: tuple[OutputReason, ...] = field(default=(), repr=False)
    exceptions: tuple[OutputException, ...] = ()
    note: str = ""

    @property
    def state(self) -> OutputState:
        """``pass``, ``review`` or ``fail``."""
        return worst(reason.state for reason in self.reasons)

    def excepting(self, rules: OutputRules) -> OutputVerdict:
        """Return the verdict after the steward's exceptions."""
        used = list(self.exceptions)
        reasons = []
        for reason in self.reasons:
            found = None if reason.state == "pass" else rules.excepted(self.name, reason.check)
            if found is None:
                reasons.append(reason)
                continue
            reasons.append(replace(reason, state="pass", advice=f"Excepted by {found.by}: {found.because}"))
            used += [] if found in used else [found]
        return replace(self, reasons=tuple(reasons), exceptions=tuple(used))

    def with_reasons(self, reasons: Iterable[OutputReason]) -> OutputVerdict:
        """Return the verdict with further reasons."""
        return replace(self, reasons=(*self.reasons, *reasons))

    def to_plain(self) -> dict[str, Any]:
        """Return the verdict ready for JSON."""
        return {
            "output": self.name,
            "title": self.title,
            "state": self.state,
            "figures": self.figures,
            "reasons": [reason.to_plain() for reason in self.reasons],
            "exceptions": [str(one) for one in self.exceptions],
            "note": self.note,
        }


@dataclass(frozen=True, eq=False)
class OutputCheck:
    """Verdicts on some outputs of one data set, alone and together.

    Parameters
    ----------
    verdicts
        One for each output.
    rules
        Limits and exceptions that were used.
    earlier
        Number of outputs that left earlier and were compared with.
    notes
        What the reader must know.
    outputs, data
        What was checked; kept for :meth:`protect`.
    """

    verdicts: tuple[OutputVerdict, ...]
    rules: OutputRules
    earlier: int = 0
    notes: tuple[str, ...] = ()
    outputs: tuple[Output, ...] = field(default=(), repr=False)
    data: Microdata | None = field(default=None, repr=False)
    frame_kind: str = field(default="pyarrow", repr=False)

    @property
    def state(self) -> OutputState:
        """The gravest verdict."""
        return worst(one.state for one in self.verdicts)

    @property
    def has_passed(self) -> bool:
        """Whether everything may leave."""
        return self.state == "pass"

    @property
    def summary(self) -> str:
        """How many outputs passed, in one line."""
        counts = {state: sum(one.state == state for one in self.verdicts) for state in ("pass", "review", "fail")}
        return ", ".join(f"{count} {state}" for state, count in counts.items())

    def __getitem__(self, name: str) -> OutputVerdict:
        found = next((one for one in self.verdicts if one.name == name), None)
        if found is None:
            names = [one.name for one in self.verdicts]
            raise ParameterError(f"No output is called '{name}'.{did_you_mean(name, names)}")
        return found

    def __str__(self) -> str:
        lines = [f"{self.state.upper()}: {self.summary}"]
        for one in self.verdicts:
            lines.append(f"{one.name} ({one.title}): {one.state}")
            lines += [f"  [{reason.state}] {reason}" for reason in one.reasons]
            lines += [f"  The researcher says: {one.note}"] if one.note else []
        return "\n".join([*lines, *self.notes])

    def __repr__(self) -> str:
        return f"OutputCheck({self.state}: {self.summary})"

    def to_frame(self) -> Any:
        """Return one row for each reason, and one for each output without any, as the kind of frame the data came from."""
        rows = [
            (one.name, one.state, reason.check, reason.state, reason.words, reason.advice, len(reason.cells))
            for one in self.verdicts
            for reason in (one.reasons or (OutputReason("", "pass", ""),))
        ]
        names = ("output", "verdict", "check", "state", "words", "advice", "cells")
        table = pa.table({name: [row[place] for row in rows] for place, name in enumerate(names)})
        return frame_from_arrow(table, self.frame_kind)

    def to_plain(self) -> dict[str, Any]:
        """Return everything ready for JSON."""
        return {
            "state": self.state,
            "summary": self.summary,
            "outputs": [one.to_plain() for one in self.verdicts],
            "earlier": self.earlier,
            "notes": list(self.notes),
            **self.rules.to_plain(),
        }

    def _repr_html_(self) -> str:
        """Show the verdicts as a table in a notebook."""
        rows = []
        for one in self.verdicts:
            said = "".join(f"<li>[{reason.state}] {html.escape(str(reason))}</li>" for reason in one.reasons)
            cells = (one.name, one.title, one.state)
            rows.append(
                "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells) + f"<td><ul>{said}</ul></td></tr>"
            )
        heads = "".join(f"<th>{head}</th>" for head in ("output", "what", "verdict", "reasons"))
        return f"<p><b>{self.state.upper()}</b>: {self.summary}</p><table><tr>{heads}</tr>{''.join(rows)}</table>"

    def with_undescribed(self, names: Iterable[str]) -> OutputCheck:
        """Return the check with files that nobody described: a person must look at them."""
        words = "nobody said how it was made, so it was not checked."
        reason = OutputReason("unknown_basis", "review", words, (), "Describe it in a TOML file of its name.")
        more = tuple(OutputVerdict(name, "a file without a description", 0, (reason,)) for name in names)
        return replace(self, verdicts=(*self.verdicts, *(one.excepting(self.rules) for one in more)))

    def protect(self, name: str) -> Protected:
        """Return a safe version of a table of counts or sums: unsafe cells and those that protect them are hidden.

        Raises
        ------
        ParameterError
            When the output is no table of counts or sums.
        """
        from tacita.compare.output_check.safer import safer_table

        self[name]
        output = next((one for one in self.outputs if one.name == name), None)
        is_sum = output is not None and output.kind == "crosstab" and bool(output.by)
        if output is None or self.data is None or not is_sum or not {"count", *AMOUNTS} & set(output.statistic):
            raise ParameterError(f"'{name}' cannot be protected here: it is no table of counts, sums or means.")
        return safer_table(output, self.data, self.rules.limits)

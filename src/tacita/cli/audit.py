"""``tacita audit``: what can be computed from a protected table, from whatever tool."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast, get_args

import numpy as np
import numpy.typing as npt
import typer

from tacita.cli import output
from tacita.cli.files import Decimal, Encoding, Separator
from tacita.core.errors import DataError, ParameterError

if TYPE_CHECKING:
    from tacita.tables.audit_published import PublishedAudit
    from tacita.tables.certificate import Leak
    from tacita.tables.files.read_write import TableFile
    from tacita.tables.problem import Problem
    from tacita.tables.seats import SeatsName
    from tacita.tables.table import Table
    from tacita.tables.unsafe import Unsafe

__all__ = ["audit"]

BoolArray = npt.NDArray[np.bool_]


def audit(
    file: Annotated[
        Path,
        typer.Argument(
            help="The protected table: .csv (one row a cell), .json, .jj of tau-ARGUS, or a directory that was published.",
            show_default=False,
        ),
    ],
    by: Annotated[
        list[str] | None,
        typer.Option("--by", "-b", help="For CSV: a column that classifies; default: all but value, status."),
    ] = None,
    tree: Annotated[
        list[str] | None,
        typer.Option("--tree", help="Hierarchy of a dimension, as name=file (.hrc or .csv); may be repeated."),
    ] = None,
    span: Annotated[
        float,
        typer.Option("--span", help="Intervals narrower than this percent of their middle count as unsafe.", min=0),
    ] = 0.0,
    integer: Annotated[
        bool, typer.Option("--integer", help="The attacker knows that the cells are whole numbers.")
    ] = False,
    most: Annotated[int, typer.Option("--top", help="How many cells to show.", min=0)] = 20,
    separator: Separator = None,
    decimal: Decimal = None,
    encoding: Encoding = None,
    seats: Annotated[
        str,
        typer.Option(
            "--seats",
            help="Who attacks beside outsiders, where the file has contributors: contributors, singletons (those alone in a "
            "cell, with that cell only) or none.",
        ),
    ] = "contributors",
    as_json: output.Json = False,
) -> None:
    """Compute what an attacker learns from a protected table; exit code 1 when a cell is not safe.

    A directory that 'tacita table' wrote is audited as published, by its public/table.json. Other CSV files need the
    hierarchies of their dimensions (--tree). A cell of a CSV file is hidden when its status says so, or when it has no value,
    or a sign such as x, c, : or * in its place.

    No hidden cell may follow from the sums, nor lie in a narrow interval (--span). A file that also has the true values and
    the unsafe cells with their protection levels is audited against these levels too. Each leak is shown with the
    interval that is left and the sums that force it.
    """
    from tacita.cli.cells import dimensions_in
    from tacita.tables.files.read_write import read_table

    with output.progress_bars(as_json):
        file = _of_directory(file)
        found = read_table(
            file,
            dimensions_in(file, by, tree, separator, encoding),
            separator=separator,
            decimal=decimal,
            encoding=encoding,
            blank_is_hidden=True,
        )
        verdict = _audited(found, span, integer, _seats(seats))
    if as_json:
        output.print_json(verdict.to_plain())
    else:
        word = "safe" if verdict.is_safe else "NOT safe"
        rows = [
            (leak["cell"], _interval(leak["low"], leak["high"]), leak["what"], _sums(leak["sums"]))
            for leak in verdict.leaks[:most]
        ]
        output.table(f"{file.name}: {word}", ("cell", "interval", "what", "by these sums"), rows)
        for line in verdict.facts:
            output.say(line)
    if not verdict.is_safe:
        raise typer.Exit(1)


def _seats(name: str) -> SeatsName:
    from tacita.tables.seats import SeatsName

    names = get_args(SeatsName)
    if name not in names:
        raise ParameterError(f"--seats must be one of {', '.join(names)}, got '{name}'.")
    return cast("SeatsName", name)


def _of_directory(file: Path) -> Path:
    """The public table of a directory that was published."""
    if not file.is_dir():
        return file
    return next((place for place in (file / "public" / "table.json", file / "table.json") if place.is_file()), file)


@dataclass
class _Verdict:
    """What was found about a file, with its cells named by their codes."""

    table: Table
    published: PublishedAudit
    leaks: list[dict[str, Any]] = field(default_factory=list)
    facts: list[str] = field(default_factory=list)
    unsafe: int = 0
    seats: int = 0

    @property
    def is_safe(self) -> bool:
        return not self.leaks

    def add(self, cell: int, low: float | None, high: float | None, what: str, relations: Any, **more: Any) -> None:
        named = [dimension.name for dimension in self.table.dimensions]
        self.leaks.append(
            {
                "cell": self.table.title(cell),
                "codes": dict(zip(named, self.table.labels(cell), strict=True)),
                "low": _finite(low),
                "high": _finite(high),
                "what": what,
                **more,
                "sums": [self.table.relation_title(relation) for relation in relations],
            }
        )

    def to_plain(self) -> dict[str, Any]:
        found = self.published
        return {
            "safe": self.is_safe,
            "hidden": len(found.hidden),
            "disclosed": int(found.is_disclosed.sum()),
            "narrow": int(found.is_narrow.sum()),
            "unsafe": self.unsafe,
            "seats": self.seats,
            "leaks": self.leaks,
            "intervals": [
                {"cell": self.table.title(cell), "low": _finite(low), "high": _finite(high)}
                for cell, low, high in zip(found.hidden.tolist(), found.low.tolist(), found.high.tolist(), strict=True)
            ],
            "facts": self.facts,
        }


def _audited(found: TableFile, span: float, integer: bool, seats: SeatsName) -> _Verdict:
    """Look at what is published, and at the levels where the file has some and the values that they are for."""
    from tacita.tables.audit_published import audit_published

    table, unsafe = found.table, found.unsafe
    hidden = np.zeros(len(table), bool) if found.hidden is None else found.hidden.copy()
    if unsafe is not None:
        hidden |= unsafe.cells
    if found.hidden is None and not hidden.any():
        raise DataError("The file does not say which cells are hidden; it needs a column 'status' or empty values.")
    if not np.isnan(table.values).any():
        table.check_additive()
    result = audit_published(table, hidden, span=span, integer=integer)
    verdict = _Verdict(table, result)
    count, exact = len(hidden[hidden]), int(result.is_disclosed.sum())
    verdict.facts.append(
        f"{count} hidden cells: {exact} follow exactly from the sums, "
        f"{int(result.is_narrow.sum()) - exact} more lie in a narrow interval."
    )
    for place in np.flatnonzero(result.is_narrow).tolist():
        cell = int(result.hidden[place])
        what = "follows from the sums" if result.is_disclosed[place] else "lies in a narrow interval"
        verdict.add(cell, float(result.low[place]), float(result.high[place]), what, result.relations(cell))
    if unsafe is not None and unsafe.count:
        _against_levels(table, unsafe, hidden, integer, verdict, seats)
    if table.members is None:
        verdict.facts.append(
            "The file has no contributors: whoever is in the table and knows what it has there was not looked at."
        )
    return verdict


def _against_levels(
    table: Table, unsafe: Unsafe, hidden: BoolArray, integer: bool, verdict: _Verdict, seats: SeatsName
) -> None:
    from tacita.tables.audit import audit as audit_levels
    from tacita.tables.protector import make_problem

    has_level = unsafe.cells & ((unsafe.below > 0) | (unsafe.above > 0) | (unsafe.sliding > 0))
    verdict.unsafe = unsafe.count
    if unsafe.count > int(has_level.sum()):
        verdict.facts.append(
            f"{unsafe.count - int(has_level.sum())} of {unsafe.count} unsafe cells have no protection level in the file: "
            "of them only that is judged which follows exactly, or is narrow by --span."
        )
    if not has_level.any():
        return
    if np.isnan(table.values).any():
        verdict.facts.append("The levels were not looked at: the file does not have the true values of all cells.")
        return
    problem = make_problem(table, unsafe, cost="unity", seats=seats)
    certificate = audit_levels(problem, hidden, integer=integer)
    verdict.seats = certificate.seats
    verdict.facts.append(
        f"{int(has_level.sum())} unsafe cells were audited against their levels, for {certificate.attackers}."
    )
    for leak in certificate.leaks:
        low, high = _ends(verdict, problem, leak)
        who = "by anybody" if leak.seat is None else f"from a contributor's place, by {_own(leak)}"
        what = f"{leak.side} level reached to {100 * leak.share:.0f} % {who}"
        verdict.add(leak.cell, low, high, what, leak.relations, side=leak.side, share=leak.share, seat=leak.seat)


def _own(leak: Leak) -> str:
    """What a contributor uses of its own, in words."""
    used = [
        f"{len(cells)} {word}" for cells, word in ((leak.known, "of its own cells"), (leak.floors, "floors")) if cells
    ]
    return " and ".join(used) or "the sums alone"


def _ends(verdict: _Verdict, problem: Problem, leak: Leak) -> tuple[float | None, float | None]:
    """The outsider's interval; from a seat, the end that is too near."""
    result, cell = verdict.published, leak.cell
    if leak.seat is None:
        place = int(np.flatnonzero(result.hidden == cell)[0])
        return float(result.low[place]), float(result.high[place])
    value = float(verdict.table.values[cell])
    below, above, _ = problem.levels_from(leak.seat, np.array([cell]))[0].tolist()
    low = value - leak.share * below if leak.side == "below" else None
    high = value + leak.share * above if leak.side == "above" else None
    return low, high


def _finite(value: float | None) -> float | None:
    return None if value is None or not np.isfinite(value) else value


def _interval(low: float | None, high: float | None) -> str:
    if low is not None and high is not None:
        return f"{low:.10g}" if high - low <= 1e-9 * abs(low) else f"{low:.10g} to {high:.10g}"
    if low is not None:
        return f"{low:.10g} or more"
    return "any" if high is None else f"{high:.10g} or less"


def _sums(titles: list[str]) -> str:
    """The first few sums, one below the other."""
    if not titles:
        return "(bounds that everybody knows)"
    more = [f"and {len(titles) - _SHOWN} more"] if len(titles) > _SHOWN else []
    return "; and ".join(titles[:_SHOWN] + more)


_SHOWN = 4

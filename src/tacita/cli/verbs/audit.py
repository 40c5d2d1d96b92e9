"""``tacita audit``: what can be computed from a protected table, from whatever tool."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast, get_args

import numpy as np
import typer

from tacita.cli import output
from tacita.cli.files import Decimal, Encoding, Separator
from tacita.cli.settings import rules_of
from tacita.cli.tabular.cells import Absent, CellOptions, Form, NotAdditive, Totals, read_cells
from tacita.core.arrays import BoolArray
from tacita.core.errors import DataError, ParameterError

if TYPE_CHECKING:
    from tacita.tables.auditor.audit_published import PublishedAudit
    from tacita.tables.auditor.certificate import Leak
    from tacita.tables.files.read_write import TableFile
    from tacita.tables.model.seats import SeatsName
    from tacita.tables.model.table import Table
    from tacita.tables.protect.problem import Problem
    from tacita.tables.rules.rule import Rules
    from tacita.tables.rules.unsafe import Unsafe

__all__ = ["audit"]


SeatsOption = Annotated[
    str,
    typer.Option(
        "--seats",
        help="Who attacks beside outsiders, where the file has contributors: contributors, singletons (those alone in a "
        "cell, with that cell only) or none.",
    ),
]


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
    rule: Annotated[
        list[str] | None,
        typer.Option(
            "--rule",
            "-r",
            help="For files with true values: a rule whose unsafe cells must be hidden and protected too; repeatable.",
        ),
    ] = None,
    total: Totals = None,
    absent: Absent = None,
    not_additive: NotAdditive = False,
    most: Annotated[int, typer.Option("--top", help="How many cells to show.", min=0)] = 20,
    separator: Separator = None,
    decimal: Decimal = None,
    encoding: Encoding = None,
    seats: SeatsOption = "contributors",
    as_json: output.Json = False,
) -> None:
    """Compute what an attacker learns from a protected table; exit code 1 when a cell is not safe.

    A directory that 'tacita table' wrote is audited as published, by its public/table.json. Other CSV files need the
    hierarchies of their dimensions (--tree). A cell of a CSV file is hidden when its status says so, or when it has no value,
    or a sign such as x, c, : or * in its place.

    No hidden cell may follow from the sums, nor lie in a narrow interval (--span). Sums follow from the dimensions, whatever a
    file lists; what is taken from it on trust is named, with hashes of what the verdict is about. A file that also has the
    true values and the unsafe cells with their protection levels is audited against these levels too. Each leak is shown
    with the interval that is left and the sums that force it.
    """
    with output.progress_bars(as_json):
        directory, file = file, _of_directory(file)
        options = CellOptions(by, tree, Form(separator, decimal, encoding), total, absent, not_additive)
        found = read_cells(file, options, blank_is_hidden=True)
        verdict = _audited(found, span, integer, rules_of(rule) if rule else None, not_additive, _seats(seats))
        if directory != file:
            _beside(file.with_suffix(".csv"), found, verdict)
    if as_json:
        output.print_json(verdict.to_plain())
    else:
        _tell(file.name, verdict, most)
    if not verdict.is_safe:
        raise typer.Exit(1)


def _tell(name: str, verdict: _Verdict, most: int) -> None:
    """Show the verdict, the worst leaks and what the verdict is based on."""
    word = "safe" if verdict.is_safe else "NOT safe" if verdict.leaks else "NOT JUDGED"
    rows = [
        (leak["cell"], _interval(leak["low"], leak["high"]), leak["what"], _sums(leak["sums"]))
        for leak in verdict.leaks[:most]
    ]
    output.table(f"{name}: {word}", ("cell", "interval", "what", "by these sums"), rows)
    for line in verdict.facts:
        output.say(line)


def _seats(name: str) -> SeatsName:
    from tacita.tables.model.seats import SeatsName

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
    trusted: list[str] = field(default_factory=list)
    basis: dict[str, str] = field(default_factory=dict)
    unsafe: int = 0
    seats: int = 0
    loose: int = 0

    @property
    def is_safe(self) -> bool:
        return not self.leaks and not self.loose

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
            "judged": not self.loose,
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
            "trusted": self.trusted,
            "basis": self.basis,
        }


def _audited(
    found: TableFile, span: float, integer: bool, rules: Rules | None, may_break: bool, seats: SeatsName
) -> _Verdict:
    """Look at what is published, and at the levels where the file has some and the values that they are for."""
    from tacita.tables.auditor.audit_published import audit_published

    table, unsafe = found.table, found.unsafe
    hidden = np.zeros(len(table), bool) if found.hidden is None else found.hidden.copy()
    if unsafe is not None and found.hidden is None:
        hidden |= unsafe.cells
    if found.hidden is None and not hidden.any():
        raise DataError("The file does not say which cells are hidden; it needs a column 'status' or empty values.")
    if hidden.any() and not len(table.relations):
        raise DataError(
            "The file has no sums between its cells, neither by its dimensions nor listed; nothing can be audited."
        )
    if not np.isnan(table.values).any() and not may_break:
        table.check_additive()
    result = audit_published(table, hidden, span=span, integer=integer, unlisted=found.unlisted)
    verdict = _Verdict(table, result)
    if rules is not None:
        unsafe = _judged(found, rules, verdict)
        found = replace(found, unsafe=unsafe)
    count, exact = len(hidden[hidden]), int(result.is_disclosed.sum())
    verdict.facts.append(
        f"{count} hidden cells: {exact} follow exactly from the sums, "
        f"{int(result.is_narrow.sum()) - exact} more lie in a narrow interval."
    )
    verdict.basis = {} if result.basis is None else result.basis.to_plain()
    for place in np.flatnonzero(result.is_narrow).tolist():
        cell = int(result.hidden[place])
        what = "follows from the sums" if result.is_disclosed[place] else "lies in a narrow interval"
        verdict.add(cell, float(result.low[place]), float(result.high[place]), what, result.relations(cell))
    _look_at_file(found, hidden, verdict)
    if unsafe is not None and unsafe.count:
        unknown = hidden if found.unlisted is None else hidden | found.unlisted
        _against_levels(table, unsafe, unknown, integer, verdict, seats)
    _say_what_is_trusted(found, verdict, rules is not None)
    return verdict


def _judged(found: TableFile, rules: Rules, verdict: _Verdict) -> Unsafe:
    """The unsafe cells by the rules that were given, beside those of the file, which may lack some."""
    if not np.isfinite(found.table.values).all():
        raise DataError("--rule needs a file with the true values of all cells, such as one that stays inside.")
    judged = rules.judge(found.table)
    own = np.zeros(len(found.table), bool) if found.unsafe is None else found.unsafe.cells
    verdict.facts.append(
        f"{judged.count} cells are unsafe by the rules given; {int((judged.cells & ~own).sum())} of them are not by the file."
    )
    return judged if found.unsafe is None else found.unsafe | judged


def _look_at_file(found: TableFile, hidden: BoolArray, verdict: _Verdict) -> None:
    """What the file itself gives away, and what its sums say nothing about."""
    table, unsafe = found.table, found.unsafe
    told = np.flatnonzero(hidden & np.isfinite(table.values))
    if len(told) and found.is_secret is False:
        for cell in told.tolist():
            value = float(table.values[cell])
            verdict.add(cell, value, value, "stands in the file", ())
    elif len(told):
        verdict.facts.append(
            f"The file has the values of {len(told)} hidden cells: it must stay inside, and the verdict is about the table "
            "without them."
        )
    shown = np.flatnonzero(unsafe.cells & ~hidden).tolist() if unsafe is not None else []
    for cell in shown:
        value = float(table.values[cell])
        verdict.add(cell, value, value, "is unsafe and published", ())
    in_sums = np.zeros(len(table), bool)
    in_sums[table.relations.cells] = True
    verdict.loose = int((hidden & ~in_sums).sum())
    if verdict.loose:
        verdict.facts.append(
            f"{verdict.loose} hidden cells stand in no sum of the file: of them nothing can be judged. Give the file the sums "
            "that readers know."
        )


def _say_what_is_trusted(found: TableFile, verdict: _Verdict, is_judged: bool) -> None:
    """Name everything that the verdict takes from the file and cannot check."""
    table, told = found.table, verdict.trusted
    told += found.notes
    low = table.bounds_published(verdict.published.unknown)[0][verdict.published.hidden]
    if table.lower is not None or table.upper is not None:
        told.append("What everybody knows of cells beforehand (bounds) is what the file says.")
    elif len(low):
        told.append(
            "The file has no bounds: everybody is taken to know that no cell is negative."
            if bool((low == 0).all())
            else "The file has no bounds and published cells below zero: hidden cells may be as low as they like."
        )
    if found.unsafe is not None and found.unsafe.count:
        told.append(
            "Which cells are unsafe, and their levels, is what the file says"
            + (", and the rules beside it." if is_judged else "; --rule looks anew.")
        )
    if table.members is None:
        told.append(
            "The file has no contributors: whoever is in the table and knows what it has there was not looked at."
        )
    verdict.facts += [f"Taken on trust: {text}" for text in told]
    if verdict.basis:
        shown = ", ".join(f"{name} {text[7:23]}" for name, text in verdict.basis.items())
        verdict.facts.append(f"Based on (SHA-256): {shown}")


def _beside(file: Path, found: TableFile, verdict: _Verdict) -> None:
    """Hold the CSV file that was published against the JSON file beside it: both leave."""
    import csv

    if not file.is_file():
        return
    table = found.table
    with file.open(encoding="utf-8", newline="") as text:
        rows = list(csv.DictReader(text))
    names = [dimension.name for dimension in table.dimensions]
    labels = [table.labels(cell) for cell in range(len(table))]
    if len(rows) != len(table) or any(
        tuple(row.get(name) for name in names) != codes for row, codes in zip(rows, labels, strict=True)
    ):
        raise DataError(f"'{file.name}' does not have the cells of the JSON file beside it; audit them one by one.")
    hidden = np.isnan(table.values) if found.hidden is None else found.hidden
    differ = 0
    for cell, row in enumerate(rows):
        word = (row.get("value") or "").strip()
        try:
            value = float(word) if word else float("nan")
        except ValueError:
            raise DataError(f"'{file.name}' has a value that is no number, in row {cell + 2}.") from None
        if hidden[cell] and word:
            verdict.add(cell, value, value, f"stands in {file.name}", ())
        elif not hidden[cell] and not abs(value - table.values[cell]) <= 1e-6 * max(abs(table.values[cell]), 1.0):
            differ += 1
    if differ:
        raise DataError(f"{differ} published cells of '{file.name}' are not those of the JSON file beside it.")


def _against_levels(
    table: Table, unsafe: Unsafe, hidden: BoolArray, integer: bool, verdict: _Verdict, seats: SeatsName
) -> None:
    from tacita.tables.auditor.audit import audit as audit_levels
    from tacita.tables.protect.protector import make_problem

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
    off = len(table.relations.violated(table.values))
    if off:
        verdict.facts.append(f"The levels were not looked at: {off} sums do not hold for the values of the file.")
        return
    problem = make_problem(table, unsafe, cost="unity", seats=seats)
    certificate = audit_levels(problem, hidden, integer=integer)
    verdict.seats = certificate.seats
    verdict.basis = verdict.basis if certificate.basis is None else certificate.basis.to_plain()
    verdict.facts.append(
        f"{int(has_level.sum())} unsafe cells were audited against their levels, for {certificate.attackers}."
    )
    for leak in certificate.leaks:
        if not hidden[leak.cell]:  # published, and told already
            continue
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

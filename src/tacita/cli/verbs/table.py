"""``tacita table``: build a table, find its unsafe cells, protect it, audit it, write what may be published."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from tacita.cli import output
from tacita.cli.files import Decimal, Encoding, SchemaFile, Separator, TableName, check_there
from tacita.cli.settings import rules_of, setting
from tacita.cli.tabular.cells import Absent, CellOptions, Form, Totals, own_verdict, pair, read_cells
from tacita.cli.tabular.keyed import DataVersion, Identity, KeyOptions, KeyUses, Revision, Unit, key_files
from tacita.cli.tabular.records import Records, groups_of, refuse_with_cells
from tacita.core.errors import DataError, ParameterError
from tacita.data.disk.outputs import check_directory
from tacita.tables.model.table import Table
from tacita.tables.protect.protected import Protected
from tacita.tables.protect.protector import Protector
from tacita.tables.rules.rule import Rules
from tacita.tables.rules.unsafe import Unsafe
from tacita.tables.suppression.suppress import Suppress

__all__ = ["table"]


By = Annotated[
    list[str] | None,
    typer.Option("--by", "-b", help="A column that classifies; may be repeated. Its hierarchy comes from the schema."),
]
Responses = Annotated[
    list[str] | None,
    typer.Option(
        "--response",
        "-y",
        help="The column to sum; without it records are counted. May be repeated: then each has its own cells.",
    ),
]
RuleWords = Annotated[
    list[str] | None,
    typer.Option(
        "--rule", "-r", help="A rule, such as p_percent:p=10 or minimum_frequency:at_least=3; may be repeated."
    ),
]
Aprioris = Annotated[
    list[Path] | None,
    typer.Option(
        "--apriori",
        help="A-priori file of tau-ARGUS (.hst): unsafe, safe and protected cells, levels, costs; may be repeated.",
    ),
]
ProtectorName = Annotated[str, typer.Option("--protector", help="How to protect; see 'tacita methods'.")]
MethodName = Annotated[
    str | None,
    typer.Option(
        "--method",
        help=f"How the protector works, for suppress one of {', '.join(Suppress.methods())}; the same as --set method=...",
    ),
]
Settings = Annotated[
    list[str] | None, typer.Option("--set", help="A parameter of --protector, as name=value; may be repeated.")
]
TimeLimit = Annotated[
    float | None,
    typer.Option("--time-limit", help="Seconds for the search; the best safe result is taken then.", min=0),
]
Holding = Annotated[str | None, typer.Option("--holding", help="The column of groups under one control.")]
Contributor = Annotated[str | None, typer.Option("--contributor", help="The column that says whose record it is.")]
Weight = Annotated[str | None, typer.Option("--weight", help="The column of sampling weights.")]
Shadow = Annotated[str | None, typer.Option("--shadow", help="A column that rules look at instead of the response.")]
CostColumn = Annotated[
    str | None, typer.Option("--cost", help="A column whose sums are costs; use with --set cost=own.")
]
Request = Annotated[str | None, typer.Option("--request", help="A column that says who asked for protection.")]
Waiver = Annotated[str | None, typer.Option("--waiver", help="A column that says who agreed to be published.")]
Lower = Annotated[float | None, typer.Option("--lower", help="Everybody knows that no cell is below this.")]
Upper = Annotated[float | None, typer.Option("--upper", help="Everybody knows that no cell is above this.")]
OutOfCore = Annotated[
    bool, typer.Option("--out-of-core", help="Add up a large Parquet or CSV file without reading it into memory.")
]
Memory = Annotated[str, typer.Option("--memory", help="Memory that --out-of-core may use.")]
Trees = Annotated[
    list[str] | None,
    typer.Option("--tree", help="Hierarchy of a dimension, as name=file (.hrc or .csv); may be repeated."),
]
Links = Annotated[
    list[str] | None,
    typer.Option(
        "--link",
        help="A further table of the same records, by these columns (a,b), protected together with the first; repeatable.",
    ),
]
MeansToo = Annotated[
    bool,
    typer.Option(
        "--means",
        help="Publish means of --response: count and sum are protected as a pair, means shown where both are.",
    ),
]
Cells = Annotated[
    bool,
    typer.Option(
        "--cells",
        help="The file has cells of a table (.csv, .json, .jj), not records. Unsafe cells and levels of the file count.",
    ),
]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", help="Directory for public/ and internal/; without it nothing is written."),
]
Title = Annotated[str, typer.Option("--title", help="Heading of the reports.")]
Explain = Annotated[
    list[str] | None,
    typer.Option("--explain", help="Say why a cell is hidden: name=code for each dimension; may be repeated."),
]
Insist = Annotated[
    bool,
    typer.Option(
        "--insist", help="Write a table that failed its audit, or cannot be protected at all; the file says so."
    ),
]
Overwrite = Annotated[
    bool, typer.Option("--overwrite", help="Replace an earlier table in the directory, never anything else.")
]


def table(
    file: Annotated[Path, typer.Argument(help="A file of records, or of cells with --cells.", show_default=False)],
    by: By = None,
    response: Responses = None,
    rule: RuleWords = None,
    apriori: Aprioris = None,
    protector: ProtectorName = "suppress",
    method: MethodName = None,
    settings: Settings = None,
    time_limit: TimeLimit = None,
    holding: Holding = None,
    contributor: Contributor = None,
    weight: Weight = None,
    shadow: Shadow = None,
    cost: CostColumn = None,
    request: Request = None,
    waiver: Waiver = None,
    lower: Lower = None,
    upper: Upper = None,
    tree: Trees = None,
    link: Links = None,
    means: MeansToo = False,
    cells: Cells = False,
    total: Totals = None,
    absent: Absent = None,
    output_directory: Output = None,
    title: Title = "Protected table",
    explain: Explain = None,
    insist: Insist = False,
    overwrite: Overwrite = False,
    out_of_core: OutOfCore = False,
    memory: Memory = "4GB",
    identity: Identity = None,
    unit: Unit = None,
    key_uses: KeyUses = None,
    data_version: DataVersion = None,
    revision: Revision = False,
    schema: SchemaFile = None,
    sheet: TableName = None,
    separator: Separator = None,
    decimal: Decimal = None,
    encoding: Encoding = None,
    as_json: output.Json = False,
) -> None:
    """Build a table, find its unsafe cells, protect it, audit it, and write what may be published."""
    how = _protector(protector, method, settings, time_limit, accepts_leaks=insist)
    place = _Place(output_directory, overwrite, [*_inputs(file, schema, apriori, tree), *key_files(how, key_uses)])
    keyed = KeyOptions(identity, unit, key_uses, data_version, revision).checked(how, is_cells=cells)
    rules = _rules(rule, is_needed=not apriori and not cells and identity is None)
    form, own, note = Form(separator, decimal, encoding), None, None
    with output.progress_bars(as_json):
        if cells:
            wanted = CellOptions(by, tree, form, total, absent)
            made, own = _of_cells(file, wanted, response, link, is_mean=means, is_needed=not apriori and rules is None)
        else:
            facts = (weight, contributor, holding, shadow, cost, request, waiver, lower, upper)
            records = Records(file, schema, sheet, form, memory if out_of_core else None, facts)
            made, note = keyed.made(records, groups_of(by, link), tree, response, how, is_mean=means)
        protected = _protected(made, own, rules, apriori or [], how, is_written=output_directory is not None)
        place.publish(protected, title=title, insist=insist, means=means, note=note)
    _tell(protected, explain or [], output_directory, as_json)


def _of_cells(
    file: Path,
    options: CellOptions,
    response: list[str] | None,
    link: list[str] | None,
    *,
    is_mean: bool,
    is_needed: bool,
) -> tuple[Table, Unsafe]:
    """Return the cells of a file, and what the file says of them."""
    refuse_with_cells(link, is_mean)
    found = read_cells(file, options, response=response)
    return found.table, own_verdict(found, file, is_needed=is_needed)


class _Place:
    """Where the table is written, looked at before the work begins; nowhere without a directory."""

    def __init__(self, directory: Path | None, overwrite: bool, inputs: list[Path]) -> None:
        self._directory, self._overwrite, self._inputs = directory, overwrite, inputs
        if directory is not None:
            from tacita.report.publish_table import KIND

            check_directory(directory, KIND, overwrite=overwrite, inputs=inputs)

    def publish(
        self, protected: Protected, *, title: str, insist: bool, means: bool, note: Callable[[], str] | None
    ) -> None:
        """Write the protected table with its reports, after the use of its key where it has one."""
        if self._directory is not None:
            from tacita.report.publish_table import publish_table

            if note is not None and (protected.is_safe or insist):
                note()
            publish_table(
                protected,
                self._directory,
                title=title,
                insist=insist,
                overwrite=self._overwrite,
                means=means,
                inputs=self._inputs,
            )


def _inputs(file: Path, schema: Path | None, apriori: list[Path] | None, tree: list[str] | None) -> list[Path]:
    """Return the files that a table is made from; a directory that holds one of them is not replaced."""
    check_there(file)
    trees = [Path(pair(text)[1]) for text in tree or []]
    return [file, *([] if schema is None else [schema]), *(apriori or []), *trees]


def _protected(
    made: Table, own: Unsafe | None, rules: Rules | None, apriori: list[Path], method: Protector, *, is_written: bool
) -> Protected:
    """Find the unsafe cells and protect them; names that a file could not have are refused before the search."""
    from tacita.tables.files.csv_form import check_names

    if is_written:
        check_names(made.dimensions)
    unsafe = _combined(Unsafe.none(len(made)) if own is None else own, rules, made)
    made, unsafe, method = _with_apriori(apriori, made, unsafe, method)
    return method.protect(made, unsafe)


def _tell(protected: Protected, explain: list[str], directory: Path | None, as_json: bool) -> None:
    if as_json:
        output.print_json({**protected.to_plain(), "utility": protected.utility.to_plain()})
        return
    _show(protected)
    _show_utility(protected)
    if explain:
        for cell in protected.table.find(dict(pair(text) for text in explain)).tolist()[:20]:
            output.say(protected.explain(cell))
    if directory is not None:
        fate = "public/ may leave" if protected.is_safe else "the audit FAILED and public/ says so"
        output.say(f"Written to {directory}: {fate}, internal/ must stay.")


def _rules(texts: list[str] | None, *, is_needed: bool) -> Rules | None:
    if not texts:
        if not is_needed:
            return None
        raise ParameterError("Name at least one rule with --rule, such as --rule p_percent:p=15.")
    return rules_of(texts)


def _combined(own: Unsafe, rules: Rules | None, made: Table) -> Unsafe:
    """What a file of cells says of them, and what the rules find."""
    if rules is None:
        return own
    judged = rules.judge(made)
    clash = np.flatnonzero(own.locked & judged.cells).tolist()
    if clash:
        named = "; ".join(made.title(cell) for cell in clash[:5]) + (" and more" if len(clash) > 5 else "")
        raise DataError(
            f"{len(clash)} cells must stay published by the file, but a rule finds them unsafe: {named}. Change their status, "
            "or the rule."
        )
    return own | judged if own.rules else judged


def _protector(
    name: str, method: str | None, settings: list[str] | None, time_limit: float | None, *, accepts_leaks: bool
) -> Protector:
    from tacita.core import registry

    kind = registry.find("protector", name)
    given = dict(setting(text) for text in settings or [])
    if method is not None and given.setdefault("method", method) != method:
        raise ParameterError("--method and --set method=... contradict each other; give one of them.")
    if time_limit is not None:
        given["time_limit"] = time_limit
    if accepts_leaks and "accepts_leaks" in {field.name for field in fields(kind)}:
        given["accepts_leaks"] = True
    built = kind.from_plain(given)
    if not isinstance(built, Protector):
        raise ParameterError(f"'{name}' is not a protector.")
    return built


def _with_apriori(files: list[Path], made: Table, unsafe: Unsafe, method: Protector) -> tuple[Table, Unsafe, Protector]:
    """Put a-priori files over the table, the verdict and the costs of the method, one after the other."""
    from tacita.tables.files.apriori import read_apriori

    cost = getattr(method, "cost", None)
    for file in files:
        found = read_apriori(file, made)
        unsafe = found.over(unsafe)
        if not found.has_costs:
            continue
        if cost is None:
            output.say(f"The costs of '{file.name}' play no part: '{method.name}' takes none.")
            continue
        made, cost = found.priced(cost), "own"
        method = replace(method, cost="own")  # type: ignore[call-arg]
    return made, unsafe, method


def _show(protected: Protected) -> None:
    plain = protected.to_plain()
    rows = [
        ("cells", f"{plain['cells']:,}"),
        ("sums between them", f"{plain['relations']:,}"),
        *(
            (f"unsafe by {rule}", f"{int(protected.unsafe.by[:, i].sum()):,}")
            for i, rule in enumerate(protected.unsafe.rules)
        ),
        ("unsafe", f"{plain['unsafe']:,}"),
        ("hidden to protect others", f"{plain['secondary']:,}"),
        *([("changed", f"{plain['changed']:,}")] if plain["changed"] else []),
        ("cost", output.number(plain["cost"])),
        *([] if plain["gap"] is None else [("proven gap", f"{100 * plain['gap']:.1f} %")]),
        ("seconds", output.number(plain["seconds"], 3)),
        ("audit", protected.verdict),
    ]
    output.table(f"{protected.method}", ("what", "value"), rows, right=("value",))
    for note in protected.notes:
        output.say(note)


def _show_utility(protected: Protected) -> None:
    """What is left of the table; the value hidden and the distances are for the owner alone."""
    found = protected.utility
    kept, totals = found.totals.cells - found.totals.changed, found.totals.cells + found.totals.hidden
    rows = [
        ("cells published", f"{found.whole.cells:,} of {found.cells:,}"),
        ("cells hidden", f"{found.hidden:,} ({100 * found.hidden_share:.1f} %)"),
        *(
            [("value hidden", f"{100 * found.hidden_value_share:.2f} % of the sum of all cells")]
            if found.hidden
            else []
        ),
        ("totals kept", f"{kept:,} of {totals:,}"),
    ]
    output.table("What is left (internal)", ("what", "value"), rows, right=("value",))
    if not found.whole.changed:
        return
    heads = ("size of the cell", "cells", "changed", "mean change", "largest change", "mean change in %")
    changes = [
        (
            part.label,
            f"{part.cells:,}",
            f"{part.changed:,}",
            output.number(part.mean_absolute),
            output.number(part.largest_absolute),
            f"{100 * part.mean_relative:.1f}",
        )
        for part in (*found.classes, found.totals, found.whole)
    ]
    output.table("Changes (internal)", heads, changes, right=heads[1:])

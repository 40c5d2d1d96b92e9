"""Check outputs: pass, review or fail, with reasons, each alone and all together."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from tacita.compare.output_check.basis import OutputBasis, Owners, basis_of
from tacita.compare.output_check.ledger import Ledger
from tacita.compare.output_check.linked import JudgedOutput, link_verdicts
from tacita.compare.output_check.match import match_shown
from tacita.compare.output_check.model_checks import check_model, is_model, output_of_model
from tacita.compare.output_check.output import Output
from tacita.compare.output_check.output_limits import OutputLimits, OutputRules, OutputRulesLike
from tacita.compare.output_check.output_verdict import OutputCheck, OutputVerdict
from tacita.compare.output_check.point_checks import check_boxplot, check_extremes, check_histogram, check_quantiles
from tacita.compare.output_check.reason import OutputReason
from tacita.compare.output_check.table_checks import OutputFindings, check_basis, check_counts, nothing_found
from tacita.core.errors import ParameterError
from tacita.data.formats.shown_grid import grid_names
from tacita.data.frames import arrow_from_frame
from tacita.data.microdata import Microdata

__all__ = ["check_output"]


def check_output(
    outputs: Any,
    data: Microdata | Any,
    *,
    limits: OutputRulesLike = None,
    ledger: Ledger | str | Path | None = None,
    contributor: str | None = None,
    holding: str | None = None,
    **settings: Any,
) -> OutputCheck:
    """Check whether results may leave: recompute what they are based on, and look for what they disclose.

    Parameters
    ----------
    outputs
        An :class:`Output`, a frame of figures, a fitted model of statsmodels, or a list of these that leave together.
    data
        The data that they were made of: microdata, or a frame.
    limits
        Limits by name (``{"at_least": 5}``), limits and exceptions of a steward, or the path of a TOML file with them.
    ledger
        The directory of outputs of these data that left earlier; they are compared with.
    contributor
        The column that says whose record it is; by default every record is a contributor of its own.
    holding
        The column of groups of contributors; by default the household or group of the schema.
    settings
        For a frame or a model: what an :class:`Output` says of it, such as ``rows``, ``columns``, ``values`` and ``statistic``.
        The names of a crosstab of pandas are found by themselves.

    Returns
    -------
    OutputCheck
        A verdict for each output with its reasons: cells by their labels, never a value of a record.

    Raises
    ------
    ParameterError
        When an output is not described, two have one name, or a limit is out of its range.
    ColumnError
        When a column is not in the data.

    Notes
    -----
    Counts are unweighted. An output that fails on its own does not leave, so the others are not compared with it; its own
    totals are compared with its cells, as they would be if the cells that fail alone were hidden.

    Complexity: O(n 2^d) for tables of d dimensions; for the comparison see :func:`find_differences`.

    References
    ----------
    Bond, S., Brandt, M. and de Wolf, P. P. (2015), Guidelines for output checking, Data without Boundaries; Griffiths, E. et
    al. (2019), Handbook on statistical disclosure control for outputs; Green, E., Ritchie, F. and Smith, J. (2021), Automatic
    checking of research outputs (ACRO).

    Examples
    --------
    >>> from tacita.data.samples import household_survey
    >>> data = household_survey(1000, seed=1)
    >>> check_output(Output(rows=["sex"], values="income", statistic="mean"), data)
    OutputCheck(pass: 1 pass, 0 review, 0 fail)
    """
    frame_kind = "pyarrow"
    if not isinstance(data, Microdata):
        frame_kind = arrow_from_frame(data)[1]
        data = Microdata.from_frame(data)
    rules = OutputRules.of(limits)
    given = _outputs(outputs, data, settings)
    owners = Owners.of(data, contributor, holding)
    based = [_judged(output, data, owners, rules) for output in given]
    book = None if ledger is None else ledger if isinstance(ledger, Ledger) else Ledger(Path(ledger))
    earlier, notes = ([], ()) if book is None else book.bases(data)
    verdicts = list(link_verdicts(based, earlier, data, owners, rules))
    if book is not None:
        verdicts = [_with_versions(one, given[n], book, data, rules) for n, one in enumerate(verdicts)]
    unused = [one for one in rules.exceptions if all(one not in verdict.exceptions for verdict in verdicts)]
    notes = (*notes, *(f"An exception was not needed: {str(one).rstrip('.')}." for one in unused))
    return OutputCheck(tuple(verdicts), rules, len(earlier), notes, tuple(given), data, frame_kind)


# --- what was given ------------------------------------------------------------------------------------------------------


def _outputs(given: Any, data: Microdata, settings: dict[str, Any]) -> list[Output]:
    listed = list(given) if isinstance(given, (list, tuple)) else [given]
    if settings and len(listed) > 1:
        raise ParameterError("check_output: settings describe one output; describe several as Output(...).")
    if not listed:
        raise ParameterError("check_output: there is no output to check.")
    made = [_described(one, data, settings) for one in listed]
    made = [one if one.name else replace(one, name=f"output {number}") for number, one in enumerate(made, 1)]
    names = [one.name for one in made]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ParameterError(f"check_output: two outputs are called '{twice[0]}'; each needs a name of its own.")
    return made


def _described(one: Any, data: Microdata, settings: dict[str, Any]) -> Output:
    if isinstance(one, Output):
        return replace(one, **settings) if settings else one
    if is_model(one):
        return output_of_model(one, data, **settings)
    if not (hasattr(one, "columns") or hasattr(one, "to_frame") or hasattr(one, "column_names")):
        raise ParameterError(
            f"check_output: an output, a frame or a fitted model is needed, got {type(one).__name__}; describe it as Output(...)."
        )
    described = dict(settings)
    if "rows" not in described and "columns" not in described and described.get("kind", "crosstab") == "crosstab":
        rows, columns = grid_names(one)
        columns = [name for name in columns if name in data.schema]
        if not rows or any(name not in data.schema for name in rows):
            raise ParameterError(
                "check_output: say how the table was made: rows=[...], columns=[...], and for figures of a column values=... and "
                "statistic=...."
            )
        described |= {"rows": rows, "columns": columns}
    return Output(**{**described, "shown": one})


def _with_versions(
    verdict: OutputVerdict, output: Output, book: Ledger, data: Microdata, rules: OutputRules
) -> OutputVerdict:
    """Ask for a person where an earlier output is of another version of the same columns: it cannot be compared."""
    named = book.of_other_versions(output, data)
    if not named:
        return verdict
    words = (
        f"{len(named)} output(s) that left earlier are of another version of its columns, and could not be compared."
    )
    advice = "Compare both versions by hand: who came, left or was corrected is in the difference."
    reason = OutputReason("differencing", "review", words, (), advice, tuple(named))
    return verdict.with_reasons([reason]).excepting(rules)


# --- one output ------------------------------------------------------------------------------------------------------------


def _judged(output: Output, data: Microdata, owners: Owners, rules: OutputRules) -> JudgedOutput:
    """Return the verdict on an output alone, its basis, and its figures that must not be shown."""
    limits = rules.limits
    asked = replace(output, margins=True) if output.kind == "crosstab" and output.shown is not None else output
    basis = basis_of(asked, data)
    if output.kind in ("regression", "correlation", "test"):
        reasons = check_model(output, basis, data, owners, limits)
        verdict = OutputVerdict(output.name, output.title, 1, reasons, (), output.note).excepting(rules)
        return JudgedOutput(verdict, basis, np.zeros(0 if basis is None else len(basis), bool))
    if basis is None or output.kind == "points":
        words = "it shows single records."
        reason = OutputReason("single_records", "fail", words, (), "Show a table or a smoothed curve instead.")
        verdict = OutputVerdict(output.name, output.title, 0, (reason,), (), output.note).excepting(rules)
        return JudgedOutput(verdict, None, np.zeros(0, bool))
    matched = match_shown(basis, data)
    found = _found(matched.basis, data, owners, limits)
    reasons = (*matched.reasons, *found.reasons)
    if not (basis.inner >= 0).any():
        words = "no record of the data is in its universe."
        reasons = (*reasons, OutputReason("unknown_basis", "review", words, (), "Correct the universe."))
    shown = int(matched.basis.shown.sum())
    verdict = OutputVerdict(output.name, output.title, shown, reasons, (), output.note).excepting(rules)
    return JudgedOutput(verdict, matched.basis, found.unsafe)


def _found(basis: OutputBasis, data: Microdata, owners: Owners, limits: OutputLimits) -> OutputFindings:
    kind = basis.output.kind
    if kind == "quantiles":
        return check_quantiles(basis, data, owners, limits)
    if kind == "histogram":
        return check_histogram(basis, data, owners, limits)
    if kind == "boxplot":
        return check_boxplot(basis, data, owners, limits)
    if kind == "survival":
        return check_counts(basis, owners, limits)
    ends = tuple(word for word in ("min", "max") if word in basis.output.statistic)
    more = check_extremes(basis, data, owners, limits, ends) if ends else nothing_found(basis)
    return check_basis(basis, data, owners, limits) + more

"""Results under a cell of a notebook: short, escaped, with units and the scenario, and never a value of a record.

Colours are those of the notebook, light or dark; nothing is asked from a network.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from functools import cache, singledispatch
from importlib.resources import files

from tacita.compare.assessment import Assessment
from tacita.compare.scorecard import Scorecard
from tacita.compare.search.search_point import SearchPoint
from tacita.compare.search.search_result import SearchResult
from tacita.core.errors import MeasureError
from tacita.data.microdata import Microdata
from tacita.data.schema import Column, Schema
from tacita.report.markup import Content, Html, html_table, tag
from tacita.report.measures import axis_title, measure_rows, score_of
from tacita.report.words import GAP, NOTHING, count, fixed, names_in_words, quantity, significant, spread_words
from tacita.tables.auditor.certificate import Certificate
from tacita.tables.protect.protected import Protected

__all__ = ["framed", "notebook_html"]

_MOST_ROWS = 30
"""Longer tables end with how much more there is; what is shown under a cell must not fill the screen."""
_MOST_CANDIDATES = 12


def notebook_html(result: object) -> str:
    """Return a result as a piece of HTML for a notebook.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(50, seed=1)
    >>> "household_survey" in notebook_html(data), "<td>key</td>" in notebook_html(data)
    (False, True)
    """
    return framed(*_parts(result))


def framed(*parts: Content) -> Html:
    """Return parts in the style that all our pieces of a notebook share."""
    return tag("div", Html(f"<style>{_css()}</style>"), *parts, class_="tacita")


@cache
def _css() -> str:
    return files("tacita.report.notebook").joinpath("notebook.css").read_text(encoding="utf-8")


@singledispatch
def _parts(result: object) -> list[Html]:
    return [tag("p", repr(result))]


# --- data -----------------------------------------------------------------------------------------------------------------


@_parts.register
def _of_microdata(data: Microdata) -> list[Html]:
    words = f"{count(len(data))} records, {count(len(data.schema))} columns. Values are not shown."
    return [_title("Microdata", words), _columns(data.schema)]


@_parts.register
def _of_schema(schema: Schema) -> list[Html]:
    return [_title("Schema", f"{count(len(schema))} columns."), _columns(schema)]


def _columns(schema: Schema) -> Html:
    rows = [[c.name, c.label, c.scale, ", ".join(c.roles), _declared(c)] for c in schema.columns]
    head = ["column", "content", "scale", "role", "besides"]
    # What no column has needs no place.
    used = [i for i, word in enumerate(head) if word not in ("content", "besides") or any(row[i] for row in rows)]
    return _table("", [head[i] for i in used], [[row[i] for i in used] for row in rows])


def _declared(column: Column) -> str:
    """What else is declared of a column, in numbers only: categories and codes are values of somebody."""
    words = [
        _counted(len(column.categories or ()), "category", "categories"),
        _counted(len(column.missing), "missing code", "missing codes"),
        _counted(len(column.labels), "label", "labels"),
        "" if column.hierarchy is None else "a hierarchy",
        "" if column.linked_to is None else f"linked to {column.linked_to}",
        "public" if column.public else "",
    ]
    return ", ".join(word for word in words if word)


def _counted(number: int, one: str, more: str) -> str:
    return f"{count(number)} {one if number == 1 else more}" if number else ""


# --- measures -------------------------------------------------------------------------------------------------------------


@_parts.register
def _of_scorecard(card: Scorecard) -> list[Html]:
    sizes = f"{count(len(card.original))} records, {count(len(card.masked))} in the masked file"
    parts = [_title("Scorecard", f"{sizes}; paired {card.pairing_words}."), _scenario(card.scenario_words)]
    rows = [[row.title, row.name, row.kind, row.shown, row.what] for row in measure_rows(card)]
    if rows:
        parts.append(_table("Measures", ("measure", "name", "kind", "value", "what it says"), rows, numbers=[3]))
    beside = [[row.what, _figure(row.before, row.unit), _figure(row.after, row.unit)] for row in card.beside]
    if beside:
        parts.append(_table("Risk of the keys", ("what", "original", "masked"), beside, numbers=[1, 2]))
    shown = score_of(card, "internal")
    if shown is None:
        parts.append(tag("p", card.score_note))
    else:
        points = " + ".join(f"{row.points} {row.measure}" for row in shown.rows).replace("+ −", "− ")
        parts.append(tag("p", tag("span", f"Score {shown.shown} points", class_="name"), f" = {points}"))
        parts.append(_note(f"{shown.formula}; lower is better; read it beside its parts."))
    parts += [_note(f"Not computed: {names_in_words(names)}. {why}") for why, names in card.reasons.items()]
    return [*parts, *map(_note, (*card.notes, *card.remarks))]


@_parts.register
def _of_assessment(found: Assessment) -> list[Html]:
    rows = [
        [
            row["what"],
            _figure(row["value"], row["unit"]),
            quantity(row["percent"], "%") if row["percent"] is not None else "",
        ]
        for row in found.facts()
    ]
    parts = [
        _title("Assessment", f"the disclosure risk of one file of {count(found.records)} records."),
        _scenario(f"keys {names_in_words(found.keys)}; {_standing_for(found)}; {_MISSING_WORDS[found.missing]}"),
        _table("Risk of the keys", ("what", "value", "of the records"), rows, numbers=[1, 2]),
    ]
    shares = [[name, quantity(share, "%")] for name, share in found.contributions.items()]
    if shares:
        parts.append(
            _table(
                "Share of the SUDA score that comes from rare combinations with a key",
                ("key", "share"),
                shares,
                numbers=[1],
            )
        )
    if found.riskiest:
        parts.append(
            _note(f"The {len(found.riskiest)} riskiest combinations are in .riskiest; their values are not shown.")
        )
    return [*parts, *map(_note, found.notes)]


_MISSING_WORDS = {
    "wildcard": "a missing key matches every value",
    "own category": "a missing key matches missing ones only",
    "conservative": "a missing key hides its record from nobody and hides nobody",
}


def _standing_for(found: Assessment) -> str:
    if found.weight is None:
        return "no weight, so every record stands for itself"
    return f"weighted by {found.weight}, for {count(round(found.population))} people"


@_parts.register
def _of_search(result: SearchResult) -> list[Html]:
    words = f"{len(result)} candidates of {len(result.families)} families, {len(result.frontier)} on the frontier."
    parts = [_title("Search", words), _scenario(result.scenario)]
    try:
        best = result.best()
    except MeasureError as error:
        parts.append(tag("p", str(error), class_="bad"))
        chosen = ""
    else:
        chosen = best.label
        goal = f"Best for “{best.constraint}”: " if best.constraint.limits else "Lowest score: "
        parts.append(tag("p", goal, tag("span", chosen, class_="name"), ".", class_="good"))
    points = sorted(result.points, key=lambda p: (p.label != chosen, not p.is_on_frontier, p["loss"]))
    rows = [
        [
            p.label,
            p.family,
            *(_spread(p, name) for name in ("loss", "risk", "score")),
            "yes" if p.is_on_frontier else "",
        ]
        for p in points
    ]
    axes = [axis_title(axis.kind, axis.words, axis.unit) for axis in (result.loss, result.risk)]
    head = ("candidate", "family", *axes, "score (points)", "frontier")
    parts.append(_table("Means over seeds", head, rows, numbers=[2, 3, 4], most=_MOST_CANDIDATES))
    troubles = [f"{len(result.failed)} trials failed; .failed says why."] if result.failed else []
    troubles += [f"{len(result.left)} trials were left untried when the time was over."] if result.left else []
    return [*parts, *map(_note, (*result.notes, *troubles)), _note(".plot() draws the map.")]


def _spread(point: SearchPoint, name: str) -> str:
    found = point.spread(name)
    return NOTHING if found is None else spread_words(found.mean, found.sd)


# --- tables ---------------------------------------------------------------------------------------------------------------


@_parts.register
def _of_certificate(found: Certificate) -> list[Html]:
    sides = Counter(leak.side for leak in found.leaks)
    rows: list[list[Content]] = [
        ["hidden cells", _figure(len(found.hidden), "cells")],
        ["bounds that are exact", _figure(int(found.is_exact.sum()), "cells")],
        ["unsafe cells at risk", _figure(len(found.at_risk), "cells")],
        *([f"levels missed, {side}", _figure(number, "levels")] for side, number in sides.items()),
        ["contributors looked at", _figure(found.seats, "seats")],
        ["linear programmes solved", count(found.solves)],
        ["time", quantity(found.seconds, "s")],
    ]
    verdict = "Passed: every protection level holds." if found.is_safe else "FAILED: protection levels are missed."
    parts = [_title("Certificate", "what attackers can learn about hidden cells."), _verdict(verdict, found.is_safe)]
    return [
        *parts,
        _scenario(found.attackers, "Attackers"),
        _table("What the auditor did", ("what", "figure"), rows, numbers=[1]),
    ]


@_parts.register
def _of_protected(made: Protected) -> list[Html]:
    cells = len(made.table)
    changed = int((made.values != made.table.values).sum())
    gap = f" (at most {quantity(100 * made.gap, '%')} above the least)" if made.has_proof else ""
    rows = [
        ["cells", _figure(cells, "cells")],
        ["unsafe", _share(int(made.unsafe.cells.sum()), cells)],
        ["hidden to protect others", _share(int(made.secondary.sum()), cells)],
        ["changed", _share(changed, cells)],
        ["unsafe and not protected", _share(len(made.at_risk), cells)],
        ["cost, as the method counts it", f"{significant(made.cost, 4)}{gap}"],
        ["time", quantity(made.seconds, "s")],
    ]
    names = " by ".join(dimension.name for dimension in made.table.dimensions)
    what = made.table.response or "number of records"
    parts = [
        _title("Protected table", f"{what} by {names}." if names else f"{what}."),
        _verdict(made.verdict, made.is_safe),
    ]
    rules = _scenario(names_in_words(list(made.unsafe.rules)), "Rules")
    facts = _table(made.method, ("what", "figure"), rows, numbers=[1])
    return [*parts, rules, facts, *map(_note, made.notes)]


# --- small parts ----------------------------------------------------------------------------------------------------------


def _title(name: str, words: str) -> Html:
    return tag("p", tag("span", name, class_="name"), f": {words}")


def _scenario(words: str, what: str = "Scenario") -> Html:
    return tag("p", tag("span", what, class_="name"), f": {words}.")


def _verdict(words: str, is_good: bool) -> Html:
    return tag("p", f"{words[:1].upper()}{words[1:]}", class_="good" if is_good else "bad")


def _note(words: str) -> Html:
    return tag("p", words, class_="note")


def _figure(value: float | None, unit: str) -> str:
    """Write a figure with its unit; counts are whole where they are."""
    if value is None or unit == "%" or not math.isfinite(value):
        return quantity(value, unit)
    shown = fixed(value, 0 if float(value).is_integer() else 2 if abs(value) < 10 else 1)
    return f"{shown}{GAP}{unit}" if unit else shown


def _share(number: int, of: int) -> str:
    return f"{count(number)} cells ({quantity(100 * number / max(of, 1), '%')})"


def _table(
    caption: str,
    head: Sequence[str],
    rows: Sequence[Sequence[Content]],
    *,
    numbers: Sequence[int] = (),
    most: int = _MOST_ROWS,
) -> Html:
    more = len(rows) - most
    words = f"{caption}, {count(most)} of {count(len(rows))}" if more > 0 else caption
    return html_table(words.removeprefix(", "), head, rows[:most], numbers=numbers)

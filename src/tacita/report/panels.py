"""The chapters on single variables: small pictures side by side, and the summary tables under them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tacita.report.bins import LEAST, Picture
from tacita.report.distributions import draw
from tacita.report.facts import Facts, VariableFacts
from tacita.report.markup import Html, html_table, tag
from tacita.report.render import svg_inline
from tacita.report.variables import PUBLIC_QUANTILES, CategorySummary, NumberSummary, PublicSummary
from tacita.report.words import NOTHING, count, decimals_of_spread, fixed, names_in_words

__all__ = ["pictures", "summaries"]

_INTERNAL_WORDS = (
    "Shares of the values in percent. The axes leave out the lowest and the highest percent of the values; "
    "the ends are in the summary."
)
_EXTERNAL_WORDS = (
    "Shares of the values in percent, release only. The axes leave out the tails: at least one percent and at least "
    f"{LEAST} records on each side. Bars of fewer than {LEAST} records are not drawn, rare categories are counted as other."
)


def pictures(facts: Facts) -> Html:
    """Return a picture of each variable, as many as fit in a report."""
    drawn = facts.drawn
    parts = [tag("p", _INTERNAL_WORDS if facts.form == "internal" else _EXTERNAL_WORDS)]
    if facts.form == "internal" and drawn:
        keys = (tag("span", "original", class_="key original"), tag("span", "release", class_="key release"))
        parts.append(tag("p", *keys, class_="legend"))
    left_out = sum(v.picture is not None for v in facts.variables) - len(drawn)
    if left_out:
        parts.append(
            tag(
                "p",
                f"{len(drawn)} variables are drawn, masked ones first; {left_out} more were left out.",
                class_="note",
            )
        )
    figures = [_panel(v, v.picture, place) for place, v in enumerate(drawn, 1) if v.picture is not None]
    parts.append(tag("div", *figures, class_="panels"))
    empty = [v.column.name for v in facts.variables if v.picture is None]
    if empty:
        why = "no values" if facts.form == "internal" else "too few values to be published"
        parts.append(tag("p", f"Not drawn, {why}: {names_in_words(empty, limit=60)}.", class_="note"))
    return tag("div", *parts)


def _panel(variable: VariableFacts, found: Picture, position: int) -> Html:
    name, changed = variable.column.name, variable.changed
    which = "in the release" if found.original is None else "in the original and in the release"
    chart = svg_inline(draw(found), name=f"variable{position}", describe=f"Distribution of {name} {which}")
    state = "" if changed is None else "unchanged" if changed == 0 else f"{_percent(changed)} of the records changed"
    caption = tag("figcaption", tag("strong", name), *([tag("span", state)] if state else []))
    return tag("figure", caption, Html(chart))


def _percent(value: float) -> str:
    return "below 1\u00a0%" if 0 < value < 1 else f"{value:.0f}\u00a0%"


# --- tables ---------------------------------------------------------------------------------------------------------------


def summaries(facts: Facts) -> Html:
    """Return the summary tables: numbers, then categories."""
    if not facts.variables:
        return tag("p", "The release has no variable to summarise.")
    if facts.form == "external":
        return _public_tables(facts.variables)
    numbers = [v for v in facts.variables if isinstance(v.after, NumberSummary)]
    categories = [v for v in facts.variables if isinstance(v.after, CategorySummary)]
    parts = [tag("p", "Unweighted, over the values that are there.")]
    if numbers:
        parts.append(_number_table(numbers))
    if categories:
        parts.append(_category_table(categories))
    return tag("div", *parts)


def _number_table(variables: Sequence[VariableFacts]) -> Html:
    head = ["Variable", "File", "Values", "Missing", "Mean", "SD", "Min", "P25", "Median", "P75", "Max", "Changed"]
    rows: list[Html] = []
    for variable in variables:
        files = [s for s in (variable.before, variable.after) if isinstance(s, NumberSummary)]
        places = decimals_of_spread(max((s.sd or 0.0 for s in files), default=0.0))
        whole = all(q is None or q == round(q) for s in files for q in s.quantiles)
        cells = [
            [
                *(fixed(value, places) for value in (s.mean, s.sd)),
                *(fixed(q, 0 if whole else places) for q in s.quantiles),
            ]
            for s in files
        ]
        rows += _two_rows(variable, files, cells)
    return html_table("Numeric variables before and after", head, rows, numbers=range(2, len(head)), class_="summary")


def _category_table(variables: Sequence[VariableFacts]) -> Html:
    head = ["Variable", "File", "Values", "Missing", "Categories", "Changed"]
    rows: list[Html] = []
    for variable in variables:
        files = [s for s in (variable.before, variable.after) if isinstance(s, CategorySummary)]
        rows += _two_rows(variable, files, [[count(s.categories)] for s in files])
    return html_table(
        "Categories and dates before and after", head, rows, numbers=range(2, len(head)), class_="summary"
    )


def _two_rows(
    variable: VariableFacts, files: Sequence[NumberSummary | CategorySummary], cells: Sequence[Sequence[str]]
) -> list[Html]:
    """Return one row for each file under one heading; the share of changed records stands with the release."""
    words = ["original", "release"][-len(files) :]
    rows = []
    for position, (word, summary, shown) in enumerate(zip(words, files, cells, strict=True)):
        head = [tag("th", variable.column.name, scope="rowgroup", rowspan=str(len(files)))] if position == 0 else []
        changed = "" if word == "original" else NOTHING if variable.changed is None else _percent(variable.changed)
        figures = [count(summary.values), count(summary.missing), *shown, changed]
        rows.append(
            tag("tr", *head, tag("td", word), *(tag("td", text, class_="number") for text in figures), class_=word)
        )
    return rows


# --- tables that may be published -----------------------------------------------------------------------------------------


def _public_tables(variables: Sequence[VariableFacts]) -> Html:
    words = (
        f"Release only, unweighted, over the values that are there. A quantile is the mean of the {LEAST} values around it, "
        f"rounded; it is left out where fewer than {LEAST} values lie on one side."
    )
    parts = [tag("p", words)]
    found = [(v.column.name, v.after) for v in variables if isinstance(v.after, PublicSummary)]
    numbers = [(name, summary) for name, summary in found if summary.categories is None]
    categories = [(name, summary) for name, summary in found if summary.categories is not None]
    if numbers:
        head = ["Variable", "Missing", *(_quantile_word(q) for q in PUBLIC_QUANTILES)]
        rows = [[name, _percent(s.missing_share), *_public_quantiles(s)] for name, s in numbers]
        parts.append(html_table("Numeric variables", head, rows, numbers=range(1, len(head)), class_="summary"))
    if categories:
        head = ["Variable", "Missing", f"Categories of {LEAST} records or more"]
        rows = [[name, _percent(s.missing_share), count(s.categories or 0)] for name, s in categories]
        parts.append(html_table("Categories and dates", head, rows, numbers=[1, 2], class_="summary"))
    return tag("div", *parts)


def _quantile_word(q: float) -> str:
    return "Median" if q == 0.5 else f"P{100 * q:g}"


def _public_quantiles(summary: PublicSummary) -> list[str]:
    places = max(0, -math.floor(math.log10(summary.grain) + 1e-9))
    return [fixed(q, places) for q in summary.quantiles]

"""The report on a protected table: rules, pattern, certificate, in an internal and a publishable form."""

from __future__ import annotations

from importlib.resources import files

import numpy as np

from tacita._version import __version__
from tacita.core.errors import ParameterError
from tacita.report.markup import Content, Html, html_table, page, tag
from tacita.report.render import svg_inline, unchecked
from tacita.report.table_pattern import pattern_chart
from tacita.tables.protect.protected import Protected

__all__ = ["table_page"]

_MOST_EXPLAINED = 20
_FORM_WORDS = {
    "internal": "Internal form. It tells unsafe cells from others and what an attacker can compute, and must stay inside.",
    "external": "External form. It goes with the table and has nothing that must stay inside.",
}


def table_page(protected: Protected, *, form: str = "internal", title: str = "Protected table") -> str:
    """Write the report on a protected table.

    The internal form tells unsafe cells from secondary ones and lists what an attacker can compute. The external form may
    be published: it says how many cells are hidden and by which kind of method, not which of them are unsafe, and no
    parameter of a rule, because whoever knows p can bound the largest contributor. What it says about utility can be
    counted in the published table: the value of all hidden cells together would be one more sum for an attacker, and
    which values were changed, how many or how far would give back what changing them protects.

    Parameters
    ----------
    protected
        What a protector made.
    form
        ``internal`` or ``external``.
    title
        Heading of the page.
    """
    css = files("tacita.report").joinpath("report.css").read_text(encoding="utf-8")
    if form not in _FORM_WORDS:
        raise ParameterError(f"report: 'form' must be 'internal' or 'external', got '{form}'.")
    internal = form == "internal"
    chapters = [_facts(protected, internal), _left_over(protected) if internal else _left_over_in_public(protected)]
    with unchecked():
        chapters.append(_picture(protected, form))
    if internal:
        chapters += [_rules(protected), _certificate(protected), _reasons(protected)]
    notes = [tag("p", note) for note in protected.notes] if internal else []
    warning = [] if protected.is_safe else [tag("p", tag("strong", "The audit failed: this table is not safe."))]
    body = tag(
        "main",
        tag("h1", title),
        tag("p", _FORM_WORDS[form], class_=f"form {form}"),
        *warning,
        *notes,
        *(tag("section", *parts, class_="chapter") for parts in chapters),
        tag("footer", tag("p", f"Tacita {__version__}. The same input gives the same page, byte for byte.")),
    )
    return page(title, css, body)


def _facts(protected: Protected, internal: bool) -> list[Content]:
    table_, hidden = protected.table, protected.hidden
    rows: list[list[Content]] = [
        ["dimensions", ", ".join(dimension.name for dimension in table_.dimensions)],
        ["variable", table_.response or "number of records"],
        ["cells", _count(len(table_))],
        ["sums between them", _count(len(table_.relations))],
        ["hidden cells", _share(int(hidden.sum()), len(table_))],
    ]
    if internal:
        rows += [
            ["unsafe cells", _share(int(protected.unsafe.cells.sum()), len(table_))],
            ["hidden to protect others", _share(int(protected.secondary.sum()), len(table_))],
            ["method", protected.method],
            ["cost", _cost(protected)],
        ]
    rows.append(["audit", _verdict(protected, internal)])
    return [tag("h2", "The table"), html_table("Facts", ("what", ""), rows)]


def _cost(protected: Protected) -> str:
    """What it cost, and how near that is to the least possible where somebody looked."""
    proven = f"; nothing safe costs less than {protected.bound:,.4g} (gap {100 * protected.gap:.1f} %)"
    return f"{protected.cost:,.4g}{proven if protected.has_proof else ''}"


def _verdict(protected: Protected, internal: bool) -> str:
    if internal or protected.certificate is None:
        return protected.verdict
    # How many contributors there are, and who is alone in cells, is not for readers.
    return (
        "passed: no hidden cell can be computed too closely from the published ones" if protected.is_safe else "failed"
    )


def _left_over(protected: Protected) -> list[Content]:
    """What is left of the table, by size of the cells; internal."""
    found = protected.utility
    kept, totals = found.totals.cells - found.totals.changed, found.totals.cells + found.totals.hidden
    rows: list[list[Content]] = [
        ["published cells", _share(found.whole.cells, found.cells)],
        ["changed cells", _share(found.whole.changed, found.cells)],
        ["value hidden", f"{100 * found.hidden_value_share:.2f} % of the sum of all cells"],
        ["totals kept", _share(kept, totals)],
    ]
    parts: list[list[Content]] = [
        [
            part.label,
            _count(part.cells),
            _count(part.hidden),
            _count(part.changed),
            f"{part.mean_absolute:,.4g}",
            f"{part.largest_absolute:,.4g}",
            f"{100 * part.mean_relative:.1f} %",
        ]
        for part in (*found.classes, found.totals, found.whole)
    ]
    heads = ("size", "published", "hidden", "changed", "mean change", "largest change", "mean relative change")
    return [
        tag("h2", "What is left"),
        html_table("Utility", ("what", ""), rows),
        html_table("By size of the cells", heads, parts, numbers=range(1, len(heads))),
    ]


def _left_over_in_public(protected: Protected) -> list[Content]:
    """The same as far as everybody can count it in the published table: where cells are hidden, and nothing of their values."""
    totals = protected.utility.totals
    whole = protected.utility.whole
    rows: list[list[Content]] = [
        ["published cells", _share(whole.cells, whole.cells + whole.hidden)],
        ["published totals", _share(totals.cells, totals.cells + totals.hidden)],
    ]
    if protected.certificate is None:
        rows.append(["values", "each may differ from the true one"])
    return [tag("h2", "What is left"), html_table("Utility", ("what", ""), rows)]


def _picture(protected: Protected, form: str) -> list[Content]:
    names = " by ".join(dimension.name for dimension in protected.table.dimensions[:2])
    caption = f"The table {names}" + (
        ", at the totals of the other dimensions." if len(protected.table.dimensions) > 2 else "."
    )
    picture = Html(svg_inline(pattern_chart(protected, form=form), name="pattern", describe=caption))
    return [tag("h2", "The pattern"), tag("figure", picture, tag("figcaption", caption), class_="wide")]


def _rules(protected: Protected) -> list[Content]:
    unsafe = protected.unsafe
    rows: list[list[Content]] = [
        [rule, _count(int(unsafe.by[:, place].sum()))] for place, rule in enumerate(unsafe.rules)
    ]
    rows.append(["any of them", _count(int(unsafe.cells.sum()))])
    return [tag("h2", "The rules"), html_table("Unsafe cells by rule", ("rule", "cells"), rows, numbers=[1])]


def _certificate(protected: Protected) -> list[Content]:
    found = protected.certificate
    if found is None:
        return []
    values, inside = protected.table.values, protected.unsafe.cells[found.hidden]
    widths = (found.high - found.low)[inside]
    relative = widths / np.maximum(np.abs(values[found.hidden][inside]), 1e-300)
    rows: list[list[Content]] = [
        ["hidden cells", _count(len(found.hidden))],
        ["who was seated", found.attackers],
        ["linear programmes solved", _count(found.solves)],
        ["levels missed", _count(len(found.leaks))],
    ]
    if len(relative):
        rows.append(
            ["smallest proven interval of an unsafe cell", f"{100 * float(relative.min()):,.1f} % of its value"]
        )
    return [tag("h2", "The certificate"), html_table("What the auditor did", ("what", ""), rows, numbers=[1])]


def _reasons(protected: Protected) -> list[Content]:
    hidden = np.flatnonzero(protected.unsafe.cells)[:_MOST_EXPLAINED].tolist()
    if not hidden:
        return []
    items = [tag("li", Html(_escaped(protected.explain(cell)))) for cell in hidden]
    more = int(protected.unsafe.cells.sum()) - len(hidden)
    rest = [tag("p", f"And {_count(more)} more; tacita table --explain tells of each.")] if more > 0 else []
    return [tag("h2", "Why cells are unsafe"), tag("ul", *items), *rest]


def _escaped(text: str) -> str:
    from html import escape

    return escape("".join(letter if letter.isprintable() else " " for letter in text))


def _count(number: int) -> str:
    return f"{number:,}".replace(",", "\u00a0")


def _share(number: int, of: int) -> str:
    return f"{_count(number)} ({100 * number / max(of, 1):.1f} %)"

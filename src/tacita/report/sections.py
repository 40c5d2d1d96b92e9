"""The chapters of a report, from facts to markup. Nothing here reads data."""

from __future__ import annotations

from collections.abc import Sequence

from tacita.report.charts import measure_chart, risk_utility_map
from tacita.report.facts import Facts, Step
from tacita.report.markup import Html, html_table, join, tag
from tacita.report.render import svg_inline
from tacita.report.synthetic.tables_map import heat_map, spoken_ratios
from tacita.report.words import count, figure, names_in_words, quantity, significant

__all__ = [
    "at_risk",
    "heading",
    "key_risks",
    "measures",
    "provenance",
    "released",
    "risk_map",
    "rules",
    "score",
    "section",
    "tables",
    "verdict_section",
]

_FORM_WORDS = {
    "internal": "Internal form. It holds the seed and facts about the original file and must stay inside.",
    "external": "External form. It goes with the data and has nothing that must stay inside.",
}


def section(name: str, title: str, *content: Html) -> Html:
    """Return a chapter with its heading."""
    return tag("section", tag("h2", title), *content, id=name, class_="chapter")


def heading(facts: Facts, chapters: Sequence[tuple[str, str]]) -> Html:
    """Return title, form, key figures and the list of chapters."""
    links = [tag("li", tag("a", title, href=f"#{name}")) for name, title in chapters]
    return tag(
        "header",
        tag("h1", "Disclosure control report"),
        tag("p", _FORM_WORDS[facts.form], class_=f"form {facts.form}"),
        *([tag("p", tag("strong", "Synthetic."), f" {facts.synthetic}", class_="form")] if facts.synthetic else []),
        tag("p", tag("strong", "Scenario"), f": {facts.scenario}.", class_="scenario"),
        tag(
            "dl",
            *(tag("div", tag("dt", name), tag("dd", value)) for name, value in _key_figures(facts)),
            class_="figures",
        ),
        tag("nav", tag("ol", *links), aria_label="Chapters"),
    )


def _key_figures(facts: Facts) -> list[tuple[str, str]]:
    figures = [
        ("Verdict", facts.verdict[0]),
        ("Records released", count(facts.records)),
        ("Columns", count(len(facts.columns))),
    ]
    if facts.score is not None:
        figures.append(("Score, lower is better", f"{facts.score.shown} points"))
    chosen = [row for row in facts.measures if row.name in facts.scored] or facts.measures[:3]
    kinds = {"loss": "Loss", "risk": "Risk"}
    return [*figures, *((f"{kinds.get(row.kind, row.kind)}: {row.title} ({row.name})", row.shown) for row in chosen)]


def verdict_section(facts: Facts) -> Html:
    """Say whether the release passed, failed or was not judged, and what it carries beside its values."""
    state, words = facts.verdict
    parts = [tag("p", tag("strong", state.capitalize()), f". {words}", class_=f"verdict {state.replace(' ', '-')}")]
    if facts.because:
        parts.append(tag("p", f"It was written nevertheless, because: {facts.because}"))
    if facts.findings:
        head = ("Limit", "Largest value", "Measured", "Counted", "Kept", "Why")
        rows = [
            [
                finding.limit.what,
                quantity(finding.limit.at_most, finding.limit.unit),
                quantity(finding.value, finding.limit.unit),
                quantity(finding.counted, finding.limit.unit),
                {True: "yes", False: "no", None: f"not computed. {finding.note}"}[finding.holds],
                "; ".join(
                    text for text in (finding.note if finding.holds is not None else "", finding.limit.why) if text
                ),
            ]
            for finding in facts.findings
        ]
        parts.append(html_table("Limits", head, rows, numbers=range(1, 4)))
    parts += [tag("p", remark, class_="note") for remark in facts.remarks]
    return tag("div", *parts)


# --- the release and its recipe -------------------------------------------------------------------------------------------


def released(facts: Facts) -> Html:
    """Say what was released: records, columns and their roles."""
    words = f"The release has {count(facts.records)} records and {count(len(facts.columns))} columns."
    if facts.original_records is not None:
        words += f" The original has {count(facts.original_records)} records."
    if facts.form == "internal":
        words += f" Direct identifiers that were left out: {names_in_words(facts.identifiers)}."
    labelled = any(column.label for column in facts.columns)
    rows: list[list[str | Html]] = []
    for column in facts.columns:
        rows.append([column.name, *([column.label] if labelled else []), column.scale, ", ".join(column.roles)])
    head = ["Column", *(["Content"] if labelled else []), "Scale", "Role"]
    return tag("div", tag("p", words), html_table("Columns of the release", head, rows))


def rules(facts: Facts) -> Html:
    """Say how the release was made: the steps of the recipe in words."""
    if facts.steps is None:
        return tag("p", "The masked file was given without a recipe; how it was made is not known here.")
    if not facts.steps:
        return tag("p", "The recipe has no step: the data were not masked.")
    steps = tag("ol", *(_step(step) for step in facts.steps), class_="steps")
    if facts.form == "internal":
        return steps
    note = "The parameters of these methods are not published: knowing them would help an intruder to undo the masking."
    return tag("div", steps, tag("p", note, class_="note"))


def _step(step: Step) -> Html:
    parts = [
        tag("h3", step.title, " ", tag("code", step.name)),
        tag("p", step.what),
        tag(
            "p",
            f"Columns{f' ({step.rule})' if step.rule else ''}: {names_in_words(step.columns, limit=60)}."
            if step.columns
            else "It takes, leaves or moves whole records and changes no column of its own.",
        ),
    ]
    parts += [tag("p", sentence) for sentence in step.promises]
    if step.parameters:
        head = ("Parameter", "Value", "Meaning")
        parts.append(html_table(f"Parameters of {step.title.lower()}", head, step.parameters, class_="parameters"))
    return tag("li", *parts)


# --- measures -------------------------------------------------------------------------------------------------------------


def measures(facts: Facts) -> Html:
    """Return the chart and the table of all measures, and what could not be computed."""
    intro = (
        "A loss says what masking took away from the data, a risk what an intruder can still learn from them. "
        f"Records were paired: {facts.pairing}. Scenario of the risks: {facts.scenario}."
    )
    parts = [tag("p", intro)]
    if facts.measures:
        spoken = "Bar chart of the measures: " + "; ".join(
            f"{row.kind} {row.title} ({row.name}) {row.shown}" for row in facts.measures
        )
        chart = svg_inline(measure_chart(facts.measures), name="card", describe=spoken)
        parts.append(tag("figure", Html(chart), class_="wide"))
        parts.append(_measure_table(facts))
    else:
        parts.append(tag("p", "No measure could be computed for these data."))
    if facts.skipped:
        parts.append(html_table("Measures that were not computed", ("Measures", "Reason"), facts.skipped))
    return tag("div", *parts)


def _measure_table(facts: Facts) -> Html:
    noted = any(row.note for row in facts.measures)
    head = ["Measure", "Kind", "Value", "Better", "What it means", *(["Note"] if noted else [])]
    rows = [
        [_measure(row.title, row.name), row.kind, row.shown, row.better, row.what, *([row.note] if noted else [])]
        for row in facts.measures
    ]
    caption = "Measures of the release against the original"
    if facts.form == "external":
        caption += ", rounded for publication"
    return html_table(caption, head, rows, numbers=[2], class_="measures")


def _measure(title: str, name: str) -> Html:
    """Write what a measure is, and by which name it is called."""
    return join([title, " (", tag("code", name), ")"])


def tables(facts: Facts) -> Html:
    """Return the heat map of all tables of one and two columns."""
    if facts.tables is None:
        return tag("p", "There is no heat map: tables were not measured.")
    chart = svg_inline(heat_map(facts.tables), name="tables", describe=spoken_ratios(facts.tables))
    words = (
        "How far each table is from the original (S_pMSE): on the diagonal tables of one column, below it those of two. "
        "About 1 is what records that were drawn from the original itself would reach; a lighter cell is better."
    )
    if facts.tables.left_out:
        words += f" {count(facts.tables.left_out)} more columns, whose tables are nearer, were left out."
    return tag("div", tag("p", words), tag("figure", Html(chart), class_="wide"))


def key_risks(facts: Facts) -> Html:
    """Return the risk that the keys carry: before and after inside, of the release alone outside."""
    is_internal = facts.form == "internal"
    words = f"What an intruder can do who knows the keys. Scenario: {facts.scenario}."
    if not is_internal:
        words += " Everybody who has the file can count these figures in it."
    if facts.synthetic:
        words += " The records of the release are synthetic: a rare combination in it is nobody's, and finds nobody."
    head = ("What", *(("Original", "Release") if is_internal else ("Release",)), "Unit")
    rows = [
        [
            row.what,
            *([figure(row.before)] if is_internal else []),
            figure(row.after),
            row.unit,
        ]
        for row in facts.beside
    ]
    caption = "Risk of the keys before and after" if is_internal else "Risk of the keys in the release"
    parts = [tag("p", words), html_table(caption, head, rows, numbers=range(1, len(head) - 1))]
    for found in facts.riskiest:
        heads = ("Risk", "Records", "Population", *found.keys)
        caption = (
            f"Riskiest combinations of the {found.file}: risk of a record, records that match, people they stand for"
        )
        parts.append(html_table(caption, heads, found.rows, numbers=range(3)))
    return tag("div", *parts)


def score(facts: Facts) -> Html:
    """Return the score beside its parts."""
    if facts.score is None:
        needed = " and ".join(facts.scored)
        plain = f"There is no score: it needs the measures {needed}, and not all of them were computed."
        return tag("p", facts.score_note or plain)
    words = join(
        [
            "The score is ",
            tag("strong", facts.score.shown),
            f" points = {facts.score.formula}; lower is better. No score does justice to all methods: read it beside its "
            f"parts. Scenario: {facts.scenario}.",
        ]
    )
    rows: list[list[str | Html]] = [
        [_measure(row.title, row.measure), row.range, row.value, row.weight, row.points] for row in facts.score.rows
    ]
    rows.append([tag("strong", "score"), "", "", "", tag("strong", facts.score.shown)])
    head = ("Measure", "Range", "Value", "Weight", "Points")
    return tag("div", tag("p", words), html_table("Parts of the score", head, rows, numbers=[2, 3, 4]))


def risk_map(facts: Facts) -> Html:
    """Return the risk-utility map."""
    if facts.axes is None or not facts.points:
        return tag("p", "There is no map: it needs at least one loss and one risk, and not both were computed.")
    axes = facts.axes
    chart = risk_utility_map(
        facts.points, loss_title=axes.loss_title, risk_title=axes.risk_title, risk_upper=axes.risk_upper
    )
    spoken = "Risk-utility map. " + "; ".join(
        f"{p.label}: risk {significant(p.risk)}, loss {significant(p.loss)}" for p in facts.points
    )
    words = (
        "The lower left corner is best. The square is the original file as if it were published unmasked: no loss, and the "
        f"risk that masking had to bring down. The dot is the release. Scenario: {facts.scenario}."
    )
    if any(point.role == "candidate" for point in facts.points):
        words += " Open circles are other releases that were tried."
    return tag(
        "div", tag("p", words), tag("figure", Html(svg_inline(chart, name="map", describe=spoken)), class_="wide")
    )


# --- what stays inside ----------------------------------------------------------------------------------------------------


def at_risk(facts: Facts) -> Html:
    """Count the riskiest records."""
    limits = [limit for limit, _ in facts.risks[0].counts]
    head = [
        "Measure",
        "Records",
        *(f"{100 * limit:g}\u00a0% or more" if limit < 1 else "100\u00a0%" for limit in limits),
    ]
    rows = [
        [
            _measure(risk.title, risk.name),
            count(risk.records),
            *(f"{count(found)} ({quantity(100 * found / risk.records, '%', 2)})" for _, found in risk.counts),
        ]
        for risk in facts.risks
    ]
    words = "How many records have a high value of a risk: their chance to be linked, or the share of intervals that hold them."
    return tag("div", tag("p", words), html_table("Records by risk", head, rows, numbers=range(1, len(head))))


def provenance(facts: Facts) -> Html:
    """Return what is needed to repeat the release."""
    known = dict(facts.provenance or {})
    versions = known.pop("versions", {})
    known.pop("verdict", None)  # it has its own chapter
    rows = [[name.replace("_", " "), tag("code", str(value))] for name, value in known.items()]
    rows += [[f"version of {name}", tag("code", str(value))] for name, value in versions.items()]
    words = (
        "With these the release can be repeated byte for byte. Whoever has the seed can undo the noise, and a hash confirms "
        "a guess of the file: keep both inside."
    )
    return tag("div", tag("p", words), html_table("Provenance", ("What", "Value"), rows, class_="provenance"))

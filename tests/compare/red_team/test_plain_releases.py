"""Plain descriptions of releases: tables, open columns of files, and answers in their JSON form."""

from __future__ import annotations

import numpy as np
import pytest

import tacita as tc
from tacita.compare.red_team.plain_releases import (
    AnswersMade,
    counts_of_file,
    open_columns,
    plain_answers,
    plain_cells,
    plain_table,
)
from tacita.compare.red_team.stage_table import published_cells
from tacita.core.errors import AttackError
from tests.compare.red_team.test_ledger import people


def test_a_table_keeps_its_codes_and_hides_what_is_hidden() -> None:
    table = tc.tabulate(people(), ["age", "job"])
    made = tc.tables.Suppress().protect(table, tc.tables.MinimumFrequency(at_least=3).judge(table))
    plain = plain_cells("table", published_cells(made))
    np.testing.assert_array_equal(np.isnan(plain.values), made.hidden)
    np.testing.assert_array_equal(plain.victims, made.unsafe.cells)
    assert plain.dimensions[0].parts["Total"] == ("a0", "a1", "a2")
    assert plain_table("sums", table, table.values).measure == ""
    means = tc.tables.tabulate_means(people(), ["age"], "wage")
    with pytest.raises(AttackError, match="several responses"):
        plain_table("means", means, means.values)


def test_columns_that_no_step_touches_are_open() -> None:
    data = people()
    recipe = tc.Recipe([tc.mask.Pram(columns=["job"])])
    assert open_columns(data, recipe, data.schema) == ("age",)
    found = counts_of_file("file", data, ["age"])
    assert found is not None
    assert found.values.tolist() == [23.0, 23.0, 36.0]
    assert counts_of_file("file", data, []) is None


def test_tables_and_counts_of_a_database() -> None:
    table = {"by": ["age"], "classes": {"age": ["a0", "a1"]}, "statistic": "count", "values": [3, None]}
    asked = {"kind": "tabulate", "by": ["age"], "where": {"job": ["j0", "j1"]}}
    union = {"kind": "statistic", "where": {"any": [{"age": ["a0"]}, {"job": ["j1"]}]}}
    answers = [
        {"status": "answered", "request": asked, "table": table},
        {"status": "answered", "request": union, "value": 4.0},
    ]
    tables, lost = plain_answers("server", answers)
    assert [t.cell(0) for t in tables] == [{"job": ("j0", "j1"), "age": ("a0",)}]
    assert tables[0].values.tolist() == [3.0]
    assert lost == ["server: 1 answers are not used: they are about unions of groups."]


def test_what_readers_know_of_how_answers_were_made() -> None:
    def table(statistic: str, response: str = "", **more: object) -> dict[str, object]:
        asked = {"kind": "tabulate", "by": ["age"], "response": response or None, **more}
        cells = {"by": ["age"], "classes": {"age": ["a0", "a1"]}, "statistic": statistic, "values": [3.0, 4.0]}
        return {"status": "answered", "request": asked, "table": cells}

    told = [table("total", "wage"), table("mean", "wage"), table("count", unit="households"), table("percent")]
    tables, lost = plain_answers("server", told)
    assert [(one.measure, one.statistic) for one in tables] == [("wage (weighted)", "total")]
    assert [line.partition(": they ")[2] for line in lost] == [
        "are means of tables, which may be weighted.",
        "are about households.",
        "are no counts, totals or means.",
    ]
    tables, _ = plain_answers("server", told, AnswersMade(weighted=False))
    assert [(one.measure, one.statistic) for one in tables] == [("wage", "total"), ("wage", "mean")]
    noisy = {**table("count"), "notes": ["Counts carry random noise."]}
    assert "nobody says by how much" in plain_answers("server", [noisy])[1][0]
    (found,), _ = plain_answers("server", [noisy], AnswersMade(reach=5.0))
    assert found.reach is not None
    assert found.reach.tolist() == [5.0, 5.0]

"""``tacita table`` and ``tacita audit``: from records to a publishable table, and back to what it tells.

It tests ``tacita.cli.tabular.cells``, ``tacita.cli.tabular.records`` through the only door that they have.
"""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import tacita as tc
from tacita.cli.main import app
from tacita.core.errors import DataError
from tacita.data.write import write

runner = CliRunner()

BY_SIZE = ("--by", "size_class", "--response", "turnover", "--rule", "p_percent:p=15")


@pytest.fixture(scope="module")
def survey(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("survey")
    data = tc.samples.business_survey(400, seed=3)
    write(data, folder / "firms.csv")
    data.schema.write(folder / "firms.toml")
    return folder / "firms.csv", folder / "firms.toml"


def run(*words: object, code: int = 0) -> str:
    result = runner.invoke(app, [str(word) for word in words], catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result.output


def test_from_records_to_a_safe_table(survey: tuple[Path, Path], tmp_path: Path) -> None:
    file, schema = survey
    out = tmp_path / "out"
    words = ("--by", "region", "--by", "size_class", "--response", "turnover", "--rule", "p_percent:p=15,level=holding")
    shown = run("table", file, "--schema", schema, *words, "--time-limit", 2, "--output", out)
    assert "passed" in shown
    with (out / "public" / "table.csv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    assert {row["status"] for row in rows} == {"published", "hidden", "empty"}
    assert all((row["value"] == "") == (row["status"] == "hidden") for row in rows)
    assert (out / "internal" / "certificate.json").exists()
    # The public file is audited alone, as anybody could; its sums come from the same hierarchies.
    (tmp_path / "regions.csv").write_text(tc.read(file, schema=schema).schema["region"].hierarchy.to_csv())  # type: ignore[union-attr]
    verdict = run("audit", out / "public" / "table.csv", "--by", "region", "--by", "size_class", "--tree",
                  f"region={tmp_path / 'regions.csv'}", "--json")  # fmt: skip
    plain = json.loads(verdict)
    assert plain["safe"]
    assert plain["disclosed"] == 0
    assert plain["hidden"] == sum(row["status"] == "hidden" for row in rows)
    # A directory that was published has all sums with it.
    assert json.loads(run("audit", out, "--json")) == plain


def test_a_file_that_is_not_read_into_memory_gives_the_same_table(survey: tuple[Path, Path]) -> None:
    file, schema = survey
    words = ("table", file, "--schema", schema, *BY_SIZE)
    whole, asked = (json.loads(run(*words, *more, "--json")) for more in ((), ("--out-of-core", "--memory", "1GB")))
    assert {key: whole[key] for key in ("cells", "unsafe", "secondary")} == {
        key: asked[key] for key in ("cells", "unsafe", "secondary")
    }


def test_bounds_that_everybody_knows_reach_the_table(survey: tuple[Path, Path]) -> None:
    file, schema = survey
    words = ("table", file, "--schema", schema, *BY_SIZE)
    with pytest.raises(DataError, match="'lower' must hold"):
        run(*words, "--lower", 1e15)


def test_a_leaky_table_of_any_tool_is_found(tmp_path: Path) -> None:
    path = tmp_path / "leaky.csv"
    path.write_text("size,value,status\nTotal,10,\nsmall,4,\nlarge,,hidden\n", encoding="utf-8")
    shown = run("audit", path, code=1)
    assert "NOT safe" in shown
    assert "size=large" in shown
    path.write_text("size,value,status\nTotal,10,\nsmall,,hidden\nlarge,,hidden\n", encoding="utf-8")
    assert "safe" in run("audit", path)


def test_explain_and_json(survey: tuple[Path, Path]) -> None:
    file, schema = survey
    words = ("table", file, "--schema", schema, "--by", "size_class", "--rule", "minimum_frequency:at_least=3")
    plain = json.loads(run(*words, "--json"))
    assert plain["safe"]
    assert "is published" in run(*words, "--explain", "size_class=Total")


def test_bad_words(survey: tuple[Path, Path]) -> None:
    file, schema = survey
    base = ("table", file, "--schema", schema, "--by", "size_class")
    with pytest.raises(tc.TacitaError, match="--rule"):
        run(*base)
    with pytest.raises(tc.TacitaError, match="Did you mean 'p_percent'"):
        run(*base, "--rule", "p_percnt")
    with pytest.raises(tc.TacitaError, match="'p' must be"):
        run(*base, "--rule", "p_percent:p=300")
    with pytest.raises(tc.TacitaError, match="name=value"):
        run(*base, "--rule", "p_percent:p")


@pytest.fixture
def cells(tmp_path: Path) -> Path:
    path = tmp_path / "cells.csv"
    path.write_text("size,value\nsmall,50\nmiddle,60\nlarge,70\n", encoding="utf-8")
    return path


def test_apriori_files_take_the_place_of_rules(cells: Path, tmp_path: Path) -> None:
    known, costs = tmp_path / "known.hst", tmp_path / "costs.hst"
    known.write_text("small;u\nTotal;p\n", encoding="utf-8")
    costs.write_text("middle,c,500\n", encoding="utf-8")
    words = ("table", cells, "--cells", "--by", "size", "--apriori", known)
    plain = json.loads(run(*words, "--json"))
    assert plain["rules"] == ["named_cells(known.hst, unsafe)"]
    assert (plain["unsafe"], plain["secondary"], plain["safe"]) == (1, 1, True)
    out = tmp_path / "out"
    run(*words, "--output", out)
    assert _hidden(out) == {"small", "middle"}
    run(*words, "--apriori", costs, "--output", out, "--overwrite")
    assert _hidden(out) == {"small", "large"}
    # Adjustment knows no costs, and says so.
    assert "play no part" in run(*words, "--apriori", costs, "--protector", "adjust")


def test_apriori_files_over_rules(survey: tuple[Path, Path], tmp_path: Path) -> None:
    file, schema = survey
    words = (
        "table",
        file,
        "--schema",
        schema,
        "--by",
        "size_class",
        "--rule",
        "minimum_frequency:at_least=3",
        "--json",
    )
    before = json.loads(run(*words))["unsafe"]
    known = tmp_path / "known.hst"
    known.write_text("10-49;u\n", encoding="utf-8")
    assert json.loads(run(*words, "--apriori", known))["unsafe"] == before + 1
    known.write_text("10-94;u\n", encoding="utf-8")
    with pytest.raises(tc.TacitaError, match="line 1: dimension 'size_class' has no code '10-94'"):
        run(*words, "--apriori", known)


def _hidden(out: Path) -> set[str]:
    with (out / "public" / "table.csv").open(encoding="utf-8") as lines:
        return {row["size"] for row in csv.DictReader(lines) if row["status"] == "hidden"}


def test_utility_is_shown(cells: Path, tmp_path: Path) -> None:
    known = tmp_path / "known.hst"
    known.write_text("small;u\n", encoding="utf-8")
    words = ("table", cells, "--cells", "--by", "size", "--apriori", known)
    shown = run(*words)
    assert "2 of 4" in shown
    assert "30.56 %" in shown  # 110 of 360
    assert "1 of 1" in shown
    assert "Changes" not in shown
    found = json.loads(run(*words, "--json"))["utility"]
    assert (found["hidden"], found["hidden_value"], found["keeps_totals"]) == (2, 110, True)
    moved = run(*words, "--protector", "round", "--set", "base=20")
    assert "over 10 up to 100" in moved
    assert "mean change" in moved


# --- cells that bring their own status and levels -----------------------------------------------------------------------


LEVELS = (
    "size,value,status,protect_below,protect_above\nTotal,180,z,,\nsmall,50,u,{low},10\nmiddle,60,s,,\nlarge,70,s,,\n"
)
JJ = """0
4
0 180 180 z 0 600 0 0 0
1 50 50 u 0 600 5 10 0
2 60 60 s 0 600 0 0 0
3 70 70 s 0 600 0 0 0
1
0 4 : 0 (-1) 1 (1) 2 (1) 3 (1)
"""


def test_cells_are_protected_by_their_own_levels(tmp_path: Path) -> None:
    file = tmp_path / "cells.csv"
    file.write_text(LEVELS.format(low=5), encoding="utf-8")
    plain = json.loads(run("table", file, "--cells", "--json"))
    assert (plain["unsafe"], plain["secondary"], plain["safe"], plain["rules"]) == (1, 1, True, ["file"])
    out = tmp_path / "out"
    run("table", file, "--cells", "--output", out)
    assert _hidden(out) == {"small", "middle"}  # the total is locked
    # rules come on top of what the file says
    plain = json.loads(run("table", file, "--cells", "--rule", "unsafe_zero", "--json"))
    assert (plain["unsafe"], len(plain["rules"])) == (1, 2)
    file = tmp_path / "problem.jj"
    file.write_text(JJ, encoding="utf-8")
    plain = json.loads(run("table", file, "--cells", "--json"))
    assert (plain["unsafe"], plain["secondary"], plain["safe"]) == (1, 1, True)
    # what was protected by its own levels stands the audit
    run("table", file, "--cells", "--output", tmp_path / "jj")
    run("audit", tmp_path / "jj")


def test_a_rule_must_not_contradict_the_file(tmp_path: Path) -> None:
    file = tmp_path / "cells.csv"
    file.write_text("size,value,count,status\nTotal,180,9,z\nsmall,50,1,z\nlarge,130,8,s\n", encoding="utf-8")
    with pytest.raises(tc.TacitaError, match=r"1 cells must stay published by the file.*size=small"):
        run("table", file, "--cells", "--rule", "minimum_frequency:at_least=3")


def test_unsafe_cells_without_levels_get_some(tmp_path: Path) -> None:
    file = tmp_path / "cells.csv"
    file.write_text("size,value,status\nTotal,180,s\nsmall,50,u\nmiddle,60,s\nlarge,70,s\n", encoding="utf-8")
    out = tmp_path / "out"
    shown = run("table", file, "--cells", "--output", out)
    assert "1 unsafe cells have no protection level in the file; 30 % of their value is taken" in shown
    assert _hidden(out) == {"small", "middle"}
    run("audit", out)


def test_cells_need_values_and_something_unsafe(tmp_path: Path) -> None:
    file = tmp_path / "cells.csv"
    file.write_text("size,value,status\nTotal,180,s\nsmall,,u\nmiddle,,m\nlarge,70,s\n", encoding="utf-8")
    with pytest.raises(tc.TacitaError, match=r"2 cells of 'cells\.csv' have no value"):
        run("table", file, "--cells")
    file.write_text("size,value\nTotal,180\nsmall,110\nlarge,70\n", encoding="utf-8")
    with pytest.raises(tc.TacitaError, match="at least one rule with --rule"):
        run("table", file, "--cells")


def test_a_tree_without_by_keeps_the_other_columns(tmp_path: Path) -> None:
    tree = tmp_path / "h.hrc"
    tree.write_text("A\n@a1\n@a2\nB\n@a3\n", encoding="utf-8")
    file = tmp_path / "cells.csv"
    rows = [f"{a},{b},{10 * i + 7 * j}" for i, a in enumerate(("a1", "a2", "a3"), 1) for j, b in enumerate("uv", 1)]
    file.write_text("\n".join(["a,b,value", *rows]) + "\n", encoding="utf-8")
    plain = json.loads(run("table", file, "--cells", "--tree", f"a={tree}", "--rule", "unsafe_zero", "--json"))
    assert plain["cells"] == 6 * 3


# --- what cannot be protected, and names that clash -----------------------------------------------------------------------


@pytest.mark.parametrize("method", ["fast", "exact", "modular", "hypercube"])
def test_insisting_writes_what_cannot_be_protected(method: str, cells: Path, tmp_path: Path) -> None:
    known = tmp_path / "known.hst"
    known.write_text("small;u\nTotal;p\nmiddle;p\nlarge;p\n", encoding="utf-8")
    out = tmp_path / "out"
    words = (
        "table",
        cells,
        "--cells",
        "--by",
        "size",
        "--apriori",
        known,
        "--set",
        f"method={method}",
        "--output",
        out,
    )
    with pytest.raises(tc.TacitaError, match="size=Total is the sum of size=small; size=middle; size=large"):
        run(*words)
    assert not out.exists()
    shown = run(*words, "--insist")
    assert "FAILED" in shown
    assert "may leave" not in shown
    assert "size=Total is the sum of size=small; size=middle; size=large" in shown
    with (out / "public" / "table.csv").open(encoding="utf-8") as lines:
        assert {row["audit"] for row in csv.DictReader(lines)} == {"failed: not safe to publish"}
    run("audit", out, code=1)


def test_names_that_clash_are_found_before_the_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "firms.csv"
    file.write_text("status,x\np,1\np,2\nq,3\nq,4\nr,5\nr,6\n", encoding="utf-8")
    words = ("table", file, "--by", "status", "--response", "x", "--rule", "minimum_frequency:at_least=3")
    assert "passed" in run(*words)  # nothing is written, so nothing clashes
    monkeypatch.setattr(tc.tables.Suppress, "protect", lambda *_: pytest.fail("the search began"))
    with pytest.raises(tc.TacitaError, match="'status' has the name of another column"):
        run(*words, "--output", tmp_path / "out")


def test_several_responses(survey: tuple[Path, Path], tmp_path: Path) -> None:
    file, schema = survey
    out = tmp_path / "out"
    words = (
        "table",
        file,
        "--schema",
        schema,
        "--by",
        "region",
        "--by",
        "size_class",
        "-y",
        "turnover",
        "-y",
        "employees",
    )
    shown = run(*words, "--rule", "p_percent:p=15", "--output", out)
    assert "passed" in shown
    with (out / "public" / "table.csv").open(encoding="utf-8") as lines:
        assert {row["response"] for row in csv.DictReader(lines)} == {"turnover", "employees"}
    plain = json.loads(run("audit", out, "--json"))
    assert plain["safe"]
    assert plain["hidden"] > 0
    assert {entry["cell"].rpartition(", ")[2] for entry in plain["intervals"]} == {"turnover", "employees"}
    with pytest.raises(tc.TacitaError, match="one --response"):
        run("table", file, "--cells", "--response", "a", "--response", "b", "--rule", "unsafe_zero")


# --- several tables, and means -------------------------------------------------------------------------------------------------


def test_linked_tables_are_protected_together(survey: tuple[Path, Path], tmp_path: Path) -> None:
    file, schema = survey
    words = ("--by", "region", "--by", "size_class", "--link", "activity,size_class", "--link", "activity")
    words = (*words, "--response", "turnover", "--rule", "p_percent:p=15", "--time-limit", 2, "--schema", schema)
    out = tmp_path / "out"
    run("table", file, *words, "--output", out)
    data = tc.read(file, schema=schema)
    both = tc.tables.link(
        [tc.tabulate(data, by, "turnover") for by in (["region", "size_class"], ["activity", "size_class"])]
    )
    found = tc.tables.read_table(out / "public" / "table.json")
    assert len(found.table) == len(both)
    assert len(found.table.relations) == len(both.relations)
    assert "safe" in run("audit", out)
    with (out / "public" / "table.csv").open(encoding="utf-8") as lines:
        names = next(csv.reader(lines))
    assert names[:3] == ["region", "size_class", "activity"]


def test_means_are_published_where_count_and_sum_are(survey: tuple[Path, Path], tmp_path: Path) -> None:
    file, schema = survey
    words = ("--by", "region", "--by", "size_class", "--response", "turnover", "--rule", "minimum_frequency:at_least=3")
    out = tmp_path / "out"
    run("table", file, "--schema", schema, *words, "--means", "--time-limit", 2, "--output", out)
    with (out / "public" / "means.csv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    assert {row["status"] for row in rows} == {"published", "hidden", "empty"}
    pair = tc.tables.read_table(out / "public" / "table.json")
    assert pair.hidden is not None
    found = tc.tables.means(pair.table, pair.hidden)
    for cell, row in enumerate(rows):
        assert (row["mean"] == "") == (row["status"] != "published")
        if row["mean"]:
            assert float(row["mean"]) == pytest.approx(found.values[cell])
    assert "safe" in run("audit", out)


def test_what_links_and_means_do_not_take(survey: tuple[Path, Path], tmp_path: Path) -> None:
    file, _ = survey
    rule = ("--rule", "minimum_frequency")
    for words, message in [
        (("--cells", "--link", "region"), "--link takes records"),
        (("--cells", "--means"), "--means takes records"),
        (("--by", "region", "--means"), "--means needs one --response"),
        (("--by", "region", "--means", "--response", "turnover", "--shadow", "employees"), "--shadow has no meaning"),
        (("--by", "region", "--link", "[1]"), "Expected columns"),
        (("--by", "region", "--link", "regoin"), "regoin"),
    ]:
        with pytest.raises(tc.TacitaError, match=message):
            run("table", file, *rule, *words)


def test_unknown_rules_are_answered_by_those_there_are(survey: tuple[Path, Path], tmp_path: Path) -> None:
    with pytest.raises(tc.TacitaError, match="There are: dominance, minimum_frequency, named_cells, p_percent, pq"):
        run("table", survey[0], "--by", "region", "--rule", "foo")
    with pytest.raises(tc.TacitaError, match="Did you mean 'p_percent'"):
        run("table", survey[0], "--by", "region", "--rule", "p_procent")
    with pytest.raises(tc.TacitaError, match=r"none.csv.*not there"):
        run("table", tmp_path / "none.csv", "--rule", "foo")

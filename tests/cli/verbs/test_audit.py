"""``tacita audit``: what follows from a protected table, by which sums, whatever file it comes in."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import tacita as tc
from tacita.cli.main import app

runner = CliRunner()

ALONE = "g,value,status\nTotal,60,s\na,10,u\nb,20,s\nc,30,s\n"
JJ = """0
4
0 60 60 s 0 600 0 0 0
1 10 10 {a}
2 20 20 {b}
3 30 30 s 0 600 0 0 0
1
0 4 : 0 (-1) 1 (1) 2 (1) 3 (1)
"""


def run(*words: object, code: int = 0) -> str:
    result = runner.invoke(app, ["audit", *(str(word) for word in words)], catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result.output


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


# --- a cell that follows from the sums is never safe, whatever else the file says ---------------------------------------


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("unsafe.csv", ALONE),
        ("locked.csv", ALONE.replace("60,s", "60,z").replace("10,u", "10,x")),
        ("zero_levels.csv", "g,value,status,protect_above\nTotal,60,s,\na,10,u,0\nb,20,s,\nc,30,s,\n"),
        ("blank.csv", ALONE.replace("a,10", "a,")),
        ("m.jj", JJ.format(a="m 0 600 0 0 0", b="s 0 600 0 0 0")),
        ("u.jj", JJ.format(a="u 0 600 3 3 0", b="s 0 600 0 0 0")),
        ("u0.jj", JJ.format(a="u 0 600 0 0 0", b="s 0 600 0 0 0")),
    ],
)
def test_a_cell_alone_in_its_sum_is_not_safe(name: str, text: str, tmp_path: Path) -> None:
    plain = json.loads(run(write(tmp_path / name, text), "--json", code=1))
    assert not plain["safe"]
    assert plain["disclosed"] == 1
    leak = plain["leaks"][0]
    assert (leak["low"], leak["high"]) == (10, 10)
    cell, total = ("cell=1", "cell=0") if name.endswith("jj") else ("g=a", "g=Total")
    assert leak["cell"] == cell
    assert leak["sums"][0].startswith(f"{total} is the sum of {cell}")


def test_the_public_audit_holds_beside_the_levels(tmp_path: Path) -> None:
    """b has levels and is safe by them; d follows exactly although it has none."""
    text = (
        "g,value,status,protect_below,protect_above\nTotal,100,s,,\nA,60,s,,\na,10,hidden,,\nb,50,unsafe,5,5\n"
        "B,40,s,,\nd,15,hidden,,\ne,25,s,,\n"
    )
    file = write(tmp_path / "t.csv", text)
    tree = write(tmp_path / "g.hrc", "A\n@a\n@b\nB\n@d\n@e\n")
    plain = json.loads(run(file, "--tree", f"g={tree}", "--json", code=1))
    assert [leak["cell"] for leak in plain["leaks"]] == ["g=d"]
    assert plain["leaks"][0]["sums"] == ["g=B is the sum of g=d; g=e"]
    assert plain["unsafe"] == 1


def test_levels_are_looked_at_where_there_are_some(tmp_path: Path) -> None:
    text = "g,value,status,protect_below,protect_above\nTotal,60,s,,\na,10,u,5,{up}\nb,20,m,,\nc,30,s,,\n"
    assert "safe" in run(write(tmp_path / "t.csv", text.format(up=20)))
    shown = run(write(tmp_path / "t.csv", text.format(up=40)), code=1)
    assert "50 %" in shown
    assert "g=Total is the sum of g=a; g=b; g=c" in shown
    plain = json.loads(run(tmp_path / "t.csv", "--json", code=1))
    leak = plain["leaks"][0]
    assert (leak["cell"], leak["side"], leak["low"], leak["high"]) == ("g=a", "above", 0, 30)
    assert leak["share"] == pytest.approx(0.5)
    assert plain["intervals"][0]["cell"] == "g=a"


def test_the_shortest_reason_is_named(tmp_path: Path) -> None:
    """Both cells of row p follow from the totals of their columns; the total of the row is not needed."""
    rows = ["r,c,value", "Total,Total,36", "Total,u,12", "Total,v,24", "p,Total,6", "q,Total,30", "p,u,", "p,v,"]
    file = write(tmp_path / "t.csv", "\n".join([*rows, "q,u,10", "q,v,20"]) + "\n")
    shown = run(file, code=1)
    assert "r=p, c=v" in shown
    assert "2 follow exactly" in shown
    plain = json.loads(run(file, "--json", code=1))
    assert {leak["cell"]: (leak["low"], leak["high"]) for leak in plain["leaks"]} == {
        "r=p, c=u": (2, 2),
        "r=p, c=v": (4, 4),
    }
    assert all(len(leak["sums"]) == 1 for leak in plain["leaks"])
    assert plain["leaks"][0]["codes"] == {"r": "p", "c": "u"}


def test_narrow_intervals_have_their_sums(tmp_path: Path) -> None:
    file = write(tmp_path / "t.csv", "g,value,status\nTotal,60,\na,,x\nb,,x\nc,30,\n")
    assert "safe" in run(file)
    plain = json.loads(run(file, "--span", 250, "--json", code=1))
    assert (plain["disclosed"], plain["narrow"]) == (0, 2)
    assert plain["leaks"][0]["sums"] == ["g=Total is the sum of g=a; g=b; g=c"]
    assert (plain["leaks"][0]["low"], plain["leaks"][0]["high"]) == (0, 30)


def test_only_the_cells_asked_for_are_shown(tmp_path: Path) -> None:
    file = write(tmp_path / "t.csv", ALONE)
    assert "g=a" not in run(file, "--top", 0, code=1)


# --- what files look like -------------------------------------------------------------------------------------------------


def test_a_tree_keeps_the_other_dimensions(tmp_path: Path) -> None:
    rows = ["a,b,value,status"]
    for a, size in (("Total", 3), ("A", 2), ("B", 1), ("a1", 1), ("a2", 1), ("a3", 1)):
        rows += [f"{a},Total,{30 * size},", f"{a},u,{10 * size},", f"{a},v,{20 * size},"]
    text = "\n".join(rows).replace("a1,u,10,", "a1,u,,hidden") + "\n"
    tree = write(tmp_path / "h.hrc", "A\n@a1\n@a2\nB\n@a3\n")
    plain = json.loads(run(write(tmp_path / "t.csv", text), "--tree", f"a={tree}", "--json", code=1))
    assert plain["leaks"][0]["codes"] == {"a": "a1", "b": "u"}
    with pytest.raises(tc.TacitaError, match="--tree names 'c'"):
        run(tmp_path / "t.csv", "--tree", f"c={tree}")


@pytest.mark.parametrize("sign", ["", "x", "c", ":", "..", "*", " X "])
def test_signs_in_place_of_values_mean_hidden(sign: str, tmp_path: Path) -> None:
    text = f"g,value\nTotal,60.5\na,{sign}\nb,20.5\nc,30\n"
    plain = json.loads(run(write(tmp_path / "t.csv", text), "--json", code=1))
    assert (plain["leaks"][0]["cell"], plain["leaks"][0]["low"]) == ("g=a", 10)


def test_a_file_without_hidden_cells_is_refused(tmp_path: Path) -> None:
    with pytest.raises(tc.TacitaError, match="does not say which cells are hidden"):
        run(write(tmp_path / "t.csv", "g,value\nTotal,60\na,60\n"))
    with pytest.raises(tc.TacitaError, match="no finite value"):
        run(write(tmp_path / "t.csv", "g,value,status\nTotal,60,safe\na,,safe\n"))


def test_endless_intervals_are_safe(tmp_path: Path) -> None:
    text = "g,value,status\nTotal,41,published\na,-10,published\nb,,hidden\nc,,hidden\n"
    plain = json.loads(run(write(tmp_path / "t.csv", text), "--json"))
    assert plain["intervals"] == [{"cell": f"g={code}", "low": None, "high": None} for code in "bc"]


# --- a verdict does not hang on what a file leaves out ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table whose hidden cell follows from its sums, as JSON for readers."""
    firms = tc.samples.business_survey(300, seed=1)
    table = tc.tabulate(firms, ["activity", "size_class"], "turnover")
    cell = int(table.find({"size_class": "10-49", "activity": table.dimensions[0].leaves[0]})[0])
    return tc.tables.write_table(
        table, tmp_path_factory.mktemp("audit") / "table.json", hidden=np.arange(len(table)) == cell
    )


def changed(file: Path, folder: Path, change: Callable[[dict[str, Any]], object]) -> Path:
    plain = json.loads(file.read_text())
    change(plain)
    return write(folder / "changed.json", json.dumps(plain))


def cut(plain: dict[str, Any], rows: int) -> None:
    kept = plain["relations"]["start"][: rows + 1]
    plain["relations"] = {"start": kept, **{k: plain["relations"][k][: kept[-1]] for k in ("cells", "signs")}}


@pytest.mark.parametrize("rows", [0, 1, 10, None])
def test_sums_follow_from_the_dimensions(published: Path, rows: int | None, tmp_path: Path) -> None:
    """With the relations emptied, or cut to one, a leaking table was called safe."""
    whole = json.loads(run(published, "--json", code=1))
    assert whole["disclosed"] == 1
    file = changed(published, tmp_path, lambda p: p.pop("relations") if rows is None else cut(p, rows))
    plain = json.loads(run(file, "--json", code=1))
    assert plain["leaks"][0]["cell"] == whole["leaks"][0]["cell"]
    assert any("were added" in text for text in plain["trusted"])
    assert plain["basis"]["cells"] == whole["basis"]["cells"]


def test_dimensions_without_sums_are_refused(published: Path, tmp_path: Path) -> None:
    def bare(plain: dict[str, Any]) -> None:
        cut(plain, 0)
        for dimension in plain["dimensions"]:
            dimension["sums"] = []

    with pytest.raises(tc.TacitaError, match="does not say what 'Total' is the sum of"):
        run(changed(published, tmp_path, bare))


def test_cells_that_were_taken_out_are_missed(published: Path, tmp_path: Path) -> None:
    def without_hidden(plain: dict[str, Any]) -> None:
        cut(plain, 0)
        gone = plain.pop("hidden")[0]
        for name in ("codes", "values"):
            del plain[name][gone]

    with pytest.raises(tc.TacitaError, match="only some of their parts"):
        run(changed(published, tmp_path, without_hidden))
    with pytest.raises(tc.TacitaError, match="stand twice"):
        run(changed(published, tmp_path, lambda p: p["codes"].__setitem__(1, p["codes"][0])))


def test_a_value_that_stands_in_the_file_is_not_hidden(published: Path, tmp_path: Path) -> None:
    def called_hidden(plain: dict[str, Any]) -> None:
        plain["hidden"] = sorted({*plain["hidden"], 0, 1, 2, 3})

    plain = json.loads(run(changed(published, tmp_path, called_hidden), "--json", code=1))
    assert sum(leak["what"] == "stands in the file" for leak in plain["leaks"]) == 4


def test_a_cell_without_value_is_hidden_whatever_the_file_calls_it(published: Path, tmp_path: Path) -> None:
    plain = json.loads(run(changed(published, tmp_path, lambda p: p.update(hidden=[])), "--json", code=1))
    assert plain["disclosed"] == 1
    assert any("not called hidden" in text for text in plain["trusted"])


def test_an_unsafe_cell_that_is_published_is_a_leak(tmp_path: Path) -> None:
    table = tc.tabulate(tc.samples.business_survey(300, seed=1), ["size_class"], "turnover")
    unsafe = tc.tables.NamedCells(cells=[{"size_class": "0-9"}]).judge(table)
    hidden = unsafe.cells | np.array([False, False, True, False, False])
    file = tc.tables.write_table(table, tmp_path / "a.json", hidden=hidden, unsafe=unsafe, secret=True)
    assert json.loads(run(file, "--json"))["safe"]
    plain = json.loads(run(changed(file, tmp_path, lambda p: p.update(hidden=[2, 3])), "--json", code=1))
    assert plain["leaks"][0]["what"] == "is unsafe and published"
    assert set(plain["basis"]) == {"cells", "relations", "rules"}


def test_rules_find_what_the_list_of_unsafe_cells_leaves_out(tmp_path: Path) -> None:
    table = tc.tabulate(tc.samples.business_survey(60, seed=1), ["size_class"], "turnover")
    unsafe = tc.tables.NamedCells(cells=[{"size_class": "0-9"}]).judge(table)
    hidden = unsafe.cells | np.array([False, False, True, False, False])
    file = tc.tables.write_table(table, tmp_path / "a.json", hidden=hidden, unsafe=unsafe, secret=True)
    assert json.loads(run(file, "--json"))["safe"]
    plain = json.loads(run(file, "--rule", "dominance:n=1,share=10", "--json", code=1))
    assert "is unsafe and published" in {leak["what"] for leak in plain["leaks"]}
    assert any("are not by the file" in text for text in plain["facts"])
    with pytest.raises(tc.TacitaError, match="There are: dominance"):
        run(file, "--rule", "foo")
    public = tc.tables.write_table(table, tmp_path / "b.json", hidden=hidden)
    with pytest.raises(tc.TacitaError, match="--rule needs a file with the true values"):
        run(public, "--rule", "p_percent:p=10")


def test_bounds_are_named_and_must_hold(published: Path, tmp_path: Path) -> None:
    n = len(json.loads(published.read_text())["values"])
    wide = json.loads(run(changed(published, tmp_path, lambda p: p.update(lower=["-inf"] * n)), "--json", code=1))
    assert any("bounds" in text for text in wide["trusted"])
    assert any("no cell is negative" in text for text in json.loads(run(published, "--json", code=1))["trusted"])
    with pytest.raises(tc.TacitaError, match="outside the bounds"):
        run(changed(published, tmp_path, lambda p: p.update(upper=[0.0] * n)))
    with pytest.raises(tc.TacitaError, match="empty by structure"):
        run(changed(published, tmp_path, lambda p: p.update(structural=[0])))


def test_relations_of_a_problem_are_named_and_must_be_there(tmp_path: Path) -> None:
    text = JJ.format(a="u 0 600 0 0 0", b="m 0 600 0 0 0")
    plain = json.loads(run(write(tmp_path / "a.jj", text), "--json"))
    assert any("nothing says whether it has them all" in text for text in plain["trusted"])
    with pytest.raises(tc.TacitaError, match="no sums between its cells"):
        run(write(tmp_path / "a.jj", text[: text.rindex("1\n0 4")] + "0\n"))
    loose = text.replace("0 4 : 0 (-1) 1 (1) 2 (1) 3 (1)", "0 2 : 0 (1) 3 (-2)")
    plain = json.loads(run(write(tmp_path / "a.jj", loose), "--json", code=1))
    assert (plain["safe"], plain["judged"], plain["leaks"]) == (False, False, [])
    assert "NOT JUDGED" in run(tmp_path / "a.jj", code=1)
    broken = write(tmp_path / "b.jj", text.replace("3 30 30", "3 31 30"))
    with pytest.raises(tc.TacitaError, match="not additive"):
        run(broken)
    levels = write(tmp_path / "b.jj", broken.read_text().replace("u 0 600 0 0 0", "u 0 600 1 1 0"))
    assert any("1 sums do not hold" in text for text in json.loads(run(levels, "--not-additive", "--json"))["facts"])


def test_both_files_of_a_directory_are_looked_at(tmp_path: Path) -> None:
    table = tc.tabulate(tc.samples.business_survey(300, seed=1), ["size_class"], "turnover")
    unsafe = tc.tables.NamedCells(cells=[{"size_class": "0-9"}]).judge(table)
    folder = tc.publish_table(tc.tables.Suppress().protect(table, unsafe), tmp_path / "out")
    run(folder)
    file = folder / "public" / "table.csv"
    rows = file.read_text().splitlines()
    file.write_text("\n".join(row.replace(",,hidden", ",12345,hidden") for row in rows) + "\n")
    plain = json.loads(run(folder, "--json", code=1))
    assert {leak["what"] for leak in plain["leaks"]} == {"stands in table.csv"}
    file.write_text("\n".join(rows[:-1]) + "\n")
    with pytest.raises(tc.TacitaError, match="does not have the cells"):
        run(folder)


# --- what a file does not list is not published ------------------------------------------------------------------------------


def test_a_total_that_is_not_listed_is_not_published(tmp_path: Path) -> None:
    """'NOT safe, small = 0' was the verdict: the total was taken for the sum of what is published."""
    file = write(tmp_path / "t.csv", "size,value\nsmall,x\nmiddle,60\nlarge,70\nhuge,65\n")
    plain = json.loads(run(file, "--json"))
    assert plain["intervals"] == [{"cell": "size=small", "low": 0, "high": None}]
    assert any("not listed" in text for text in plain["trusted"])


def test_a_total_that_is_not_listed_follows_where_it_can(tmp_path: Path) -> None:
    """The total of row p is not listed, but its column is: p, u follows from the column."""
    rows = "r,c,value\nTotal,Total,36\nTotal,u,12\nTotal,v,24\nq,Total,30\np,u,x\np,v,x\nq,u,10\nq,v,20\n"
    plain = json.loads(run(write(tmp_path / "t.csv", rows), "--json", code=1))
    assert {leak["cell"]: leak["low"] for leak in plain["leaks"]} == {"r=p, c=u": 2, "r=p, c=v": 4}
    assert plain["hidden"] == 2


def test_a_total_with_another_name_is_not_overlooked(tmp_path: Path) -> None:
    file = write(tmp_path / "t.csv", "size,value\nInsgesamt,180\nsmall,x\nmiddle,60\nlarge,70\n")
    with pytest.raises(tc.TacitaError, match="'Insgesamt' could be one"):
        run(file)
    assert json.loads(run(file, "--total", "size=Insgesamt", "--json", code=1))["leaks"][0]["low"] == 50
    assert json.loads(run(file, "--total", "size=", "--json"))["safe"]
    with pytest.raises(tc.TacitaError, match="no row"):
        run(file, "--total", "size=Alle")
    with pytest.raises(tc.TacitaError, match="no dimension"):
        run(file, "--total", "sise=Insgesamt")


def test_inner_cells_that_are_not_listed(tmp_path: Path) -> None:
    rows = "r,c,value\nTotal,Total,30\nTotal,u,10\nTotal,v,20\np,Total,15\nq,Total,15\np,v,10\nq,u,5\nq,v,10\n"
    file = write(tmp_path / "t.csv", rows)
    with pytest.raises(tc.TacitaError, match="not listed"):
        run(file)
    assert json.loads(run(file, "--absent", "hidden", "--json", code=1))["leaks"][0]["low"] == 5
    with pytest.raises(tc.TacitaError, match="--absent must be"):
        run(file, "--absent", "maybe")


def test_a_missing_file_is_named_before_any_option(tmp_path: Path) -> None:
    with pytest.raises(tc.TacitaError, match=r"none\.csv"):
        run(tmp_path / "none.csv", "--absent", "maybe", "--tree", "x")
    with pytest.raises(tc.TacitaError, match=r"none\.txt"):
        run(tmp_path / "none.txt")

"""``tacita audit``: what follows from a protected table, by which sums, whatever file it comes in."""

from __future__ import annotations

import json
from pathlib import Path

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

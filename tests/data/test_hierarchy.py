"""Hierarchies: trees only, and the same tree back from both file forms."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tacita.core.errors import FileError, SchemaError
from tacita.data.hierarchy import Hierarchy

TREE = Hierarchy(
    (
        ("01.1", "01", "A", "Total"),
        ("01.2", "01", "A", "Total"),
        ("02.1", "02", "A", "Total"),
        ("45", "45", "B", "Total"),
    )
)
HRC = "A\n@01\n@@01.1\n@@01.2\n@02\n@@02.1\nB\n@45\n"

ADULT = [
    "age",
    "education",
    "marital-status",
    "native-country",
    "occupation",
    "race",
    "salary-class",
    "sex",
    "workclass",
]

labels = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=6)


@st.composite
def trees(draw: st.DrawFn, letters: st.SearchStrategy[str] = labels) -> Hierarchy:
    """Draw a tree of one to four levels over distinct labels."""
    depth = draw(st.integers(1, 4))
    names = draw(st.lists(letters, unique=True, min_size=8, max_size=24))
    rows = [(name,) for name in names[6:]]
    for level in range(depth - 1):
        parents = names[2 * level : 2 * level + 2]
        parent = {row[-1]: draw(st.sampled_from(parents)) for row in rows}
        rows = [(*row, parent[row[-1]]) for row in rows]
    return Hierarchy(tuple(rows))


def test_facts() -> None:
    assert TREE.depth == 4
    assert TREE.values == ("01.1", "01.2", "02.1", "45")
    assert TREE.labels(0) == {value: value for value in TREE.values}
    assert TREE.labels(2) == {"01.1": "A", "01.2": "A", "02.1": "A", "45": "B"}
    assert Hierarchy(()).depth == 0


@pytest.mark.parametrize("level", [-1, 4])
def test_levels_that_are_not_there(level: int) -> None:
    with pytest.raises(SchemaError, match=f"A hierarchy of 4 levels has levels 0 to 3, not {level}"):
        TREE.labels(level)


def test_labels_become_text() -> None:
    assert Hierarchy.from_rows([[1, 10], [2, 10]]).rows == (("1", "10"), ("2", "10"))  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ((("a", "x"), ("b",)), "same number of levels"),
        ((("a", "x"), ("a", "x")), "A value stands on two rows"),
        ((("a", "m", "x"), ("b", "m", "y")), "A label of level 1 belongs to two labels of level 2"),
        (((),), "A row of a hierarchy is empty"),
    ],
)
def test_what_is_no_tree(rows: tuple[tuple[str, ...], ...], words: str) -> None:
    with pytest.raises(SchemaError, match=words):
        Hierarchy(rows)


def test_all_problems_at_once() -> None:
    with pytest.raises(SchemaError) as caught:
        Hierarchy((("a", "m", "x"), ("a", "m", "y")))
    assert len(caught.value.problems) == 2


# --- semicolon form --------------------------------------------------------------------------------------------------


@given(trees())
def test_csv_comes_back(tree: Hierarchy) -> None:
    assert Hierarchy.from_csv(tree.to_csv()) == tree


def test_csv_quotes_what_needs_it() -> None:
    tree = Hierarchy((('a;"b"', "x\ny"), ("", "x\ny")))
    assert Hierarchy.from_csv(tree.to_csv()) == tree


def test_csv_with_another_separator() -> None:
    assert TREE.to_csv(separator=",").startswith("01.1,01,A,Total\n")
    assert Hierarchy.from_csv(TREE.to_csv(separator=","), separator=",") == TREE


# --- .hrc ------------------------------------------------------------------------------------------------------------


def test_hrc_as_tau_argus_writes_it() -> None:
    assert TREE.to_hrc() == HRC
    assert Hierarchy.from_hrc(HRC) == TREE


def test_hrc_with_another_lead_and_blanks_that_count() -> None:
    tree = Hierarchy.from_hrc(" 1\n->  11\n->12 \n2\n", lead="->")
    assert tree.rows == (("  11", " 1", "Total"), ("12 ", " 1", "Total"), ("2", "2", "Total"))


def test_hrc_short_branches_repeat_their_leaf() -> None:
    tree = Hierarchy.from_hrc("a\n@b\n@@c\nd\n")
    assert tree.rows == (("c", "b", "a", "Total"), ("d", "d", "d", "Total"))
    assert Hierarchy.from_hrc(tree.to_hrc()) == tree


def test_hrc_that_jumps_a_level() -> None:
    with pytest.raises(SchemaError, match=r"Line 2 of the .hrc file is more than one level deeper"):
        Hierarchy.from_hrc("a\n@@b\n")
    with pytest.raises(SchemaError, match="Line 1"):
        Hierarchy.from_hrc("@a\n")


def test_hrc_puts_groups_together() -> None:
    """The form knows a parent by its place: a value far from its group would fall to another."""
    scattered = Hierarchy((("a", "x", "*"), ("b", "y", "*"), ("c", "x", "*")))
    assert scattered.to_hrc() == "x\n@a\n@c\ny\n@b\n"


@pytest.mark.parametrize("label", ["@a", "a\nb"])
def test_hrc_refuses_labels_that_would_be_read_otherwise(label: str) -> None:
    with pytest.raises(SchemaError, match="choose another lead string"):
        Hierarchy(((label, "*"),)).to_hrc()


def test_hrc_needs_a_lead() -> None:
    with pytest.raises(SchemaError, match="lead string"):
        Hierarchy.from_hrc("a\n", lead="")


@given(trees(st.text("abcxyz019 .-", min_size=1, max_size=5)))
def test_hrc_comes_back(tree: Hierarchy) -> None:
    """With distinct labels and a total on top, nothing is lost; a top level of several labels gets its total."""
    back = Hierarchy.from_hrc(tree.to_hrc())
    has_total = tree.depth > 1 and len({row[-1] for row in tree.rows}) == 1
    kept = [row[:-1] if has_total else row for row in tree.rows]
    assert sorted(back.rows) == sorted((*row, "Total") for row in kept)


# --- files -----------------------------------------------------------------------------------------------------------


def test_files_by_their_ending(tmp_path: Path) -> None:
    (tmp_path / "a.hrc").write_text(HRC, encoding="utf-8")
    (tmp_path / "a.CSV").write_text("\ufeff" + TREE.to_csv(), encoding="utf-8")
    assert Hierarchy.read(tmp_path / "a.hrc") == TREE
    assert Hierarchy.read(str(tmp_path / "a.CSV")) == TREE


def test_files_of_old_windows(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes("Málaga;España\n".encode("cp1252"))
    assert Hierarchy.read(tmp_path / "a.csv").rows == (("Málaga", "España"),)


def test_bytes_that_are_in_no_code_page(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"a\x81;b\n")
    assert Hierarchy.read(tmp_path / "a.csv").depth == 2


def test_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"The hierarchy file 'none.csv' cannot be read: No such file"):
        Hierarchy.read(tmp_path / "none.csv")


@pytest.mark.parametrize("name", ADULT)
def test_hierarchies_of_the_adult_data(name: str, reference: Callable[[str], Path]) -> None:
    """ARX's own files: read, written and read again in both forms."""
    tree = Hierarchy.read(reference(f"adult/adult_hierarchy_{name}.csv"))
    assert {row[-1] for row in tree.rows} == {"*"}
    assert Hierarchy.from_csv(tree.to_csv()) == tree
    back = Hierarchy.from_hrc(tree.to_hrc())
    for value in tree.values:
        way = [tree.labels(level)[value] for level in range(tree.depth - 1)]
        way_back = [back.labels(level)[value] for level in range(back.depth - 1)]
        assert list(dict.fromkeys(way_back)) == list(dict.fromkeys(way))


def test_adult_values_are_all_in_their_hierarchies(reference: Callable[[str], Path]) -> None:
    lines = reference("adult/adult.csv").read_text(encoding="utf-8").splitlines()
    heads = lines[0].split(";")
    found = [set(column) for column in zip(*(line.split(";") for line in lines[1:]), strict=True)]
    for head, values in zip(heads, found, strict=True):
        tree = Hierarchy.read(reference(f"adult/adult_hierarchy_{head}.csv"))
        assert values <= set(tree.values), head


@pytest.mark.parametrize("content", [b"b;x;\n\ncy;\r*\n", b"a;x\rb;\0\n", b"a;" + b"x" * 200_000 + b"\n"])
def test_what_cannot_be_cut_into_fields(tmp_path, content):
    (tmp_path / "a.csv").write_bytes(content)
    with pytest.raises(
        SchemaError, match=r"Line \d of the hierarchy file|must have the same number|two rows|two labels"
    ):
        Hierarchy.read(tmp_path / "a.csv")

"""``tacita mask`` says at once which parts of a recipe no longer fit a file."""

from __future__ import annotations

from pathlib import Path

from tests.cli.test_verbs import tacita

RECIPE = """
[[step]]
mask = "global_recode"
map = {kind = {city = "town", farm = "country"}}

[[step]]
mask = "rank_swap"
columns = ["income", "rent"]
by = ["district"]
"""


def _next_wave(folder: Path) -> tuple[Path, Path]:
    lines = [f"{'city' if i % 2 else 'secret-place'},{i * 7 % 31},{20 + i % 40}" for i in range(40)]
    (folder / "next.csv").write_text("\n".join(["kind,income,age", *lines]) + "\n", encoding="utf-8")
    (folder / "recipe.toml").write_text(RECIPE, encoding="utf-8")
    return folder / "next.csv", folder / "recipe.toml"


def test_misfits_come_together_and_nothing_is_written(tmp_path: Path) -> None:
    data, recipe = _next_wave(tmp_path)
    done = tacita("mask", data, "--recipe", recipe, "-o", tmp_path / "out")
    assert done.returncode == 2
    assert "does not fit this file in 2 place(s); nothing was masked" in done.stderr
    assert "Step 2 (rank_swap): there is no column 'rent'." in done.stderr
    assert "Step 2 (rank_swap): there is no column 'district'." in done.stderr
    assert "Note: Step 1 (global_recode): 1 of the 2 values that 'map' names for 'kind' occur no more." in done.stderr
    assert "1 value(s) of 'kind' in 20 record(s) are not named by 'map'" in done.stderr
    assert "secret-place" not in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_remark_stops_nothing(tmp_path: Path) -> None:
    data, recipe = _next_wave(tmp_path)
    recipe.write_text(RECIPE.replace(', "rent"', "").replace('by = ["district"]', ""), encoding="utf-8")
    done = tacita("mask", data, "--recipe", recipe, "-o", tmp_path / "out", "--no-report", "--seed", 1)
    assert done.returncode == 4, done.stderr
    assert "Note: Step 1 (global_recode)" in done.stderr
    assert (tmp_path / "out" / "public").exists()


def test_a_column_that_the_schema_does_not_name_is_said(tmp_path: Path) -> None:
    data, recipe = _next_wave(tmp_path)
    recipe.write_text('[[step]]\nmask = "rank_swap"\ncolumns = ["income"]\n', encoding="utf-8")
    schema = tmp_path / "schema.toml"
    schema.write_text('[columns.kind]\nrole = "key"\n[columns.income]\nrole = "confidential"\n', encoding="utf-8")
    words = ("mask", data, "-s", schema, "-r", recipe, "--no-report", "--seed", 1)
    assert "the schema does not name 'age'" in tacita(*words, "-o", tmp_path / "a").stderr
    schema.write_text(schema.read_text(encoding="utf-8") + '[columns.age]\nrole = "key"\n', encoding="utf-8")
    assert "does not name" not in tacita(*words, "-o", tmp_path / "b").stderr

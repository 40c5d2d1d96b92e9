"""Files that look like public surveys: nine of ten roles and scales are right; fewer where only values tell."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow.csv as arrow_csv
import pytest

from tacita.data.describe import describe
from tacita.data.microdata import Microdata
from tacita.data.read import read
from tests.data.guess.foreign import FILES, File, anonymous
from tests.data.guess.held_out import HELD_OUT

SEEDS = (1, 2)


def right(file: File) -> tuple[list[bool], list[bool]]:
    """Return for each column whether its role is right, and whether its scale is."""
    table, truth = file
    found = describe(Microdata.from_frame(table))
    said = {name: word.split() for name, word in truth.items()}
    roles = [found[name].proposed_role in role.split("|") for name, (role, _) in said.items()]
    return roles, [found[name].proposed_scale in scale.split("|") for name, (_, scale) in said.items()]


def shares(files: list[File]) -> tuple[list[float], list[float]]:
    """Return the percent of right roles and of right scales: of all columns first, then of each file."""
    every = [right(file) for file in files]
    return tuple(  # type: ignore[return-value]
        [100 * np.mean([one for parts in every for one in parts[kind]]), *(100 * np.mean(p[kind]) for p in every)]
        for kind in (0, 1)
    )


def drawn(files: dict[str, Callable[[np.random.Generator], File]], seed: int) -> list[File]:
    return [make(np.random.default_rng(seed)) for make in files.values()]


@pytest.mark.parametrize("seed", SEEDS)
def test_foreign_files_are_understood(seed: int) -> None:
    for found in shares(drawn(FILES, seed)):
        assert found[0] >= 90
        assert min(found[1:]) >= 80


@pytest.mark.parametrize("seed", SEEDS)
def test_without_the_codebooks_names_and_values_do_nearly_as_well(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tacita.data.describe.known_columns", lambda _: {})
    assert all(found[0] >= 90 for found in shares(drawn(FILES, seed)))


@pytest.mark.parametrize("seed", SEEDS)
def test_values_alone_tell_most(seed: int) -> None:
    for found in shares([anonymous(file) for file in drawn(FILES, seed)]):
        assert found[0] >= 75
        assert min(found[1:]) >= 50


@pytest.mark.parametrize("seed", SEEDS)
def test_files_that_the_rules_were_not_made_for_are_understood_too(seed: int) -> None:
    for found in shares(drawn(HELD_OUT, seed)):
        assert found[0] >= 88
        assert min(found[1:]) >= 75


@pytest.mark.parametrize("name", FILES)
def test_a_draft_reads_back_with_its_file(name: str, tmp_path: Path) -> None:
    table, _ = FILES[name](np.random.default_rng(3))
    arrow_csv.write_csv(table, tmp_path / "file.csv")
    found = describe(read(tmp_path / "file.csv"))
    (tmp_path / "draft.toml").write_text(found.draft_toml(), encoding="utf-8")
    again = read(tmp_path / "file.csv", schema=tmp_path / "draft.toml")
    assert again.schema == found.draft_schema()
    assert describe(again).draft_schema() == again.schema  # and drafting it again changes nothing


def test_household_weight_and_identifier_are_those_of_the_file() -> None:
    table, _ = FILES["testdata"](np.random.default_rng(4))
    schema = describe(Microdata.from_frame(table)).draft_schema()
    assert (schema.household, schema.weight, schema.identifiers) == ("ori_hid", "sampling_weight", ())

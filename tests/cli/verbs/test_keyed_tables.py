"""``tacita table --protector cell_key --identity``: keyed tables, the uses of a key, and what is refused with nothing written.

It tests ``tacita.cli.tabular.keyed`` through the only doors that it has.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import tacita as tc
from tacita.cli.main import app
from tacita.core.errors import TacitaError
from tacita.core.keyed import Key

runner = CliRunner()
KEY = Key(bytes(range(3, 67, 2)))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    people = tc.samples.census_register(800, seed=1, regions=4)
    tc.write(people, tmp_path / "people.parquet")
    tc.write(people.take(np.arange(790)), tmp_path / "revised.parquet")
    people.schema.write(tmp_path / "people.toml")
    KEY.write(tmp_path / "census.key")
    (tmp_path / "short.key").write_text("0a0b0c")
    return tmp_path


def words(folder: Path, *more: object, file: str = "people.parquet", key: str | None = "census.key") -> list[str]:
    keyed = [] if key is None else ["--set", f"key={folder / key}"]
    by = ["--by", "municipality", "--by", "sex", "--protector", "cell_key", *keyed]
    return ["table", str(folder / file), "--schema", str(folder / "people.toml"), *by, *map(str, more)]


def values(folder: Path) -> str:
    return (folder / "public" / "table.csv").read_text()


def done(given: list[str]) -> str:
    result = runner.invoke(app, given)
    assert result.exit_code == 0, result.output + str(result.exception)
    return result.output


def refused(given: list[str], match: str) -> None:
    with pytest.raises(TacitaError, match=match):
        runner.invoke(app, given, catch_exceptions=False)


def test_the_command_makes_the_table_of_python(folder: Path) -> None:
    shown = done(words(folder, "--identity", "person_id", "-o", folder / "out"))
    assert "row numbers" not in shown
    data = tc.read(folder / "people.parquet", schema=folder / "people.toml")
    made = tc.tables.keyed_table(data, ["municipality", "sex"], key=KEY, identity="person_id", weight=None)
    wanted = tc.tables.CellKey(key=KEY).perturbed(made)
    rows = [line.split(",") for line in values(folder / "out").splitlines()[1:]]
    assert sorted(float(row[2]) for row in rows) == sorted(wanted.tolist())


def test_a_file_out_of_core_and_another_unit(folder: Path) -> None:
    done(words(folder, "--identity", "person_id", "-o", folder / "out"))
    done(words(folder, "--identity", "person_id", "--out-of-core", "-o", folder / "disk"))
    assert values(folder / "disk") == values(folder / "out")
    done(words(folder, "--identity", "person_id", "--unit", "household", "-o", folder / "households"))
    assert values(folder / "households") != values(folder / "out")


def test_a_key_of_other_data_is_refused_unless_it_is_a_revision(folder: Path) -> None:
    done(words(folder, "--identity", "person_id"))
    assert not (folder / "census.key.uses").exists()  # nothing was published
    done(words(folder, "--identity", "person_id", "-o", folder / "out"))
    uses = folder / "census.key.uses"
    assert uses.stat().st_mode & 0o777 == 0o600
    assert KEY.fingerprint in json.loads(uses.read_text())
    before = uses.read_text()
    revised = words(folder, "--identity", "person_id", "-o", folder / "new", file="revised.parquet")
    refused(revised, "other version.*--revision")
    assert uses.read_text() == before
    assert not (folder / "new").exists()
    done([*revised, "--revision"])
    assert len(json.loads(uses.read_text())[KEY.fingerprint]) == 2
    done([*revised[:-1], str(folder / "again")])  # a version that is known needs no more words
    other = ["--key-uses", str(folder / "elsewhere.json"), "--data-version", "first"]
    done([*words(folder, "--identity", "person_id", "-o", folder / "third"), *other])
    assert json.loads((folder / "elsewhere.json").read_text())[KEY.fingerprint] == ["first"]


def test_a_census_looks_at_the_uses_and_writes_none(folder: Path) -> None:
    given = ["census", str(folder / "people.parquet"), "--schema", str(folder / "people.toml"), "--way", "cell keys"]
    given += [
        "--key",
        str(folder / "census.key"),
        "--table",
        "municipality,sex",
        "--identity",
        "person_id",
        "--seed",
        "1",
    ]
    done(given)
    assert not (folder / "census.key.uses").exists()
    tc.tables.KeyUse(folder / "census.key.uses", version="last census").note(KEY, folder / "people.parquet")
    refused(given, "other version")
    done([*given, "--revision"])
    done([*given, "--data-version", "last census"])
    done([*given, "--key-uses", str(folder / "none.json")])
    assert json.loads((folder / "census.key.uses").read_text())[KEY.fingerprint] == ["last census"]


def test_without_an_identity_rows_stand_for_people(folder: Path) -> None:
    rule = ("--rule", "minimum_frequency:at_least=3")
    assert "row numbers" in done(words(folder, *rule))


@pytest.mark.parametrize(
    ("key", "more", "match"),
    [
        (None, ("--identity", "person_id"), "'key' must be given"),
        ("short.key", ("--identity", "person_id"), "at least 16 bytes"),
        ("no.key", ("--identity", "person_id"), "cannot be read"),
        ("census.key", ("--identity", "person"), "'person' is not"),
        ("census.key", ("--identity", "sex"), "must be different for each record"),
        ("census.key", ("--unit", "household"), "--unit needs --identity"),
        ("census.key", ("--revision",), "--revision needs --identity"),
        ("census.key", ("--identity", "person_id", "--means", "-y", "age"), "--means cannot be given"),
        ("census.key", ("--identity", "person_id", "--link", "sex"), "--link cannot be given"),
        ("census.key", ("--identity", "person_id", "--lower", "0"), "--lower cannot be given"),
        ("census.key", ("--identity", "person_id", "-y", "age", "-y", "sex"), "one --response"),
        ("census.key", ("--identity", "person_id", "--set", "V=9"), r"V must be in \[2, 3\]"),
        ("census.key", ("--identity", "person_id", "--out-of-core", "--separator", ";"), "--separator cannot be given"),
    ],
)
def test_bad_input_writes_nothing(folder: Path, key: str | None, more: tuple[str, ...], match: str) -> None:
    before = sorted(folder.iterdir())
    refused(words(folder, *more, "-o", folder / "out", key=key), match)
    assert sorted(folder.iterdir()) == before


def test_keys_are_for_one_protector(folder: Path) -> None:
    given = ["table", str(folder / "people.parquet"), "--by", "sex", "--identity", "person_id"]
    refused([*given, "--rule", "minimum_frequency:at_least=3"], "--identity is for --protector cell_key")


@pytest.mark.parametrize("more", [(), ("--out-of-core",)])
def test_sums_of_keys_beyond_64_bits_are_refused(
    folder: Path, more: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bound is on the number of records, which is looked at before anything is added up."""
    monkeypatch.setattr("tacita.numeric.perturbation.set_keys.MOST_MEMBERS", 799)
    refused(
        words(folder, "--identity", "person_id", "-o", folder / "out", *more),
        "exact in 64 bits up to 799 records, got 800",
    )
    assert not (folder / "out").exists()
    assert not (folder / "census.key.uses").exists()

"""``tacita census`` as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import tacita as tc
from tacita.cli.main import app
from tacita.core.errors import TacitaError
from tacita.core.keyed import Key

runner = CliRunner()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("census")
    people = tc.samples.census_register(1500, seed=1, regions=6)
    tc.write(people, made / "people.parquet")
    people.schema.write(made / "people.toml")
    Key(bytes(range(3, 67, 2))).write(made / "census.key")
    (made / "short.key").write_bytes(b"0a0b0c")
    return made


def words(folder: Path, *more: str, key: str = "census.key") -> list[str]:
    keyed = ["--key", str(folder / key)] if key else []
    return ["census", str(folder / "people.parquet"), "--schema", str(folder / "people.toml"), *keyed, *more]


def test_a_table_is_shown(folder: Path) -> None:
    before = sorted(folder.iterdir())
    done = runner.invoke(
        app, words(folder, "--table", "municipality,sex", "--table", "sex, marital", "--seed", "1", "--sweeps", "50")
    )
    assert done.exit_code == 0, done.output
    for way in ("suppression", "rounding", "cell keys", "keys, additive", "keys, consistent", "SAFE", "swapping"):
        assert way in done.stdout
    assert "2 tables of 1,500 records" in done.stdout
    assert "The attacker is a reader" in done.stderr
    assert sorted(folder.iterdir()) == before


def test_json(folder: Path) -> None:
    chosen = ["--way", "cell keys", "--way", "swapping", "--identity", "person_id", "--geography", "municipality"]
    done = runner.invoke(app, words(folder, "--table", "municipality,sex", *chosen, "--seed", "1", "--json"))
    shown = json.loads(done.stdout)
    assert [row["way"] for row in shown["ways"]] == ["cell keys", "swapping"]
    assert shown["ways"][0]["is_additive"] is False
    assert shown["units"]["seconds"] == "s"


@pytest.mark.parametrize(
    ("more", "key", "message"),
    [
        ([], "census.key", "'--table' must name"),
        (["--table", ","], "census.key", "at least one table"),
        (["--table", "sex,maritel"], "census.key", "maritel"),
        (["--table", "sex"], "", "'--key' must be a file"),
        (["--table", "sex"], "none.key", "key"),
        (["--table", "sex"], "short.key", "at least"),
        (["--table", "sex", "--way", "magic"], "census.key", "'ways' must be among"),
        (["--table", "sex", "--identity", "nobody"], "census.key", "nobody"),
    ],
)
def test_bad_words(folder: Path, more: list[str], key: str, message: str) -> None:
    before = sorted(folder.iterdir())
    done = runner.invoke(app, words(folder, *more, key=key))
    assert isinstance(done.exception, TacitaError)
    assert message in str(done.exception)
    assert sorted(folder.iterdir()) == before

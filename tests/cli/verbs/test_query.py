"""``tacita query``: questions from the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

import tacita as tc
from tacita.cli.main import app
from tacita.core.errors import TacitaError

runner = CliRunner()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("query")
    people = tc.samples.household_survey(1500, seed=2)
    pq.write_table(people.to_arrow(), place / "people.parquet")
    people.schema.write(place / "people.toml")
    tc.query.Key.draw().write(place / "database.key")
    return place


def ask(folder: Path, *options: str) -> tuple[int, str, str]:
    common = ["--schema", str(folder / "people.toml"), "--key", str(folder / "database.key")]
    words = ["query", str(folder / "people.parquet"), *common, *options]
    done = runner.invoke(app, words, catch_exceptions=False)
    return done.exit_code, done.stdout, done.stderr


def test_a_table_is_printed(folder: Path) -> None:
    code, shown, said = ask(folder, "--by", "sex", "--where", "urban=city,town")
    assert code == 0
    assert shown.splitlines()[0] == "count"
    assert {line.split()[0] for line in shown.splitlines()[2:]} == {"female", "male"}
    assert "left out at random" in said


def test_the_same_key_gives_the_same_answer(folder: Path) -> None:
    first, again = (ask(folder, "--by", "sex", "--by", "urban", "--json") for _ in range(2))
    assert first == again
    assert json.loads(first[1])["status"] == "answered"


def test_a_request_file_is_asked(folder: Path) -> None:
    asked = {"kind": "regress", "response": "income", "predictors": ["age", "sex"]}
    (folder / "request.json").write_text(json.dumps(asked))
    code, shown, _ = ask(folder, str(folder / "request.json"), "--json")
    assert code == 0
    assert [c["label"] for c in json.loads(shown)["model"]["coefficients"]][:2] == ["(intercept)", "age"]


def test_a_refusal_names_the_rule_and_has_its_status(folder: Path) -> None:
    code, shown, said = ask(folder, "--by", "sexx")
    assert (code, shown) == (3, "")
    assert said.splitlines()[:2] == ["Refused: unknown_variable.", "There is no variable 'sexx'. Did you mean 'sex'?"]


def test_the_steward_sees_every_rule(folder: Path) -> None:
    code, shown, said = ask(folder, "--by", "sex", "--where", "region=Aldmoor", "--explain")
    assert code in (0, 3)
    assert {"table_size", "small_marginals", "universe_gamma"} <= {line.split()[0] for line in shown.splitlines()[2:]}
    assert "Keep this inside" in said


def test_the_catalogue_is_a_file_that_can_be_given_back(folder: Path) -> None:
    code, shown, _ = ask(folder, "--show-catalogue")
    assert code == 0
    (folder / "catalogue.toml").write_text(shown)
    code, again, _ = ask(folder, "--show-catalogue", "--catalogue", str(folder / "catalogue.toml"))
    assert (code, again) == (0, shown)


def test_the_question_is_in_the_journal(folder: Path) -> None:
    journal = folder / "journal.jsonl"
    assert ask(folder, "--by", "sex", "--journal", str(journal), "--user", "ann")[0] == 0
    done = runner.invoke(app, ["journal", "verify", str(journal), "--key", str(folder / "database.key")])
    assert done.exit_code == 0, done.output
    assert '"tabulate"' in journal.read_text()
    assert "ann" not in journal.read_text()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "Give a request file, or at least one --by"),
        (["--by", "sex", "--where", "urban"], "--where must look like sex=f"),
        (["--by", "sex", "--where", "urban=city", "--where", "urban=town"], "names a variable twice"),
        (["--by", "sex", "--policy", "mass"], "Did you mean 'mas'?"),
        (["--by", "sex", "--key", "no-such.key"], "The key file 'no-such.key' cannot be read"),
    ],
    ids=["nothing asked", "no condition", "twice", "no policy", "no key"],
)
def test_what_cannot_be_understood_is_said(folder: Path, options: list[str], said: str) -> None:
    with pytest.raises(TacitaError, match=re.escape(said)):
        ask(folder, *options)

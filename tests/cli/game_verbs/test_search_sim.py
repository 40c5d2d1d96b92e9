from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tacita.cli.main import app
from tacita.core.errors import FileError, ParameterError, TacitaError
from tacita.data.query_log.write import write_log
from tacita.data.samples import query_log

SMALL = ["--peers", "40", "--queries", "800"]


def ran(*words: str | Path) -> Result:
    return CliRunner().invoke(app, ["games", "search-sim", *map(str, words)])


def test_it_shows_a_table_and_sentences() -> None:
    found = ran(*SMALL)
    assert found.exit_code == 0, found.output
    assert "coprivate" in found.stdout
    assert "agree on 48" in found.stderr
    assert "40 peers, 800 queries" in found.stderr


def test_json_has_the_rules_and_repeats() -> None:
    words = (*SMALL, "--free-riders", "0.2", "--attempts", "2", "--topology", "ring", "--degree", "4", "--json")
    first, again, other = ran(*words), ran(*words), ran(*words, "--seed", "2")
    found = json.loads(first.stdout)
    assert first.stdout == again.stdout != other.stdout
    rules = found["rules"]
    assert (rules["free_riders"], rules["attempts"], rules["topology"], rules["degree"]) == (0.2, 2, "ring", 4)
    assert found["checked"]["agree"] == found["checked"]["checked"]
    assert [row["way"] for row in found["ways"]] == ["coprivate"]


def test_the_directory_has_the_page_and_the_numbers_of_each_picture(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert ran("--peers", "20", "--queries", "300", "--compare", "--output", out).exit_code == 0
    names = {path.name for path in (out / "internal").iterdir()}
    assert {"search.html", "search.json", "free-riders.json", "database.json", "entropy-over-time.json"} <= names
    for path in (out / "internal").glob("*.json"):
        assert json.loads(path.read_text(encoding="utf-8"))
    assert (out / "internal").stat().st_mode & 0o077 == 0


def test_a_log_of_ones_own(tmp_path: Path) -> None:
    write_log(query_log(60, seed=3).log, tmp_path / "log.tsv")
    found = json.loads(ran(tmp_path / "log.tsv", "--peers", "30", "--json").stdout)
    assert found["community"]["peers"] == 30
    topics = ran(tmp_path / "log.tsv", "--by", "topic", "--directory", "sample", "--json")
    assert json.loads(topics.stdout)["community"]["different_queries"] < 100


def test_the_log_is_not_overwritten_by_its_result(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert ran(*SMALL, "--output", out).exit_code == 0
    assert isinstance(ran(*SMALL, "--output", out).exception, FileError)
    log = out / "internal" / "search.json"
    before = log.read_bytes()
    found = ran(log, "--output", out, "--overwrite")
    assert isinstance(found.exception, FileError)
    assert log.read_bytes() == before
    assert ran(*SMALL, "--output", out, "--overwrite", "--protocol", "none").exit_code == 0
    assert not (out / "internal" / "help-over-time.json").exists()


@pytest.mark.parametrize(
    ("words", "kind", "said"),
    [
        (["--topology", "star"], ParameterError, "'topology'"),
        (["--topology", "ring", "--degree", "3"], ParameterError, "'degree'"),
        (["--protocol", "tor"], ParameterError, "'protocol'"),
        (["--by", "mood"], ParameterError, "'--by'"),
        (["nowhere.tsv"], FileError, "not there"),
    ],
)
def test_bad_input_is_named(words: list[str], kind: type[TacitaError], said: str) -> None:
    found = ran(*SMALL, *words)
    assert isinstance(found.exception, kind)
    assert said in str(found.exception)


def test_topics_of_a_log_need_a_directory(tmp_path: Path) -> None:
    write_log(query_log(10, seed=3).log, tmp_path / "log.tsv")
    found = ran(tmp_path / "log.tsv", "--by", "topic")
    assert "--directory" in str(found.exception)


def test_a_log_of_one_user_says_so_and_shows_nothing_of_it(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text("user,query\nann,secret words\nann,tea\n", encoding="utf-8")
    found = ran(tmp_path / "log.csv")
    assert "at least 2 users" in str(found.exception)
    assert "secret" not in str(found.exception)

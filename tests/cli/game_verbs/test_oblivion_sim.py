from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tacita.cli.main import app
from tacita.core.errors import FileError, ParameterError

SMALL = ("--receivers", "200", "--rounds", "2", "--trials", "8", "--forwarders", "1")


def _run(*words: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, ["games", "oblivion-sim", *words])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.stdout, done.stderr


def test_a_simulation_is_shown_and_written(tmp_path: Path) -> None:
    out = tmp_path / "oblivion"
    status, shown, said = _run(*SMALL, "-o", str(out))
    assert status == 0
    assert "honest forwarding is an equilibrium" in shown
    assert "every leaked copy was traced to its holder" in said
    page = (out / "oblivion.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 3
    assert "http://" not in page.replace("http://www.w3.org/", "")
    found = json.loads((out / "oblivion.json").read_text(encoding="utf-8"))
    assert found["protocol"]["is_right"]
    with pytest.raises(FileError, match="exists already"):
        _run(*SMALL, "-o", str(out))


@pytest.mark.slow
def test_json_is_what_is_written_and_the_same_seed_repeats_it(tmp_path: Path) -> None:
    out = tmp_path / "out"
    first = _run(*SMALL, "--json", "-o", str(out))
    page = (out / "oblivion.html").read_text(encoding="utf-8")
    assert json.loads(first[1]) == json.loads((out / "oblivion.json").read_text(encoding="utf-8"))
    assert _run(*SMALL, "--json", "--overwrite", "-o", str(out)) == first
    assert (out / "oblivion.html").read_text(encoding="utf-8") == page


def test_bad_settings_are_named() -> None:
    for words, said in (
        (("--receivers", "2"), "'receivers'"), (("--attack", "hide"), "'attack'"), (("--found", "2"), "'found'"),
        ((*SMALL, "--forwarders", "20"), "'forwarders'"), (("--code", "3"), "'length'"), (("--price", "nan"), "'price'"),
    ):  # fmt: skip
        with pytest.raises(ParameterError, match=said):
            _run(*words)

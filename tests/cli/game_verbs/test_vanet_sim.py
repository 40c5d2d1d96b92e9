from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tacita.cli.main import app
from tacita.core.errors import FileError, ParameterError

TOWN = ("--length", "6", "--streets", "3", "--minutes", "12", "--density", "6", "--threshold", "2", "--shares", "5")


def _run(*words: str) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, ["games", "vanet-sim", *words])
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.stdout, done.stderr


def test_a_simulation_is_shown_and_written(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "vanet"
    status, shown, said = _run(*TOWN, "--signatures", "1", "-o", str(out))
    assert status == 0
    assert "dangers announced in time" in shown
    assert "By share of selfish cars" in shown
    assert "Signatures: 1 announcements" in said
    page = (out / "vehicles.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 5
    assert "http://" not in page.replace("http://www.w3.org/", "")
    assert "script" not in page
    first = json.loads((out / "vehicles.json").read_text(encoding="utf-8"))
    assert first["figures"]["announced_in_time"] > 0
    with pytest.raises(FileError, match="exists already"):
        _run(*TOWN, "--signatures", "0", "-o", str(out))


@pytest.mark.slow
def test_json_is_what_is_written_and_the_same_seed_repeats_it(tmp_path: Path) -> None:
    out = tmp_path / "out"
    first = _run(*TOWN, "--signatures", "1", "--json", "-o", str(out))
    page = (out / "vehicles.html").read_text(encoding="utf-8")
    assert json.loads(first[1]) == json.loads((out / "vehicles.json").read_text(encoding="utf-8"))
    assert _run(*TOWN, "--signatures", "1", "--json", "--overwrite", "-o", str(out)) == first
    assert (out / "vehicles.html").read_text(encoding="utf-8") == page


def test_bad_settings_are_named() -> None:
    for words, said in (
        (("--threshold", "99"), "'shares'"), (("--density", "0"), "'density'"), (("--scheme", "group"), "'scheme'"),
        ((*TOWN, "--players", "1"), "'players'"), ((*TOWN, "--functionality", "-1"), "'weights'"),
        (("--roads", "river"), "'roads'"), (("--streets", "150"), "'streets'"),
    ):  # fmt: skip
        with pytest.raises(ParameterError, match=said):
            _run(*words)

"""``tacita serve``: what keeps a server from starting, what it is told, and a demonstration from start to end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from tacita.cli.main import app
from tacita.core.keyed import Key
from tacita.data import samples
from tacita.data.write import write
from tests.cli.test_verbs import tacita_alone

runner = CliRunner()


class _Told:
    """A supervisor that starts nothing and keeps what it was told."""

    last: Any = None

    def __init__(self, settings: Any, binding: Any, *, workers: int) -> None:
        self.settings, self.binding, self.workers = settings, binding, workers

    def run(self, *, ready: Any) -> None:
        type(self).last = self
        ready("http://127.0.0.1:8000")


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> type[_Told]:
    monkeypatch.setattr("tacita.web.serving.Supervisor", _Told)
    monkeypatch.setattr("webbrowser.open", lambda url: pytest.fail(f"{url} was opened"))
    _Told.last = None
    return _Told


@pytest.fixture
def files(tmp_path: Path) -> Path:
    data = samples.household_survey(300, seed=1)
    write(data, tmp_path / "survey.parquet")
    data.schema.write(tmp_path / "survey.toml")
    Key.draw().write(tmp_path / "secret.key")
    return tmp_path


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "Give a data file, a settings file, or --demo"),
        (["survey.parquet"], "'--key' must name a file with a secret key"),
        (["--demo", "--host", "0.0.0.0"], "'host' must be of this machine only"),
        (["--demo", "--port", "70000"], "'port' must be in"),
        (["--demo", "--proxy", "*"], "'trusts_proxy' must have the addresses"),
        (["--demo", "--certificate", "none.pem"], "must be given together"),
        (["survey.parquet", "--key", "k", "--name", "A b"], "'name' must have small letters"),
        (["survey.parquet", "--key", "k", "--open-to", "everybody"], "'role' must be one of"),
        (["server.toml", "--policy", "tables"], "'--policy' must be left out beside a settings file"),
        (["server.toml", "--open-to", "public"], "'--open-to' must be left out beside a settings file"),
        (["--demo", "--key", "k"], "'--key' must be left out beside --demo"),
    ],
)
def test_what_is_refused_before_anything_starts(words: list[str], sentence: str, told: type[_Told]) -> None:
    done = runner.invoke(app, ["serve", *words])
    said = f"{done.output} {done.exception}"
    assert done.exit_code != 0
    assert sentence in " ".join(said.split())
    assert told.last is None


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda files: (files / "secret.key").unlink(), "secret.key"),
        pytest.param(
            lambda files: (files / "secret.key").write_bytes(b"short"),
            "key of at least",
            marks=pytest.mark.slow,  # as the first, in three seconds; tests of the keeper look at it too
        ),
        pytest.param(
            lambda files: (files / "survey.journal").write_bytes(b"no journal\n"),
            "journal",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_nothing_listens_without_key_or_journal(spoil: Any, sentence: str, files: Path) -> None:
    spoil(files)
    words = ["serve", files / "survey.parquet", "--schema", files / "survey.toml", "--port", 0]
    done = tacita_alone(*words, "--key", files / "secret.key")
    assert done.returncode != 0
    assert sentence in done.stderr
    assert "Serving on" not in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_what_the_server_is_told(told: type[_Told], tmp_path: Path) -> None:
    key = tmp_path / "secret.key"
    words = ["survey.parquet", "--key", str(key), "--name", "health", "--open-to", "researcher", "--workers", "3"]
    done = runner.invoke(app, ["serve", *words, "--server-name", "data.example", "--proxy", "10.0.0.1", "--port", "0"])
    assert done.exit_code == 0, done.output
    (dataset,) = told.last.settings.datasets
    assert (dataset.name, dataset.open_to, dataset.policy) == ("health", "researcher", "mas")
    assert dataset.journal == str(tmp_path / "health.journal")
    assert told.last.settings.accounts == str(tmp_path / "accounts.sqlite")
    assert told.last.settings.hosts == ("data.example",)
    assert told.last.settings.budgets
    assert (told.last.workers, told.last.binding.trusts_proxy) == (3, ("10.0.0.1",))
    assert "DEMONSTRATION" not in done.output


def test_a_settings_file(told: type[_Told], tmp_path: Path) -> None:
    (tmp_path / "server.toml").write_text('[[dataset]]\nname = "a"\nsource = "a.csv"\nkey = "k"\njournal = "j"\n')
    done = runner.invoke(app, ["serve", str(tmp_path / "server.toml"), "--accounts", "postgresql://server@localhost/x"])
    assert done.exit_code == 0, done.output
    assert told.last.settings.datasets[0].source == str(tmp_path / "a.csv")
    assert told.last.settings.accounts == "postgresql://server@localhost/x"


@pytest.mark.slow
def test_a_demonstration_from_start_to_end() -> None:
    """It says loudly what it is, answers with two workers, and ends whole when somebody presses Ctrl-C."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tacita.cli.main", "serve", "--demo", "--no-browser", "--port", "0", "--workers", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    try:
        said = []
        for line in process.stdout:
            said.append(line)
            if "Serving on" in line:
                break
        assert any("DEMONSTRATION" in line for line in said)
        url = said[-1].partition("Serving on ")[2].split()[0]
        with httpx.Client(transport=httpx.HTTPTransport(retries=3)) as client:
            answers = {client.post(f"{url}/tabulate", json={"by": ["sex"]}).text for _ in range(4)}
        assert len(answers) == 1
        assert '"answered"' in answers.pop()
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(60) == 0
        rest = process.stdout.read()
        assert "The server has ended." in rest
        assert "Traceback" not in rest
    finally:
        if process.poll() is None:
            process.kill()
        process.stdout.close()
        process.wait()

"""``tacita games peer`` as a user calls it, through ``tacita.cli.verbs.games``."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tacita.cli.main import app
from tacita.core.errors import TacitaError

runner = CliRunner()


def _run(*words: str) -> tuple[int, str, str]:
    done = runner.invoke(app, ["games", "peer", *words])
    if isinstance(done.exception, TacitaError):
        return 2, "", str(done.exception)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.stdout, done.stderr


def _free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keys and a roster of a back end and two peers."""
    monkeypatch.chdir(tmp_path)
    for name in ("backend", "ada", "bob"):
        assert _run("key", f"{name}.key")[0] == 0
    ports = [_free_port() for _ in range(3)]
    status, _, said = _run(
        "roster", "roster.toml", "--backend", f"127.0.0.1:{ports[0]} backend.key.pub",
        "--peer", f"ada 127.0.0.1:{ports[1]} ada.key.pub", "--peer", f"bob 127.0.0.1:{ports[2]} bob.key.pub",
    )  # fmt: skip
    assert status == 0, said
    return tmp_path


def test_keys_are_for_their_owner(place: Path) -> None:
    assert (place / "ada.key").stat().st_mode & 0o777 == 0o600
    secret = (place / "ada.key").read_text().split()[-1]
    status, shown, said = _run("key", "carl.key", "--json")
    assert status == 0
    made = json.loads(shown)
    assert (place / made["public_file"]).read_text().strip() == made["public"]
    assert secret not in shown + said
    assert (place / "carl.key").read_text().split()[-1] not in shown + said
    assert _run("key", "ada.key")[0] == 2
    assert (place / "ada.key").read_text().split()[-1] == secret


def test_a_roster_is_shown_with_fingerprints(place: Path) -> None:
    status, shown, _ = _run("roster", "roster.toml")
    assert status == 0
    assert re.search(r"ada +127\.0\.0\.1:\d+ +[0-9a-f]{16}", shown)
    entries = json.loads(_run("roster", "roster.toml", "--json")[1])["entries"]
    assert [entry["name"] for entry in entries] == ["backend", "ada", "bob"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["roster", "roster.toml", "--peer", "ada 127.0.0.1:1 ada.key.pub"], "go together"),
        (["roster", "new.toml", "--backend", "127.0.0.1:1", "--peer", "x"], "'--backend' must read 'ADDRESS FILE.pub'"),
        (["roster", "new.toml", "--backend", "127.0.0.1:1 ada.key", "--peer", "a 127.0.0.1:2 ada.key.pub"], "hold a public key"),
        (["serve", "carl", "-r", "roster.toml", "-k", "ada.key"], "no 'carl' in the roster"),
        (["serve", "ada", "-r", "roster.toml", "-k", "bob.key"], "not that of 'ada'"),
        (["serve", "ada", "-r", "none.toml", "-k", "ada.key"], "The roster 'none.toml' cannot be read"),
        (["serve", "ada", "-r", "roster.toml", "-k", "none.key"], "'none.key' cannot be read"),
        (["serve", "ada", "-r", "ada.key", "-k", "ada.key"], "not valid TOML"),
        (["backend", "-r", "roster.toml", "-k", "ada.key"], "not that of the back end"),
        (["backend", "-r", "roster.toml", "-k", "backend.key", "-d", "none"], "documents 'none' are not there"),
        (["backend", "-r", "roster.toml", "-k", "backend.key", "--view", "ada.key"], "is there already"),
        (["measure", "roster.toml", "-q", "ada"], "NAME=FILE"),
        (["rehearse", "--peers", "2", "--kill", "2"], "leave one of them"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(place: Path, words: list[str], says: str) -> None:
    status, _, said = _run(*words)
    assert status == 2
    assert says in said
    assert not (place / "new.toml").exists()
    assert (place / "ada.key").read_text().split()[-1] not in said


def test_another_machine_must_be_asked_for(place: Path) -> None:
    text = (place / "roster.toml").read_text()
    (place / "far.toml").write_text(re.sub(r'127\.0\.0\.1:(\d+)"', r'192.0.2.1:\1"', text, count=1))
    for words in (["serve", "ada", "-k", "ada.key"], ["backend", "-k", "backend.key"]):
        status, _, said = _run(*words, "-r", "far.toml")
        assert status == 2
        assert "--beyond-this-machine" in said


def _process(place: Path, *words: str) -> subprocess.Popen[str]:
    program = [sys.executable, "-m", "tacita.cli.main", "games", "peer", *words]
    return subprocess.Popen(
        program, cwd=place, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def _secrets(place: Path) -> list[str]:
    return [path.read_text().split()[-1] for path in place.glob("*.key")]


def test_a_group_as_its_members_run_it(place: Path) -> None:
    """Three programs, answers, a view, a measurement, an end by signals; no log line has a query or a key."""
    (place / "ada.txt").write_text("salt\nsalt\nsea\nsalt\nsalt\nzeppelin canary\n")
    (place / "documents.txt").write_text("Bread\tflour and salt\nTides\tthe salt sea\n")
    common = ["-r", "roster.toml", "-k"]
    backend = _process(
        place,
        "backend",
        *common,
        "backend.key",
        "-d",
        "documents.txt",
        "--view",
        "view.jsonl",
        "--status",
        "status.json",
    )
    bob = _process(place, "serve", "bob", *common, "bob.key", "--json")
    ada = _process(place, "serve", "ada", *common, "ada.key", "-q", "ada.txt", "--at-once", "1", "--linger", "0")
    try:
        answers, said = ada.communicate(timeout=30)
        assert ada.returncode == 0, said
        assert answers.splitlines()[0] == "1 (through ada): Bread; Tides"
        assert "6 queries answered, 0 not." in said
        bob.send_signal(signal.SIGTERM)
        backend.send_signal(signal.SIGINT)
        events, complaints = bob.communicate(timeout=10)
        _, logged = backend.communicate(timeout=10)
    finally:
        for process in (backend, bob, ada):
            process.kill()
            process.wait()
    assert (bob.returncode, backend.returncode) == (0, 0), complaints + logged
    assert [json.loads(line)["event"] for line in events.splitlines()] == ["ready", "stopped"]
    for shown in (said, events, complaints, logged, (place / "status.json").read_text()):
        assert "canary" not in shown
        assert not any(secret in shown for secret in _secrets(place))
    (place / "bob.txt").write_text("")
    status, shown, _ = _run("measure", "view.jsonl", "-q", "ada=ada.txt", "-q", "bob=bob.txt", "--json")
    assert status == 0
    measured = {peer["name"]: peer for peer in json.loads(shown)["peers"]}
    assert measured["ada"]["seen"] + measured["bob"]["seen"] == measured["ada"]["queries"] == 6
    assert "distance" in _run("measure", "view.jsonl", "-q", "ada=ada.txt", "-q", "bob=bob.txt")[1]


def test_a_query_that_is_not_answered_has_its_exit_status(place: Path) -> None:
    (place / "ada.txt").write_text("salt\n")
    status, _, said = _run(
        "serve", "ada", "-r", "roster.toml", "-k", "ada.key", "-q", "ada.txt", "--patience", "0.1", "--linger", "0"
    )
    assert status == 4
    assert "The back end cannot be reached" in said


def test_no_process_is_left_by_a_rehearsal(monkeypatch: pytest.MonkeyPatch) -> None:
    streams = {"peer-1": ["soccer", "guitar"], "peer-2": ["java", "java"]}
    monkeypatch.setattr("tacita.cli.game_verbs.peer._sample_queries", lambda *_: streams)
    status, shown, said = _run("rehearse", "--peers", "2", "--each", "2", "--kill", "0", "--json")
    assert status == 0, said
    made = json.loads(shown)
    assert made["answered"] == made["queries"] == 4
    assert set(made["statuses"]) == {"backend", "peer-1", "peer-2"}
    for line in subprocess.run(
        ["ps", "-o", "ppid=,args="], capture_output=True, text=True, check=False
    ).stdout.splitlines():
        assert not (line.split()[0] == str(os.getpid()) and "games peer" in line)

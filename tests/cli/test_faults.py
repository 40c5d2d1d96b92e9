"""The command line when something goes wrong that nobody foresaw: a sentence, a status of its own, never a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from tacita.cli import main, output

PROGRAM = [sys.executable, "-m", "tacita.cli.main"]
CANARY = "zzcanary4711"


@pytest.fixture
def failing(monkeypatch):
    """Make ``tacita methods`` fail in a given way, in this process."""

    def run(error, *words):
        def methods() -> None:
            secret = CANARY
            raise error(secret) if isinstance(error, type) else error

        import tacita.cli.verbs.methods as module

        monkeypatch.setattr(module, "methods", methods)
        monkeypatch.setattr(sys, "argv", ["tacita", *words, "methods"])
        monkeypatch.setattr(main.typer.main.get_command(main.app), "commands", {}, raising=False)
        monkeypatch.setattr(output, "settings", output._Settings())
        with pytest.raises(SystemExit) as ended:
            main.run()
        return ended.value.code

    return run


@pytest.mark.parametrize(
    "error", [ValueError, KeyError, RecursionError, ZeroDivisionError, RuntimeError, AssertionError]
)
def test_every_exception_is_one_line_and_a_hint(failing, capsys, error):
    assert failing(error) == main.FAULT
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert error.__name__ in said
    assert "--debug" in said
    assert CANARY not in said


def test_debug_shows_frames_and_types_but_no_values(failing, capsys):
    assert failing(ValueError, "--debug") == main.FAULT
    said = capsys.readouterr().err
    assert "test_faults.py" in said
    assert "in methods" in said
    assert CANARY not in said
    assert "secret" not in said


def test_no_memory_and_refusals_of_the_system_are_said_as_such(failing, capsys):
    assert failing(MemoryError) == main.FAULT
    assert "not enough memory" in capsys.readouterr().err
    assert failing(OSError(28, "No space left on device")) == 2
    assert "No space left on device" in capsys.readouterr().err


def test_interruption_has_its_status(failing, capsys):
    assert failing(KeyboardInterrupt) == 130
    assert "Interrupted" in capsys.readouterr().err


def test_ctrl_c_in_a_real_process(tmp_path):
    begun = subprocess.Popen(
        [*PROGRAM, "demo", "--output", tmp_path / "demo"], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509
    )  # fmt: skip
    time.sleep(1.5)
    begun.send_signal(signal.SIGINT)
    _, said = begun.communicate(timeout=60)
    assert "Traceback" not in said
    assert begun.returncode in (130, -signal.SIGINT)  # the second before the program itself has begun


def test_a_closed_pipe_is_no_error():
    read_end, write_end = os.pipe()
    os.close(read_end)
    done = subprocess.run([*PROGRAM, "methods"], stdout=write_end, stderr=subprocess.PIPE, text=True, check=False)
    os.close(write_end)
    assert done.returncode == 141
    assert done.stderr == ""


def test_a_full_or_closed_output():
    with open("/dev/full", "w") as full:  # noqa: PTH123
        done = subprocess.run([*PROGRAM, "methods"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode != 0
    assert "Traceback" not in done.stderr
    done = subprocess.run(["sh", "-c", f"{sys.executable} -m tacita.cli.main methods <&- >&- 2>&-"], check=False)
    assert done.returncode == 0

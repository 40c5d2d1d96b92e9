"""The processes of a server: started, killed, started again, ended."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from tacita.core.errors import ParameterError
from tacita.core.keyed import Key
from tacita.query.journal.verify import verify
from tacita.web.demo import demo_settings
from tacita.web.serving import Binding, Supervisor

_RUN = """
import multiprocessing, sys
from pathlib import Path
from tacita.web.demo import demo_settings
from tacita.web.serving import Binding, Supervisor

if __name__ == "__main__":
    def ready(url):
        (engine,) = [one.pid for one in multiprocessing.active_children() if one.name == "tacita engine"]
        print(url, engine, flush=True)

    Supervisor(demo_settings(Path(sys.argv[1]), records=1000), Binding(port=0), workers=2).run(ready=ready)
"""
_BODY = {"by": ["sex", "urban"]}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], str, Path]]:
    script, folder = tmp_path / "run.py", tmp_path / "demo"
    script.write_text(_RUN)
    folder.mkdir()
    process = subprocess.Popen([sys.executable, str(script), str(folder)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process, process.stdout.readline().strip(), folder
    finally:
        if process.poll() is None:
            process.kill()
        process.stdout.close()
        process.wait()


def children(pid: int) -> set[int]:
    """The processes that a process has started."""
    found = set()
    for place in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            if int((place / "stat").read_text().rpartition(")")[2].split()[1]) == pid:
                found.add(int(place.name))
    return found


def answered(url: str) -> bytes:
    """Ask until it is answered."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        with contextlib.suppress(httpx.TransportError):
            said = httpx.post(f"{url}/tabulate", json=_BODY, timeout=30)
            if said.status_code == 200:
                return said.content
            assert said.status_code == 503
            assert said.json()["reasons"] == ["unavailable"]
        time.sleep(0.1)
    raise AssertionError("The server does not answer.")


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are found in /proc")
def test_a_server_from_its_start_to_its_end(server: tuple[subprocess.Popen[str], str, Path]) -> None:
    process, told, folder = server
    url, engine = told.split()
    first = answered(url)
    before = children(process.pid)
    assert int(engine) in before
    os.kill(int(engine), signal.SIGKILL)
    assert answered(url) == first
    begun = {pid: started(pid) for pid in before | children(process.pid)}
    place = urlsplit(url)
    with socket.create_connection((place.hostname, place.port), timeout=20) as line:
        body = json.dumps(_BODY).encode()
        line.sendall(b"POST /tabulate HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(body))
        time.sleep(0.3)
        process.send_signal(signal.SIGTERM)
        time.sleep(0.5)
        line.sendall(body)  # what was begun is answered
        assert line.recv(1 << 16).startswith(b"HTTP/1.1 200 ")
    assert process.wait(60) == 0
    until = time.monotonic() + 10
    while (left := [pid for pid, at in begun.items() if is_left(pid, at)]) and time.monotonic() < until:
        time.sleep(0.1)
    assert not left
    assert verify(folder / "journal.jsonl", key=Key.read(folder / "demo.key")).state != "broken"


def started(pid: int) -> str:
    """Return when a process began; a number can be that of another process later."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    return ""


def is_left(pid: int, began: str) -> bool:
    """Whether a process is still there, and the same."""
    return bool(began) and started(pid) == began and "zombie" not in state(pid)


def state(pid: int) -> str:
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/status").read_text().partition("State:")[2].partition("\n")[0]
    return "zombie"


@pytest.mark.parametrize("workers", [0, 65])
def test_workers(workers: int, tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="'workers' must be in"):
        Supervisor(demo_settings(tmp_path, records=200), Binding(port=0), workers=workers)

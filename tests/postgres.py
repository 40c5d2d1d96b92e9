"""A PostgreSQL server for tests: Debian's programs, a database of its own in a temporary directory, loopback only.

A folder of tests takes it by one line in its ``conftest.py``: ``from tests.postgres import postgres_server``. Where PostgreSQL or
its driver is missing and cannot be installed, tests that ask for the server are skipped with the reason.
"""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pyarrow as pa
import pytest

__all__ = ["Server", "postgres_server"]

ROOT = Path(__file__).resolve().parents[1]
USER, DATABASE = "steward", "postgres"
SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "max_connections": "20",
    "shared_buffers": "16MB",
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "logging_collector": "off",
    "autovacuum": "off",
}


@dataclass(frozen=True)
class Server:
    """A running server and how to reach it."""

    port: int
    password: str = field(repr=False)

    def url(self, *, user: str = USER, password: str | None = None, database: str = DATABASE) -> str:
        """Return the address with its credentials."""
        word = quote(self.password if password is None else password, safe="")
        return f"postgresql://{quote(user, safe='')}:{word}@127.0.0.1:{self.port}/{quote(database, safe='')}"

    def execute(self, *statements: str) -> None:
        """Run statements as the owner of the server."""
        from adbc_driver_postgresql import dbapi

        with dbapi.connect(self.url(), autocommit=True) as connection, connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)

    def write(self, table: pa.Table, name: str) -> None:
        """Write a table in place of one of that name."""
        from adbc_driver_postgresql import dbapi

        with dbapi.connect(self.url(), autocommit=True) as connection, connection.cursor() as cursor:
            cursor.adbc_ingest(name, table, mode="replace")


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Server]:
    """Give a server of this process, or skip with the reason why there is none."""
    pytest.importorskip("adbc_driver_postgresql", reason="the driver of PostgreSQL is not installed")
    running = _Running.shared()
    running.users += 1
    yield running.server
    running.users -= 1
    if not running.users:
        running.stop()


class _Running:
    """One server a process, whoever asks first."""

    now: _Running | None = None

    def __init__(self, server: Server, process: subprocess.Popen[bytes], folder: Path) -> None:
        self.server, self.process, self.folder, self.users = server, process, folder, 0

    @classmethod
    def shared(cls) -> _Running:
        if cls.now is None:
            cls.now = _started()
        return cls.now

    def stop(self) -> None:
        _Running.now = None
        _end(self.process)
        shutil.rmtree(self.folder, ignore_errors=True)


def _started() -> _Running:
    programs, as_user = _programs(), _unprivileged()
    # Not pytest's own directory: the server's user may not look into what belongs to root.
    folder = Path(tempfile.mkdtemp(prefix="tacita-postgres-"))
    password = secrets.token_hex(12)
    try:
        word = folder / "word"
        word.write_text(password + "\n", encoding="ascii")
        for path in (folder, word):
            if as_user:
                shutil.chown(path, "postgres", "postgres")
        make = ["--auth=scram-sha-256", f"--username={USER}", f"--pwfile={word}", "--encoding=UTF8", "--locale=C.UTF-8"]
        made = subprocess.run(
            [*as_user, programs / "initdb", "-D", folder / "data", "--no-sync", *make],
            cwd=folder,
            capture_output=True,
            timeout=60,
            check=False,
        )
        if made.returncode:
            pytest.skip(f"PostgreSQL's initdb ends with {made.returncode} on this machine")
        for _ in range(3):  # somebody else may take the free port first
            process, port = _serving(programs, as_user, folder)
            if process is not None:
                return _Running(Server(port, password), process, folder)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    shutil.rmtree(folder, ignore_errors=True)
    pytest.skip("the PostgreSQL server does not start on this machine")


def _programs() -> Path:
    found = subprocess.run([ROOT / "tools" / "postgres.sh"], capture_output=True, text=True, timeout=600, check=False)
    if found.returncode:
        pytest.skip(found.stderr.strip() or "PostgreSQL is not here")
    return Path(found.stdout.strip())


def _unprivileged() -> list[Any]:
    """Return what a command begins with: PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return []
    if shutil.which("setpriv") is None:
        pytest.skip("PostgreSQL does not run as root, and there is no setpriv to run it as somebody else")
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--pdeathsig=INT"]


def _serving(programs: Path, as_user: list[Any], folder: Path) -> tuple[subprocess.Popen[bytes] | None, int]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])
    settings = [
        f"-c{name}={value}" for name, value in {**SETTINGS, "port": port, "unix_socket_directories": folder}.items()
    ]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [*as_user, programs / "postgres", "-D", folder / "data", *settings], cwd=folder, stdout=log, stderr=log
        )
    told = folder / "data" / "postmaster.pid"
    patience = time.monotonic() + 20
    while time.monotonic() < patience and process.poll() is None:
        lines = told.read_text(encoding="ascii").splitlines() if told.exists() else []
        if len(lines) > 7 and lines[7].strip() == "ready" and int(lines[0]) == process.pid:
            return process, port
        time.sleep(0.02)
    _end(process)
    return None, port


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the server by its own process id: at once, but in order."""
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(20)

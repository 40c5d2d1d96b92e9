"""A PostgreSQL server on loopback that is stopped without a word and started again, on the same port with the same data."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pyarrow as pa

__all__ = ["NoPostgresError", "PostgresServer"]

_ROOT = Path(__file__).resolve().parents[2]
_USER = "steward"
_SETTINGS = ("listen_addresses=127.0.0.1", "max_connections=30", "shared_buffers=16MB", "logging_collector=off")


class NoPostgresError(Exception):
    """There is no PostgreSQL on this machine; the message says why."""


class PostgresServer:
    """A server with a new database in a temporary directory; what it was told to keep is on the disk.

    Raises
    ------
    NoPostgresError
        When it is not installed, or does not start.
    """

    def __init__(self) -> None:
        self._programs, self._as_user = _programs(), _unprivileged()
        self._folder = Path(tempfile.mkdtemp(prefix="tacita-postgres-"))
        self._process: subprocess.Popen[bytes] | None = None
        self._password = secrets.token_hex(12)
        try:
            self._make()
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                self.port = int(free.getsockname()[1])
            self.start()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def url(self) -> str:
        """The address of its database, with the password of its owner."""
        return f"postgresql://{_USER}:{self._password}@127.0.0.1:{self.port}/postgres"

    def start(self, patience: float = 30.0) -> None:
        """Start it; return when it takes connections."""
        settings = [f"-c{one}" for one in (*_SETTINGS, f"port={self.port}", f"unix_socket_directories={self._folder}")]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [*self._as_user, self._programs / "postgres", "-D", self._folder / "data", *settings],
                cwd=self._folder,
                stdout=log,
                stderr=log,
            )
        told = self._folder / "data" / "postmaster.pid"
        until = time.monotonic() + patience
        while time.monotonic() < until and self._process.poll() is None:
            lines = told.read_text(encoding="ascii").splitlines() if told.exists() else []
            if len(lines) > 7 and lines[7].strip() == "ready" and int(lines[0]) == self._process.pid:
                return
            time.sleep(0.02)
        raise NoPostgresError("the PostgreSQL server does not start on this machine")

    def stop_at_once(self) -> None:
        """End it as a crash does: no checkpoint is written and no connection told (``pg_ctl stop -m immediate``)."""
        self._end(signal.SIGQUIT)

    def close(self) -> None:
        """End it and remove its data."""
        self._end(signal.SIGINT)
        shutil.rmtree(self._folder, ignore_errors=True)

    def write(self, table: pa.Table, name: str) -> None:
        """Write a table in place of one of that name."""
        from adbc_driver_postgresql import dbapi

        with dbapi.connect(self.url, autocommit=True) as connection, connection.cursor() as cursor:
            cursor.adbc_ingest(name, table, mode="replace")

    def _make(self) -> None:
        word = self._folder / "word"
        word.write_text(self._password + "\n", encoding="ascii")
        if self._as_user:
            for path in (self._folder, word):
                shutil.chown(path, "postgres", "postgres")
        given = [
            "--auth=scram-sha-256",
            f"--username={_USER}",
            f"--pwfile={word}",
            "--encoding=UTF8",
            "--locale=C.UTF-8",
        ]
        made = subprocess.run(
            [*self._as_user, self._programs / "initdb", "-D", self._folder / "data", *given],
            cwd=self._folder,
            capture_output=True,
            timeout=60,
            check=False,
        )
        if made.returncode:
            raise NoPostgresError(f"PostgreSQL's initdb ends with {made.returncode} on this machine")

    def _end(self, told: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is not None and process.poll() is None:
            process.send_signal(told)
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(20)


def _programs() -> Path:
    found = subprocess.run(
        [_ROOT / "tools" / "postgres.sh", "--find"], capture_output=True, text=True, timeout=60, check=False
    )
    if found.returncode:
        raise NoPostgresError(found.stderr.strip() or "there is no PostgreSQL here")
    return Path(found.stdout.strip())


def _unprivileged() -> list[Any]:
    """Return what a command begins with: PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return []
    if shutil.which("setpriv") is None:
        raise NoPostgresError("PostgreSQL does not run as root, and there is no setpriv to run it as somebody else")
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--pdeathsig=INT"]

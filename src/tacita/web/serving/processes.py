"""What the processes of a server do: one holds the data, the others talk to the network."""

from __future__ import annotations

import contextlib
import logging
import signal
import socket
import sys
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TYPE_CHECKING

from tacita.core.errors import TacitaError
from tacita.web.serving.binding import Binding
from tacita.web.serving.lifeline import hold_on
from tacita.web.settings import ServerSettings

if TYPE_CHECKING:
    import uvicorn
    from fastapi import FastAPI

__all__ = ["engine_main", "http_config", "worker_main"]


def engine_main(settings: ServerSettings, path: Path, report: Connection, line: Connection) -> None:
    """Run the engine; ``report`` gets None when it listens, or why it cannot.

    Notes
    -----
    What went wrong is said in our own words, or by the kind of the error: messages of others may quote data.
    """
    from tacita.web.engine.operator_log import say_warnings_plainly
    from tacita.web.engine.process import run_engine

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # until it listens; who started it ends it
    hold_on(line)
    _log_without_details()
    say_warnings_plainly()
    try:
        run_engine(settings, path, ready=lambda: _tell(report, None))
    except TacitaError as error:
        _tell(report, str(error))
        sys.exit(1)
    except Exception as error:  # noqa: BLE001 - its message may quote data
        _tell(report, f"The engine could not open the data: {type(error).__name__}.")
        sys.exit(1)


def _tell(report: Connection, what: str | None) -> None:
    """Tell who started this process; whether he still listens does not matter."""
    with contextlib.suppress(OSError):
        report.send(what)


def worker_main(
    settings: ServerSettings, path: Path, listening: socket.socket, binding: Binding, line: Connection
) -> None:
    """Run one worker: it has neither data nor key."""
    import uvicorn

    from tacita.web.accounts.accounts import open_accounts
    from tacita.web.api.app import make_app
    from tacita.web.engine.remote import RemoteEngine

    hold_on(line)
    _log_without_details()
    app = make_app(settings, RemoteEngine(path), open_accounts(settings.accounts))
    uvicorn.Server(http_config(app, binding, settings.limits.patience)).run(sockets=[listening])


def http_config(app: FastAPI, binding: Binding, patience: float) -> uvicorn.Config:
    """Return how a worker speaks HTTP.

    Parameters
    ----------
    app
        The application.
    binding
        Where it listens, and whose word is taken for where requests come from.
    patience
        Seconds that a slow client has.
    """
    import uvicorn

    from tacita.web.serving.patient_protocol import PatientProtocol

    return uvicorn.Config(
        app,
        http=type("WorkerProtocol", (PatientProtocol,), {"patience": patience}),
        ws="none",
        access_log=False,
        log_level="warning",
        server_header=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=30,
        proxy_headers=bool(binding.trusts_proxy),
        forwarded_allow_ips=list(binding.trusts_proxy),
        ssl_certfile=None if binding.certificate is None else str(binding.certificate),
        ssl_keyfile=None if binding.certificate_key is None else str(binding.certificate_key),
    )


def _log_without_details() -> None:
    for name in ("uvicorn.error", "asyncio"):
        logging.getLogger(name).addFilter(_without_details)


def _without_details(record: logging.LogRecord) -> bool:
    """Keep messages of exceptions out of the log: they may quote data, or what somebody asked."""
    record.exc_info, record.exc_text, record.stack_info = None, None, None
    record.msg, record.args = str(record.msg).partition("\n")[0], None
    return True

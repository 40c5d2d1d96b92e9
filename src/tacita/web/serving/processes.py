"""What the processes of a server do: one holds the data, the others talk to the network."""

from __future__ import annotations

import logging
import socket
import sys
from multiprocessing.connection import Connection
from pathlib import Path

from tacita.core.errors import TacitaError
from tacita.web.serving.binding import Binding
from tacita.web.serving.lifeline import hold_on
from tacita.web.settings import ServerSettings

__all__ = ["engine_main", "worker_main"]


def engine_main(settings: ServerSettings, path: Path, report: Connection, line: Connection) -> None:
    """Run the engine; ``report`` gets None when it listens, or why it cannot."""
    from tacita.web.engine.process import run_engine

    hold_on(line)
    try:
        run_engine(settings, path, ready=lambda: report.send(None))
    except TacitaError as error:
        report.send(str(error))
        sys.exit(1)


def worker_main(
    settings: ServerSettings, path: Path, listening: socket.socket, binding: Binding, line: Connection
) -> None:
    """Run one worker: it has neither data nor key."""
    import uvicorn

    from tacita.web.accounts.accounts import open_accounts
    from tacita.web.api.app import make_app
    from tacita.web.engine.remote import RemoteEngine
    from tacita.web.serving.patient_protocol import PatientProtocol

    hold_on(line)
    logging.getLogger("uvicorn.error").addFilter(_without_details)
    PatientProtocol.patience = settings.limits.patience
    app = make_app(settings, RemoteEngine(path), open_accounts(settings.accounts))
    config = uvicorn.Config(
        app,
        http=PatientProtocol,
        ws="none",
        access_log=False,
        log_level="warning",
        server_header=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=30,
        h11_max_incomplete_event_size=1 << 16,
        proxy_headers=bool(binding.trusts_proxy),
        forwarded_allow_ips=list(binding.trusts_proxy),
        ssl_certfile=None if binding.certificate is None else str(binding.certificate),
        ssl_keyfile=None if binding.certificate_key is None else str(binding.certificate_key),
    )
    uvicorn.Server(config).run(sockets=[listening])


def _without_details(record: logging.LogRecord) -> bool:
    """Keep messages of exceptions out of the log: they may quote what somebody asked."""
    record.exc_info, record.exc_text, record.args = None, None, None
    return True

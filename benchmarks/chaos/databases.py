"""PostgreSQL is gone: the one that keeps the accounts, or the one that the data came from."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.chaos.faults import Fault, not_done, run_fault
from benchmarks.chaos.postgres import NoPostgresError, PostgresServer
from benchmarks.server.running import RunningServer
from benchmarks.server.survey import DATASET, write_settings

__all__ = ["run_databases_gone"]

_NAMES = ("PostgreSQL gone: accounts", "PostgreSQL gone: data", "PostgreSQL gone: data, and the engine killed")
_HOW = "stopped as by a crash, started again"


def run_databases_gone(folder: Path, source: Path, *, seed: int, gone: float) -> list[dict[str, Any]]:
    """Stop PostgreSQL under a server that needs it, wait, and start it again.

    Parameters
    ----------
    folder
        Where the servers keep their files.
    source
        The data, which are copied into a table for the server that reads them from PostgreSQL.
    seed
        Which questions come.
    gone
        Seconds that the accounts are gone. The data are gone for a few seconds only: a server that has opened them does not need
        the database any more, unless its engine is started again meanwhile.
    """
    try:
        with PostgresServer() as database:
            database.write(_plain(pq.read_table(source)), DATASET)
            return [
                _accounts_gone(folder / "accounts", source, database, seed, gone),
                *(_data_gone(folder, source, database, seed, is_killed=is_killed) for is_killed in (False, True)),
            ]
    except (NoPostgresError, ImportError) as error:
        return [not_done(name, str(error)) for name in _NAMES]


def _accounts_gone(folder: Path, source: Path, database: PostgresServer, seed: int, gone: float) -> dict[str, Any]:
    fault = Fault(
        name=_NAMES[0],
        how=_HOW,
        begin=lambda _: database.stop_at_once(),
        end=lambda _: database.start(),
        lasts=gone,
    )
    settings = write_settings(folder, source, policy="tables", accounts=database.url)
    return run_fault(fault, settings, seed=seed, accounts=database.url)


def _data_gone(folder: Path, source: Path, database: PostgresServer, seed: int, *, is_killed: bool) -> dict[str, Any]:
    def begin(server: RunningServer) -> None:
        database.stop_at_once()
        for pid in server.engine if is_killed else ():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    fault = Fault(
        name=_NAMES[1 + is_killed],
        how=_HOW,
        begin=begin,
        end=lambda _: database.start(),
        meanwhile="refuses" if is_killed else "answers",
    )
    place = folder / ("data, killed" if is_killed else "data")
    return run_fault(fault, write_settings(place, source, policy="tables", database=database.url), seed=seed)


def _plain(table: pa.Table) -> pa.Table:
    """Write out the classes, for PostgreSQL has no dictionaries, and number the records, for its tables have no order."""
    columns = {
        name: column.cast(pa.string()) if pa.types.is_dictionary(column.type) else column
        for name, column in zip(table.column_names, table.columns, strict=True)
    }
    return pa.table({"id": pa.array(range(table.num_rows), pa.int64()), **columns})

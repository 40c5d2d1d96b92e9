"""How the command line speaks: tables and sentences for people, JSON for programs, bars on a terminal only."""

from __future__ import annotations

import json
import math
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated, Any, TextIO

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from tacita.core.errors import TacitaError, TacitaNote, TacitaWarning
from tacita.core.progress import Task, show_progress

__all__ = [
    "Json",
    "as_json_text",
    "frames",
    "number",
    "print_json",
    "progress_bars",
    "say",
    "settings",
    "show_error",
    "show_fault",
    "show_warning",
    "table",
]

Json = Annotated[bool, typer.Option("--json", help="Print machine-readable JSON instead of tables.")]
"""The option that every verb has."""


@dataclass
class _Settings:
    show_values: bool = False
    as_json: bool = False
    debug: bool = False


settings = _Settings()


def say(text: str) -> None:
    """Print one line for a person, on standard error, so that standard output stays clean for data."""
    typer.echo(text, err=True)


def print_json(value: Any) -> None:
    """Print JSON on standard output; infinities and NaN become null, because JSON has neither."""
    typer.echo(as_json_text(value))


def as_json_text(value: Any) -> str:
    """Return JSON; infinities and NaN become null, because JSON has neither."""
    return json.dumps(_finite(value), indent=2, ensure_ascii=False, default=str)


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: _finite(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(entry) for entry in value]
    return value


def table(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[str] = ()) -> None:
    """Print a table on standard output; columns named in ``right`` are numbers."""
    shown = Table(header_style="bold", box=None, pad_edge=False)
    for head in heads:
        shown.add_column(head, justify="right" if head in right else "left", overflow="fold")
    for row in rows:
        shown.add_row(*(_plain(cell) for cell in row))
    width = None if sys.stdout.isatty() else 140
    console = Console(file=sys.stdout, width=width, highlight=False, markup=False)
    console.print(title, style="bold")
    if rows:
        console.print(shown)


def _plain(cell: str) -> str:
    """Control characters in a column's name or value must not reach the terminal."""
    return "".join(letter if letter.isprintable() else "·" for letter in cell)


def number(value: float | None, digits: int = 4) -> str:
    """Show a number with a sensible count of digits."""
    if value is None:
        return "–"
    if abs(value) < 1e-11:  # rounding of the arithmetic, not of the data
        return "0"
    size = abs(value)
    if size >= 10 ** (digits + 2) or size < 10**-4:
        return f"{value:.{digits - 1}e}"
    return f"{value:,.{digits}g}" if size < 10**digits else f"{value:,.0f}"


def show_error(error: TacitaError) -> None:
    """Print an error: one sentence; details with data values only when they were asked for."""
    if settings.as_json:
        shown: dict[str, Any] = {"error": type(error).__name__, "message": str(error)}
        if settings.show_values:
            shown["details"] = error.details
        if settings.debug:
            shown["frames"] = frames(error)
        typer.echo(json.dumps(shown, ensure_ascii=False, default=str), err=True)
        return
    say(f"Error: {error}")
    if error.details and settings.show_values:
        for name, value in error.details.items():
            say(f"  {name}: {value}")
    elif error.details:
        say("  (run again with 'tacita --show-values ...' to see the values)")
    if settings.debug:
        _say_frames(error)


def show_fault(error: BaseException, message: str = "") -> None:
    """Print what was not foreseen: one sentence and how to report it; its own message may quote data and is not shown."""
    kind = type(error).__name__
    said = message or (
        f"Tacita met a {kind} that it was not prepared for: a fault of the program, not of yours. "
        "Please report it with the command and what 'tacita --debug ...' prints, which has no data in it."
    )
    if settings.as_json:
        shown: dict[str, Any] = {"error": kind, "message": said}
        if settings.debug:
            shown["frames"] = frames(error)
        typer.echo(json.dumps(shown, ensure_ascii=False), err=True)
        return
    say(f"Error: {said}")
    if settings.debug:
        _say_frames(error)


def frames(error: BaseException) -> list[str]:
    """Return where an error came from: places in the program and types of errors, never a message or a value."""
    found: list[str] = []
    chain: list[BaseException] = []
    current: BaseException | None = error
    while current is not None and current not in chain and len(chain) < 10:
        chain.append(current)
        current = current.__cause__ or current.__context__
    for link in reversed(chain):
        places = [
            f"{place.filename}:{place.lineno} in {place.name}"
            for place in traceback.extract_tb(link.__traceback__, limit=200)
        ]
        if len(places) > 40:  # an endless recursion says the same again and again
            places = [*places[:20], f"... {len(places) - 40} more ...", *places[-20:]]
        found += [*places, type(link).__name__]
    return found


def _say_frames(error: BaseException) -> None:
    for line in frames(error):
        say(f"  {line}")


def show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Print a warning as a sentence; a warning of ours has no use for file names and line numbers."""
    del filename, lineno, file, line
    ours = {TacitaWarning: "Warning", TacitaNote: "Note"}
    prefix = next((word for kind, word in ours.items() if issubclass(category, kind)), category.__name__)
    say(f"{prefix}: {message}")


class _Bars:
    """Shows tasks as bars."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress

    def open(self, label: str, total: float | None) -> Task:
        return _Bar(self._progress, self._progress.add_task(label, total=total, note=""))

    def close(self, task: Task) -> None:
        if isinstance(task, _Bar):
            self._progress.remove_task(task.number)


@dataclass
class _Bar:
    progress: Progress
    number: TaskID

    def advance(self, amount: float = 1.0, /, *, note: str = "") -> None:
        self.progress.update(self.number, advance=amount, note=note)


@contextmanager
def progress_bars(as_json: bool = False) -> Iterator[None]:
    """Show progress bars on a terminal, none in a pipe."""
    settings.as_json = as_json
    if not sys.stderr.isatty():
        yield
        return
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    note = TextColumn("{task.fields[note]}")
    with (
        Progress(*columns, note, console=Console(stderr=True), transient=True) as progress,
        show_progress(_Bars(progress)),
    ):
        yield

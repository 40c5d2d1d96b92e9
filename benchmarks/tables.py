"""Run the benchmarks of a folder and print their rows as tables."""

from __future__ import annotations

import argparse
import datetime
import importlib
import inspect
import os
import pkgutil
import platform
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from rich.console import Console
from rich.table import Table

__all__ = ["main", "ratio_of", "timed", "timed_in_turn"]


def timed(work: Callable[[], Any], *, repeats: int = 3) -> float:
    """Return the shortest of some timings in seconds; the first, untimed call compiles and warms up."""
    work()
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def timed_in_turn(*works: Callable[[], Any], repeats: int = 3) -> list[float]:
    """Return the shortest timing of each work; they take turns, so that a busy moment hits them all."""
    best = [timed(work, repeats=1) for work in works]
    for _ in range(repeats - 1):
        for i, work in enumerate(works):
            start = time.perf_counter()
            work()
            best[i] = min(best[i], time.perf_counter() - start)
    return best


def ratio_of(slow: float, fast: float) -> float:
    """Return how many times faster ``fast`` is."""
    return slow / max(fast, 1e-9)


def main(package: ModuleType) -> None:
    """Run every module of a package that has ``run(quick)`` and print its rows."""
    parser = argparse.ArgumentParser(prog=f"python -m {package.__name__}", description=package.__doc__)
    parser.add_argument("--quick", action="store_true", help="smaller sizes, for a first look")
    parser.add_argument("--write", type=Path, help="put the tables into a page of the documentation too")
    parser.add_argument("names", nargs="*", help="only these benchmarks")
    options = parser.parse_args()
    names = [info.name for info in pkgutil.iter_modules(package.__path__) if not info.name.startswith("_")]
    unknown = set(options.names) - set(names)
    if unknown:
        sys.exit(f"There is no benchmark named {', '.join(sorted(unknown))}; there are {', '.join(names)}.")
    tables = []
    for name in options.names or names:
        module = importlib.import_module(f"{package.__name__}.{name}")
        about, rows = inspect.cleandoc(module.__doc__ or ""), module.run(options.quick)
        _print(name, about.partition("\n")[0], rows)
        tables.append((name, about, rows))
    if options.write is not None:
        options.write.parent.mkdir(parents=True, exist_ok=True)
        before = options.write.read_text(encoding="utf-8") if options.write.exists() else ""
        options.write.write_text(_page(package, names, tables, options.quick, before), encoding="utf-8")


def _print(name: str, title: str, rows: list[dict[str, Any]]) -> None:
    table = Table(title=f"{name}: {title}", title_justify="left", box=None, pad_edge=False, header_style="bold")
    heads = list(dict.fromkeys(key for row in rows for key in row))
    for head in heads:
        table.add_column(head, justify="left" if head in ("case", "data", "target") else "right")
    for row in rows:
        table.add_row(*(_cell(row.get(head, "")) for head in heads))
    Console(width=150, highlight=False, markup=False).print(table, "")


def _page(
    package: ModuleType, names: list[str], tables: list[tuple[str, str, list[dict[str, Any]]]], quick: bool, before: str
) -> str:
    """Return the tables as Markdown, each with the date of its run; those that were not run now stay as they were."""
    kind = package.__name__.rpartition(".")[2]
    sections = {part.partition("\n")[0]: part.partition("\n")[2].strip() for part in before.split("\n## ")[1:]}
    sections |= {name: _section(about, rows, quick) for name, about, rows in tables}
    lines = [
        f"# Benchmarks: {kind}",
        "",
        "Written by the benchmarks themselves. Times are seconds in one run and mean something only beside each other.",
        "",
    ]
    for name in names:
        if name in sections:
            lines += [f"## {name}", "", sections[name], ""]
    return "\n".join(lines)


def _section(about: str, rows: list[dict[str, Any]], quick: bool) -> str:
    heads = list(dict.fromkeys(key for row in rows for key in row))
    day, size = datetime.date.today().isoformat(), " (quick sizes)" if quick else ""
    lines = [about, "", "| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    lines += ["| " + " | ".join(_cell(row.get(head, "")) for head in heads) + " |" for row in rows]
    lines += ["", f"Measured on {day} with {os.cpu_count()} cores, Python {platform.python_version()}{size}."]
    return "\n".join(lines)


def _cell(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4g}"
    return f"{value:,}" if isinstance(value, int) else str(value)

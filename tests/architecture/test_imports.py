"""Imports go one way; the walls around solvers, frames and drawings hold."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.architecture.ladder import LADDER
from tests.architecture.source import SRC, for_each, imports, parsed, room, source_files

every_source = for_each(source_files())

STEP = {name: height for height, names in enumerate(LADDER) for name in names}
EVERYWHERE = set(STEP)

THIRD_PARTY = {
    "numpy": EVERYWHERE,
    "scipy": {
        "numeric",
        "solve",
        "mask",
        "risk",
        "loss",
        "compare",
        "study",
        "tables",
        "attack",
        "query",
        "data",
        "logs",
        "games",
    },
    "threadpoolctl": {"numeric"},
    # frames and files
    "pyarrow": {"data", "mask", "release", "compare", "logs"},
    "narwhals": {"data"},
    "pandas": {"data"},
    "polars": {"data"},
    "duckdb": {"data"},
    "pyreadstat": {"data"},
    "openpyxl": {"data"},
    "adbc_driver_postgresql": {"data"},
    "adbc_driver_manager": {"data"},
    # the accounts of a server, where PostgreSQL keeps them
    "psycopg": {"web"},
    # the server and its pages; starlette is what FastAPI is made of
    "fastapi": {"web"},
    "starlette": {"web"},
    "uvicorn": {"web"},
    "jinja2": {"web"},
    # keyed hashes of records, lines between peers; regressions; noise with a proof
    "cryptography": {"core", "games"},
    "statsmodels": {"query"},
    "opendp": {"query"},
    # solvers, pictures, terminal
    "highspy": {"solve"},
    # trees for propensity scores and synthetic donors
    "sklearn": {"loss", "mask"},
    "altair": {"report"},
    "vl_convert": {"report"},
    "IPython": {"report"},
    "typer": {"cli"},
    "click": {"cli"},
    "rich": {"cli"},
    # the JPEG mask compresses with the real thing
    "PIL": {"mask"},
}
"""Which room may import which library. A new library is a decision: enter it here, with the one room that needs it."""

LAZY = {
    "adbc_driver_manager",
    "adbc_driver_postgresql",
    "cryptography",
    "opendp",
    "psycopg",
    "statsmodels",
    "scipy",
    "pandas",
    "polars",
    "duckdb",
    "narwhals",
    "altair",
    "vl_convert",
    "IPython",
    "pyreadstat",
    "PIL",
    "highspy",
    "sklearn",
}
"""Heavy libraries: outside ``numeric`` and ``report`` they are imported inside the function that needs them."""


def test_every_room_is_on_the_ladder() -> None:
    rooms = {path.name for path in SRC.iterdir() if path.is_dir() and any(path.glob("*.py"))}
    assert rooms - set(STEP) == set(), "a new room needs its place on the ladder"


@every_source
def test_imports_go_down(path: Path) -> None:
    here = room(path)
    for module, line, _ in imports(path):
        if not module.startswith("tacita."):
            continue
        there = module.split(".")[1]
        if here and there in STEP and there != here:
            assert STEP[there] < STEP[here], f"{path.name}:{line}: {here} must not import {there}"


@every_source
def test_rooms_do_not_import_the_public_face(path: Path) -> None:
    """``import tacita`` inside the package would hide which room is used."""
    for module, line, _ in imports(path):
        assert not (room(path) and module == "tacita"), f"{path.name}:{line}: import from the room, not from tacita"


@every_source
def test_third_parties_stay_behind_their_walls(path: Path) -> None:
    for module, line, _ in imports(path):
        top = module.partition(".")[0]
        if top in sys.stdlib_module_names or top == "tacita" or not room(path):
            continue
        allowed = THIRD_PARTY.get(top)
        assert allowed is not None, f"{path.name}:{line}: '{top}' is new; enter it in THIRD_PARTY"
        assert room(path) in allowed, f"{path.name}:{line}: only {', '.join(sorted(allowed))} may import {top}"


@every_source
def test_heavy_libraries_load_when_used(path: Path) -> None:
    for module, line, at_once in imports(path):
        if module.partition(".")[0] in LAZY and room(path) not in {"numeric", "report"}:
            assert not at_once, f"{path.name}:{line}: import {module} inside the function that needs it"


@every_source
def test_nothing_is_imported_by_a_text(path: Path) -> None:
    """A module named in a string escapes the ladder; only the public face, verbs and optional file formats need it."""
    if path in {
        SRC / "__init__.py",
        SRC / "cli" / "main.py",
        SRC / "data" / "formats" / "base.py",
        SRC / "core" / "moved.py",
        SRC / "core" / "machine_code.py",
    }:
        return
    names = {module for module, _, _ in imports(path)}
    assert "importlib" not in names
    assert "__import__" not in {getattr(node, "id", "") for node in parsed(path).body}


def test_the_root_has_no_code_of_its_own() -> None:
    assert {p.name for p in SRC.glob("*.py")} <= {"__init__.py", "_version.py", "__main__.py"}

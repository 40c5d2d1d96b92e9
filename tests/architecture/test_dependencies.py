"""What the package imports is declared, and what is declared has a version that everybody gets."""

from __future__ import annotations

import re
import sys
import tomllib
from importlib.metadata import packages_distributions

import pytest

from tests.architecture.source import ROOT, imports, source_files

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
SERVER = {"fastapi", "jinja2", "psycopg", "starlette", "uvicorn"}
OPTIONAL = SERVER | {
    "pyreadstat", "openpyxl", "pandas", "polars", "opendp", "adbc_driver_manager", "adbc_driver_postgresql",
    "IPython",
}  # fmt: skip
"""May be missing; the code that imports them says how to get them, or works without."""


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def names(requirements: list[str]) -> set[str]:
    return {plain(re.match(r"[\w.-]+", requirement)[0]) for requirement in requirements}


def imported() -> dict[str, str]:
    """Every library that the package imports, with a place where it does."""
    found = {}
    for path in source_files():
        for module, line, _ in imports(path):
            top = module.split(".")[0]
            if top not in sys.stdlib_module_names and top not in ("tacita", "__future__"):
                found.setdefault(top, f"{path.name}:{line}")
    return found


@pytest.mark.parametrize(("module", "place"), sorted(imported().items()))
def test_every_import_is_declared(module: str, place: str) -> None:
    sources = {plain(name) for name in packages_distributions().get(module, [module])}
    declared = names(PROJECT["dependencies"])
    if module == "starlette":
        return  # what FastAPI is made of
    if module in OPTIONAL:
        declared |= {name for extra in PROJECT["optional-dependencies"].values() for name in names(extra)}
    assert sources & declared, f"'{module}' is imported in {place}; declare it in pyproject.toml"


def test_every_dependency_has_its_version() -> None:
    fixed = names((ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines())
    extras = PROJECT["optional-dependencies"]
    declared = names(PROJECT["dependencies"]) | names(extras["formats"]) | names(extras["dev"])
    assert declared - {"tacita"} <= fixed

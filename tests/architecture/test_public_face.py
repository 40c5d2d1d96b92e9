"""What a user sees first: few names, all of them there, and nothing heavy before it is needed."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys

import pytest

import tacita
from tacita.cli.main import VERBS
from tests.architecture.source import ROOT

HEAVY = (
    "numba",
    "llvmlite",
    "scipy",
    "pandas",
    "polars",
    "altair",
    "vl_convert",
    "duckdb",
    "sklearn",
    "PIL",
    "matplotlib",
)


def _loaded_by(code: str, *modules: str) -> set[str]:
    report = f"import sys; print(*[m for m in {modules!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", f"{code}\n{report}"], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_there_are_few_public_names() -> None:
    assert 10 <= len(tacita.__all__) <= 55
    assert len(set(tacita.__all__)) == len(tacita.__all__)


@pytest.mark.parametrize("name", tacita.__all__)
def test_public_names_resolve(name: str) -> None:
    found = getattr(tacita, name)
    assert name == "__version__" or inspect.getdoc(found), f"tacita.{name} is not documented"
    assert name in dir(tacita)


def test_version_is_that_of_the_package() -> None:
    from tacita._version import __version__

    assert tacita.__version__ == __version__


def test_unknown_names_are_attribute_errors() -> None:
    with pytest.raises(AttributeError, match="module 'tacita' has no attribute 'maskk'"):
        _ = tacita.maskk


def test_import_is_light() -> None:
    assert _loaded_by("import tacita", *HEAVY, "pyarrow", "numpy", "narwhals", "typer", "rich") == set()


def test_the_registry_loads_nothing_heavy() -> None:
    assert _loaded_by("from tacita.core import registry; registry.load_all()", *HEAVY, "narwhals") == set()


def test_microdata_load_nothing_heavy() -> None:
    code = "import pyarrow as pa, tacita as tc; tc.Microdata.from_frame(pa.table({'a': [1]})).float('a')"
    # pyarrow itself looks for pandas when it makes an array
    assert _loaded_by(code, *HEAVY) - {"pandas"} == set()


def test_nothing_compiles_while_the_user_waits() -> None:
    """A kernel runs and no compiler is loaded; the check above is worth something, for the same process does load libraries."""
    code = "import tacita as tc; tc.mask.RankSwap(columns='age').apply(tc.samples.household_survey(20, seed=1), seed=1)"
    assert _loaded_by(code, "numba", "llvmlite", "tacita_perturbation") <= {"tacita_perturbation"}
    assert _loaded_by(f"{code}; import scipy", *HEAVY) >= {"scipy"}


def test_command_line_starts_light() -> None:
    assert _loaded_by("import tacita.cli.main", *HEAVY, "numpy", "tacita.mask", "tacita.tables") == set()


@pytest.mark.parametrize("verb", sorted(VERBS))
def test_every_verb_is_in_the_docs(verb: str) -> None:
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    assert any(re.search(rf"\btacita {verb}\b", page.read_text(encoding="utf-8")) for page in pages)

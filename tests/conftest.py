"""What all tests share: reference data, a clean registry, repeatable Hypothesis, the tools."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tacita.core import registry
from tests.effort import is_among_the_longest, load_profile

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tools"))  # the tools are no package


def pytest_configure(config: pytest.Config) -> None:
    """Choose how many examples are tried, before any test file is read."""
    load_profile(config.option.markexpr)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark the longest tests as slow."""
    if is_among_the_longest(item.nodeid):
        item.add_marker(pytest.mark.slow)


def reference_directory() -> Path:
    """Where the reference data sets of the field are."""
    told = os.environ.get("TACITA_REFERENCE_DATA")
    return Path(told) if told else ROOT.parent / "shared" / "data"


@pytest.fixture(scope="session")
def reference() -> Callable[[str], Path]:
    """Give the path of a reference file, or skip the test with the reason."""

    def find(name: str) -> Path:
        path = reference_directory() / name
        if not path.exists():
            pytest.skip(f"reference data '{name}' is not there; set TACITA_REFERENCE_DATA to its directory")
        return path

    return find


@pytest.fixture
def clean_registry() -> Iterator[None]:
    """Take back every method that a test registers."""
    before = set(registry.methods())
    yield
    for method in set(registry.methods()) - before:
        registry.unregister(method)

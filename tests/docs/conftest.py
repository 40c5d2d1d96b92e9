"""What the tests of the documentation share: the generated reference."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Generate the reference, once for all workers of a run."""
    from docs_reference import generate

    run = os.environ.get("PYTEST_XDIST_TESTRUNUID")
    if run is None:
        directory = tmp_path_factory.mktemp("docs") / "reference"
        generate(directory)
        return directory
    shared = tmp_path_factory.getbasetemp().parent / f"docs-{run}"
    try:
        shared.mkdir()  # whoever makes it, fills it
    except FileExistsError:
        return _wait_for(shared)
    try:
        generate(shared / "reference")
    except BaseException:
        (shared / "failed").touch()
        raise
    (shared / "done").touch()
    return shared / "reference"


def _wait_for(shared: Path) -> Path:
    while not (shared / "done").exists():
        assert not (shared / "failed").exists(), "another worker could not generate the reference; see its failure"
        time.sleep(0.2)
    return shared / "reference"

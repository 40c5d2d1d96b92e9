"""Where the reference files of the field are: they do not come with the package, and are used where they are found."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["reference_directory", "reference_path"]


def reference_directory() -> Path | None:
    """Return where the reference files are: TACITA_REFERENCE_DATA, or shared/data beside the project; None if nowhere."""
    told = os.environ.get("TACITA_REFERENCE_DATA")
    project = Path(__file__).resolve().parents[4]
    places = [Path(told)] if told else [project.parent / "shared" / "data", Path("../shared/data")]
    return next((place for place in places if place.is_dir()), None)


def reference_path(name: str) -> Path | None:
    """Return the file of a name in that directory, such as ``census.csv``; None where it is not there."""
    directory = reference_directory()
    path = None if directory is None else directory / name
    return path if path is not None and path.is_file() else None

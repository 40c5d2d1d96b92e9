"""The ledger of releases: what was released of which input, so that a second release of the same input is noticed."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path

from tacita.core.errors import FileError, RepeatedReleaseWarning, TacitaWarning
from tacita.core.metadata import parse_json, read_text

__all__ = ["LEDGER", "entries_beside", "ledger_entries", "warn_of_repetition"]

LEDGER = "ledger.json"
"""Name of the file in ``internal/``."""
_WORDS = ("input_sha256", "release_sha256")


def ledger_entries(path: Path) -> list[dict[str, str]]:
    """Return the entries of a ledger; what is no ledger is said and counts as none."""
    if not path.exists():
        return []
    try:
        entries = parse_json(read_text(path, "The ledger"), "The ledger")
    except FileError:
        entries = None
    if isinstance(entries, list):
        known = [e for e in entries if isinstance(e, dict) and all(isinstance(e.get(word), str) for word in _WORDS)]
        if len(known) == len(entries):
            return known
    else:
        known = []
    warnings.warn(
        f"'{path.name}' of '{path.parent.parent.name}' is no ledger, or is damaged; releases that it may have listed are not "
        "compared with this one.",
        TacitaWarning,
        stacklevel=3,
    )
    return known


def entries_beside(target: Path) -> list[dict[str, str]]:
    """Return the ledger entries of releases that stand beside a new one."""
    found: list[dict[str, str]] = []
    for ledger in sorted(target.parent.glob(f"*/internal/{LEDGER}")):
        if ledger.parent.parent != target:
            found.extend(ledger_entries(ledger))
    return found


def warn_of_repetition(entry: Mapping[str, str], known: Sequence[Mapping[str, str]]) -> None:
    """Warn when the input of an entry was released before in another way.

    Warns
    -----
    RepeatedReleaseWarning
        When an entry of the same input has another seed or recipe.
    """
    earlier = {
        e.get("release_sha256")
        for e in known
        if e.get("input_sha256") == entry["input_sha256"] and e.get("release_sha256") != entry["release_sha256"]
    }
    if earlier:
        warnings.warn(
            f"This input was released before with another seed or recipe ({len(earlier)} time(s)). "
            "Several noisy versions of one file average out; publish one of them only.",
            RepeatedReleaseWarning,
            stacklevel=3,
        )

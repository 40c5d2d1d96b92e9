"""The ledger: entries are read, damaged ones are said, and repetitions are warned of."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import pytest

from tacita.core.errors import RepeatedReleaseWarning, TacitaWarning
from tacita.release.ledger import LEDGER, entries_beside, ledger_entries, warn_of_repetition


def entry(number: int, seed: int = 1) -> dict[str, str]:
    return {"input_sha256": f"{number}", "release_sha256": f"{number} {seed}"}


def test_entries_of_neighbours(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name / "internal").mkdir(parents=True)
        (tmp_path / name / "internal" / LEDGER).write_text(json.dumps([entry(1)]))
    assert entries_beside(tmp_path / "c") == [entry(1), entry(1)]
    assert entries_beside(tmp_path / "a") == [entry(1)]
    assert ledger_entries(tmp_path / "c" / LEDGER) == []


@pytest.mark.parametrize("text", ["{", "{}", '[{"input_sha256": 3}]', "[1]", "\x00"])
def test_what_is_no_ledger_is_said(tmp_path: Path, text: str) -> None:
    place = tmp_path / "release" / "internal"
    place.mkdir(parents=True)
    (place / LEDGER).write_text(text)
    with pytest.warns(TacitaWarning, match="no ledger, or is damaged"):
        assert ledger_entries(place / LEDGER) == []


def test_only_another_release_of_the_same_input_is_a_repetition() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warn_of_repetition(entry(1), [entry(1), entry(2, seed=5)])
    with pytest.warns(RepeatedReleaseWarning, match="1 time"):
        warn_of_repetition(entry(1), [entry(1, seed=2)])

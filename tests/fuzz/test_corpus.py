"""Every input that once failed, and hostile files made by hand: read or refused, nothing else."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest
from fuzz.__main__ import Record
from fuzz.mutate import damaged
from fuzz.targets import TARGETS, Target
from fuzz.worker import content_of, outcome

from tacita.core.errors import FileError

CORPUS = Path(__file__).resolve().parents[2] / "fuzz" / "corpus"
KINDS = {name.replace(" ", "-"): target for name, target in TARGETS.items()}
FILES = sorted(path for path in CORPUS.rglob("*") if path.is_file())


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(CORPUS)))
def test_hostile_files_cost_an_error_message(path: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copy(path, tmp_path))
    assert outcome(KINDS[path.parent.name], copy) in ("read", "refused")


@pytest.mark.parametrize("target", [t for t in TARGETS.values() if not t.foreign], ids=lambda target: target.name)
def test_whole_files_are_read_and_damaged_ones_do_no_harm(target: Target, tmp_path: Path) -> None:
    seeds = target.seeds()
    for number in range(len(seeds) + 4):
        place = tmp_path / str(number)
        place.mkdir()
        path = place / f"input{target.ending}"
        path.write_bytes(content_of(target, seeds, 0, number))
        found = outcome(target, path)
        assert found == "read" if number < len(seeds) else found in ("read", "refused")


@pytest.mark.parametrize("target", [t for t in TARGETS.values() if t.foreign], ids=lambda target: target.name)
def test_whole_foreign_files_are_read(target: Target, tmp_path: Path) -> None:
    (tmp_path / f"input{target.ending}").write_bytes(target.seeds()[0])
    # No free program writes sas7bdat, so its file is a head without data.
    assert outcome(target, tmp_path / f"input{target.ending}") == ("refused" if target.name == "sas7bdat" else "read")


def test_damage_follows_from_the_seed() -> None:
    seeds = [b"some whole file, long enough to be damaged"]
    assert damaged(seeds, random.Random(1)) == damaged(seeds, random.Random(1))
    assert len({damaged(seeds, random.Random(seed)) for seed in range(50)}) > 30


def test_what_is_looked_for_is_found(tmp_path: Path) -> None:
    def raises(path: Path) -> None:
        raise IndexError(path)

    def quotes(path: Path) -> None:
        raise FileError("there is a ZQCANARY in it")

    (tmp_path / "a").write_bytes(b"x\n")
    assert outcome(Target("t", "", raises, list), tmp_path / "a").startswith("raised IndexError")
    assert outcome(Target("t", "", quotes, list), tmp_path / "a").startswith("quoted")
    record = Record()
    for result, seconds, peak in (
        ("read", 11.0, 1),
        ("refused", 0.1, 2_000_000),
        ("crashed with -11", 0.1, 1),
        ("read", 1.0, 1),
    ):
        record.take(0, result, seconds, peak)
    assert record.counts == {"hung": 1, "swelled": 1, "crashed": 1, "read": 1}
    assert record.failed == 3

"""A release of a small business file, its copies, and what a coalition makes of them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pyarrow as pa

import tacita as tc
from tacita.core.keyed import Key
from tacita.data.microdata import Microdata
from tacita.data.schema import Column, Schema
from tacita.release.recipients.copies import FingerprintedCopies
from tacita.release.recipients.plan import plan_fingerprints
from tacita.release.recipients.released import ReleasedFile, measured_noise, read_released

AMOUNTS = ("turnover", "wages", "exports", "stock")
KEY = Key(bytes(range(100, 132)))


def business_file(n: int = 1500, seed: int = 1) -> Microdata:
    """Amounts that go together, in whole numbers and with two decimals, with zeros and gaps; a sector and a weight."""
    rng = np.random.default_rng(seed)
    common = rng.normal(0, 0.5, n)
    amounts = {name: np.exp(9 + common + rng.normal(0, 0.6, n)) for name in AMOUNTS}
    table: dict[str, pa.Array] = {
        "firm": pa.array([f"F{i:05d}" for i in range(n)]),
        "sector": pa.array(rng.choice(["food", "metal", "trade"], n)),
        "staff": pa.array(rng.poisson(8, n) + 1),
    }
    for name, x in amounts.items():
        rounded = np.round(x, 2 if name == "stock" else 0)
        rounded[rng.random(n) < (0.3 if name == "exports" else 0.0)] = 0.0
        gaps = rng.random(n) < 0.03
        table[name] = pa.array(rounded, mask=gaps) if name == "stock" else pa.array(rounded.astype(np.int64), mask=gaps)
    table["weight"] = pa.array(np.round(rng.uniform(1, 20, n), 2))
    schema = Schema(
        (
            Column(name="firm", scale="nominal", roles=("identifier",)),
            Column(name="sector", scale="nominal", roles=("key",)),
            Column(name="staff", scale="numeric", roles=("key",)),
            *(Column(name=name, scale="numeric", roles=("confidential",), bounds=(0, None)) for name in AMOUNTS),
            Column(name="weight", scale="numeric", roles=("weight",)),
        )
    )
    return Microdata(pa.table(table), schema)


def write_release(directory: Path, n: int = 1500, seed: int = 7) -> tuple[Microdata, Path]:
    """Write the original and a release of it; return the original as it is read, and the directory of the release."""
    from tacita.data.schema_file import schema_to_toml

    tc.write(business_file(n), directory / "firms.csv")
    (directory / "firms.toml").write_text(schema_to_toml(business_file(n).schema), encoding="utf-8")
    original = tc.read(directory / "firms.csv", schema=directory / "firms.toml")
    made = tc.Recipe([tc.mask.AdditiveNoise(columns=list(AMOUNTS), sd_ratio=0.2)]).apply(original, seed=2**100 + seed)
    made.write(directory / "release")
    return original, directory / "release"


def copies_of(released: ReleasedFile, original: Microdata, recipients: int = 30, **how: object) -> FingerprintedCopies:
    plan = plan_fingerprints(
        released.masked, measured_noise(released, original), bounds=released.bounds, **{"coalition": 3, **how}
    )  # type: ignore[arg-type]
    names = tuple(f"Institute {i}" for i in range(1, recipients + 1))
    return FingerprintedCopies(masked=released.masked, plan=plan, key=KEY, recipients=names, release=released.digest)


@cache
def made_once() -> tuple[Microdata, ReleasedFile, FingerprintedCopies]:
    """A release and its copies, made once for all tests that only read them."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        original, place = write_release(Path(folder))
        released = read_released(place)
        return original, released, copies_of(released, original)


def mixed(files: list[Microdata], how: str, seed: int = 1) -> Microdata:
    """What a coalition makes of its copies."""
    rng = np.random.default_rng(seed)
    first, n = files[0], len(files[0])
    made = {}
    row_of = rng.integers(0, len(files), n)
    for name in AMOUNTS:
        x = np.stack([file.float(name) for file in files])
        made[name] = {
            "one": lambda x: x[0],
            "averaged": lambda x: np.round(x.mean(axis=0)),
            "cell by cell": lambda x: np.take_along_axis(x, rng.integers(0, len(x), x.shape[1])[None], 0)[0],
            "row by row": lambda x: x[row_of, np.arange(n)],
            "the least": lambda x: x.min(axis=0),
            "the largest": lambda x: x.max(axis=0),
            "rounded to hundreds": lambda x: np.round(x.mean(axis=0), -2),
            "noisy": lambda x: x.mean(axis=0) + rng.normal(0, 300, n),
        }[how](x)
    return first.with_numbers(made)

"""Key tallies: in memory and from files the same, in chunks of any size, with text and numbers as identities."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.core.keyed import Key
from tacita.data.store.key_tally import KeyTally, in_order_of, key_tally, record_keys_of
from tacita.data.store.key_tally_file import key_tally_of_file

KEY = Key(bytes(range(3, 67, 2)))


def cells(found: KeyTally) -> dict[tuple[str, ...], tuple[int, ...]]:
    """Codes in words to number and sums."""
    tally = found.tally
    words = [
        tuple(tally.categories[j][k] if k >= 0 else "-" for j, k in enumerate(row)) for row in tally.codes.tolist()
    ]
    numbers = zip(found.records.tolist(), *found.sums.T.tolist(), strict=True)
    return dict(zip(words, numbers, strict=True))


@pytest.fixture(params=["numbers", "text"])
def data(request: pytest.FixtureRequest) -> tc.Microdata:
    rng = np.random.default_rng(8)
    ids = rng.permutation(5000)[:300]
    return tc.Microdata.from_frame(
        pa.table(
            {
                "id": ids if request.param == "numbers" else [f"p{k}" for k in ids],
                "a": pa.array([None if k == 0 else f"a{k}" for k in rng.integers(0, 4, 300)]),
                "b": rng.integers(0, 3, 300),
            }
        )
    )


@pytest.mark.parametrize("chunk", [7, 100_000])
@pytest.mark.parametrize("ending", ["parquet", "csv"])
def test_files_and_memory_agree(data: tc.Microdata, tmp_path: Path, ending: str, chunk: int) -> None:
    tc.write(data, tmp_path / f"x.{ending}")
    whole = key_tally(data, ["a", "b"], keys=record_keys_of(data, "id", KEY))
    other = key_tally_of_file(tmp_path / f"x.{ending}", ["a", "b"], identity="id", key=KEY, chunk=chunk)
    assert cells(other) == cells(whole)


def test_many_thinkable_combinations_take_no_room() -> None:
    """Combinations are numbered by those that occur, however many there could be."""
    n = 400
    frame = {"id": np.arange(n)} | {f"c{j}": (np.arange(n) * (j + 3)) % 97 for j in range(11)}
    data = tc.Microdata.from_frame(pa.table(frame))
    names = [f"c{j}" for j in range(11)]
    keys = record_keys_of(data, "id", KEY)
    for some in (names[:2], names[:5], names):
        found = key_tally(data, some, keys=keys, threads=3)
        assert len(found.records) == 97
        assert found.records.sum() == n
        assert found.sums.sum(axis=0).tolist() == keys.sum(axis=0).tolist()


def test_order_of_identities() -> None:
    data = tc.Microdata.from_frame(pa.table({"id": [3, 1, 2], "x": [30, 10, 20]}))
    assert in_order_of(data, "id").float("x").tolist() == [10, 20, 30]

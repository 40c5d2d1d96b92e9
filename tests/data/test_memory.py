"""Memory goes back to the system."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from tacita.data import memory

STATUS = Path("/proc/self/statm")


def resident() -> int:
    return int(STATUS.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_what_lies_between_things_in_use_goes_back() -> None:
    if memory._trimming() is None or not STATUS.exists():
        pytest.skip("the system's allocator cannot be trimmed, or its memory not be looked at")
    pool = pa.system_memory_pool()
    made = [pa.array(np.arange(12_500)).cast(pa.float64(), memory_pool=pool) for _ in range(500)]  # 100 kB each
    kept = made[::50]
    del made
    before = resident()
    memory.trim()
    assert resident() < before - 20e6
    assert all(array[-1].as_py() == 12_499 for array in kept)


def test_little_is_not_worth_it(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[int] = []
    monkeypatch.setattr(memory, "trim", lambda: called.append(1))
    memory.give_back(1000)
    assert not called
    memory.give_back(2**20)
    assert called


def test_without_such_an_allocator_nothing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(memory, "_trimming", lambda: asked.append(1))
    memory.trim()
    assert asked

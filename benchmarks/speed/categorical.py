"""Frequencies of key combinations, PRAM, record swapping and special uniques, against what a known tool needs for them."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa

from benchmarks.speed.local_suppression import CATEGORIES, skewed_keys
from tacita.data.keys.key_counts import count_keys
from tacita.data.microdata import Microdata
from tacita.mask.randomise.pram import Pram
from tacita.mask.swap.record_swap import RecordSwap
from tacita.risk.suda import Suda

__all__ = ["run"]


def _keys(n: int, *, missing: float = 0.0, seed: int = 1) -> Microdata:
    """Seven skewed keys as codes of one byte, with weights."""
    rng, columns = np.random.default_rng(seed), {}
    for place, many in enumerate(CATEGORIES):
        shares = np.exp(-0.6 * np.arange(many))
        codes = pa.array(rng.choice(many, n, p=shares / shares.sum()).astype(np.int8))
        if missing:
            codes = pa.array(codes.to_numpy(), mask=rng.random(n) < missing)
        columns[f"k{place + 1}"] = pa.DictionaryArray.from_arrays(codes, pa.array([str(c) for c in range(many)]))
    names = list(columns)
    columns["w"] = pa.array(rng.uniform(1, 20, n))
    return Microdata.from_frame(pa.table(columns), keys=names, weight="w")


def _people(n: int, *, seed: int = 1) -> Microdata:
    """Households of one to five in twenty regions of four parts."""
    rng = np.random.default_rng(seed)
    household = np.repeat(np.arange(n), rng.integers(1, 6, n))[:n]
    region = rng.integers(0, 20, household.max() + 1)[household]
    size = np.bincount(household)[household]
    columns = {
        "household": pa.array(household),
        "part": pa.array(region // 5).cast(pa.string()),
        "region": pa.array(region).cast(pa.string()),
        "size": pa.array(size).cast(pa.string()),
        "age": pa.array(rng.integers(0, 18, n)).cast(pa.string()),
        "sex": pa.array(rng.integers(0, 2, n)).cast(pa.string()),
    }
    keys = ["part", "region", "size", "age", "sex"]
    return Microdata.from_frame(
        pa.table(columns), keys=keys, household="household", scales=dict.fromkeys(keys, "nominal")
    )


def _row(case: str, n: int, work: Callable[[], Any], known: float, target: str, repeats: int) -> dict[str, Any]:
    best = float("inf")
    for _ in range(repeats):
        begin = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - begin)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return {
        "case": case,
        "n": n,
        "ours_s": best,
        "known_s": known,
        "times faster": known / best,
        "target": target,
        "peak so far, MB": peak,
    }


def run(quick: bool) -> list[dict[str, Any]]:
    """Time each task on data like those of the known figures."""
    repeats = 1 if quick else 3
    small = _keys(1000)
    names = list(small.schema.keys)
    count_keys(small, names).frequencies()
    count_keys(_keys(1000, missing=0.005), names).frequencies("wildcard")  # compiles the kernels
    million = _keys(1_000_000)
    rows = [
        _row("fk and Fk, 7 keys", 1_000_000, lambda: count_keys(million, names).frequencies(), 1.4, "", repeats),
    ]
    gaps = _keys(1_000_000, missing=0.005)
    rows.append(
        _row(
            "fk and Fk, 0.5 % missing as wildcards",
            1_000_000,
            lambda: count_keys(gaps, names).frequencies("wildcard"),
            21.0,
            ">= 50",
            repeats,
        )
    )
    if not quick:
        many = _keys(10_000_000)
        rows.append(
            _row("fk and Fk, 7 keys", 10_000_000, lambda: count_keys(many, names).frequencies(), 13.0, ">= 10", repeats)
        )
        del many
    pram = Pram(columns=names[:3])
    pram.apply(small, seed=1)
    rows.append(_row("PRAM, 3 columns", 1_000_000, lambda: pram.apply(million, seed=1), 18.0, ">= 30", repeats))
    swap = RecordSwap(geography=["part", "region"], risk=["age", "sex"], profiles=[["size"]], k=3, rate=0.05)
    swap.apply(_people(1000), seed=1)
    people = _people(1_000_000)
    rows.append(_row("record swapping", 1_000_000, lambda: swap.apply(people, seed=1), 8.0, ">= 5", repeats))
    special, keyed = Suda(), skewed_keys(100_000, seed=1)
    special.assess(skewed_keys(1000, seed=1))
    rows.append(_row("SUDA2, 7 keys", 100_000, lambda: special.assess(keyed), 0.24, ">= 3", repeats))
    return rows

"""SAFE on a census of 2 x 4 x 7 x 8 x 111 categories in many regions: how far tables deviate, in which time and memory.

Controlled are all tables of up to three variables; deviations are counted again from the two files. Work is counted in sweeps, so
that a seed repeats: `cpu_s` is what they took of the processor, searching and moving the records. The variables of the drawn
file are independent, which is the hardest case; those of the register hang together.
"""

from __future__ import annotations

import itertools
import resource
import sys
import time
from typing import Any

import numpy as np
import pyarrow as pa

from tacita.data.microdata import Microdata
from tacita.data.samples import census_register
from tacita.mask.safe.safe import Safe
from tacita.mask.safe.safe_certificate import certify_safe

__all__ = ["census", "run"]

_AGES = ([0, 10, 25, 40, 55, 65, 75, 85, 93, 100, 110], [1, 1.1, 1.25, 1.3, 1.5, 1.2, 0.9, 0.4, 0.08, 0.006, 0.0005])


def census(n: int, regions: int, *, seed: int = 1) -> Microdata:
    """Draw n persons with six independent skewed variables."""
    rng = np.random.default_rng(seed)
    shares = {
        "sex": np.array([0.49, 0.51]),
        "marital": np.exp(-0.8 * np.arange(4)),
        "education": np.exp(-0.5 * np.arange(7)),
        "birth": np.exp(-0.9 * np.arange(8)),
        "age": np.interp(np.arange(111), *_AGES),
        "region": np.exp(rng.normal(0, 0.7, regions)),
    }
    columns = {}
    for name, share in shares.items():
        codes = rng.choice(len(share), n, p=share / share.sum()).astype(np.int16)
        columns[name] = pa.DictionaryArray.from_arrays(codes, pa.array([f"{name}{c:05d}" for c in range(len(share))]))
    return Microdata.from_frame(pa.table(columns), keys=list(columns), scales=dict.fromkeys(columns, "nominal"))


def _row(case: str, data: Microdata, mask: Safe, target: str) -> dict[str, Any]:
    four = tuple(itertools.combinations(data.names, 4))
    begin, used = time.perf_counter(), time.process_time()
    masked = mask.apply(data, seed=1)
    seconds, used = time.perf_counter() - begin, time.process_time() - used
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    found = certify_safe(data, masked, mask, others=four)
    if not (found.is_safe and found.is_real and found.is_total_kept):
        raise SystemExit(f"{case}: the certificate failed")
    return {
        "case": case,
        "n": len(data),
        "ours_s": seconds,
        "cpu_s": used,
        "largest": found.largest,
        "mean": found.mean,
        "largest, 4 variables": max(t.largest for t in found.tables if not t.is_controlled),
        "target": target,
        "peak so far, MB": peak,
    }


def run(quick: bool) -> list[dict[str, Any]]:
    """Mask files of growing size; controlled are all tables of up to three variables."""
    small = census(100_000, 1000)
    Safe(sweeps=1).apply(small.take(np.arange(1000)), seed=1)  # loads what is loaded once
    rows = [_row("1000 regions", small, Safe(), "<= 6 in 60 s")]
    if quick:
        return rows
    large = census(1_000_000, 1000)
    soft = tuple(itertools.combinations(large.names, 4))
    rows.append(_row("1000 regions, 100 sweeps", large, Safe(sweeps=100), "<= 8 in 120 s"))
    rows.append(_row("1000 regions", large, Safe(), "<= 6 in 600 s, mean <= 1.6, 2 GB"))
    rows.append(_row("1000 regions, 1600 sweeps", large, Safe(sweeps=1600), "a trial: 5 in 300 s"))
    rows.append(_row("1000 regions, soft tables of 4", large, Safe(soft=soft), "4 variables <= 40"))
    rows.append(_row("10 000 regions", census(1_000_000, 10_000), Safe(), "shown"))
    people = census_register(1_000_000, seed=1, regions=1000).select(
        ["municipality", "sex", "marital", "education", "birth_country", "age"]
    )
    rows.append(_row("register, 1000 municipalities", people, Safe(columns=people.names), "<= 6 in 600 s"))
    return rows


if __name__ == "__main__":
    for row in run("--quick" in sys.argv):
        sys.stdout.write(f"{row}\n")

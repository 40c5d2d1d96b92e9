"""The queryable database on a million records: first and repeated answers, many new tables, regressions, the auditor, memory."""

from __future__ import annotations

import tempfile
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

import tacita as tc
from benchmarks.server.survey import write_survey
from benchmarks.tables import timed
from tacita.numeric.dropping.probability import disclosure_probability
from tacita.query.audit.sum_auditor import SumAuditor
from tacita.query.catalogue.version import MOST_KEPT_BYTES

__all__ = ["run"]


def _first(db: tc.query.Database, request: Any) -> tuple[float, float]:
    """Seconds of the first answer and of the same answer again."""
    start = time.perf_counter()
    answer = db.ask(request)
    first = time.perf_counter() - start
    if answer.status != "answered":
        raise RuntimeError(f"{answer}: the benchmark asks for what is answered")
    return first, timed(lambda: db.ask(request), repeats=5)


def _database(n: int, folder: Path) -> list[dict[str, Any]]:
    Tabulate, Regress = tc.query.Tabulate, tc.query.Regress
    path = write_survey(folder, n)
    factor = max(n // 1_000_000, 1)
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        db = tc.query.open(path, policy="mas", key=b"a key for a benchmark", journal=folder / f"journal-{n}.jsonl")
    rows = [{"case": "open: catalogue, cutpoints, digest", "n": n, "first_s": time.perf_counter() - start}]

    def add(case: str, request: Any, target: float, again: float | None = None) -> None:
        first, repeated = _first(db, request)
        word = f"< {target * factor:g} s" + ("" if again is None else f", again < {again:g} s")
        rows.append({"case": case, "n": n, "first_s": first, "again_s": repeated, "target": word})

    add("table of two variables", Tabulate(by=["sex", "education"]), 0.15, 0.005)
    add("table of 2000 cells", Tabulate(by=["region", "occupation"]), 0.15, 0.005)
    add("means of two variables", Tabulate(by=["sex", "education"], response="x0", statistic="mean"), 0.15, 0.005)
    where = {"urban": ["urban 0"], "size": ["size 1", "size 2"]}
    question = db._understood(Tabulate(by=["marital"], where=where), "", 0.0)
    start = time.perf_counter()
    db._judged(question, ("request", "universe", "history"))
    len(question.rows)
    took = time.perf_counter() - start
    rows.append(
        {"case": "universe: rules, members, Drop q", "n": n, "first_s": took, "target": f"< {0.2 * factor:g} s"}
    )
    predictors = ["x1", "x2", "x3", "x4", "x5", "x6", "sex", "education", "urban", "employment"]
    add("regression, 10 predictors", Regress(response="x0", predictors=predictors), 0.4)
    rows += _memory(db, path, n)
    if n <= 1_000_000:
        for policy in ("tables", "mas"):
            rows += _new_tables(policy, path, n)
    return rows


def _memory(db: tc.query.Database, path: Path, n: int) -> list[dict[str, Any]]:
    ratio = db.version.nbytes / path.stat().st_size
    kept = db.version.kept_bytes / MOST_KEPT_BYTES
    return [
        {"case": "arrays in memory / Parquet file", "n": n, "ratio": ratio, "target": "< 3"},
        {"case": "cubes and columns / room for them", "n": n, "ratio": kept, "target": "<= 1"},
    ]


def _questions(catalogue: Any, count: int, *, is_mean: bool) -> list[Any]:
    """Different tables by one or two variables, of universes with no, one or two conditions on half of the classes."""
    rng = np.random.default_rng(5)
    names = [v.name for v in catalogue if v.classes]
    found: dict[str, Any] = {}
    while len(found) < count:
        by = rng.choice(names, rng.integers(1, 3), replace=False).tolist()
        others = [name for name in names if name not in by]
        where = {}
        for name in rng.choice(others, rng.choice([0, 1, 2], p=[0.2, 0.5, 0.3]), replace=False).tolist():
            classes = catalogue[name].all_classes
            where[name] = rng.choice(classes, len(classes) // 2, replace=False).tolist()
        response = {"response": f"x{rng.integers(7)}", "statistic": "mean"} if is_mean else {}
        request = tc.query.Tabulate(by=by, where=where, **response)
        found.setdefault(request.to_json(), request)
    return list(found.values())


def _new_tables(policy: str, path: Path, n: int) -> list[dict[str, Any]]:
    """Mean processor time of tables that nobody asked before, after some hundred others."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        db = tc.query.open(path, policy=policy, key=b"a key for a benchmark")
    rows = []
    for what, is_mean, target in (("counts", False, 0.003), ("means", True, 0.008)):
        asked = _questions(db.catalogue, 600 if is_mean else 2000, is_mean=is_mean)
        half = len(asked) // 2
        for request in asked[:half]:
            db.ask(request)
        start = time.process_time()
        for request in asked[half:]:
            db.ask(request)
        took = (time.process_time() - start) / (len(asked) - half)
        rows.append({"case": f"new table of {what}, {policy}", "n": n, "cpu_s": took, "target": f"< {target:g} s"})
    return rows


def _auditor(quick: bool) -> dict[str, Any]:
    atoms, rank = (500, 400) if quick else (5000, 4000)
    rng = np.random.default_rng(2)
    auditor = SumAuditor(3 * atoms, limit=3, key=b"a key for a benchmark")
    groups = np.repeat(np.arange(atoms), 3)
    auditor.replay(np.flatnonzero(chosen[groups]) for chosen in rng.random((rank, atoms)) < 0.5)
    new = [np.flatnonzero((rng.random(atoms) < 0.5)[groups]) for _ in range(5)]
    took = max(timed(lambda members=members: auditor.judge(members), repeats=1) for members in new)
    return {"case": f"auditor: a new sum, rank {auditor.rank}", "n": atoms, "first_s": took, "target": "< 0.05 s"}


def run(quick: bool) -> list[dict[str, Any]]:
    """Ask a database of a million records, and one of ten million."""
    with tempfile.TemporaryDirectory() as name:
        rows = _database(100_000 if quick else 1_000_000, Path(name))
        if not quick:
            rows += _database(10_000_000, Path(name))
    shares = np.random.default_rng(3).dirichlet(np.ones(1000))
    took = timed(lambda: disclosure_probability(shares, k=20), repeats=5)
    rows.append({"case": "probability (5), J = 1000, k = 20", "first_s": took, "target": "< 0.01 s"})
    rows.append(_auditor(quick))
    return rows

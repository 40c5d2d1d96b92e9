"""Fingerprinted copies: who is named after what a coalition did to its copies, who wrongly, and what the marks cost.

100 recipients of a file of 5000 records and 8 columns, whose mask is noise of a fifth of each column's standard deviation. Key
and coalition are new in each trial. ``named`` is the share of trials in which one of the coalition is named, ``guilty`` the share
of the coalition that is named, ``others`` how many other recipients were named in all trials, ``innocent`` how many of 2500
codewords drawn afresh in each trial would have been. Anybody innocent is to be named with a chance of 1e-4 at most. ``error`` is
the root mean square distance of the leaked file from the original, in units of the masked file's: what the deed costs.

A case begins with the size of the marks, in standard deviations of the noise, and the number of colluders. The last rows say
what the marks cost: each loss of copies beside that of the masked file, in percent.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

import tacita as tc
from tacita.core.arrays import FloatArray
from tacita.core.keyed import Key
from tacita.data.microdata import Microdata
from tacita.numeric.fingerprints.innocent import accusation_threshold
from tacita.numeric.fingerprints.tardos import draw_codewords, soft_scores
from tacita.release.recipients.copies import FingerprintedCopies
from tacita.release.recipients.plan import FingerprintPlan, plan_fingerprints
from tacita.release.recipients.tracing import leaked_weights, trace_leak

__all__ = ["DEEDS", "Scene", "loss_changes", "run", "scene", "trial"]

RECIPIENTS, RECORDS, COLUMNS, CHANCE, FRESH = 100, 5000, 8, 1e-4, 2_500
ALONE = ("mixed cell by cell", "mixed row by row", "least or largest", "rarest value")
"""What leaves a single copy as it is."""
LOSSES = ("il", "il1", "il1s", "il_table", "pil")
Deed = Callable[[FloatArray, FloatArray, np.random.Generator], FloatArray]
"""From (copies, records, columns), and the standard deviations of the mask's noise, to the leaked file."""


def _noisy(share: float) -> Deed:
    return lambda x, sd, rng: x.mean(axis=0) + rng.normal(size=x.shape[1:]) * sd * share


def _rounded(share: float) -> Deed:
    return lambda x, sd, rng: np.round(x.mean(axis=0) / (share * sd)) * share * sd  # noqa: ARG005


def _cells(x: FloatArray, sd: FloatArray, rng: np.random.Generator) -> FloatArray:  # noqa: ARG001
    return np.take_along_axis(x, rng.integers(0, len(x), x.shape[1:])[None], axis=0)[0]


def _rows(x: FloatArray, sd: FloatArray, rng: np.random.Generator) -> FloatArray:  # noqa: ARG001
    return x[rng.integers(0, len(x), x.shape[1]), np.arange(x.shape[1])]


def _extremes(x: FloatArray, sd: FloatArray, rng: np.random.Generator) -> FloatArray:  # noqa: ARG001
    return np.where(rng.random(x.shape[1:]) < 0.5, x.min(axis=0), x.max(axis=0))


def _rarest(x: FloatArray, sd: FloatArray, rng: np.random.Generator) -> FloatArray:  # noqa: ARG001
    far = np.abs(x - np.median(x, axis=0)).argmax(axis=0)
    return np.take_along_axis(x, far[None], axis=0)[0]


def _half(x: FloatArray, sd: FloatArray, rng: np.random.Generator) -> FloatArray:  # noqa: ARG001
    """Half of the records in another order, and half of the columns."""
    leaked = x.mean(axis=0)[rng.permutation(x.shape[1])[: x.shape[1] // 2]]
    leaked[:, COLUMNS // 2 :] = np.nan
    return leaked


DEEDS: dict[str, Deed] = {
    "averaged": lambda x, sd, rng: x.mean(axis=0),  # noqa: ARG005
    "mixed cell by cell": _cells,
    "mixed row by row": _rows,
    "least or largest": _extremes,
    "rarest value": _rarest,
    "averaged, half of rows and columns": _half,
    "averaged, rounded to the noise": _rounded(1.0),
    "averaged, rounded to 3 times the noise": _rounded(3.0),
    "averaged, noise of 25 %": _noisy(0.25),
    "averaged, noise of 50 %": _noisy(0.5),
    "averaged, noise of 100 %": _noisy(1.0),
}


class Scene:
    """An original, a masked file, and the plan of its marks."""

    def __init__(self, records: int = RECORDS, mask: Any = None) -> None:
        rng = np.random.default_rng(1)
        common = 0.6 * np.ones((COLUMNS, COLUMNS)) + 0.4 * np.eye(COLUMNS)
        amounts = np.exp(9 + 0.6 * rng.multivariate_normal(np.zeros(COLUMNS), common, records)).round()
        self.names = [f"amount_{j}" for j in range(COLUMNS)]
        table = pa.table({name: amounts[:, j].astype(np.int64) for j, name in enumerate(self.names)})
        self.original = tc.Microdata.from_frame(table, confidential=self.names)
        mask = mask or tc.mask.AdditiveNoise(columns=self.names, sd_ratio=0.2)
        self.masked: Microdata = mask.apply(self.original, seed=5)
        noise = {name: (self.original.float(name), self.masked.float(name)) for name in self.names}
        self.plan: FingerprintPlan = plan_fingerprints(self.masked, dict(noise), columns=self.names)
        self.sd = np.array([np.std(y - x) for x, y in noise.values()])

    def copies(self, seed: int) -> FingerprintedCopies:
        """Return the copies of all recipients under another key."""
        names = tuple(f"r{i}" for i in range(RECIPIENTS))
        key = Key(b"trial of fingerprints" + seed.to_bytes(8, "big"))
        return FingerprintedCopies(masked=self.masked, plan=self.plan, key=key, recipients=names, release="trial")


def scene(records: int = RECORDS) -> Scene:
    """Return the scene of the page."""
    return Scene(records)


def trial(made: Scene, deed: Deed, colluders: int, seed: int, fresh: int = FRESH) -> dict[str, float]:
    """Let a coalition leak a file, and trace it."""
    copies, rng = made.copies(seed), np.random.default_rng(seed)
    guilty = [copies.recipients[i] for i in rng.choice(RECIPIENTS, colluders, replace=False)]
    files = [copies.marked(copies.codeword(name)) for name in guilty]
    values = np.stack([np.column_stack([file[name] for name in made.names]) for file in files])
    leaked = deed(values, made.sd, rng)
    file = tc.Microdata.from_frame(pa.table({name: leaked[:, j] for j, name in enumerate(made.names)}))
    start = time.process_time()
    named = set(trace_leak(copies, file, false_accusation=CHANCE).named)
    spent = time.process_time() - start
    weights, p = leaked_weights(copies, file)[0], copies.biases
    limit = accusation_threshold(weights, p, CHANCE / RECIPIENTS)
    before = made.original.floats(made.names)
    distance = (
        np.nan
        if len(leaked) < len(before)
        else _distance(leaked, before) / _distance(made.masked.floats(made.names), before)
    )
    return {
        "named": float(bool(named & set(guilty))),
        "guilty": len(named & set(guilty)) / colluders,
        "others": float(len(named - set(guilty))),
        "innocent": float((soft_scores(weights, draw_codewords(p, fresh, rng), p) >= limit).sum()),
        "error": float(distance),
        "seconds": spent,
    }


def loss_changes(made: Scene, seed: int = 1, copies: int = 3, losses: Sequence[str] = LOSSES) -> dict[str, float]:
    """Return by how many percent each loss of copies differs from that of the masked file, on average."""
    files = [made.copies(seed).copy(f"r{i}") for i in range(copies)]
    masked, *others = (
        tc.evaluate(made.original, file, measures=losses, pairing="order") for file in (made.masked, *files)
    )
    return {
        name: 100.0 * (float(np.mean([float(card[name]) for card in others])) / float(masked[name]) - 1.0)
        for name in losses
    }


def run(quick: bool) -> list[dict[str, Any]]:
    """Try every deed with every number of colluders; the deeds that cost the thieves something with larger marks too."""
    made, rows, number = scene(), list[dict[str, Any]](), 0
    for share, colluders, (words, deed) in itertools.product(
        (0.1, 0.2), (1, 4) if quick else (1, 2, 3, 4), DEEDS.items()
    ):
        is_costly = "noise" in words
        if (share > 0.1 and not is_costly) or (colluders == 1 and words in ALONE):
            continue
        made.plan, number = replace(made.plan, share=share), number + 1
        found = [trial(made, deed, colluders, 1000 * number + i) for i in range(8 if quick else 40)]
        rows.append(_row(f"{share}, {colluders}, {words}", found))
    for share in (0.1, 0.2):
        made.plan = replace(made.plan, share=share)
        changes = loss_changes(made)
        rows.append({"case": f"{share}, losses", **{name: f"{change:+.2f} %" for name, change in changes.items()}})
    return rows


def _row(case: str, found: list[dict[str, float]]) -> dict[str, Any]:
    told = {name: np.array([one[name] for one in found]) for name in found[0]}
    return {
        "case": case,
        "named": f"{100 * told['named'].mean():.0f} %",
        "guilty": f"{100 * told['guilty'].mean():.0f} %",
        "others": int(told["others"].sum()),
        "innocent": f"{int(told['innocent'].sum())} of {len(found) * FRESH:,}",
        "error": "" if np.isnan(told["error"]).any() else round(float(told["error"].mean()), 3),
        "seconds": round(float(told["seconds"].mean()), 2),
    }


def _distance(x: FloatArray, y: FloatArray) -> float:
    return float(np.sqrt((((x - y) / y.std(axis=0)) ** 2).mean()))

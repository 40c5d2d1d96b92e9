"""Synthesisers beside those of other Python packages, on Adult: time, tables, what the citizen is told, who is found out.

The others are the Gaussian copula of SDV and the trees of python-synthpop, each as its first page uses it, in an environment of
its own. ``seconds`` are processor seconds of fitting and drawing, without reading and writing. ``S_pMSE`` is the largest of
all tables of one and two columns, ``mean`` the mean: 1 is what another sample would have, above 10 an analyst sees it.
``citizen`` is how often a record tells a real person's salary class beyond chance, in percent; ``copies`` how many records
of people who are alone with their values come out as they are. ``members told`` is the share of right answers of the shadow
attack on who was in the data, ``found`` that of the attack by closest record, where a guess is right in half the cases; 1500
people, so that the attack can run the generator as often as it wants. The last row is one half of the file beside the other: what
cannot be avoided, and need not be beaten.

The trees of python-synthpop predict each column of an original record from all its other original columns: what comes out is a
perturbed record, and not one of nobody.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import tacita as tc
from benchmarks.peers.synthesiser import PeerSynthesiser
from tacita.data.samples.reference_files import reference_path

__all__ = ["run"]

ATTACKS = ("shadow_membership", "closest_record")


def run(quick: bool) -> list[dict[str, Any]]:
    """Measure each synthesiser on all records, and attack it on a sample."""
    path = reference_path("adult/adult.csv")
    if path is None:
        return [{"case": "adult.csv is not there"}]
    adult = tc.read(path)
    adult = adult.with_schema(
        adult.schema.change("salary-class", roles=["confidential"]).change("age", roles=["key"], scale="numeric")
    )
    for name in adult.names:
        if name not in ("salary-class", "age"):
            adult = adult.with_schema(adult.schema.change(name, roles=["key"]))
    if quick:
        adult = adult.take(np.random.default_rng(1).choice(len(adult), 5000, replace=False))
    rows = [
        _row("sequential_synthesis", adult, _ours(tc.mask.SequentialSynthesis()), quick),
        _row("gaussian_copula", adult, _ours(tc.mask.GaussianCopula(repeats="keep")), quick),
    ]
    for words, method in (("SDV 2.0 copula", "copula"), ("python-synthpop 0.1 cart", "cart")):
        try:
            with PeerSynthesiser(method) as peer:
                rows.append(_row(words, adult, _theirs(peer), quick))
        except (FileNotFoundError, RuntimeError) as error:
            rows.append({"case": words, "note": str(error)})
    rows.append({"case": "other people", **_measured(*_halves(adult))})
    for row in rows:
        if "seconds" in row:
            row["times ours"] = row["seconds"] / rows[0]["seconds"]
    return rows


def _ours(mask: tc.Mask) -> Callable[[tc.Microdata, int], tuple[tc.Microdata, float]]:
    def make(data: tc.Microdata, seed: int) -> tuple[tc.Microdata, float]:
        start = time.process_time()
        made = mask.apply(data, seed=seed)
        return made, time.process_time() - start

    return make


def _theirs(peer: PeerSynthesiser) -> Callable[[tc.Microdata, int], tuple[tc.Microdata, float]]:
    def make(data: tc.Microdata, seed: int) -> tuple[tc.Microdata, float]:
        made = peer(data, seed)
        return made, peer.seconds

    return make


def _halves(data: tc.Microdata) -> tuple[tc.Microdata, tc.Microdata]:
    order = np.random.default_rng(4).permutation(len(data))
    middle = len(data) // 2
    half = data.take(np.sort(order[:middle]))
    others = data.take(np.sort(order[middle : 2 * middle]))
    return half, others.with_origin(half, np.full(len(others), -1))


def _measured(data: tc.Microdata, made: tc.Microdata) -> dict[str, Any]:
    card = tc.evaluate(data, made, measures=["table_pmse", "citizen_match", "replicated_uniques"])
    return {
        "n": len(data),
        "S_pMSE": float(card["table_pmse"]),
        "mean": float(card.measured("table_pmse").parts["mean"]),
        "citizen": float(card["citizen_match"]),
        "copies": float(card.measured("replicated_uniques").parts["all columns"]),
    }


def _row(
    words: str, data: tc.Microdata, make: Callable[[tc.Microdata, int], tuple[tc.Microdata, float]], quick: bool
) -> dict[str, Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tc.TacitaNote)
        warnings.simplefilter("ignore", tc.TacitaWarning)
        make(data.take(np.arange(500)), 1)  # loads what is loaded once
        made, seconds = make(data, 1)
        measured = _measured(data, made)
        people = data.take(np.random.default_rng(2).choice(len(data), 600 if quick else 1500, replace=False))
        found = tc.attack_generator(
            people, lambda part, seed: make(part, seed)[0], attacks=ATTACKS, seed=3, seconds=900
        )
    success = {grade.attack: grade.success for grade in found.grades}
    return {
        "case": words,
        **measured,
        "seconds": seconds,
        "members told": 100 * success["shadow_membership"],
        "found": 100 * success["closest_record"],
    }

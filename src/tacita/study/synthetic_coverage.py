"""Coverage of the combining rules: how often 95 % intervals from synthetic files hold the true mean and slope."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tacita.compare.synthesis.combine import Combined, CombiningKind, combine
from tacita.core.arrays import FloatArray
from tacita.core.errors import TacitaNote
from tacita.core.progress import task
from tacita.data.microdata import Microdata
from tacita.data.samples.made import file_of_columns
from tacita.mask.base import Mask
from tacita.mask.synthetic.fully import FullySynthetic
from tacita.mask.synthetic.partial import PartialSynthesis
from tacita.study.base import StudyFinding, StudyOptions, StudyResult, StudyTable, study

__all__ = ["TRIED", "TriedModel", "coverage"]

TRUTH = (1.0, 2.0)
"""Mean of y and slope of its regression on x, in the population: y = 1 + 2 x + e, with x and e standard normal."""
SAMPLE = 100
CLAIM = (93.0, 97.0)
"""Percent within which a proper and correct model must lie."""
RUNS_FOR_A_CLAIM = 1000
"""Below so many simulations chance alone leaves the interval of the claim too often: nothing is judged."""


@dataclass(frozen=True, kw_only=True)
class TriedModel:
    """A way to make synthetic files, and what is known of its intervals.

    Parameters
    ----------
    words
        What it is.
    kind
        Which combining rule belongs to it.
    model
        The model of y given x.
    proper
        Whether the parameters of the model are drawn too.
    files
        M, how many files are made.
    records
        Records of a file that has others than the sample's people.
    is_right
        Whether the model is that of the population and proper, so that the rules promise their level.
    """

    words: str
    kind: CombiningKind
    model: str
    proper: bool = True
    files: int = 5
    records: int = SAMPLE
    is_right: bool = False

    def mask(self) -> Mask:
        """Return the mask; smoothing and drawing again are no part of what the rules are about."""
        chosen: Mapping[str, Any] = {
            "columns": ["y"],
            "models": {"y": self.model},
            "proper": self.proper,
            "smoothing": "none",
            "repeats": "keep",
        }
        if self.kind == "fully":
            return FullySynthetic(background=["x"], records=self.records, **chosen)
        return PartialSynthesis(**chosen)


TRIED: tuple[TriedModel, ...] = (
    TriedModel(words="partially: linear, proper", kind="partially", model="linear", is_right=True),
    TriedModel(
        words="fully: linear, proper", kind="fully", model="linear", files=20, records=4 * SAMPLE, is_right=True
    ),
    TriedModel(words="partially: linear, parameters not drawn", kind="partially", model="linear", proper=False),
    TriedModel(words="partially: normal rank, proper", kind="partially", model="normal_rank"),
    TriedModel(words="partially: predictive mean matching, proper", kind="partially", model="pmm"),
    TriedModel(words="partially: CART, proper", kind="partially", model="cart"),
    TriedModel(words="partially: CART, trees not drawn", kind="partially", model="cart", proper=False),
    TriedModel(words="fully: CART, proper", kind="fully", model="cart", files=20, records=4 * SAMPLE),
)
"""What is tried: the models that the rules are made for, and those that people use."""


def _estimates(data: Microdata) -> tuple[FloatArray, FloatArray]:
    """Return the mean of y and the slope of its regression on x, and their variances."""
    x, y = data.float("x"), data.float("y")
    n, centred = len(y), x - x.mean()
    spread = float(centred @ centred)
    slope = float(centred @ y) / spread
    rest = y - y.mean() - slope * centred
    return np.array([y.mean(), slope]), np.array([y.var(ddof=1) / n, float(rest @ rest) / (n - 2) / spread])


def _survey(rng: np.random.Generator) -> Microdata:
    x = rng.standard_normal(SAMPLE)
    y = TRUTH[0] + TRUTH[1] * x + rng.standard_normal(SAMPLE)
    return file_of_columns({"x": x, "y": y})


def coverage(tried: TriedModel, *, runs: int, seed: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Draw samples, make synthetic files of each, combine, and count.

    Parameters
    ----------
    tried
        How the files are made.
    runs
        How many samples are drawn.
    seed
        Repeats everything.

    Returns
    -------
    covered, width, was_negative
        For mean and slope: percent of intervals that hold the truth; mean width as a multiple of that of the sample's own
        intervals; percent of runs in which the variance of the rule was negative and the adjusted one was taken.
    """
    rng, mask = np.random.default_rng(seed), tried.mask()
    held, negative = np.zeros(2), np.zeros(2)
    width, own = np.zeros(2), np.zeros(2)
    with warnings.catch_warnings(), task(tried.words, runs) as running:
        warnings.simplefilter("ignore", TacitaNote)
        for _ in range(runs):
            data = _survey(rng)
            found = [_estimates(mask.apply(data, seed=int(rng.integers(2**62)))) for _ in range(tried.files)]
            result: Combined = combine(
                [estimates for estimates, _ in found],
                [variances for _, variances in found],
                kind=tried.kind,
                size_ratio=tried.records / SAMPLE,
            )
            held += (result.low <= TRUTH) & (result.high >= TRUTH)
            negative += result.was_negative
            width += result.high - result.low
            own += 2 * 1.984 * np.sqrt(_estimates(data)[1])  # t with 98 degrees of freedom
            running.advance()
    return 100 * held / runs, width / own, 100 * negative / runs


@study(
    "synthetic-coverage",
    summary="How often 95 % intervals by the combining rules hold the truth, for proper models and for those that people use.",
    reference="Raghunathan, Reiter & Rubin (2003); Reiter (2003)",
    replicates=1000,
)
def synthetic_coverage(options: StudyOptions) -> StudyResult:
    """Count for every model; only the proper and correct ones promise their level."""
    seed = options.seed if isinstance(options.seed, int) else 1
    rows, findings = [], []
    for tried in TRIED:
        covered, width, negative = coverage(tried, runs=options.replicates, seed=seed)
        rows.append(
            (
                tried.words,
                str(tried.files),
                *(f"{value:.1f} %" for value in covered),
                *(f"{value:.2f}" for value in width),
                f"{negative.max():.1f} %",
            )
        )
        is_judged = tried.is_right and options.replicates >= RUNS_FOR_A_CLAIM
        for quantity, value in zip(("mean", "slope"), covered.tolist(), strict=True):
            findings.append(
                StudyFinding(
                    quantity=f"95 % intervals that hold the true {quantity}",
                    setting=tried.words,
                    ours=(value,),
                    required=f"{CLAIM[0]:g} to {CLAIM[1]:g} %" if tried.is_right else "",
                    met=CLAIM[0] <= value <= CLAIM[1] if is_judged else None,
                    unit="%",
                    is_range=False,
                )
            )
    table = StudyTable(
        "Intervals of the mean of y and of its slope on x, samples of 100",
        ("files are", "M", "hold mean", "hold slope", "width, mean", "width, slope", "variance below 0"),
        tuple(rows),
    )
    notes = (
        "Width is that of the combined interval, as a multiple of the interval that the sample itself gives.",
        "Where the rule for fully synthetic files gave a negative variance, the adjusted one of Reiter (2002) was taken.",
        "CART and predictive mean matching draw values of respondents. They promise no level; what they reach is stated.",
    )
    return StudyResult(tuple(findings), notes, (table,))

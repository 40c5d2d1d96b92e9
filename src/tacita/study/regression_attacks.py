"""Regression attacks on remote access run again: Tables 1, 2 and 3 of the paper on the business sample, and by size class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacita.attack.attacker import Attacker
from tacita.attack.judge.stage_regression import stage_regression
from tacita.attack.regression import ArtificialOutliers, StrategicDummies
from tacita.attack.regression.knowledge import Reach
from tacita.core.arrays import BoolArray, FloatArray
from tacita.core.progress import task
from tacita.core.streams import Seed, Streams
from tacita.data.microdata import Microdata
from tacita.data.samples import business_survey
from tacita.study.base import StudyFinding, StudyOptions, StudyResult, StudyTable, study

__all__ = ["EPS", "PAPER", "QUANTILES", "N", "establishments", "regression_attacks"]

N = 12_814
"""Establishments of the paper."""
EPS = (1e-2, 1e-4, 1e-6, 1e-8)
"""What is added to the distance of an artificial outlier; the paper has 0.0001."""
QUANTILES = ("all", "0.5", "0.75", "0.9", "0.99")
"""Those at or above these quantiles of size are looked at."""
_NEARLY: dict[str, Reach] = {"size": ("ratio", 0.025)}


@dataclass(frozen=True)
class _SizeRow:
    """What is known, and what the paper found with it: share of the unique, error of all, error of the unique, by quantile."""

    table: str
    words: str
    known: tuple[str, ...]
    reach: Mapping[str, Reach]
    paper: tuple[tuple[float, float, float], ...]

    @property
    def attacker(self) -> Attacker:
        return StrategicDummies() if self.table == "3" else ArtificialOutliers(eps=1e-4)


_ALL = ("size", "state", "form", "branch")
PAPER: tuple[_SizeRow, ...] = (
    _SizeRow(
        "1",
        "size",
        _ALL[:1],
        {},
        (
            (0.034, 13773.795, 0.001),
            (0.066, 26936.156, 0.001),
            (0.134, 51952.053, 0.001),
            (0.335, 1.957, 0.001),
            (0.969, 0.011, 0.0001),
        ),
    ),
    _SizeRow(
        "2",
        "size and federal state",
        _ALL[:2],
        {},
        (
            (0.159, 17820.512, 0.035),
            (0.312, 33908.516, 0.036),
            (0.596, 63907.225, 0.006),
            (0.872, 0.338, 0.0003),
            (1.0, 1.86e-05, 1.86e-05),
        ),
    ),
    _SizeRow(
        "3",
        "exact size",
        _ALL[:1],
        {},
        (
            (0.034, 13801.825, 0.0),
            (0.066, 26985.871, 0.0),
            (0.134, 52023.417, 0.0),
            (0.335, 1.956, 0.0),
            (0.969, 0.011, 0.0),
        ),
    ),
    _SizeRow(
        "3",
        "approximate size",
        _ALL[:1],
        _NEARLY,
        (
            (0.0009, 11025.45, 0.0),
            (0.002, 21526.008, 0.0),
            (0.003, 40965.983, 0.0),
            (0.009, 4.296, 0.0),
            (0.085, 1.311, 0.0),
        ),
    ),
    _SizeRow(
        "3",
        "+ federal state",
        _ALL[:2],
        _NEARLY,
        (
            (0.023, 11739.574, 0.0),
            (0.046, 21945.19, 0.0),
            (0.085, 39651.427, 0.0),
            (0.186, 1.944, 0.0),
            (0.682, 0.136, 0.0),
        ),
    ),
    _SizeRow(
        "3",
        "+ legal form",
        _ALL[:3],
        _NEARLY,
        (
            (0.116, 13633.345, 0.0),
            (0.2, 26774.728, 0.0),
            (0.228, 48390.483, 0.0),
            (0.352, 1.499, 0.0),
            (0.806, 0.055, 0.0),
        ),
    ),
    _SizeRow(
        "3",
        "+ branch",
        _ALL,
        _NEARLY,
        ((0.658, 1.478, 0.0), (0.846, 0.323, 0.0), (0.868, 0.147, 0.0), (0.895, 0.07, 0.0), (0.953, 0.021, 0.0)),
    ),
)
"""Tables 1, 2 and 3 of the paper."""
_TITLES = {
    "1": "Table 1: an artificial outlier of size",
    "2": "Table 2: an artificial outlier of size and federal state",
    "3": "Table 3: strategic dummies",
}


@study(
    "regression-attacks",
    summary="Tables 1 to 3 of regression attacks on remote access: who is identified, and how near turnover is told, by size.",
    reference="Bleninger, Drechsler and Ronning (2011), Remote data access and the risk of disclosure from linear regression",
    replicates=1,
)
def regression_attacks(options: StudyOptions) -> StudyResult:
    """Make every establishment a target, with all that the paper's intruder knows, and put its figures beside ours."""
    drawn = _drawn(options)
    columns = [establishments(seed) for seed in drawn]
    found: list[list[_Told]] = []
    with task("Attacking establishments", len(PAPER) * len(columns)) as running:
        for row in PAPER:
            told = []
            for made in columns:
                told.append(_attacked(row.attacker, made, row.known, row.reach))
                running.advance()
            found.append(told)
    outliers = [[_attacked(ArtificialOutliers(eps=eps), made, ("size",), {}) for made in columns] for eps in EPS]
    tables = [_table(number, columns, found) for number in _TITLES]
    tables += [_eps_table(outliers), _class_table(columns, found)]
    notes = (
        f"Ours on {N} enterprises of the business sample, the paper's on as many of the IAB Establishment Panel in brackets: "
        "size is the number of employees, state the region of the district, branch the division of the activity, in 29 classes.",
        "Delta is the mean of |told - true| / true. The paper's large means of all must come from a few establishments with "
        "hardly any turnover beside others of the same size; the sample has none of these.",
        "The product of size and state is not unique whenever the pair is, so the outlier is of the pair. At zero employees "
        "approximate knowledge is exact.",
    )
    return StudyResult(tuple(_findings(columns, found, outliers)), notes, tuple(tables))


@dataclass(frozen=True, eq=False)
class _Told:
    """The relative error of each establishment, and who is known to be alone."""

    error: FloatArray
    alone: BoolArray

    def figures(self, inside: BoolArray) -> tuple[float, float, float]:
        """Return the share of the unique, the mean error of all and that of the unique."""
        unique = inside & self.alone
        of_unique = float(self.error[unique].mean()) if unique.any() else float("nan")
        return float(self.alone[inside].mean()), float(self.error[inside].mean()), of_unique


def _drawn(options: StudyOptions) -> list[int]:
    """Return a seed of the sample for each replicate."""
    streams = Streams(options.seed)
    return [
        int(streams.stream("study", "regression_attacks", str(i)).integers(2**63)) for i in range(options.replicates)
    ]


def establishments(seed: Seed, n: int = N) -> dict[str, NDArray[Any]]:
    """Return the columns that the tables need: size, turnover, state, legal form, branch and size class."""
    data = business_survey(n, seed=seed)
    state, branch = data.schema["region"].hierarchy, data.schema["activity"].hierarchy
    return {
        "size": data.numbers("employees"),
        "turnover": data.numbers("turnover"),
        "state": _words(data, "region", None if state is None else state.labels(1)),
        "form": _words(data, "legal_form", None),
        "branch": _words(data, "activity", None if branch is None else branch.labels(2)),
        "size_class": _words(data, "size_class", None),
    }


def _words(data: Microdata, name: str, above: Mapping[str, str] | None) -> NDArray[Any]:
    """Return the classes of a column as words, those above them in the tree where it is given."""
    found = data.codes(name)
    words = [str(category) for category in found.categories]
    return np.array(words if above is None else [above[word] for word in words])[found.values]


def _attacked(
    attacker: Attacker, columns: Mapping[str, NDArray[Any]], known: Sequence[str], reach: Mapping[str, Reach]
) -> _Told:
    target, answers = stage_regression(columns, wanted="turnover", known=known, reach=reach)
    claims = attacker.run(target, np.random.default_rng(0))[0]  # nothing of these attacks is drawn
    truth = np.asarray(answers.of("turnover"), np.float64)
    alone = np.zeros(len(truth), bool) if claims.is_sure is None else claims.is_sure
    return _Told(np.abs(np.asarray(claims.said, np.float64) - truth) / truth, alone)


def _inside(columns: Mapping[str, NDArray[Any]], quantile: str) -> BoolArray:
    size = columns["size"]
    return np.ones(len(size), bool) if quantile == "all" else np.asarray(size >= np.quantile(size, float(quantile)))


def _means(columns: Sequence[Mapping[str, NDArray[Any]]], told: Sequence[_Told], quantile: str) -> tuple[float, ...]:
    """Return share of the unique, error of all and error of the unique: means over the replicates."""
    each = [one.figures(_inside(made, quantile)) for made, one in zip(columns, told, strict=True)]
    return tuple(float(value) for value in np.mean(each, axis=0))


# --- what is shown ---------------------------------------------------------------------------------------------------------


def _table(number: str, columns: Sequence[Mapping[str, NDArray[Any]]], found: Sequence[Sequence[_Told]]) -> StudyTable:
    """Return a table in the paper's form: for each quantile what is known, ours with the paper's in brackets."""
    heads = ("quantile", "N", "known", "uniquely identified", "Delta of all", "Delta of the unique")
    rows = []
    for place, quantile in enumerate(QUANTILES):
        count = float(np.mean([_inside(made, quantile).sum() for made in columns]))
        for row, told in zip(PAPER, found, strict=True):
            if row.table == number:
                ours = _means(columns, told, quantile)
                cells = [f"{_shown(a)} ({_shown(b)})" for a, b in zip(ours, row.paper[place], strict=True)]
                rows.append((quantile, f"{count:.0f}", row.words, *cells))
    return StudyTable(_TITLES[number], heads, tuple(rows), heads[3:])


def _shown(value: float) -> str:
    """Return a number in four figures; what rounding leaves of zero is zero."""
    return "0" if abs(value) < 1e-12 else f"{value:.4g}"


def _eps_table(outliers: Sequence[Sequence[_Told]]) -> StudyTable:
    heads = ("eps", "mean error of the unique", "largest")
    rows = []
    for eps, told in zip(EPS, outliers, strict=True):
        errors = np.concatenate([one.error[one.alone] for one in told])
        rows.append((f"{eps:g}", _shown(float(errors.mean())), _shown(float(errors.max()))))
    return StudyTable("Artificial outliers of size: the smaller eps, the nearer", heads, tuple(rows), heads[1:])


def _class_table(columns: Sequence[Mapping[str, NDArray[Any]]], found: Sequence[Sequence[_Told]]) -> StudyTable:
    """Return the shares of the unique by size class: what more knowledge adds, class by class."""
    rows_of = [(row, told) for row, told in zip(PAPER, found, strict=True) if row.table == "3"]
    heads = ("size class", *(row.words for row, _ in rows_of))
    rows = []
    for name in ("0-9", "10-49", "50-249", "250+"):
        cells = []
        for _, told in rows_of:
            each = [one.figures(made["size_class"] == name)[0] for made, one in zip(columns, told, strict=True)]
            cells.append(_shown(float(np.mean(each))))
        rows.append((name, *cells))
    return StudyTable("Uniquely identified by strategic dummies, by size class", heads, tuple(rows), heads[1:])


def _findings(
    columns: Sequence[Mapping[str, NDArray[Any]]],
    found: Sequence[Sequence[_Told]],
    outliers: Sequence[Sequence[_Told]],
) -> list[StudyFinding]:
    """Say that the risk grows with size, that dummies tell the unique exactly, and that outliers tend to that."""
    made = []
    for row, told in zip(PAPER, found, strict=True):
        shares = [_means(columns, told, quantile)[0] for quantile in QUANTILES]
        paper = f"{row.paper[0][0]:g} and {row.paper[-1][0]:g}"
        grows = all(a < b for a, b in pairwise(shares))
        setting = f"Table {row.table}, {row.words}: everybody and the largest 1 %"
        made.append(
            StudyFinding(
                "uniquely identified", setting, (shares[0], shares[-1]), paper, "grows with size", grows, is_range=False
            )
        )
    exact = max(
        float(one.error[one.alone].max())
        for row, told in zip(PAPER, found, strict=True)
        if row.table == "3"
        for one in told
    )
    made.append(StudyFinding("largest error of the unique", "strategic dummies", (exact,), "0", "0", exact < 1e-9))
    means = [float(np.concatenate([one.error[one.alone] for one in told]).mean()) for told in outliers]
    falls = all(b < a for a, b in pairwise(means)) and means[-1] < 1e-6
    made.append(
        StudyFinding(
            "mean error of the unique",
            f"artificial outliers, eps from {EPS[0]:g} to {EPS[-1]:g}",
            (means[0], means[-1]),
            "0.001 at 0.0001",
            "tends to 0",
            falls,
        )
    )
    return made

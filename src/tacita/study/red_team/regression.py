"""Scenes of regression attacks: remote access with columns of the user's making, and our own server in the words that it has."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tacita.attack.attacker import Attacker
from tacita.attack.judge.answers import Answers
from tacita.attack.judge.model_server import RemoteLimits
from tacita.attack.judge.stage_regression import stage_regression
from tacita.attack.regression import (
    ArtificialOutliers,
    CovarianceAttack,
    FitDifference,
    SaturatedModel,
    SplitLeverage,
    StrategicDummies,
)
from tacita.attack.regression.question import ColumnKind
from tacita.attack.targets import ServerTarget
from tacita.core.errors import TacitaWarning
from tacita.core.streams import Streams
from tacita.data.samples.draws import assemble
from tacita.data.schema import Column
from tacita.query.models.fit import ModelRules
from tacita.query.models.publish import PublishedFigures
from tacita.query.models.result_rules import ResultLimits
from tacita.query.models.sparse_rules import SparseLimits
from tacita.query.opening import open_database
from tacita.query.policy.policy import Policy, PolicyLike
from tacita.query.restrictions import TableSize
from tacita.query.steward.attack_database import asked_as_user
from tacita.study.red_team.scene import Scene, Staged

__all__ = ["OPEN", "SCENES", "firms", "remote_access", "served_firms"]

_CLASSES = {
    "sector": ("crafts", "farming", "industry", "services", "trade"),
    "state": ("east", "north", "south", "west"),
    "form": ("company", "partnership", "sole owner"),
}
_COLUMNS = (
    *(Column(name=name, scale="nominal", roles=("key",)) for name in _CLASSES),
    *(Column(name=name, scale="numeric", roles=("key",)) for name in ("employees", "hours")),
    Column(name="turnover", scale="numeric", roles=("confidential",)),
)
_ALONE = 12
"""Cells of the keys with one firm, or two: the victims."""
_KEY = b"the secret key of the red team's firms"

OPEN = Policy(
    name="open",
    requests=("regress",),
    restrictions=(TableSize(),),
    parts={
        "models": ModelRules(
            sparse=SparseLimits(count=1),
            result=ResultLimits(leverage=1.0, share=1.0, r_squared=1.0, freedom=1, parameters_per_record=1.0),
            figures=PublishedFigures(figures=12),
        )
    },
)
"""Our server with every limit on models taken off: published variables and bins are all that is left of its defence."""


def firms(seed: int, *, n: int = 1200, alone: int = 1) -> tuple[dict[str, Any], Any]:
    """Make firms of which a few are alone with their sector, state and form, and the rows of these."""
    rng = Streams(seed).within("tacita-red-team-1").stream("firms")
    shape = [len(words) for words in _CLASSES.values()]
    cells = rng.integers(0, int(np.prod(shape)), n)
    chosen = rng.permutation(int(np.prod(shape)))[:_ALONE]
    cells = np.concatenate([cells[~np.isin(cells, chosen)], np.repeat(chosen, alone)])
    cells = cells[rng.permutation(len(cells))]
    codes = np.unravel_index(cells, shape)
    columns: dict[str, Any] = {
        name: np.array(words)[code] for (name, words), code in zip(_CLASSES.items(), codes, strict=True)
    }
    employees = np.ceil(np.exp(rng.normal(3.5, 0.7, len(cells))))
    columns["employees"] = employees
    columns["hours"] = np.round(employees * rng.normal(1600, 150, len(cells)))
    columns["turnover"] = np.round(employees * np.exp(rng.normal(4.5, 0.6, len(cells))))
    return columns, np.array([np.flatnonzero(cells == cell)[:alone] for cell in chosen])


def remote_access(
    limits: RemoteLimits | None = None, *, known: Sequence[str] = ("employees", "sector", "state"), **options: Any
) -> Callable[[int], Staged]:
    """Return what sets firms behind a remote access that fits any column, but for what its limits refuse."""

    def make(seed: int) -> Staged:
        return stage_regression(firms(seed)[0], wanted="turnover", known=known, limits=limits, **options)

    return make


def served_firms(policy: PolicyLike, *, n: int = 1200, alone: int = 1) -> Callable[[int], Staged]:
    """Return what sets firms behind our own server, before somebody who knows keys and the number of employees."""

    def make(seed: int) -> Staged:
        columns, rows = firms(seed, n=n, alone=alone)
        data = assemble(columns, _COLUMNS)
        with warnings.catch_warnings():  # that no stratum is named is what some of the attackers wait for
            warnings.simplefilter("ignore", TacitaWarning)
            db = open_database(data, policy=Policy.of(policy), key=_KEY)
        victims = rows[:, 0]
        known = tuple({name: str(columns[name][row]) for name in (*_CLASSES, "employees")} for row in victims)
        told = ("turnover", "employees")
        insiders = tuple({n: float(columns[n][two]) for n in told} for two in rows[:, -1]) if alone > 1 else ()
        target = ServerTarget(
            ask=asked_as_user(db),
            catalogue=db.catalogue.to_plain(),
            known=known,
            wanted="turnover",
            insiders=insiders,
        )
        return target, Answers(truth={"turnover": columns["turnover"][victims]})

    return make


_EVERY: tuple[Attacker, ...] = (
    ArtificialOutliers(),
    CovarianceAttack(),
    FitDifference(),
    SaturatedModel(),
    SplitLeverage(),
    StrategicDummies(),
)
_PLAIN: tuple[ColumnKind, ...] = ("variable", "square")
_REMOTE: tuple[tuple[str, RemoteLimits | None, tuple[str, ...]], ...] = (
    ("remote access, no rule", None, tuple(attack.name for attack in _EVERY)),
    (
        "remote access, 3 ones in each dummy",
        RemoteLimits(ones=3),
        ("artificial_outliers", "covariance_attack", "fit_difference", "split_leverage"),
    ),
    ("remote access, leverage at most 0.5", RemoteLimits(leverage=0.5), ("covariance_attack", "fit_difference")),
    ("remote access, approved columns only", RemoteLimits(columns=_PLAIN), ()),
    ("remote access, leverage at most 0.5, 3 figures", RemoteLimits(leverage=0.5, figures=3), ()),
)
"""Rules of a remote access, and the attacks that each is broken by."""
_SERVED: tuple[tuple[str, PolicyLike, tuple[str, ...]], ...] = (
    (
        "our server, no limits on models",
        OPEN,
        ("covariance_attack", "fit_difference", "split_leverage", "strategic_dummies"),
    ),
    ("policy internal", "internal", ("covariance_attack", "fit_difference")),
    ("policy mas", "mas", ()),
    ("policy camouflage", "camouflage", ()),
    ("policy audited", "audited", ()),
    ("policy tables", "tables", ()),
)
"""Policies of our own server, and the attacks that each is broken by."""
_WHY = {
    "remote access, 3 ones in each dummy": "the rule that the paper proposes looks at columns one by one",
    "remote access, leverage at most 0.5": "sums of two models differ by one respondent who has little leverage in either",
    "policy internal": "it gives exact answers to colleagues, and says that nothing of it is safe to publish",
    "our server, no limits on models": "universes and main effects single a cell out where nothing limits models",
}


def _scenes() -> tuple[Scene, ...]:
    """Put every attack before every rule of a remote access and every policy of our own."""
    made = [
        Scene(attack=a, defence=words, weak=a.name in broken, make=remote_access(limits), why=_why(words, a, broken))
        for words, limits, broken in _REMOTE
        for a in _EVERY
    ]
    made += [
        Scene(
            attack=a,
            defence=words,
            weak=a.name in broken,
            make=served_firms(policy),
            why=_why(words, a, broken),
            is_default=isinstance(policy, str),
        )
        for words, policy, broken in _SERVED
        for a in _EVERY
    ]
    insider: tuple[tuple[str, PolicyLike, bool], ...] = (
        ("our server, no limits on models, with an insider", OPEN, True),
        ("policy mas, with an insider", "mas", False),
    )
    made += [
        Scene(
            attack=a,
            defence="policy mas, 12 000 firms",
            weak=False,
            make=served_firms("mas", n=12_000),
            is_default=True,
        )
        for a in (CovarianceAttack(), FitDifference())
    ]
    made += [
        Scene(
            attack=SplitLeverage(),
            defence=words,
            weak=weak,
            make=served_firms(policy, alone=2),
            is_default=isinstance(policy, str),
        )
        for words, policy, weak in insider
    ]
    return tuple(made)


def _why(words: str, attack: Attacker, broken: Sequence[str]) -> str:
    return _WHY.get(words, "") if attack.name in broken else ""


SCENES: tuple[Scene, ...] = _scenes()

"""The scene of remote access: records behind a server that fits models, and somebody who knows a little of each respondent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from tacita.attack.judge.answers import NEAR, Answers
from tacita.attack.judge.model_server import ModelServer, RemoteLimits
from tacita.attack.regression.knowledge import Reach, RegressionTarget
from tacita.core.arrays import IntArray
from tacita.core.errors import AttackError

__all__ = ["stage_regression"]


def stage_regression(
    columns: Mapping[str, NDArray[np.generic]],
    *,
    wanted: str,
    known: Sequence[str],
    reach: Mapping[str, Reach] | None = None,
    further: Sequence[str] = (),
    limits: RemoteLimits | None = None,
    victims: IntArray | None = None,
    near: float = NEAR,
) -> tuple[RegressionTarget, Answers]:
    """Put records behind a remote access, and return what an attacker gets, with the truth.

    Parameters
    ----------
    columns
        The records: one array a variable.
    wanted
        The number that he wants to know.
    known
        The variables that single a victim out.
    reach
        How far off the known numbers may be, by variable; those not named are known exactly.
    further
        Further variables that he knows and puts into each model.
    limits
        What the remote access refuses; nothing by default.
    victims
        Rows of the victims; everybody by default.
    near
        How near a number must be to count as known.

    Raises
    ------
    AttackError
        When a variable is not there.
    """
    for name in (wanted, *known, *further):
        if name not in columns:
            raise AttackError(f"The remote access has no variable '{name}'.")
    rows = np.arange(len(columns[wanted])) if victims is None else victims
    target = RegressionTarget(
        fit=ModelServer(columns, RemoteLimits() if limits is None else limits),
        known={name: columns[name][rows] for name in (*known, *further)},
        wanted=wanted,
        reach={} if reach is None else reach,
        further=tuple(further),
    )
    truth: NDArray[np.generic] = np.asarray(columns[wanted][rows], np.float64)
    return target, Answers(truth={wanted: truth}, near=near)

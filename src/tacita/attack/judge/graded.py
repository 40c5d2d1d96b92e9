"""Grading: claims held against the truth."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from tacita.attack.claims import Claims, says_nothing
from tacita.attack.judge.answers import Answers
from tacita.attack.judge.grade import MARGIN, Grade
from tacita.core.errors import AttackError
from tacita.numeric.statistics.shares import interval_of_share

__all__ = ["grade", "strongest_grade"]


def grade(
    claims: Claims, answers: Answers, *, attack: str, target: str, of: int | None = None, margin: float = MARGIN
) -> Grade:
    """Hold what is claimed of the victims against the truth.

    Parameters
    ----------
    claims
        What the attacker says.
    answers
        The truth about the same victims.
    attack, target
        What is called what.
    of
        How many victims there are, where a sample was attacked.
    margin
        By how much an attack may beat guessing.

    Examples
    --------
    >>> said = Claims(about="identity", said=np.array([0, 1, 2, -1]), is_sure=np.array([True, True, False, False]))
    >>> found = grade(said, Answers(truth={"identity": np.array([0, 1, 3, 2])}), attack="toy", target="a file")
    >>> found.success, found.sure_right, found.standing
    (0.5, 2, 'broken')
    """
    of_each = answers.entries(claims.about)
    if of_each is not None and of_each != len(claims):
        raise AttackError(f"The attack '{attack}' must speak of {of_each} victims, got {len(claims)} claims.")
    right = answers.right(claims.about, claims.said) & ~says_nothing(claims.said)
    n = len(claims)
    share = float(right.mean()) if n else 0.0
    low, high = interval_of_share(share, n) if n else (0.0, 0.0)
    sure = np.zeros(n, bool) if claims.is_sure is None else claims.is_sure & ~says_nothing(claims.said)
    return Grade(
        attack=attack,
        target=target,
        about=claims.about,
        victims=n,
        of=n if of is None else of,
        success=share,
        low=low,
        high=high,
        baseline=answers.guess(claims.about, claims.said),
        sure=int(sure.sum()),
        sure_right=int((sure & right).sum()),
        queries=claims.queries,
        refused=dict(claims.refused),
        not_worded=claims.not_worded,
        learned=claims.learned,
        figures=dict(claims.figures),
        margin=margin,
    )


def strongest_grade(grades: Iterable[Grade]) -> Grade:
    """Return the grade that hurts most, of one at least: broken before partly, then by what it gains over guessing."""
    order = {"broken": 3, "partly": 2, "held": 1, "not worded": 0, "not run": -1}
    return max(grades, key=lambda g: (order[g.standing], g.counted, g.affected))

"""Grading: claims held against the truth."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.attack.claims import Claims
from tacita.attack.judge.answers import Answers
from tacita.attack.judge.grade import Grade
from tacita.attack.judge.graded import grade, strongest_grade
from tacita.core.errors import AttackError


def test_silence_is_never_right() -> None:
    """A victim who is not in the file has no row, and who says nothing says so by the same number."""
    found = grade(
        Claims(about="identity", said=np.array([-1, -1, 2])),
        Answers(truth={"identity": np.array([-1, 0, 2])}),
        attack="toy",
        target="",
    )
    assert found.success == pytest.approx(1 / 3)
    assert found.low < found.success < found.high


def test_another_number_of_victims_is_refused() -> None:
    with pytest.raises(AttackError, match="must speak of 2 victims, got 1"):
        grade(Claims(about="wage", said=np.ones(1)), Answers(truth={"wage": np.ones(2)}), attack="toy", target="")


def test_the_strongest_is_the_one_that_broke_something() -> None:
    held = Grade(attack="a", target="", victims=10, of=10, success=0.9, baseline=0.88)
    broken = Grade(attack="b", target="", victims=10, of=10, success=0.2, baseline=0.1)
    assert strongest_grade([held, broken, Grade(attack="c", target="", reason="no")]).attack == "b"


def test_what_is_claimed_of_the_data_is_judged_by_the_data() -> None:
    """No victim has a truth of his own: the judge tests what is said."""
    answers = Answers(truth={}, judged={"even": lambda said: np.asarray(said % 2 == 0)})
    found = grade(Claims(about="even", said=np.array([2, 4, 5, -1])), answers, attack="toy", target="")
    assert (found.success, found.baseline, found.victims) == (0.5, 0.0, 4)
    assert answers.knows("even")
    assert not answers.knows("odd")
    with pytest.raises(AttackError, match="Nobody knows the truth about 'odd'"):
        grade(Claims(about="odd", said=np.array([1])), answers, attack="toy", target="")

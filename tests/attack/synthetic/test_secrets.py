"""Secrets: a wanted column with the words of its classes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tacita.attack.synthetic.secrets import declined_secret, secret_column
from tacita.study.red_team.synthetic import copied, surveyed_people
from tests.attack.synthetic.scenes import staged


def test_numbers_and_classes() -> None:
    data = surveyed_people(200)
    savings, health = secret_column(data, "savings"), secret_column(data, "health")
    assert savings.is_number
    assert not health.is_number
    np.testing.assert_array_equal(savings.values, data.float("savings"))
    words = health.worded(health.codes)
    assert ((words == "") == data.is_missing("health")).all()
    assert set(words) - {""} == set(health.words)


def test_classes_are_numbered_by_the_words_given() -> None:
    data = surveyed_people(200)
    own = secret_column(data, "sex")
    other = secret_column(data, "sex", ("never", *reversed(own.words)))
    assert (other.worded(other.codes) == own.worded(own.codes)).all()
    assert (secret_column(data, "sex", ("female",)).codes == np.where(own.worded(own.codes) == "female", 0, -1)).all()


def test_why_a_secret_cannot_be_asked_for() -> None:
    target = staged(copied, n=100, secret="health").target
    assert declined_secret(target) == ""
    assert "names none" in declined_secret(replace(target, secret=None))
    assert "no such column" in declined_secret(replace(target, released=target.released.drop(["health"])))
    assert "no record" in declined_secret(replace(target, released=target.released.take(np.arange(0))))
    assert "not in the synthetic file" in declined_secret(replace(target, released=target.released.select(["health"])))

"""Regression attacks in a server's words: classes, bins, fitted values and sums from what is printed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from statsmodels.regression.linear_model import OLS

from tacita.attack.regression.wording import (
    AskedServer,
    WordedModel,
    told_either_way,
    universe_without,
    victim_words,
)
from tests.attack.regression.builders import refusing, served


def printed(y: np.ndarray, columns: dict[str, np.ndarray]) -> WordedModel:
    """A model as a server prints it, from a real regression; ``g[b]`` is a class, other names are numbers."""
    x = np.column_stack([np.ones(len(y)), *columns.values()])
    found = OLS(y, x).fit()
    labels = ["(intercept)", *columns]

    def effects(label: str) -> list[dict[str, Any]]:
        name, _, word = label.partition("[")
        listed = [{"variable": name, "transform": None, "class": word[:-1] or None}]
        return [] if label == "(intercept)" else listed

    rows = [
        {"label": label, "estimate": b, "error": e, "effects": effects(label)}
        for label, b, e in zip(labels, found.params, found.bse, strict=True)
    ]
    lines = [{"label": "(residual)", "amount": found.ssr}]
    return WordedModel.of({"n": len(y), "coefficients": rows, "table": {"lines": lines}})


def test_what_is_known_becomes_words() -> None:
    words = victim_words(served(), 0)
    assert words.classes == {"state": "s", "form": "b", "size": "11 to 50"}
    assert words.others["size"] == ["up to 10", "above 50"]
    assert (words.numbers, words.named, words.measured) == ({"size": 17.0}, ("state", "form"), ("size", "hours"))
    assert words.cell("form") == {"state": ["s"], "size": ["11 to 50"]}
    assert words.by_names().classes == {"state": "s", "form": "b"}


def test_a_bin_is_known_by_its_name_and_what_is_not_published_is_left_out() -> None:
    words = victim_words(served(size="above 50", hours="1.5", turnover="3", secret="x", state="elsewhere"), 0)
    assert words.classes == {"size": "above 50", "hours": "up to 1.5"}
    assert words.numbers == {"hours": 1.5}


def test_a_universe_less_a_cell_has_everybody_else() -> None:
    others = {"state": ["n", "w"], "form": ["a"]}
    cell = {"state": ["s"], "form": ["b"]}
    assert universe_without({}, cell, others) == {"any": [{"state": ["n", "w"]}, {"form": ["a"]}]}
    assert universe_without({"form": ["b"]}, cell, others) == {"form": ["b"], "state": ["n", "w"]}


def test_the_sum_of_the_response_follows_from_one_number() -> None:
    rng = np.random.default_rng(2)
    x, y = rng.lognormal(3, 1, 200), rng.lognormal(5, 1, 200)
    assert printed(y, {"size": x}).total() == pytest.approx((y.sum(), 200), rel=1e-8)
    assert math.isnan(printed(y, {"size": x, "hours": x**2}).total()[0])


def test_the_sum_of_a_class_follows_from_one_variable() -> None:
    rng = np.random.default_rng(2)
    code, y = rng.integers(0, 3, 200), rng.lognormal(5, 1, 200)
    model = printed(y, {"state[s]": code == 1, "state[w]": code == 2})
    assert model.class_total("state", "w") == pytest.approx((y[code == 2].sum(), (code == 2).sum()), rel=1e-8)
    assert math.isnan(model.class_total("state", "n")[0])


def test_fitted_values_of_a_victim() -> None:
    rng = np.random.default_rng(2)
    x, code = rng.lognormal(3, 1, 200), rng.integers(0, 2, 200)
    y = 3 + 2 * x + 7 * code + rng.normal(size=200)
    model = printed(y, {"size": x, "state[s]": code})
    words = victim_words(served(), 0)
    b = list(model.estimates.values())
    assert model.at(words) == pytest.approx(b[0] + 17 * b[1] + b[2])
    assert math.isnan(model.at(victim_words(served(state="s", size="above 50"), 0)))


@pytest.mark.parametrize(
    ("label", "value"),
    [
        ("log(size)", math.log(17)),
        ("sqrt(size)", 17**0.5),
        ("square(size)", 289.0),
        ("state[s]:size", 17.0),
        ("state[n]", 0.0),
    ],
)
def test_intervals_are_read_by_their_middles(label: str, value: float) -> None:
    ends = [{"label": "(intercept)", "low": 1.0, "high": 3.0}, {"label": label, "low": 0.0, "high": 2.0}]
    model = WordedModel.of({"intervals": ends, "absorbed": {"state": ["w"]}})
    assert model.at(victim_words(served(), 0)) == pytest.approx(2.0 + value)
    assert math.isnan(model.total()[0])
    assert model.absorbed == {"state": ["w"]}


def test_both_ways_are_tried() -> None:
    words = victim_words(served(), 0)
    assert told_either_way(words, lambda w: (float(len(w.classes)), True)) == (2.0, True)
    assert told_either_way(words, lambda w: (float(len(w.classes)), False)) == (3.0, False)
    assert told_either_way(words, lambda w: (math.nan if len(w.classes) == 3 else 5.0, False)) == (5.0, False)


def test_refusals_are_counted_and_questions_end() -> None:
    asked = AskedServer(refusing, most=2)
    for _ in range(5):
        assert asked.model("turnover", ["size"], {"state": ["s"]}, [["a", "b"]]) is None
    assert (asked.queries, asked.refused) == (2, {"no_regress": 2, "tired": 2})

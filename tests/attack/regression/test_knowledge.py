"""What is known of victims, and one question for all of whom the same is known."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.attack.judge.model_server import ModelServer
from tacita.attack.regression.knowledge import (
    AskedModels,
    RegressionTarget,
    cover_of,
    dummies_of,
    equal_knowledge,
    exactly,
)
from tacita.attack.regression.question import ModelQuestion, variable
from tacita.core.errors import AttackError
from tests.attack.regression.builders import firms


def target(**options: object) -> RegressionTarget:
    columns = firms(40)
    known = {name: columns[name] for name in ("size", "state")}
    return RegressionTarget(fit=ModelServer(columns), known=known, wanted="turnover", **options)  # type: ignore[arg-type]


def test_a_sample_of_victims_keeps_what_is_known_of_them() -> None:
    whole = target()
    some = whole.among(np.array([3, 5]))
    assert (some.victims, whole.victims) == (2, 40)
    np.testing.assert_array_equal(some.known["state"], whole.known["state"][[3, 5]])


def test_dummies_follow_what_is_known_and_how_well() -> None:
    assert [part.kind for part in dummies_of(target(), 0).parts] == ["equal", "equal"]
    nearly = target(reach={"size": ("ratio", 0.025)})
    assert [part.kind for part in dummies_of(nearly, 0).parts] == ["ratio", "equal"]
    around = target(reach={"size": ("within", 3.0)})
    assert [part.kind for part in dummies_of(around, 0).parts] == ["within", "equal"]
    assert (target().numbers, nearly.numbers) == (("size",), ())
    assert target(further=("size",)).picks == ("state",)


def test_exactly_takes_numbers_and_words() -> None:
    assert isinstance(exactly(target(), "size", 0).value, float)
    assert exactly(target(), "state", 0).value in ("n", "s", "w")


def test_everybody_with_the_same_knowledge_is_one_question() -> None:
    here = target()
    first, number = equal_knowledge(here)
    for name, values in here.known.items():
        np.testing.assert_array_equal(values[first][number], values, err_msg=name)
    pairs = set(zip(here.known["size"].tolist(), here.known["state"].tolist(), strict=True))
    assert len(first) == len(pairs) < 40
    asked = AskedModels(here.fit)

    def tell(victim: int) -> tuple[float, bool]:
        asked.ask(ModelQuestion("turnover", (variable("size"),)))
        return float(victim), victim == first[0]

    said, sure = asked.for_each(here, tell)
    np.testing.assert_array_equal(said, first[number])
    assert asked.queries == len(first)
    assert sure.sum() == (number == number[first[0]]).sum()


@pytest.mark.parametrize("reach", [{}, {"size": ("ratio", 0.05)}, {"size": ("within", 4.0)}])
def test_the_victim_is_not_among_those_who_cover_him(reach: dict[str, object]) -> None:
    here = target(reach=reach)
    server = ModelServer(firms(40))
    for victim in range(40):
        cover = cover_of(here, victim)
        assert cover is not None
        both = server._of_all(cover) & server._of_all(dummies_of(here, victim))
        assert not both.any()


def test_without_a_number_nobody_is_covered() -> None:
    here = RegressionTarget(fit=dict, known={"state": np.array(["n", "s"])}, wanted="turnover")  # type: ignore[arg-type]
    assert cover_of(here, 0) is None


def test_refusals_are_counted() -> None:
    asked = AskedModels(lambda _: {"refused": "tired"})
    assert asked.ask(ModelQuestion("y", (variable("x"),))) is None
    assert (asked.queries, asked.refused) == (1, {"tired": 1})


def test_bad_targets() -> None:
    with pytest.raises(AttackError, match="something must be known"):
        RegressionTarget(fit=dict, known={}, wanted="y")  # type: ignore[arg-type]
    with pytest.raises(AttackError, match="one value a victim"):
        RegressionTarget(fit=dict, known={"a": np.zeros(2), "b": np.zeros(3)}, wanted="y")  # type: ignore[arg-type]
    with pytest.raises(AttackError, match="'state' must be a number"):
        target(reach={"state": ("ratio", 0.1)})

"""Known queries: three find a profile, and what is read in it is right as often as the method promises, or more."""

from __future__ import annotations

import numpy as np
import pytest

from tacita.attack.judge.grade import Grade
from tacita.attack.judge.trial import attack_each
from tacita.attack.logs import KnownQueries
from tacita.core.arrays import IntArray
from tacita.data.query_log.query_log import QueryLog
from tests.attack.logs.searchers import by_rule, merged, people, scene, told

LOG = people(120)


def graded(released: QueryLog, profile: IntArray, **options: object) -> dict[str, Grade]:
    staged = scene(LOG, released, profile, **options)
    found = attack_each(KnownQueries(), staged.target, staged.answers, seed=1, control=staged.control)
    return {one.about: one for one in found}


def test_pseudonyms_tell_everything() -> None:
    found = graded(*merged(LOG, 1))
    assert found["further_query"].success > 0.95
    assert found["further_sensitive_query"].standing == found["identity"].standing == "broken"
    assert found["further_query"].affected > 50


@pytest.mark.parametrize("k", [2, 5])
def test_the_promise_of_k_is_one_in_k(k: int) -> None:
    found = graded(*merged(LOG, k), steps=[told(k)], known=3)
    assert found["further_query"].figures["promised"] == 1 / k
    assert found["further_query"].low <= 1 / k <= found["further_query"].high
    assert found["further_query"].sure == 0


def test_rarer_knowledge_finds_more() -> None:
    one = graded(*merged(LOG, 1), known=1, which="random")
    rare = graded(*merged(LOG, 1), known=1, which="rare")
    assert one["further_query"].success < rare["further_query"].success == 1


def test_what_two_of_five_asked_tells_no_more_than_a_guess() -> None:
    found = graded(*by_rule(LOG, 5, askers=2), steps=[told(5, "safe")])
    assert {one.standing for one in found.values()} == {"held"}


def test_what_is_known_is_never_said() -> None:
    staged = scene(LOG, *merged(LOG, 2))
    claims = {c.about: c for c in KnownQueries().run(staged.target, np.random.default_rng(1))}
    texts = staged.target.released.texts.to_pylist()
    known = staged.target.known.to_arrow().to_pydict()
    pairs = set(zip(known["user"], known["query"], strict=True))
    for about in ("further_query", "further_sensitive_query"):
        said = claims[about].said
        assert not {(str(v), texts[t]) for v, t in enumerate(said.tolist()) if t >= 0} & pairs
    assert all(texts[t].startswith("illness") for t in claims["further_sensitive_query"].said if t >= 0)

from __future__ import annotations

import numpy as np
import pytest

from tacita.logs.microaggregation.interests import interests_of
from tacita.logs.microaggregation.leaving import what_leaves
from tacita.logs.microaggregation.plain_log import PlainLog
from tests.logs.material import TREE, made_material

LEAF = TREE.places["Sports", "East", "Old"]


@pytest.mark.parametrize(
    ("treatment", "expected"),
    [
        ("keep", ["shared", "leaf", "leaf"]),
        ("generalise", ["leaf", "leaf", "leaf"]),
        ("remove", ["nothing", "leaf", "leaf"]),
    ],
)
def test_what_stands_for_a_shared_an_identifying_and_a_lonely_text(treatment: str, expected: list[str]) -> None:
    """Text 0 is asked by both users and identifies somebody; 1 and 2 are asked by one each; all are about one leaf."""
    log, topics = made_material([0, 1, 0, 1], [0, 0, 1, 2], [[LEAF], [LEAF], [LEAF]])
    plain, interests = PlainLog(log), interests_of(log, topics)
    flags = np.array([True, False, False])
    item, identifies = what_leaves(
        plain, topics, interests, np.zeros(2, np.int64), identifies=flags, treatment=treatment, askers=2
    )
    meaning = {0: "shared", -1: "nothing", 3 + LEAF: "leaf"}
    assert [meaning[i] for i in item[1:].tolist()] == expected
    assert identifies.tolist() == [treatment != "keep"] * 2 + [False] * 2

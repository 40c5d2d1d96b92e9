"""Shadow servers: data of the attacker's own with the victim in them, alone with his keys."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tacita.attack.queries.shadow_servers import REFUSED, ReferencePeople, Shadows
from tacita.attack.queries.words import ServerWords
from tacita.core.errors import AttackError
from tests.attack.queries.oracles import oracle_target


@pytest.mark.parametrize("has", [True, False])
def test_a_shadow_has_the_victim_alone_with_his_keys(has: bool) -> None:
    target, _ = oracle_target("exact")
    victim = target.known[0]
    data = ReferencePeople.of(target).shadow(victim, has=has, rng=np.random.default_rng(1), size=300)
    assert len(data) == 300
    words = ServerWords(target, target.serve(data, 1))
    alone = {name: [word] for name, word in victim.items()}
    assert words.asked({"kind": "statistic", "statistic": "count", "where": alone})["value"] == 1  # type: ignore[index]
    ill = {**alone, "ill": ["yes"]}
    assert words.asked({"kind": "statistic", "statistic": "count", "where": ill})["value"] == has  # type: ignore[index]


def test_a_class_that_the_reference_lacks_is_an_error() -> None:
    target, _ = oracle_target("exact")
    wrong = replace(target, known=({**target.known[0], "sex": "other"},))
    with pytest.raises(AttackError, match="class of 'sex'"):
        ReferencePeople.of(wrong).shadow(wrong.known[0], has=True, rng=np.random.default_rng(1))


@pytest.mark.parametrize("remembers", [True, False])
def test_answers_are_those_of_the_servers(remembers: bool) -> None:
    target, _ = oracle_target("size")
    domain = ServerWords(target).domain
    shadows = Shadows.drawn(target, domain, 10, np.random.default_rng(1), remembers=remembers)
    assert shadows.has.sum() == 5
    told = shadows.answers(((1, 1, 1, 1, 1), (0, 0, 0, 0, 0), (0, 0, 1, 0, 0)))
    assert (told[:, 0] == REFUSED).all()
    assert (told[:, 1] == REFUSED).all()  # everybody is too many for this server
    assert (told[:, 2] > 100).all()
    assert shadows.queries == 30


def test_the_same_query_again_is_asked_again() -> None:
    target, _ = oracle_target("anew")
    shadows = Shadows.drawn(target, ServerWords(target).domain, 6, np.random.default_rng(1), remembers=False)
    told = shadows.answers(((1, 0, 0, 0, 0), (1, 0, 0, 0, 0)))
    assert (told[:, 0] != told[:, 1]).all()
    np.testing.assert_array_equal(shadows.answers(((1, 0, 0, 0, 0),))[:, 0], told[:, 0])

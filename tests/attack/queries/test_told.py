"""From what was told to claims: one person is certain, several are a mean, and an insider takes himself out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tacita.attack.queries.told import claims_told, victim_set, without_insider
from tacita.attack.queries.words import ServerWords
from tests.attack.queries.servers import target_of, words_of


def test_amounts_of_one_person_are_certain_and_of_several_a_mean() -> None:
    words = words_of()
    found = [np.array([1.0, 500.0]), np.array([2.0, 600.0]), None, np.array([np.nan, 7.0])]
    claim = claims_told(words.target, words, found)[0]
    np.testing.assert_array_equal(claim.said, [500.0, 300.0, np.nan, 7.0])
    assert claim.is_sure is not None
    assert claim.is_sure.tolist() == [True, False, False, False]


def test_classes_are_said_as_whether_the_class_is_there() -> None:
    words = words_of(wanted="ill")
    found = [np.array([1.0, 0.0, 1.0]), np.array([1.0, 0.9, 0.1]), None]
    claim = claims_told(words.target, words, found)[0]
    assert claim.said.tolist() == [True, False, None]
    assert claim.is_sure is not None
    assert claim.is_sure.tolist() == [True, False, False]
    plain = ServerWords(replace(words.target, of=""))
    assert claims_told(plain.target, plain, found)[0].said.tolist() == ["yes", "no", ""]


def test_an_insider_takes_himself_out() -> None:
    words = words_of(wanted="ill")
    found = without_insider(words, np.array([2.0, 1.0, 1.0]), {"ill": "yes"})
    assert found is not None
    assert found.tolist() == [1.0, 1.0, 0.0]
    assert without_insider(words, None, {"ill": "yes"}) is None


def test_a_victim_is_named_by_what_may_be_named() -> None:
    words = words_of("audited")
    known = {**words.target.known[0], "ill": "yes"}
    assert victim_set(words, known).variables == ("age", "region", "sex", "work")


def test_few_known_variables_are_declined() -> None:
    from tacita.attack.queries.general_tracker import GeneralTracker

    target, _ = target_of()
    assert "two variables" in GeneralTracker().declined(replace(target, known=({"sex": "male"},)))

"""Likeness by topics: a cosine of what is asked about, in which what all ask about counts nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse

from tacita.attack.logs.released_profiles import ReleasedProfiles
from tacita.attack.logs.topic_likeness import likeness_of_topics, topic_seconds
from tacita.data.directory.category_tree import CategoryTree
from tacita.data.directory.classified import Classified
from tests.attack.logs.searchers import merged, people, scene

TARGET = scene(people(4), *merged(people(4), 2)).target


def test_the_cosine_is_that_of_a_slow_computation() -> None:
    rng = np.random.default_rng(1)
    lines, of_texts = rng.integers(0, 3, (3, 6)), rng.integers(0, 2, (6, 4))
    wanted = rng.integers(0, 3, (4, 4))
    tree = CategoryTree.from_paths([(f"topic {i}",) for i in range(4)])
    released = TARGET.released.take(np.arange(6)).compact()
    released = replace(released, texts=released.texts[:1].take([0] * 6), query=np.zeros(6, np.int32))
    topics = Classified(tree, (sparse.csr_array(of_texts),))
    target = replace(TARGET, released=released, topics=topics, interests=sparse.csr_array(wanted))
    likeness = likeness_of_topics(target, ReleasedProfiles(sparse.csr_array(lines)))
    assert likeness is not None
    found = likeness.of(slice(0, 4)).toarray()
    assert likeness.of(slice(1, 3)).toarray().tolist() == found[1:3].tolist()
    about = lines @ of_texts
    weight = np.log(3 / np.maximum((about > 0).sum(axis=0), 1))
    for victim in range(4):
        for profile in range(3):
            one, two = wanted[victim] * weight, about[profile] * weight
            length = np.linalg.norm(one) * np.linalg.norm(two)
            assert found[victim, profile] == pytest.approx(one @ two / length if length else 0.0)


@pytest.mark.parametrize("lacking", ["topics", "interests"])
def test_without_a_directory_there_is_none(lacking: str) -> None:
    target = replace(TARGET, **{lacking: None})  # type: ignore[arg-type]
    assert likeness_of_topics(target, ReleasedProfiles.of_texts(target.released)) is None
    assert topic_seconds(target) == 0
    assert topic_seconds(TARGET.among(np.arange(2))) < topic_seconds(TARGET)

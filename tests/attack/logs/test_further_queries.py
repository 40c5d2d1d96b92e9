"""Further queries: the rarest is said, sensitive ones are those of a category or below it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pyarrow as pa
from scipy import sparse

from tacita.attack.logs.further_queries import claims_of_profiles, claims_of_queries, rows_of_profiles, texts_about
from tacita.attack.logs.released_profiles import FoundProfiles, ReleasedProfiles, texts_asked
from tacita.data.directory.category_tree import CategoryTree
from tacita.data.directory.classified import Classified
from tests.attack.logs.searchers import classified, merged, people, scene, told

LOG = people(12)
TARGET = scene(LOG, *merged(LOG, 3), steps=[told(3)]).target


def test_a_category_has_what_lies_below_it() -> None:
    topics = classified(LOG)
    is_illness = [text.startswith("illness") for text in LOG.texts.to_pylist()]
    assert texts_about(topics, ["Health"]).tolist() == is_illness
    assert texts_about(topics, ["Illnesses"]).tolist() == is_illness
    assert not texts_about(topics, ["Nowhere"]).any()


def test_rows_are_those_of_the_found_profiles() -> None:
    profiles = ReleasedProfiles.of_texts(TARGET.released)
    place = np.full(TARGET.victims, -1)
    place[2] = 1
    rows = rows_of_profiles(FoundProfiles(place, np.zeros(len(place), bool)), profiles).toarray()
    assert rows[2].tolist() == profiles.lines.toarray()[1].tolist()
    assert not rows[[0, 1, *range(3, 12)]].any()


def test_the_rarest_text_is_said_and_an_empty_row_says_nothing() -> None:
    profiles = ReleasedProfiles.of_texts(TARGET.released)
    texts = TARGET.released.texts.to_pylist()
    common, rare = texts.index("site 0"), texts.index("thing 11 5")
    rows = np.zeros((12, len(texts)), int)
    rows[0, [common, rare]] = rows[1, common] = 1
    no = np.zeros(12, bool)
    claim, sensitive, topic = claims_of_queries(
        TARGET, profiles, sparse.csr_array(rows), is_sure=~no, rng=np.random.default_rng(1), sensitive=["Health"]
    )
    assert claim.said[:3].tolist() == [rare, common, -1]
    assert (claim.about, sensitive.about) == ("query", "sensitive_query")
    assert (sensitive.said == -1).all()
    assert (topic.said == -1).all()
    assert not sensitive.is_sure.any()


def test_a_category_is_said_and_its_name_is_no_query() -> None:
    texts = [*TARGET.released.texts.to_pylist(), "Health: Illnesses"]
    released = replace(TARGET.released, texts=pa.array(texts))
    tree = CategoryTree.from_paths([("Health", "Illnesses")])
    number, last = np.arange(len(texts)), len(texts) - 1
    illness = np.flatnonzero([text.startswith(("illness", "Health")) for text in texts])
    topics = Classified.from_categories(tree, len(number), illness, illness, np.ones(len(illness), int), depth=2)
    target = replace(TARGET, released=released, topics=topics, interests=sparse.csr_array((12, 2)))
    rows = np.zeros((12, len(texts)), int)
    rows[0, last] = 1
    no = np.zeros(12, bool)
    query, sensitive, topic = claims_of_queries(
        target,
        ReleasedProfiles.of_texts(released),
        sparse.csr_array(rows),
        is_sure=no,
        rng=np.random.default_rng(1),
        sensitive=["Health"],
    )
    assert (query.said[0], sensitive.said[0]) == (-1, -1)
    assert topic.said[0] in (0, 1)
    assert topic.about == "sensitive_topic"
    unjudged = replace(target, interests=None)
    profiles, rows = ReleasedProfiles.of_texts(released), sparse.csr_array(rows)
    found = claims_of_queries(unjudged, profiles, rows, is_sure=no, rng=np.random.default_rng(1), sensitive=["Health"])
    assert [claims.about for claims in found] == ["query", "sensitive_query"]


def test_whoever_knows_some_says_another_one() -> None:
    profiles = ReleasedProfiles.of_texts(TARGET.released)
    rows = texts_asked(TARGET.known, TARGET.released)
    no = np.zeros(12, bool)
    (claim,) = claims_of_queries(TARGET, profiles, rows, is_sure=no, rng=np.random.default_rng(1), knows="queries")
    assert claim.about == "further_query"
    assert (claim.said == -1).all()


def test_nobody_is_alone_for_sure_where_profiles_stand_for_several() -> None:
    found = FoundProfiles(np.zeros(12, int), np.ones(12, bool))
    profile, identity = claims_of_profiles(TARGET, found)
    assert profile.is_sure.all()
    assert not identity.is_sure.any()

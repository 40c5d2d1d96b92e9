"""Tests of ``tacita.logs.semantic_microaggregation`` and of its base, ``tacita.logs.microaggregation.grouped_profiles``."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tacita as tc
from tacita.core.errors import DataError, ParameterError
from tacita.core.streams import Streams
from tacita.data.directory.category_tree import CategoryTree
from tacita.data.directory.classified import Classified
from tacita.data.directory.topic_index import TopicIndex
from tacita.data.query_log.query_log import QueryLog
from tacita.logs.anonymiser import Anonymiser
from tacita.logs.log_measure import LogFigure
from tacita.logs.measures.semantic_remain import SemanticRemain
from tacita.logs.rivals.random_groups import RandomGroups
from tacita.logs.semantic_microaggregation import SemanticMicroaggregation
from tests.logs.material import TREE, Material, interested_users, made_material, materials
from tests.oracles.logs import log_certificate
from tests.oracles.logs import semantic_microaggregation as oracle


def by_oracle(material: Material, k: int, seed: int) -> Counter[tuple[int, str]]:
    """What every group publishes, from the slow transcription and the stream of the method."""
    log, topics = material
    queries = [log.query[log.user == u].tolist() for u in range(len(log.users))]
    named = [[Counter(dict(enumerate(row))) for row in level.toarray().tolist()] for level in topics.levels]
    label = oracle.partition(oracle.incidence(oracle.classification(queries, named)), k)
    draws = Streams(seed).within(PAPER(k=k).words()).stream("copies").random(10_000)
    published: Counter[tuple[int, str]] = Counter()
    for user, added in enumerate(oracle.aggregate(queries, label, iter(draws.tolist()))):
        published.update({(label[user], log.texts[query].as_py()): copies for query, copies in added.items()})
    return published


def PAPER(**parameters: object) -> SemanticMicroaggregation:
    return SemanticMicroaggregation(mode="paper", partition="paper", **parameters)  # type: ignore[arg-type]


@given(materials(), st.integers(2, 4), st.integers(0, 99))
def test_equals_the_slow_transcription(material: Material, k: int, seed: int) -> None:
    log = material.log
    if len(log.users) < k:
        return
    made = PAPER(k=k).apply(*material, seed=seed)
    published = Counter(
        zip(
            made.log.users.take(made.log.user).to_pylist(), made.log.texts.take(made.log.query).to_pylist(), strict=True
        )
    )
    expected = by_oracle(material, k, seed)
    groups = {}
    for (group, text), n in expected.items():
        groups.setdefault(group, []).append((text, n))
    found = {}
    for (profile, text), n in published.items():
        found.setdefault(profile, []).append((text, n))
    assert sorted(sorted(g) for g in groups.values()) == sorted(sorted(g) for g in found.values())
    assert made.smallest >= k


@given(
    materials(), st.integers(2, 4), st.integers(2, 3), st.sampled_from(["none", "hosts", "urls"]), st.integers(0, 99)
)
def test_what_leaves_is_safe(material: Material, k: int, askers: int, clicks: str, seed: int) -> None:
    """By the slow recount, not by that of the package."""
    log, topics = material
    if not askers <= k <= len(log.users):
        return
    made = SemanticMicroaggregation(k=k, askers=askers, clicks=clicks).apply(*material, seed=seed)
    given_to = (log, topics, made.profile.tolist(), made.log, askers)
    assert log_certificate.lonely_texts(*given_to) == 0
    assert log_certificate.lonely_clicks(*given_to) == 0
    assert log_certificate.lonely_times(log, made.profile.tolist(), made.log, askers) == 0
    assert made.smallest >= k
    assert made.stands_for.max() < 2 * k
    assert made.certificate is not None
    assert made.certificate.holds
    assert sum(made.removed.values()) + len(made.log) == len(log)


PEOPLE = interested_users(60, lines_each=20)


def same(first: QueryLog, second: QueryLog) -> bool:
    return bool(first.to_arrow().equals(second.to_arrow()))


def test_a_seed_repeats_and_parameters_change_what_is_drawn() -> None:
    made = [SemanticMicroaggregation(k=3).apply(*PEOPLE, seed=seed) for seed in (5, 5, 6)]
    assert same(made[0].log, made[1].log)
    assert not same(made[0].log, made[2].log)
    assert np.array_equal(made[0].profile, made[1].profile)
    other = SemanticMicroaggregation(k=3, askers=3).apply(*PEOPLE, seed=5)
    assert not np.array_equal(made[0].profile, other.profile)


def test_an_answer_has_the_topics_of_its_texts() -> None:
    """A category is about itself and what lies above it; a text about what the directory says of it."""
    made = SemanticMicroaggregation(k=3).apply(*PEOPLE, seed=5)
    assert made.topics is not None
    paths = [": ".join(path) for path in made.topics.tree.paths]
    places = {text: t for t, text in enumerate(PEOPLE.log.texts.to_pylist())}
    categories = 0
    for t, text in enumerate(made.log.texts.to_pylist()):
        found = {paths[c] for level in made.topics.levels for c in level[[t]].indices}
        if text in paths:
            parts = text.split(": ")
            assert found == {": ".join(parts[: n + 1]) for n in range(len(parts))}
            categories += 1
        else:
            assert found == {paths[c] for level in PEOPLE.topics.levels for c in level[[places[text]]].indices}
    assert 0 < categories < len(made.log.texts)


def test_nothing_tells_the_order_of_the_original() -> None:
    """Texts stand in the alphabet; the first user does not get the first profile more often than by chance."""
    made = [SemanticMicroaggregation(k=3, partition="paper").apply(*PEOPLE, seed=seed) for seed in range(20)]
    assert all(m.log.texts.to_pylist() == sorted(m.log.texts.to_pylist()) for m in made)
    assert len({int(m.profile[0]) for m in made}) > 8


def test_profiles_never_have_the_names_of_users() -> None:
    log = QueryLog.from_columns([f"p{u}" for u in PEOPLE.log.user], PEOPLE.log.texts.take(PEOPLE.log.query))
    made = SemanticMicroaggregation(k=3).apply(log, PEOPLE.topics, seed=5)
    assert made.log.users[0].as_py() == "PP1"


def test_texts_that_differ_in_capitals_and_blanks_are_the_same() -> None:
    """Neither leaves as it was written, since the way of writing would tell who wrote it."""
    texts = ["Green  Tea", "green tea ", "GREEN TEA", "alone"]
    users = ["a", "b", "c", "c"]
    log = QueryLog.from_columns(users * 8, texts * 8)
    topics = made_material([0] * 4, [0, 1, 2, 3], [[], [], [], []]).topics
    made = SemanticMicroaggregation(k=3).apply(log, topics, seed=5)
    assert made.log.texts.to_pylist() == ["green tea"]
    assert SemanticMicroaggregation(k=3, mode="paper").apply(log, topics, seed=5).log.texts.to_pylist() == sorted(texts)


@pytest.mark.parametrize(("users", "sizes"), [(3, [3]), (4, [4]), (5, [5]), (6, [3, 3]), (8, [3, 5])])
def test_numbers_of_users_at_the_edge(users: int, sizes: list[int]) -> None:
    made = SemanticMicroaggregation(k=3).apply(*interested_users(users), seed=5)
    assert sum(made.stands_for) == users
    assert len(made.stands_for) == len(sizes)
    assert made.smallest >= 3


@pytest.mark.parametrize("users", [1, 2])
def test_too_few_users_are_refused(users: int) -> None:
    with pytest.raises(DataError, match=f"at least k = 3 users, got {users}"):
        SemanticMicroaggregation(k=3).apply(*interested_users(users), seed=5)


def test_users_who_asked_nothing_have_no_profile() -> None:
    material = made_material([0, 1, 2, 3], [0, 0, 0, 0], [[3]])
    silent = QueryLog(
        user=material.log.user,
        query=np.array([0, 0, 0, -1], np.int32),
        users=material.log.users,
        texts=material.log.texts,
    )
    made = SemanticMicroaggregation(k=3).apply(silent, material.topics, seed=5)
    assert made.profile.tolist() == [0, 0, 0, -1]
    assert made.notes[0] == "1 users asked nothing; no profile stands for them."
    with pytest.raises(DataError, match="at least k = 4 users must have a query, got 3"):
        SemanticMicroaggregation(k=4).apply(silent, material.topics, seed=5)


def test_a_log_that_the_directory_does_not_know() -> None:
    """All users are equally similar: groups go by their numbers, and only shared texts leave."""
    material = made_material([0, 1, 2, 3, 4, 5] * 5, [0, 0, 1, 2, 2, 2] * 5, [[], [], []])
    made = SemanticMicroaggregation(k=3).apply(*material, seed=5)
    assert made.profile[0] == made.profile[1] == made.profile[2] != made.profile[3]
    assert made.log.texts.to_pylist() == ["query 0", "query 2"]


def test_more_askers_than_users_of_a_group_are_refused() -> None:
    with pytest.raises(ParameterError, match="'askers' must be at most k = 3, the users of a group, got 4"):
        SemanticMicroaggregation(k=3, askers=4)


@pytest.mark.parametrize(
    ("identifying", "left"),
    [("generalise", ["Health: East: Old", "tea"]), ("remove", ["tea"]), ("keep", ["jane miller", "tea"])],
)
def test_identifying_texts_do_not_leave_even_when_several_asked_them(identifying: str, left: list[str]) -> None:
    log = QueryLog.from_columns(["a", "b", "c"] * 40, ["Jane Miller", "jane miller", "tea", "tea", "tea", "tea"] * 20)
    place = [": ".join(path) for path in TREE.paths].index("Health: East: Old")
    topics = Classified.from_categories(TREE, 3, np.arange(2), np.arange(2), np.array([place, place]), depth=3)
    made = SemanticMicroaggregation(k=3, identifying=identifying).apply(log, topics, seed=5)
    assert made.log.texts.to_pylist() == left
    assert (made.removed["identifying somebody"] > 0) == (identifying == "remove")


@pytest.fixture(scope="module")
def made_log() -> Material:
    sample = tc.samples.query_log(300, seed=2)
    return Material(sample.log, TopicIndex.build(sample.directory).classify(sample.log.texts))


@pytest.mark.parametrize("k", [2, 3, 4, 5])
def test_more_remains_than_in_the_worst_case_and_by_chance(made_log: Material, k: int) -> None:
    """In the paper's mode, at every level: above 1/k (5), and above random groups; better groups keep more on average."""

    def remains(method: Anonymiser) -> LogFigure:
        return SemanticRemain().of(*made_log, method.apply(*made_log, seed=3))

    paper, chance = remains(PAPER(k=k)), remains(RandomGroups(k=k, mode="paper"))
    for level in range(1, 6):
        assert paper.parts[f"level_{level}"] > max(100 / k, chance.parts[f"level_{level}"])
    assert remains(SemanticMicroaggregation(k=k, mode="paper")).value > paper.value
    safe = [remains(SemanticMicroaggregation(k=k, partition=partition)).value for partition in ("paper", "improved")]
    assert safe[0] < safe[1] < paper.value


def test_nothing_of_the_original_stands_in_what_is_shown() -> None:
    made = SemanticMicroaggregation(k=3).apply(*PEOPLE, seed=5)
    shown = f"{made!r} {made.certificate!r} {made.notes} {made.removed} {made.stages}"
    assert "user " not in shown
    assert "query 1" not in shown
    assert repr(made).startswith(f"AnonymisedLog of {len(made.log)} lines, 20 profiles for 60 users, by semantic_micro")


def test_a_directory_without_categories_groups_by_number() -> None:
    log = made_material([0, 1, 2], [0, 0, 0], [[]]).log
    nothing = np.zeros(0, np.int64)
    topics = Classified.from_categories(CategoryTree.from_paths([]), 1, nothing, nothing, nothing, depth=2)
    made = SemanticMicroaggregation(k=3).apply(log, topics, seed=5)
    assert set(made.log.texts.to_pylist()) <= {"query 0"}

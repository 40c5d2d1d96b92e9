from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from tacita.core.streams import Streams
from tacita.logs.semantic_microaggregation import SemanticMicroaggregation
from tests.logs.material import Material, materials
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
    return SemanticMicroaggregation(**parameters)  # type: ignore[arg-type]


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

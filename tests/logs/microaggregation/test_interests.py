from __future__ import annotations

from collections import Counter

from hypothesis import given

from tacita.logs.microaggregation.interests import interests_of
from tests.logs.material import TREE, Material, made_material, materials
from tests.oracles.logs.semantic_microaggregation import classification


@given(materials())
def test_interests_equal_the_slow_classification(material: Material) -> None:
    log, topics = material
    queries = [log.query[log.user == u].tolist() for u in range(len(log.users))]
    named = [[Counter(dict(enumerate(row))) for row in level.toarray().tolist()] for level in topics.levels]
    expected = classification(queries, named)
    found = interests_of(log, topics)
    for (user, column), count in found.counts.todok().items():
        assert expected[found.level[column] - 1][user][int(found.category[column])] == count
    assert found.counts.sum() == sum(sum(user.values()) for level in expected for user in level)
    assert (TREE.levels[found.category] == found.level).all()


def test_a_log_without_any_topic_has_no_columns() -> None:
    found = interests_of(*made_material([0, 1], [0, 1], [[], []]))
    assert found.counts.shape == (2, 0)
    assert found.depth == 0

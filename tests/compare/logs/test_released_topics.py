"""A category's path in a released log is that category, whatever a search with its words would be about."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tacita.compare.logs.released_topics import released_topics
from tacita.data.directory.classified import Classified
from tests.logs.material import TREE


def test_paths_are_categories_and_texts_are_searches() -> None:
    texts = pa.array(["Arts: East", "arts east", "Sports"])
    nothing = Classified.from_categories(
        TREE, 3, np.array([0, 1]), np.array([0, 0]), np.array([TREE.places[("Health",)]] * 2), depth=3
    )
    found = released_topics(texts, nothing)
    first, second = (level.toarray() for level in found.levels[:2])
    assert first[0].nonzero()[0].tolist() == [TREE.places[("Arts",)]]
    assert second[0].nonzero()[0].tolist() == [TREE.places[("Arts", "East")]]
    assert first[1].nonzero()[0].tolist() == [TREE.places[("Health",)]]
    assert first[2].nonzero()[0].tolist() == [TREE.places[("Sports",)]]
    assert second[2].sum() == 0

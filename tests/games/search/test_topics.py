from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

from tacita.core.errors import ParameterError
from tacita.data.directory.classified import Classified
from tacita.data.samples import topic_directory
from tacita.games.search.topics import level_topics


def test_the_category_of_most_terms_is_the_topic() -> None:
    tree = topic_directory().tree
    counts = np.zeros((4, len(tree)), np.int32)
    counts[0, [3, 7]] = 1, 2
    counts[1, 3] = 1
    counts[3, 7] = 1
    found = level_topics(Classified(tree, (sparse.csr_array(counts),)), 1)
    assert found[2] == -1
    assert found[0] == found[3] != found[1]
    assert set(found.tolist()) == {-1, 0, 1}


def test_a_level_that_is_not_there_is_named() -> None:
    tree = topic_directory().tree
    with pytest.raises(ParameterError, match="'level'"):
        level_topics(Classified(tree, (sparse.csr_array((1, len(tree)), dtype=np.int32),)), 2)

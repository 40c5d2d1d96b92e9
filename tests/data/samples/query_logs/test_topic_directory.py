"""The sample directory: sixteen branches, eight levels, and every word of a category in one of its entries."""

from __future__ import annotations

import numpy as np

from tacita.data.samples import topic_directory
from tacita.data.samples.query_logs.outline import outlined_topics


def test_its_shape() -> None:
    directory = topic_directory()
    tree = directory.tree
    assert (tree.levels == 1).sum() == 16
    assert tree.depth == 8
    assert 600 <= len(tree) <= 2500
    assert 2000 <= len(directory) <= 8000
    assert directory.title.null_count == directory.description.null_count == 0


def test_categories_are_those_of_the_outlines_in_their_order() -> None:
    tree = topic_directory().tree
    assert [tree.path(place) for place in range(len(tree))] == [topic.path for topic in outlined_topics()]


def test_entries_stand_in_the_order_of_the_tree() -> None:
    assert np.all(np.diff(topic_directory().category) >= 0)


def test_every_word_is_in_an_entry_of_its_category() -> None:
    directory = topic_directory()
    written = [""] * len(directory.tree)
    for category, title, description in zip(directory.category, directory.title, directory.description, strict=True):
        written[category] += f"{title} {description} ".lower()
    for place, topic in enumerate(outlined_topics()):
        lacking = [word for word in (*topic.words, *topic.shared) if word not in written[place]]
        assert not lacking, topic.path


def test_it_is_the_same_at_every_call() -> None:
    fresh = topic_directory.__wrapped__()  # without the copy that is kept
    assert fresh.title.equals(topic_directory().title)
    assert fresh.description.equals(topic_directory().description)

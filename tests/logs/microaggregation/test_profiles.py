from __future__ import annotations

import numpy as np
import pyarrow as pa

from tacita.logs.microaggregation.profiles import LeavingLines, classify_items, make_profiles, name_items
from tests.logs.material import TREE, made_material

LEAF = TREE.places["Sports", "East", "Old"]


def test_lines_texts_and_addresses_are_numbered_anew() -> None:
    lines = LeavingLines(
        group=np.array([0, 0, 2, 2]),
        item=np.array([5, 1, 5, 9]),
        time=np.array(["2006-03-01", "2006-03-02", "NaT", "2006-03-03"], "datetime64[us]"),
        url=np.array([1, -1, 0, 1], np.int32),
        urls=pa.array(["z.org", "a.org", "unused.org"]),
    )
    made = make_profiles(
        lines, pa.array(["tea", "milk", "ajax"]), np.array([1, 5, 9]), 3, pa.array(["p1"]), np.random.default_rng(2)
    )
    assert made.log.users.to_pylist() == ["PP1", "PP2", "PP3"]
    assert made.log.texts.to_pylist() == ["ajax", "milk", "tea"]
    assert made.items.tolist() == [9, 5, 1]
    assert made.log.urls is not None
    assert made.log.urls.to_pylist() == ["a.org", "z.org"]
    rows = made.log.to_arrow().to_pylist()
    called = [made.log.users[int(place)].as_py() for place in made.number]
    found = {(row["user"], row["query"], row["url"]) for row in rows}
    assert found == {
        (called[0], "milk", "a.org"),
        (called[0], "tea", None),
        (called[2], "milk", "z.org"),
        (called[2], "ajax", "a.org"),
    }
    assert [row["user"] for row in rows] == sorted(row["user"] for row in rows)


def test_categories_are_named_and_classified_by_their_path() -> None:
    topics = made_material([0, 0], [0, 1], [[LEAF], []]).topics
    items = np.array([0, 1, 2 + LEAF, 2 + TREE.places["Sports",]])
    assert name_items(items[2:], pa.array(["x", "y"]), topics).to_pylist() == ["Sports: East: Old", "Sports"]
    found = classify_items(items, topics)
    assert [level.sum(axis=1).tolist() for level in found.levels] == [[1, 0, 1, 1], [1, 0, 1, 0], [1, 0, 1, 0]]
    assert found.levels[2][[2]].indices.tolist() == [LEAF]

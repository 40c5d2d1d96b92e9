"""Small query logs with topics, for the tests of what is done to logs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from tacita.data.directory.category_tree import CategoryTree
from tacita.data.directory.classified import Classified
from tacita.data.query_log.query_log import QueryLog

__all__ = ["TREE", "Material", "interested_users", "made_material", "materials"]

TREE = CategoryTree.from_paths(
    (root, middle, leaf)
    for root in ("Arts", "Health", "Sports")
    for middle in ("East", "West")
    for leaf in ("Old", "New", "Other")
)
"""Three levels: 3 categories, 2 below each, 3 below each of these."""


class Material(NamedTuple):
    """A log and what a directory says of its texts."""

    log: QueryLog
    topics: Classified


def made_material(
    users: list[int],
    texts: list[int],
    categories: list[list[int]],
    *,
    days: list[int] | None = None,
    clicks: list[int] | None = None,
    depth: int = 3,
) -> Material:
    """A log of numbers: line i is user users[i] asking text texts[i]; text t has the categories listed for it.

    Days count from the first of March; a click of 0 is none, others are addresses, three on a host.
    """
    log = QueryLog.from_columns(
        [f"user {u}" for u in users],
        [f"query {t}" for t in texts],
        time=None if days is None else np.datetime64("2006-03-01T07:00") + np.array(days, "timedelta64[D]"),
        url=None if clicks is None else [f"host{c // 3}.org/{c}" if c else "" for c in clicks],
    )
    of_text = [categories[int(name.as_py().removeprefix("query "))] for name in log.texts]
    text = np.repeat(np.arange(len(of_text)), [len(found) for found in of_text])
    category = np.array([c for found in of_text for c in found], np.int64)
    return Material(log, Classified.from_categories(TREE, len(log.texts), text, text, category, depth=depth))


@st.composite
def materials(draw: st.DrawFn, *, most_users: int = 12, most_lines: int = 60) -> Material:
    """Logs of few users with few texts, so that much is shared; some texts have no category, some have two."""
    users = draw(st.integers(2, most_users))
    lines = draw(st.lists(st.tuples(st.integers(0, users - 1), st.integers(0, 14)), min_size=1, max_size=most_lines))
    every = [*((u, draw(st.integers(0, 14))) for u in range(users)), *lines]  # everybody asks something
    categories = draw(st.lists(st.lists(st.integers(0, len(TREE) - 1), max_size=2), min_size=15, max_size=15))
    places = st.integers(0, 4)
    days, clicks = (draw(st.lists(places, min_size=len(every), max_size=len(every))) for _ in range(2))
    return made_material([u for u, _ in every], [t for _, t in every], categories, days=days, clicks=clicks)


def interested_users(users: int, *, lines_each: int = 30, seed: int = 1) -> Material:
    """A log of users who each have one or two leaves of the tree that most of their queries are about."""
    rng = np.random.default_rng(seed)
    leaves = np.flatnonzero(TREE.levels == 3)
    of_user = rng.choice(leaves, (users, 2))
    user = np.repeat(np.arange(users), rng.poisson(lines_each, users) + 1)
    likes = of_user[user, rng.integers(0, 2, len(user))]
    leaf = np.where(rng.random(len(user)) < 0.8, likes, rng.choice(leaves, len(user)))
    text = leaf * 20 + np.minimum(rng.geometric(0.25, len(user)) - 1, 19)
    categories = [[t // 20] if t % 20 != 19 and t // 20 in leaves else [] for t in range(20 * len(TREE))]
    return made_material(user.tolist(), text.tolist(), categories)

"""The log of profiles: chosen lines under new names, in an order and with tables that tell nothing of the original.

Profiles are numbered at random. The texts stand in the order of the alphabet, because the order in which they were first asked
tells who asked them; the lines stand profile by profile, at random within each.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from tacita.core.arrays import IntArray
from tacita.data.directory.classified import Classified
from tacita.data.query_log.query_log import Codes, QueryLog, Times

__all__ = ["LeavingLines", "Profiles", "classify_items", "make_profiles", "name_items"]


class LeavingLines(NamedTuple):
    """The lines that leave, one entry each."""

    group: IntArray
    item: IntArray
    """What it says: a text of the original, or, behind these, a category."""
    time: Times | None = None
    url: Codes | None = None
    urls: pa.StringArray | None = None


class Profiles(NamedTuple):
    """A log of profiles and what stands behind it."""

    log: QueryLog
    items: IntArray
    """For each text of the log the item that it was."""
    number: Codes
    """For each group the place of its profile."""


def make_profiles(
    lines: LeavingLines,
    names: pa.StringArray,
    named: IntArray,
    groups: int,
    users: pa.StringArray,
    rng: np.random.Generator,
) -> Profiles:
    """Make the log of profiles. O(n log n) time for n lines.

    Parameters
    ----------
    lines
        What leaves.
    names, named
        The texts of items, and the items that they belong to; ``named`` ascends.
    groups
        How many profiles there are; one without a line is still there.
    users
        The names that no profile may have.
    rng
        Draws the numbers of the profiles and the order of their lines.
    """
    number = rng.permutation(groups).astype(np.int32)
    shuffled = rng.permutation(len(lines.group))
    order = shuffled[np.argsort(number[lines.group[shuffled]], kind="stable")]
    used, item = np.unique(lines.item[order], return_inverse=True)
    texts = names.take(pa.array(np.searchsorted(named, used)))
    alphabet = pc.sort_indices(texts).to_numpy().astype(np.int64)
    place = np.empty(len(used), np.int32)
    place[alphabet] = np.arange(len(used), dtype=np.int32)
    url, urls = _in_alphabet(lines, order)
    log = QueryLog(
        user=number[lines.group[order]],
        query=place[item],
        users=_profile_names(groups, users),
        texts=texts.take(pa.array(alphabet)),
        time=None if lines.time is None else lines.time[order],
        url=url,
        urls=urls,
    )
    return Profiles(log, used[alphabet], number)


def _profile_names(groups: int, users: pa.StringArray) -> pa.StringArray:
    """Return names such as P17; with further letters where users have such names, so that nobody takes a profile for a user."""
    prefix = "P"
    while pc.any(pc.match_substring_regex(users, rf"(?i)^{prefix}[0-9]+$")).as_py():
        prefix += "P"
    return pa.array([f"{prefix}{number}" for number in range(1, groups + 1)], pa.string())


def name_items(used: IntArray, texts: pa.StringArray, topics: Classified) -> pa.StringArray:
    """Return the text of each item: of the original, or the path of a category such as ``Sports: Soccer``."""
    is_text = used < len(texts)
    kept = texts.take(pa.array(used[is_text]))
    paths = [": ".join(topics.tree.path(int(category))) for category in used[~is_text] - len(texts)]
    return pa.concat_arrays([kept, pa.array(paths, pa.string())])


def classify_items(items: IntArray, topics: Classified) -> Classified:
    """Return the classification of items: what the directory says of a text; for a category itself and what lies above it."""
    from scipy import sparse  # loads when used

    categories = items[items >= topics.texts] - topics.texts
    rows = np.where(items < topics.texts, items, topics.texts + np.cumsum(items >= topics.texts) - 1)
    levels = []
    for level, matrix in enumerate(topics.levels, 1):
        above = topics.tree.at_level(level)[categories]
        has = np.flatnonzero(above >= 0)
        ones: npt.NDArray[np.int32] = np.ones(len(has), np.int32)
        own = sparse.coo_array((ones, (has, above[has])), shape=(len(categories), len(topics.tree)))
        levels.append(sparse.csr_array(sparse.vstack([matrix, own], format="csr")[rows]))
    return Classified(topics.tree, tuple(levels))


def _in_alphabet(lines: LeavingLines, order: IntArray) -> tuple[Codes | None, pa.StringArray | None]:
    """Number the addresses that are used anew, in the order of the alphabet."""
    if lines.url is None or lines.urls is None:
        return None, None
    used, code = np.unique(lines.url[order], return_inverse=True)
    kept = lines.urls.take(pa.array(used[used >= 0]))
    alphabet = pc.sort_indices(kept).to_numpy().astype(np.int64)
    place = np.full(len(used), -1, np.int32)
    place[len(used) - len(kept) + alphabet] = np.arange(len(kept), dtype=np.int32)
    return place[code], kept.take(pa.array(alphabet))

"""Further queries of a victim: what an attacker reads in a profile beside what he knew, and what he thinks sensitive in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.random import Generator

from tacita.attack.claims import Claims
from tacita.attack.logs.log_target import LogTarget
from tacita.attack.logs.released_profiles import FoundProfiles, ReleasedProfiles, best_of_rows, rows_less, texts_asked
from tacita.core.arrays import BoolArray
from tacita.data.query_log.same_texts import are_categories

if TYPE_CHECKING:
    from tacita.data.directory.category_tree import CategoryTree
    from tacita.data.directory.classified import Classified

__all__ = [
    "Knows",
    "categories_about",
    "claims_of_profiles",
    "claims_of_queries",
    "rows_of_profiles",
    "texts_about",
    "topic_of_texts",
]

Knows: TypeAlias = Literal["nothing", "topics", "queries"]
"""What an attacker knows of a few of a victim's queries."""


def claims_of_profiles(target: LogTarget, found: FoundProfiles) -> tuple[Claims, ...]:
    """Return the claims that a profile stands for a victim, among others or alone.

    That it stands for him alone is said for sure only where the method is not known to put others behind the same profile.
    """
    n = int((found.profile >= 0).sum())
    learned = f"A profile was found for {n} of {target.victims} victims, for sure for {int(found.is_sure.sum())}."
    return (
        Claims(about="profile", said=found.profile, is_sure=found.is_sure, learned=learned),
        Claims(about="identity", said=found.profile, is_sure=found.is_sure & (target.k == 1), learned=learned),
    )


def rows_of_profiles(found: FoundProfiles, profiles: ReleasedProfiles) -> Any:
    """Return what stands in the profile that was found for each victim, a row each; empty where none was found."""
    from scipy import sparse

    n, there = len(found.profile), np.flatnonzero(found.profile >= 0)
    ones = np.ones(len(there), np.int64)
    choice = sparse.csr_array((ones, (there, found.profile[there])), shape=(n, len(profiles)))
    return sparse.csr_array(choice @ profiles.lines)


def claims_of_queries(
    target: LogTarget,
    profiles: ReleasedProfiles,
    rows: Any,
    *,
    is_sure: BoolArray,
    rng: Generator,
    sensitive: Sequence[str] = (),
    only_sensitive: bool = False,
    knows: Knows = "nothing",
) -> tuple[Claims, ...]:
    """Return for each victim the claims that he asked one of some texts, a sensitive one, and about a sensitive category.

    The rarest text is said: what everybody asks is no news of anybody.

    Parameters
    ----------
    target, profiles
        What the attacker has.
    rows
        For each victim the texts that may be his: a sparse matrix of victims x texts.
    is_sure
        Of which victims every text in his row must be his.
    rng
        Chooses among equally rare texts.
    sensitive
        Names of categories that are sensitive.
    only_sensitive
        Whether nothing is said of queries that are not.
    knows
        What he knows of the queries in ``target.known``, so that he says another one: nothing, their topics, or both these and
        their words.
    """
    rows = rows_less(rows, texts_asked(target.known, target.released)) if knows == "queries" else rows
    value = rows.astype(np.float64)
    value.data = 1 + profiles.rarity[value.indices] + 1e-6 * rng.random(value.nnz)
    if target.topics is not None:  # a category in the place of queries was nobody's words
        value.data = value.data * ~are_categories(target.released.texts, target.topics.tree)[value.indices]
    said, _ = best_of_rows(value)
    further = "further_" if knows == "queries" else ""
    claims = [] if only_sensitive else [_claim(f"{further}query", said, is_sure, target.k)]
    if target.topics is not None and sensitive:
        value.data = value.data * texts_about(target.topics, sensitive)[value.indices]
        claims.append(_claim(f"{further}sensitive_query", best_of_rows(value)[0], is_sure, target.k))
    if target.topics is not None and target.interests is not None and sensitive:
        topic = _sensitive_topics(target.topics, profiles, rows, sensitive)
        topic = topic if knows == "nothing" else rows_less(topic, target.interests)
        topic.data = topic.data + 1e-6 * rng.random(topic.nnz)
        about = "sensitive_topic" if knows == "nothing" else "further_sensitive_topic"
        claims.append(_claim(about, best_of_rows(topic)[0], is_sure, target.k))
    return tuple(claims)


def _sensitive_topics(topics: Classified, profiles: ReleasedProfiles, rows: Any, names: Sequence[str]) -> Any:
    """Return for each victim the sensitive categories of his texts, with 1 and more the fewer profiles have them."""
    from scipy import sparse

    of_texts = topic_of_texts(topics)
    rarity = ReleasedProfiles(sparse.csr_array(profiles.lines @ of_texts)).rarity
    found = sparse.csr_array((rows != 0).astype(np.float64) @ of_texts)
    found.data = (1 + rarity[found.indices]) * categories_about(topics.tree, names)[found.indices]
    found.eliminate_zeros()
    return found


def topic_of_texts(topics: Classified) -> Any:
    """Return how many terms of each text fall into each category, of all levels, as a sparse matrix."""
    return sum(topics.levels[1:], start=topics.levels[0])


def texts_about(topics: Classified, names: Sequence[str]) -> BoolArray:
    """Return which texts fall into a category of one of some names, or into one below it."""
    return np.asarray(topic_of_texts(topics) @ categories_about(topics.tree, names).astype(np.int64)) > 0


def categories_about(tree: CategoryTree, names: Sequence[str]) -> BoolArray:
    """Return which categories have one of some names, or lie below one that has."""
    named = np.append(np.isin(np.array(tree.names, dtype=object), list(names)), False)
    wanted = np.zeros(len(tree), bool)
    for depth in range(1, tree.depth + 1):
        wanted |= named[tree.at_level(depth)]
    return wanted


def _claim(about: str, said: Any, is_sure: BoolArray, k: int) -> Claims:
    n = int((said >= 0).sum())
    return Claims(
        about=about,
        said=said,
        is_sure=is_sure & (said >= 0),
        learned=f"He reads a {about.replace('_', ' ')} of {n} of {len(said)} victims in their profiles.",
        figures={"promised": 1 / k},
    )

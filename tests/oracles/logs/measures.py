"""Measures of query logs, spelled out: dictionaries and loops over users, lines and categories."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable

from tacita.data.directory.category_tree import CategoryTree
from tacita.data.directory.classified import Classified
from tacita.data.query_log.query_log import QueryLog
from tacita.logs.anonymiser import AnonymisedLog

Counts = Counter[Hashable]


def lines_of(log: QueryLog) -> list[tuple[int, str]]:
    """User and text of each line that has a text."""
    texts = log.texts.to_pylist()
    return [(int(u), texts[q]) for u, q in zip(log.user, log.query, strict=True) if q >= 0]


def categories_of(log: QueryLog, topics: Classified, level: int) -> dict[int, Counts]:
    """How often each user has each category of a level."""
    matrix = topics.levels[level - 1].toarray()
    found: dict[int, Counts] = defaultdict(Counter)
    for user, query in zip(log.user, log.query, strict=True):
        for category in range(matrix.shape[1]) if query >= 0 else ():
            if matrix[query, category]:
                found[int(user)][category] += int(matrix[query, category])
    return found


def semantic_remain(log: QueryLog, topics: Classified, made: AnonymisedLog, levels: list[int]) -> dict[int, float]:
    """Per user the percentage of what is matched at these levels, added up; users without a category are left out."""
    assert made.topics is not None
    rho: Counter[int] = Counter()
    chi: Counter[int] = Counter()
    for level in levels:
        own, left = categories_of(log, topics, level), categories_of(made.log, made.topics, level)
        for user, counts in own.items():
            chi[user] += sum(counts.values())
            profile = int(made.profile[user])
            for category, count in counts.items():
                rho[user] += min(count, left[profile][category] if profile in left else 0)
    return {user: 100 * rho[user] / chi[user] for user in chi}


def mean(values: dict[int, float]) -> float:
    """The mean of what is there."""
    return sum(values.values()) / len(values)


def total_variation(p: Counts, q: Counts) -> float:
    """Half the sum of the differences of two distributions; 1 where the second is empty."""
    if not q:
        return 1.0
    every = set(p) | set(q)
    return sum(abs(p[c] / p.total() - q[c] / q.total()) for c in every) / 2


def jensen_shannon(p: Counts, q: Counts) -> float:
    """The divergence in bits; 1 where the second is empty."""
    if not q:
        return 1.0
    found = 0.0
    for c in set(p) | set(q):
        a, b = p[c] / p.total(), q[c] / q.total()
        m = (a + b) / 2
        found += sum(x * math.log2(x / m) for x in (a, b) if x) / 2
    return found


def together(of_users: dict[int, Counts]) -> Counts:
    """The counts of everybody."""
    return sum(of_users.values(), Counter())


def spearman(before: Counts, after: Counts) -> float:
    """Spearman's correlation over what either has, by the ranks of all pairs."""
    every = sorted(set(before) | set(after), key=str)
    sides = [[side[x] for x in every] for side in (before, after)]
    ranks = [[sum(v < w for v in side) + (sum(v == w for v in side) - 1) / 2 for w in side] for side in sides]
    a, b = ([r - sum(side) / len(side) for r in side] for side in ranks)
    if not any(a) or not any(b):
        return float(not any(a) and not any(b) and all(sides[0]) and all(sides[1]) and bool(every))
    return sum(x * y for x, y in zip(a, b, strict=True)) / math.sqrt(sum(x * x for x in a) * sum(y * y for y in b))


def click_entropy(clicks: list[tuple[str, str]]) -> dict[str, float]:
    """The entropy of what was clicked after each query."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for query, url in clicks:
        found[query][url] += 1
    return {
        query: -sum(n / urls.total() * math.log2(n / urls.total()) for n in urls.values())
        for query, urls in found.items()
    }


def cosine(a: dict[Hashable, float], b: dict[Hashable, float]) -> float:
    """The cosine of two rows; 0 where one is empty."""
    lengths = [math.sqrt(sum(v * v for v in side.values())) for side in (a, b)]
    return sum(v * b.get(c, 0.0) for c, v in a.items()) / (lengths[0] * lengths[1]) if all(lengths) else 0.0


def linked(
    users: list[dict[Hashable, float]], profiles: list[dict[Hashable, float]], profile: list[int]
) -> list[float]:
    """For each user the chance that the profile chosen among the most similar ones is his."""
    found = []
    for own, his in zip(users, profile, strict=True):
        alike = [cosine(own, other) for other in profiles]
        first = [i for i, value in enumerate(alike) if value >= max(alike) - 1e-9]
        found.append((his in first) / len(first))
    return found


def lonely(log: QueryLog, made: AnonymisedLog, *, in_group: bool) -> list[bool]:
    """For each released line with a text whether one user alone asked it."""
    asked = lines_of(log)
    found = []
    for profile, text in lines_of(made.log):
        who = {user for user, other in asked if other == text and (not in_group or made.profile[user] == profile)}
        found.append(len(who) == 1)
    return found


# --- the variance of categories -------------------------------------------------------------------------------------------


def numbers_of(tree: CategoryTree, sample: Counter[int]) -> tuple[dict[int, list[int]], int]:
    """The digits of each category of a sample, top first, and their base: the labels of the edges from the root down."""
    children: dict[int, list[int]] = defaultdict(list)
    for place, parent in enumerate(tree.parents):
        children[int(parent)].append(place)
    base = max(len(found) for found in children.values())
    middle = (base - 1) // 2 if base % 2 else (base - 2) // 2
    labels = [middle]
    for step in range(1, base):
        labels += [middle - step, middle + step] if base % 2 else [middle + step, middle - step]
    labels = [label for label in labels if 0 <= label < base]

    def below(place: int) -> int:
        return sample[place] + sum(below(child) for child in children[place])

    found: dict[int, list[int]] = {}

    def walk(place: int, digits: list[int]) -> None:
        if place >= 0:
            found[place] = digits
        for rank, child in enumerate(sorted(children[place], key=lambda c: (-below(c), c))):
            walk(child, [*digits, labels[rank]])

    walk(-1, [])
    depth = max((len(found[place]) for place in sample), default=1)
    return {place: (digits + [labels[0]] * depth)[:depth] for place, digits in found.items()}, base


def variance(digits: dict[int, list[int]], base: int, sample: list[int]) -> float:
    """The sum over the digits of base^(2 j) times their variance."""
    depth = len(next(iter(digits.values())))
    total = 0.0
    for place in range(depth):
        values = [digits[category][place] for category in sample]
        middle = sum(values) / len(values)
        total += base ** (2 * (depth - 1 - place)) * sum((v - middle) ** 2 for v in values) / len(values)
    return total


def deepest(log: QueryLog, topics: Classified) -> list[tuple[int, int]]:
    """User and category of each line, once for each term: of a query's categories those that no other lies below."""
    matrices = [level.toarray() for level in topics.levels]
    found = []
    for user, query in zip(log.user, log.query, strict=True):
        if query < 0:
            continue
        here = {c for matrix in matrices for c in range(len(topics.tree)) if matrix[query, c]}
        above = {int(topics.tree.parents[c]) for c in here}
        for c in here - above:
            found += [(int(user), c)] * int(sum(matrix[query, c] for matrix in matrices))
    return found


def grouped(found: list[tuple[int, int]], key: Callable[[int], int]) -> dict[int, list[int]]:
    """The categories by group of users."""
    groups: dict[int, list[int]] = defaultdict(list)
    for user, category in found:
        groups[key(user)].append(category)
    return groups

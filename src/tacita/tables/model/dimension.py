"""A dimension of a table: its codes and the sums between them.

A tree of codes is the usual case. Aggregates that overlap, or that cut the codes in another way than the tree does,
are further sums over the same codes; nothing else in the room needs to know the difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

from tacita.core.errors import SchemaError, did_you_mean
from tacita.data.hierarchy import Hierarchy

__all__ = ["Dimension"]

TOTAL = "Total"


@dataclass(frozen=True)
class Dimension:
    """Codes of one classifying variable and how they add up.

    Parameters
    ----------
    name
        The variable.
    codes
        All codes that stand in the table, the total first where there is one.
    sums
        Pairs of a code and the codes that add up to it. A code may be the sum of several lists of codes.

    Examples
    --------
    >>> sizes = Dimension.flat("size", ["small", "large"])
    >>> sizes.codes
    ('Total', 'small', 'large')
    >>> sizes.leaves
    ('small', 'large')
    >>> sizes.total
    'Total'
    """

    name: str
    codes: tuple[str, ...]
    sums: tuple[tuple[str, tuple[str, ...]], ...] = field(default=())

    def __post_init__(self) -> None:
        object.__setattr__(self, "codes", tuple(self.codes))
        object.__setattr__(self, "sums", tuple((total, tuple(parts)) for total, parts in self.sums))
        problems = _problems(self)
        if problems:
            raise SchemaError(problems)

    # --- ways to make one ----------------------------------------------------------------------------------------------

    @classmethod
    def flat(cls, name: str, values: Iterable[str], *, total: str = TOTAL) -> Dimension:
        """Values and their total."""
        leaves = tuple(values)
        return cls(name, (total, *leaves), ((total, leaves),))

    @classmethod
    def from_hierarchy(cls, name: str, tree: Hierarchy, *, total: str = TOTAL) -> Dimension:
        """The tree of a hierarchy; a level that only repeats a code is left out.

        Notes
        -----
        A group with a single member is one cell with two names; it stays, with the sum that says so, because both
        names are published.
        """
        top = {row[-1] for row in tree.rows}
        has_top = tree.depth > 1 and len(top) == 1
        children: dict[str, dict[str, None]] = {}
        root = next(iter(top)) if has_top else total
        for row in tree.rows:
            path = list(dict.fromkeys(row)) if has_top else [*dict.fromkeys(row), root]
            for part, whole in pairwise(path):
                children.setdefault(whole, {})[part] = None
        codes, todo = [], [root]
        while todo:
            code = todo.pop()
            codes.append(code)
            todo.extend(reversed(children.get(code, {})))
        return cls(name, tuple(codes), tuple((code, tuple(children[code])) for code in codes if code in children))

    def with_sums(self, sums: Mapping[str, Sequence[str]]) -> Dimension:
        """Add aggregates, nested in the tree or not: ``{"coast": ["north", "west"]}``."""
        new = tuple(code for code in sums if code not in self.codes)
        return Dimension(
            self.name, (*self.codes, *new), (*self.sums, *((code, tuple(parts)) for code, parts in sums.items()))
        )

    # --- what it says --------------------------------------------------------------------------------------------------

    @cached_property
    def places(self) -> Mapping[str, int]:
        """The position of each code."""
        return {code: place for place, code in enumerate(self.codes)}

    @cached_property
    def leaves(self) -> tuple[str, ...]:
        """Codes that are not a sum of others."""
        totals = {total for total, _ in self.sums}
        return tuple(code for code in self.codes if code not in totals)

    @cached_property
    def members(self) -> Mapping[str, frozenset[str]]:
        """For each code the leaves it is made of."""
        found = {code: frozenset([code]) for code in self.leaves}
        waiting = dict(self.sums)
        while waiting:
            ready = [code for code, parts in waiting.items() if all(part in found for part in parts)]
            for code in ready:
                found[code] = frozenset().union(*(found[part] for part in waiting.pop(code)))
        return found

    @cached_property
    def total(self) -> str | None:
        """The code that all leaves add up to; None where there is none."""
        everything = frozenset(self.leaves)
        return next((code for code in self.codes if self.members[code] == everything and code not in everything), None)


def _problems(dimension: Dimension) -> list[str]:
    """Say everything that is wrong with the codes and sums."""
    name, codes = dimension.name, set(dimension.codes)
    problems = []
    if len(codes) < len(dimension.codes):
        problems.append(f"Dimension '{name}': a code stands twice; each needs a name of its own.")
    for total, parts in dimension.sums:
        problems += [
            f"Dimension '{name}': code '{code}' of a sum is not among the codes.{did_you_mean(code, codes)}"
            for code in (total, *parts)
            if code not in codes
        ]
        if not parts or len(set(parts)) < len(parts):
            problems.append(f"Dimension '{name}': the sum of '{total}' must have parts, each once.")
    if not problems and _has_circle(dimension):
        problems.append(f"Dimension '{name}': a code is part of itself; sums must not run in a circle.")
    return problems


def _has_circle(dimension: Dimension) -> bool:
    parts: dict[str, set[str]] = {}
    for total, of in dimension.sums:
        parts.setdefault(total, set()).update(of)
    while parts:
        ready = [code for code, of in parts.items() if not any(part in parts for part in of)]
        if not ready:
            return True
        for code in ready:
            del parts[code]
    return False

"""The cells of a table from its dimensions: all combinations of codes, or those with records, and the sums between them.

A cell is known by its key: the position of its codes in the full cross product, the last dimension running fastest.
Everything here works on whole arrays of keys; no step looks at one cell at a time.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import ParameterError, SchemaError
from tacita.tables.model.dimension import Dimension
from tacita.tables.model.relations import Relations

__all__ = ["all_cells", "ancestry", "grid_of", "ranges", "shape_of", "spread", "sums_among"]


MOST_KEYS = 2**62


def all_cells(dimensions: Sequence[Dimension]) -> tuple[IntArray, Relations]:
    """Return the codes of all cells, (n, d), and all relations between them.

    Complexity: O(cells x dimensions) for the usual trees; five dimensions and 100 000 cells take a fraction of a second.

    Examples
    --------
    >>> codes, relations = all_cells([Dimension.flat("sex", ["f", "m"]), Dimension.flat("size", ["small", "large"])])
    >>> codes.shape, len(relations)
    ((9, 2), 6)
    """
    sizes, _ = shape_of(dimensions)
    return grid_of(dimensions, np.arange(int(np.prod(sizes)), dtype=np.int64))


def grid_of(dimensions: Sequence[Dimension], keys: IntArray) -> tuple[IntArray, Relations]:
    """Return the codes of some cells and the relations between them; all other cells count as empty.

    Parameters
    ----------
    dimensions
        The classifying variables.
    keys
        Keys of the cells, ascending. A relation is kept when its total is among them, with the parts that are.
    """
    codes, made, _ = _between(dimensions, keys)
    return codes, made


def sums_among(
    dimensions: Sequence[Dimension], codes: IntArray, parts: IntArray | None = None
) -> tuple[Relations, BoolArray]:
    """Return the sums between some cells that follow from their dimensions, and which of these have all their parts.

    Parameters
    ----------
    dimensions
        The classifying variables.
    codes
        (n, d): codes of the cells, in any order, each combination once.
    parts
        (n,): number of the response of each cell; cells of different responses are in no sum together.

    Raises
    ------
    ParameterError
        When two cells have the same codes and the same response.
    """
    sizes, strides = shape_of(dimensions)
    whole = int(np.prod([int(size) for size in sizes], dtype=object))
    number = np.zeros(len(codes), np.int64) if parts is None else parts
    if whole * (int(number.max(initial=0)) + 1) >= MOST_KEYS:
        raise ParameterError(
            "The cells of all responses together cannot be numbered; leave out a dimension or a response."
        )
    keys = codes @ strides + number * whole
    order = np.argsort(keys, kind="stable")
    keys = keys[order]
    if (np.diff(keys) == 0).any():
        raise ParameterError(f"{int((np.diff(keys) == 0).sum())} cells stand twice; each needs codes of its own.")
    _, made, is_whole = _between(dimensions, keys)
    return Relations(made.start, order[made.cells].astype(np.int64), made.signs, len(codes)), is_whole


def _between(dimensions: Sequence[Dimension], keys: IntArray) -> tuple[IntArray, Relations, BoolArray]:
    """Codes of the cells, the sums between them, and which sums have all their parts."""
    sizes, strides = shape_of(dimensions)
    is_full = len(keys) == int(np.prod(sizes)) and (not len(keys) or int(keys[-1]) == len(keys) - 1)
    codes = np.stack([(keys // stride) % size for size, stride in zip(sizes, strides, strict=True)], axis=1)
    lengths, cells, signs, widths = [], [], [], []
    for axis, dimension in enumerate(dimensions):
        totals, first, parts = _sums(dimension)
        by_total = np.argsort(totals, kind="stable")
        at = np.searchsorted(totals[by_total], np.arange(len(dimension.codes) + 1))
        # Each cell with each sum of its code, then each of these with the cells of the sum: the total and its parts.
        times = np.diff(at)[codes[:, axis]]
        owner = np.repeat(np.arange(len(keys)), times)
        which = by_total[ranges(at[codes[:, axis]], times)]
        width = np.diff(first)[which]
        row = np.repeat(np.arange(len(owner)), width)
        code = parts[ranges(first[which], width)]
        wanted = keys[owner[row]] + (code - codes[owner[row], axis]) * strides[axis]
        place = wanted if is_full else np.searchsorted(keys, wanted)
        there = np.ones(len(place), bool) if is_full else keys[np.minimum(place, len(keys) - 1)] == wanted
        sign = np.where(code == codes[owner[row], axis], -1.0, 1.0)
        lengths.append(np.bincount(row[there], minlength=len(owner)))
        widths.append(width)
        cells.append(place[there])
        signs.append(sign[there])
    length = np.concatenate([np.empty(0, np.int64), *lengths])
    start = np.concatenate([[0], np.cumsum(length)]).astype(np.int64)
    made = Relations(
        start,
        np.concatenate([np.empty(0, np.int64), *cells]).astype(np.int64),
        np.concatenate([np.empty(0), *signs]),
        len(keys),
    )
    return codes.astype(np.int64), made, length == np.concatenate([np.empty(0, np.int64), *widths])


def shape_of(dimensions: Sequence[Dimension]) -> tuple[IntArray, IntArray]:
    """Return the number of codes of each dimension and the step of the key from one of its codes to the next."""
    if not dimensions:
        raise ParameterError("A table needs at least one dimension.")
    names = [dimension.name for dimension in dimensions]
    if len(set(names)) < len(names):
        raise ParameterError(f"Each dimension of a table needs its own name, got {', '.join(names)}.")
    sizes = [len(dimension.codes) for dimension in dimensions]
    total = 1
    for size in sizes:
        total *= size
    if total >= MOST_KEYS:
        raise ParameterError(
            f"The full cross product of the {len(sizes)} dimensions has more cells than can be numbered; "
            "leave out a dimension or some of its codes."
        )
    steps = [1]
    for size in reversed(sizes[1:]):
        steps.append(steps[-1] * size)
    return np.array(sizes, np.int64), np.array(steps[::-1], np.int64)


def ranges(first: IntArray, lengths: IntArray) -> IntArray:
    """Return ``first[i], first[i] + 1, ...``, ``lengths[i]`` numbers for each i, one after the other."""
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    return np.arange(total, dtype=np.int64) + np.repeat(first - ends + lengths, lengths)


def _sums(dimension: Dimension) -> tuple[IntArray, IntArray, IntArray]:
    """Return the total of each sum, and its codes (total first) as a list of lists in one array."""
    places = dimension.places
    listed = [[places[total], *(places[part] for part in parts)] for total, parts in dimension.sums]
    first = np.concatenate([[0], np.cumsum([len(row) for row in listed])]).astype(np.int64)
    flat = np.array([code for row in listed for code in row], np.int64)
    return flat[first[:-1]], first, flat


# --- from the inner cells up ------------------------------------------------------------------------------------------


def ancestry(dimension: Dimension) -> tuple[IntArray, IntArray]:
    """Return for each code that is a leaf all codes that contain it, itself included: list c is ``[start[c]:start[c + 1]]``.

    Raises
    ------
    SchemaError
        When a sum counts a leaf twice, or two sums of one code have different leaves: then the leaves do not say what
        the code is.
    """
    members, problems = dimension.members, []
    for total, parts in dimension.sums:
        together = sum(len(members[part]) for part in parts)
        found = frozenset().union(*(members[part] for part in parts))
        if together > len(found):
            problems.append(
                f"Dimension '{dimension.name}': the parts of '{total}' overlap, so they do not add up to it."
            )
        elif found != members[total]:
            problems.append(
                f"Dimension '{dimension.name}': the sums of '{total}' have different leaves; records of one set of "
                "leaves cannot say what the other has."
            )
    if problems:
        raise SchemaError(problems)
    places = dimension.places
    pairs = [(places[leaf], place) for code, place in places.items() for leaf in members[code]]
    pairs.sort()
    both = np.array(pairs, np.int64).reshape(-1, 2)
    return np.searchsorted(both[:, 0], np.arange(len(places) + 1)).astype(np.int64), both[:, 1]


def spread(
    dimensions: Sequence[Dimension], codes: IntArray, columns: Sequence[FloatArray]
) -> tuple[IntArray, list[FloatArray]]:
    """Add up inner cells to all cells that contain one of them.

    Parameters
    ----------
    dimensions
        The classifying variables.
    codes
        (c, d): positions of the codes of the inner cells, leaves all; a combination may occur more than once.
    columns
        (c,) each: what is added up.

    Returns
    -------
    keys, sums
        The cells with at least one inner cell, ascending, and their sums.
    """
    sizes, strides = shape_of(dimensions)
    keys = codes @ strides
    sums = [np.asarray(column, np.float64) for column in columns]
    for axis, dimension in enumerate(dimensions):
        start, holders = ancestry(dimension)
        at = (keys // strides[axis]) % sizes[axis]
        times = np.diff(start)[at]
        row = np.repeat(np.arange(len(keys)), times)
        raised = keys[row] + (holders[ranges(start[at], times)] - at[row]) * strides[axis]
        keys, where = np.unique(raised, return_inverse=True)
        sums = [np.bincount(where, column[row], len(keys)).astype(np.float64) for column in sums]
    return keys, sums

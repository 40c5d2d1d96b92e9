"""The canonical form of a universe: one for all ways of writing it, and the cells that the paper counts."""

from __future__ import annotations

import random
import time
from contextlib import suppress
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacita.query.universe import boxes as module
from tacita.query.universe.boxes import Box, Boxes, TooComplex, intersections, maximal_boxes
from tacita.query.universe.universe import MOST_CONDITIONS, MOST_PIECES
from tests.effort import examples
from tests.oracles.query.boxes import cells_of, intersections_oracle, maximal_oracle, union_of

NAMES = ("a", "b", "c")
few = settings(max_examples=examples(25), deadline=None)


@st.composite
def unions(draw: st.DrawFn) -> tuple[tuple[int, ...], list[Box]]:
    """The shape of a small table, and some boxes in it."""
    shape = tuple(draw(st.lists(st.integers(1, 3), min_size=1, max_size=3)))
    box = st.tuples(*(st.integers(1, (1 << size) - 1) for size in shape))
    return shape, draw(st.lists(box, min_size=1, max_size=5))


def canonical(shape: tuple[int, ...], pieces: list[Box]) -> Boxes:
    return maximal_boxes(NAMES[: len(shape)], shape, pieces)


# --- one form for all wordings --------------------------------------------------------------------------------------------


@few
@given(unions())
def test_all_maximal_boxes_are_found_and_no_others(union: tuple[tuple[int, ...], list[Box]]) -> None:
    shape, pieces = union
    found = canonical(shape, pieces)
    wanted = maximal_oracle(pieces, shape)
    matters = [v for v, size in enumerate(shape) if any(box[v] != (1 << size) - 1 for box in wanted)]
    assert found.variables == tuple(NAMES[v] for v in matters)
    assert found.shape == tuple(shape[v] for v in matters)
    assert set(found.boxes) == {tuple(box[v] for v in matters) for box in wanted}
    assert list(found.boxes) == sorted(set(found.boxes))


@few
@given(unions(), st.randoms(use_true_random=False))
def test_other_wordings_have_the_same_form(union: tuple[tuple[int, ...], list[Box]], chance: random.Random) -> None:
    shape, pieces = union
    wanted = canonical(shape, pieces)
    other: list[Box] = []
    for box in pieces:
        other += _split(box, chance)
        other.append(tuple(_some(mask, chance) for mask in box))  # a part of it, which adds nothing
    chance.shuffle(other)
    assert canonical(shape, other) == wanted
    assert canonical(shape, pieces[::-1] + pieces) == wanted
    assert canonical(shape, [*_single_cells(pieces, shape)]) == wanted


@few
@given(unions(), st.integers(2, 4))
def test_a_variable_that_excludes_nobody_does_not_matter(union: tuple[tuple[int, ...], list[Box]], size: int) -> None:
    shape, pieces = union
    full = (1 << size) - 1
    wanted = canonical(shape, pieces)
    names = ("0", *NAMES[: len(shape)])
    assert maximal_boxes(names, (size, *shape), [(full, *box) for box in pieces]) == wanted
    halves = [(part, *box) for box in pieces for part in (1, full ^ 1)]  # men, or not men
    assert maximal_boxes(names, (size, *shape), halves) == wanted


@few
@given(unions())
def test_the_grid_has_the_cells_of_the_union(union: tuple[tuple[int, ...], list[Box]]) -> None:
    shape, pieces = union
    found = canonical(shape, pieces)
    matters = [NAMES.index(name) for name in found.variables]
    wanted = {tuple(cell[v] for v in matters) for cell in union_of(pieces, shape)}
    assert {tuple(map(int, cell)) for cell in np.argwhere(found.grid())} == wanted


def test_everybody_has_no_variables() -> None:
    for pieces in ([(0b11, 0b111)], [(0b01, 0b111), (0b10, 0b111)], [(0b11, 0b001), (0b11, 0b110), (0b01, 0b010)]):
        found = maximal_boxes(["a", "b"], [2, 3], pieces)
        assert found == Boxes((), (), ((),))
        assert found.grid().shape == ()
        assert found.grid()
        assert found.count((), np.array(7)) == 7
        assert found.split((), []) == [()]
    assert maximal_boxes([], [], [()]) == Boxes((), (), ((),))


def test_a_variable_with_one_class_is_no_condition() -> None:
    assert maximal_boxes(["a"], [1], [(1,)]) == Boxes((), (), ((),))


@few
@given(unions(), st.lists(st.booleans(), min_size=3, max_size=3))
def test_sums_of_parts_are_those_of_each_part(union: tuple[tuple[int, ...], list[Box]], bins: list[bool]) -> None:
    shape, pieces = union
    found = canonical(shape, pieces)
    is_cutpoint = bins[: len(found.shape)]
    numbers = np.random.default_rng(1).integers(0, 100, (*found.shape, 3))
    for box in found.boxes:
        sums = found.split_sums(box, is_cutpoint, numbers)
        parts = found.split(box, is_cutpoint)
        assert sums.shape == (len(parts), 3)
        for j in range(3):
            assert sums[:, j].tolist() == [found.count(part, numbers[..., j]) for part in parts]


def _split(box: Box, chance: random.Random) -> list[Box]:
    """Cut a box in two along a variable that has several classes."""
    wide = [v for v, mask in enumerate(box) if mask.bit_count() > 1]
    if not wide:
        return [box]
    v = chance.choice(wide)
    part = _some(box[v], chance)
    rest = box[v] & ~part or box[v]
    return [tuple(piece if u == v else mask for u, mask in enumerate(box)) for piece in (part, rest)]


def _some(mask: int, chance: random.Random) -> int:
    bits = [1 << bit for bit in range(mask.bit_length()) if mask >> bit & 1]
    return sum(chance.sample(bits, chance.randint(1, len(bits))))


def _single_cells(pieces: list[Box], shape: tuple[int, ...]) -> list[Box]:
    return [tuple(1 << place for place in cell) for cell in sorted(union_of(pieces, shape))]


# --- the paper's examples -------------------------------------------------------------------------------------------------

COUNTS = np.array([[11, 13, 17, 19], [23, 29, 31, 37]])
"""n[1, 1] to n[2, 4] of Tables 1 and 2: gender (male, female) by income (four bins)."""
MALE, FEMALE = 0b01, 0b10
BOTH, ALL = 0b11, 0b1111


def gender_by_income(*pieces: Box) -> Boxes:
    return maximal_boxes(["gender", "income"], [2, 4], pieces)


def test_pieces_one_and_two_are_disjoint() -> None:
    """(1) female and 45 to 53 thousand, or (2) male and 28 to 45 thousand: n24 >= gamma and n12 + n13 >= gamma."""
    universe = gender_by_income((FEMALE, 0b1000), (MALE, 0b0110))
    parts = [part for box in universe.boxes for part in universe.split(box, [False, True])]
    assert sorted(universe.count(part, COUNTS) for part in parts) == [13 + 17, 37]
    assert intersections(universe.boxes) == []
    assert int(COUNTS[universe.grid()].sum()) == 37 + 13 + 17


def test_pieces_three_and_four_are_joint() -> None:
    """(3) female, or (4) 39 to 53 thousand: n2. >= gamma, n.3 + n.4 >= gamma, and n23 + n24 >= gamma star."""
    universe = gender_by_income((FEMALE, ALL), (BOTH, 0b1100))
    parts = [part for box in universe.boxes for part in universe.split(box, [False, True])]
    assert sorted(universe.count(part, COUNTS) for part in parts) == [17 + 31 + 19 + 37, 23 + 29 + 31 + 37]
    assert [universe.count(part, COUNTS) for part in intersections(universe.boxes)] == [31 + 37]
    assert int(COUNTS[universe.grid()].sum()) == 23 + 29 + 31 + 37 + 17 + 19


def test_classes_of_a_category_are_not_put_together() -> None:
    universe = maximal_boxes(["income", "race"], [4, 3], [(0b0110, 0b011)])
    parts = universe.split(universe.boxes[0], [True, False])
    table = np.arange(12).reshape(4, 3)
    assert [universe.count(part, table) for part in parts] == [3 + 6, 4 + 7]
    assert [universe.count(part, table) for part in universe.split(universe.boxes[0], [False, False])] == [3, 4, 6, 7]


def test_a_whole_range_is_no_condition_and_is_not_cut() -> None:
    universe = gender_by_income((FEMALE, ALL), (BOTH, 0b1100))
    assert universe.split((BOTH, 0b1100), [False, True]) == [(BOTH, 0b1100)]


@few
@given(unions())
def test_parts_of_a_box_add_up_to_it(union: tuple[tuple[int, ...], list[Box]]) -> None:
    shape, pieces = union
    found = canonical(shape, pieces)
    table = np.arange(1, 1 + int(np.prod(found.shape, dtype=int))).reshape(found.shape)
    for box in found.boxes:
        slow = sum(int(table[cell]) for cell in cells_of(box, found.shape))
        assert found.count(box, table) == slow
        for is_cutpoint in product([False, True], repeat=len(found.shape)):
            parts = found.split(box, is_cutpoint)
            assert sum(found.count(part, table) for part in parts) == slow
            assert len(set(parts)) == len(parts)


@few
@given(unions())
def test_all_intersections_are_found(union: tuple[tuple[int, ...], list[Box]]) -> None:
    found = canonical(*union)
    shared = intersections(found.boxes)
    assert len(set(shared)) == len(shared)
    if len(found.boxes) <= 10:
        assert set(shared) == intersections_oracle(found.boxes, found.shape)


# --- limits ---------------------------------------------------------------------------------------------------------------


def random_pieces(seed: int, variables: int, size: int, count: int, share: float) -> list[Box]:
    rng = np.random.default_rng(seed)
    chosen = rng.random((count, variables, size)) < share
    chosen[:, :, 0] |= ~chosen.any(axis=2)
    return [tuple(sum(1 << int(bit) for bit in np.flatnonzero(masks)) for masks in piece) for piece in chosen]


@pytest.mark.parametrize(
    ("variables", "size", "count", "share"),
    [(3, 10, 64, 0.5), (4, 6, 30, 0.5), (6, 4, 40, 0.6), (10, 3, 20, 0.8), (2, 1000, 64, 0.5), (32, 10, 64, 0.97)],
)
def test_a_hostile_universe_costs_a_moment(variables: int, size: int, count: int, share: float) -> None:
    pieces = random_pieces(0, variables, size, count, share)
    start = time.process_time()
    boxes: tuple[Box, ...] = ()
    with suppress(TooComplex):
        boxes = maximal_boxes([f"v{v:02}" for v in range(variables)], [size] * variables, pieces).boxes
        intersections(boxes)
    assert time.process_time() - start < 5
    assert len(boxes) <= MOST_PIECES


def ring(size: int) -> list[Box]:
    """On each of so many variables one class, and not the same one on the next: twice as many and more maximal boxes."""
    return [tuple(3 ^ 1 << (u == v) if u in (v, (v + 1) % size) else 3 for u in range(size)) for v in range(size)]


def test_what_is_found_can_be_worded_as_a_universe() -> None:
    """A journal keeps the canonical form: one that could not be read again would be forgotten with its answer."""
    names = [f"v{v:02}" for v in range(40)]
    assert len(ring(12)) < MOST_PIECES
    assert len(ring(6)) < len(maximal_boxes(names[:6], [2] * 6, ring(6)).boxes) <= MOST_PIECES
    with pytest.raises(TooComplex, match="at most 64 maximal pieces"):
        maximal_boxes(names[:12], [2] * 12, ring(12))
    wide = [tuple(1 if v // 20 == half else 3 for v in range(40)) for half in (0, 1)]  # two pieces of 20 conditions
    assert len(maximal_boxes(names, [2] * 40, wide).boxes) == 2
    joined = [tuple(1 if v < 39 else bit for v in range(40)) for bit in (1, 2)]
    with pytest.raises(TooComplex, match=f"of {MOST_CONDITIONS} conditions each"):
        maximal_boxes(names, [2] * 40, joined)


def test_too_many_boxes_are_refused() -> None:
    with pytest.raises(TooComplex, match="at most 64 maximal pieces"):
        maximal_boxes([f"v{v:02}" for v in range(10)], [3] * 10, random_pieces(0, 10, 3, 20, 0.8))


def test_the_number_of_steps_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    pieces = random_pieces(1, 3, 4, 12, 0.5)
    assert maximal_boxes(NAMES, [4] * 3, pieces).boxes
    monkeypatch.setattr(module, "MOST_STEPS", 3)
    with pytest.raises(TooComplex):
        maximal_boxes(NAMES, [4] * 3, pieces)


def test_too_many_intersections_are_refused() -> None:
    """All but one class of one of 16 variables: every set of pieces has an intersection of its own."""
    pieces = [tuple(0b011 if u == v else 0b111 for u in range(16)) for v in range(16)]
    assert len(intersections(pieces[:8])) == 2**8 - 1 - 8
    with pytest.raises(TooComplex, match="too many intersections"):
        intersections(pieces)


def test_too_many_combinations_are_refused_before_they_are_made() -> None:
    shape = (200, 300, 5000)
    universe = maximal_boxes(NAMES, shape, [tuple((1 << size - 1) - 1 for size in shape)])
    start = time.process_time()
    with pytest.raises(TooComplex, match="too many combinations"):
        universe.split(universe.boxes[0], [False] * 3)
    with pytest.raises(TooComplex, match="too many combinations"):
        universe.split_sums(universe.boxes[0], [False] * 3, np.zeros((1, 1, 1, 1), dtype=np.int64))
    assert time.process_time() - start < 1
    assert len(universe.split(universe.boxes[0], [False, True, True])) == 199

"""Seats across releases: one seat for each contributor, floors of what his groups share, and counts that he is one of."""

from __future__ import annotations

import numpy as np

from tacita.attack.releases.seats_together import SeatParts, seats_together
from tacita.attack.targets import Seat


class Cells:
    """Cells of one measure: regions and branches of two classes, atoms by region and branch."""

    def __init__(self) -> None:
        self.members = [np.array(part) for part in ([0, 1, 2, 3], [0, 1], [2, 3], [0, 2], [1, 3])]

    def of(self, block: int, atoms: np.ndarray) -> int:
        assert block == 0
        for number, part in enumerate(self.members):
            if np.array_equal(part, atoms):
                return number
        self.members.append(atoms)
        return len(self.members) - 1


def told(who: str, cells: list[int], own: list[float], alone: list[int] = []) -> SeatParts:  # noqa: B006
    place = np.array(cells)
    return SeatParts(Seat(np.arange(len(cells)), np.array(own), np.isin(place, alone), who), place, 0)


def test_what_he_has_in_both_he_has_in_what_they_share() -> None:
    cells = Cells()
    parts = [told("a", [0, 1], [9.0, 9.0]), told("a", [0, 3], [9.0, 9.0]), told("b", [0, 2], [4.0, 4.0])]
    one, two = seats_together(parts, cells.members, cells.of, {})
    floors = dict(zip((tuple(cells.members[c]) for c in one.cells), one.own, strict=True))
    assert floors == {(0, 1, 2, 3): 9.0, (0, 1): 9.0, (0, 2): 9.0, (0,): 9.0}
    assert (two.who, two.cells.tolist()) == ("b", [0, 2])


def test_a_holding_of_several_regions_is_no_floor_of_what_they_do_not_share() -> None:
    """Of lists of the largest contributors a part of what he has may be lacking: then nothing is concluded."""
    cells = Cells()
    parts = [told("h", [1], [5.0]), told("h", [3], [5.0])]
    (one,) = seats_together(parts, cells.members, cells.of, {})
    assert len(cells.members) == 5
    assert one.cells.tolist() == [1, 3]
    parts = [told("h", [0, 1, 2], [9.0, 5.0, 4.0]), told("h", [0, 3], [9.0, 9.0])]
    (one,) = seats_together(parts, cells.members, cells.of, {})
    floors = {tuple(cells.members[c]): own for c, own in zip(one.cells, one.own, strict=True)}
    assert floors[(0,)] == 5.0  # all is in branch 3, of which 5 in region 1
    assert floors[(2,)] == 4.0


def test_who_has_something_is_counted_and_knows_where_he_is_alone() -> None:
    cells = Cells()
    parts = [told("a", [0, 1], [9.0, 9.0], alone=[1]), told("a", [0], [9.0])]
    (one,) = seats_together(parts, cells.members, cells.of, {1: 77})
    assert one.cells.tolist() == [0, 1, 77]
    assert one.own.tolist() == [9.0, 9.0, 1.0]
    assert one.alone is not None
    assert one.alone.tolist() == [False, True, False]
    assert one.words() == "a contributor who is alone in a cell"
    assert Seat(np.zeros(1, int), np.ones(1), is_holding=True).words() == "a holding"
    assert Seat(np.zeros(1, int), np.ones(1)).words() == "a contributor"


def test_seats_without_a_name_stay_apart() -> None:
    cells = Cells()
    assert len(seats_together([told("", [0], [1.0]), told("", [1], [1.0])], cells.members, cells.of, {})) == 2

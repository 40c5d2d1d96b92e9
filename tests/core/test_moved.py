"""Names that moved: the old place gives the new thing and says where it is now; other names are errors as ever."""

from __future__ import annotations

import pytest

import tacita as tc
from tacita.core.moved import moved


def test_the_old_place_gives_the_new_thing_and_a_warning() -> None:
    get = moved("tacita.mask", {"Recipe": "tacita.release.recipe.Recipe"})
    with pytest.warns(DeprecationWarning, match=r"'tacita\.mask\.Recipe' is now 'tacita\.release\.recipe\.Recipe'"):
        assert get("Recipe") is tc.Recipe


def test_other_names_are_no_attributes() -> None:
    get = moved("tacita.mask", {"Recipe": "tacita.Recipe"})
    with pytest.raises(AttributeError, match="no attribute 'Recipes'"):
        get("Recipes")


@pytest.mark.parametrize(
    ("room", "old", "new"),
    [("mask", "Recipe", tc.Recipe), ("mask", "Release", tc.Release), ("tables", "grid", tc.tables.all_cells)],
)
def test_what_has_moved_so_far(room: str, old: str, new: object) -> None:
    with pytest.warns(DeprecationWarning, match=f"tacita.{room}.{old}"):
        assert getattr(getattr(tc, room), old) is new
    assert old not in getattr(tc, room).__all__

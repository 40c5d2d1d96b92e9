"""Docstrings: taken apart, and completed by what the bases of a class say."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import ClassVar

import pytest

from tacita.core.docstrings import (
    complete_docstring,
    described_by,
    doc_entries,
    doc_parts,
    doc_summary,
    own_docstring,
    parameter_helps,
)
from tacita.core.traits import MeasureTraits, Traits


class Completed:
    """Base of the toys."""

    def __init_subclass__(cls) -> None:
        complete_docstring(cls)


@dataclass
class Vehicle(Completed):
    """A vehicle.

    It moves.

    Parameters
    ----------
    wheels
        How many
        wheels it has.

        Spare ones count.
    load
        What it carries, where it carries something.

    Returns
    -------
    Road
        With a vehicle on it.

    Raises
    ------
    RoadError
        When there is no road.

    Notes
    -----
    Vehicles are old.

    Examples
    --------
    >>> Vehicle().wheels
    4
    """

    kind: ClassVar[str] = "vehicle"
    wheels: int = 4


@dataclass
class Truck(Vehicle):
    """A truck.

    Parameters
    ----------
    axles, seats : int
        Of the lorry.

    Raises
    ------
    LoadError
        When the load is too heavy.

    Complexity
    ----------
    O(wheels) time.
    """

    axles: int = 2
    load: str = ""
    seats: int = 2


@dataclass
class Lorry(Truck):
    """A lorry.

    Returns
    -------
    Street
        With a lorry on it.

    Raises
    ------
    RoadError
        When there is no street.
    """


@dataclass
class Bus(Vehicle):
    """A bus."""


def test_sections_come_from_the_nearest_base() -> None:
    sections = doc_parts(Lorry.__doc__ or "").sections
    assert sections["Returns"] == "Street\n    With a lorry on it."
    assert sections["Complexity"] == "O(wheels) time."
    assert sections["Notes"] == "Vehicles are old."


def test_sections_stand_in_their_order() -> None:
    assert list(doc_parts(Lorry.__doc__ or "").sections) == ["Parameters", "Returns", "Raises", "Complexity", "Notes"]


def test_what_a_class_says_itself_stands() -> None:
    assert doc_summary(Lorry) == "A lorry."
    assert doc_parts(Bus.__doc__ or "").body == "", "only sections are taken over"
    assert "A vehicle" not in (Bus.__doc__ or "")


def test_errors_are_taken_over_one_by_one() -> None:
    raises = doc_parts(Lorry.__doc__ or "").sections["Raises"]
    assert doc_entries(raises) == [
        ("RoadError", "When there is no street."),
        ("LoadError", "When the load is too heavy."),
    ]


def test_parameters_come_in_the_order_of_the_fields() -> None:
    assert parameter_helps(Truck) == {
        "wheels": "How many wheels it has. Spare ones count.",
        "axles": "Of the lorry.",
        "seats": "Of the lorry.",
        "load": "What it carries, where it carries something.",
    }
    heads = [head for head, _ in doc_entries(doc_parts(Truck.__doc__ or "").sections["Parameters"])]
    assert heads == ["wheels", "axles, seats : int", "load"]


def test_parameters_that_a_class_does_not_have_are_not_described() -> None:
    """A base may describe what only some of its subclasses have."""
    assert list(parameter_helps(Bus)) == ["wheels"]
    assert "load" in parameter_helps(Truck)


def test_examples_are_never_taken_over() -> None:
    assert "Examples" in doc_parts(Vehicle.__doc__ or "").sections
    assert "Examples" not in doc_parts(Truck.__doc__ or "").sections


def test_paragraphs_of_an_entry_stay_apart() -> None:
    assert "wheels\n    How many\n    wheels it has.\n\n    Spare ones count.\n" in (Bus.__doc__ or "")


def test_the_nearest_of_several_bases() -> None:
    class Amphibious(Completed):
        """Swims.

        Returns
        -------
        River
            With a boat on it.

        Complexity
        ----------
        O(1) time.
        """

    class Both(Bus, Amphibious):
        """Drives and swims."""

    class Other(Amphibious, Bus):
        """Swims and drives."""

    assert doc_parts(Both.__doc__ or "").sections["Returns"].startswith("Road")
    assert doc_parts(Other.__doc__ or "").sections["Returns"].startswith("River")
    assert doc_parts(Both.__doc__ or "").sections["Complexity"] == "O(1) time."


def test_what_was_written_is_not_lost() -> None:
    assert own_docstring(Bus) == "A bus."
    assert list(doc_parts(own_docstring(Lorry)).sections) == ["Returns", "Raises"]
    assert own_docstring(Completed) == "Base of the toys."


def test_completing_again_changes_nothing() -> None:
    before = Lorry.__doc__
    complete_docstring(Lorry)
    assert Lorry.__doc__ == before


def test_a_class_without_a_docstring_is_left_alone() -> None:
    class Silent(Vehicle):
        pass

    assert vars(Silent).get("__doc__") is None
    assert doc_summary(Silent) == "A vehicle.", "as Python has it"


def test_a_class_that_lacks_nothing_keeps_its_words() -> None:
    class Root(Completed):
        """A root.

        Warns
        -----
        In any form.

        Odd Section
        -----------
        Of its own.
        """

    assert list(doc_parts(Root.__doc__ or "").sections) == ["Warns", "Odd Section"]

    class Twig(Root):
        """A twig.

        Raises
        ------
        Anything, in plain words.
        """

    assert doc_parts(Twig.__doc__ or "").sections == {
        "Raises": "Anything, in plain words.",
        "Warns": "In any form.",
        "Odd Section": "Of its own.",
    }


def test_help_shows_the_whole() -> None:
    import pydoc

    text = pydoc.plain(pydoc.render_doc(Bus))
    assert "How many" in text
    assert "When there is no road." in text


def test_a_docstring_without_one_of_its_sections() -> None:
    parts = doc_parts(inspect.getdoc(Vehicle) or "").without("Parameters")
    assert "wheels it has" not in parts.text()
    assert parts.text().startswith(
        "A vehicle.\n\nIt moves.\n\nReturns\n-------\nRoad\n    With a vehicle on it.\n\nRaises\n"
    )


def test_a_function_is_described_by_its_settings() -> None:
    @described_by(Truck)
    def drive(road: str, *, axles: int = 2, wheels: int = 4) -> None:
        """Drive.

        Parameters
        ----------
        road
            Where to.

        Returns
        -------
        None
            Nothing.
        """

    parts = doc_parts(drive.__doc__ or "")
    assert [head for head, _ in doc_entries(parts.sections["Parameters"])] == ["road", "axles, seats : int", "wheels"]
    assert list(parts.sections) == ["Parameters", "Returns"]


@pytest.mark.parametrize("claims", [Traits, MeasureTraits])
def test_claims_describe_their_scales(claims: type) -> None:
    assert parameter_helps(claims)["scales"] == "Scales of the columns it works on."
    assert "scales" not in own_docstring(claims)

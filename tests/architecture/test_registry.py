"""The registry is complete and every method is documented in full."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from tacita.core import registry
from tacita.core.docstrings import doc_entries, doc_parts, own_docstring, parameter_helps, plain_words
from tacita.core.method import Method
from tacita.core.traits import PROPERTIES
from tests.architecture.source import SRC, TESTS, parsed
from tests.conformance.property_checks import PROPERTY_CHECKS

ROOMS = ("mask", "risk", "loss", "tables", "attack", "logs")
METHODS = [m for m in registry.methods() if m.__module__.startswith("tacita.")]
IDS = [f"{m.kind}-{m.name}" for m in METHODS]

ROOM_OF = {"rule": "tables", "protector": "tables", "restriction": "query", "anonymiser": "logs", "log_measure": "logs"}
"""Kinds whose room has another name."""

ELSEWHERE = {"red_team": "attack"}
"""Methods that stand in the room that they need: a risk that is what attackers achieve is measured by their judge."""

every_method = pytest.mark.parametrize("method", METHODS, ids=IDS)


def _declared() -> list[tuple[str, Path, str]]:
    """Find every class with a ``name = "..."`` of its own in the rooms of methods."""
    return [
        (place, path, node.name)
        for place in ROOMS
        for path in sorted((SRC / place).rglob("*.py"))
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.ClassDef)
        and any(
            isinstance(part, ast.Assign)
            and isinstance(part.targets[0], ast.Name)
            and part.targets[0].id == "name"
            and isinstance(part.value, ast.Constant)
            for part in node.body
        )
    ]


def _section(method: type[Method], title: str) -> str:
    return doc_parts(inspect.getdoc(method) or "").sections.get(title, "")


def _classes(root: type = Method) -> list[type]:
    """Return all classes of methods, also those that only others derive from."""
    found = [part for part in root.__subclasses__() if part.__module__.startswith("tacita.")]
    return list(dict.fromkeys([*found, *(below for part in found for below in _classes(part))]))


@pytest.mark.parametrize(("place", "path", "name"), _declared(), ids=lambda value: str(getattr(value, "stem", value)))
def test_declared_methods_are_registered_and_exported(place: str, path: Path, name: str) -> None:
    assert name in {m.__name__ for m in METHODS}, f"{path.name} is not imported by {place}/__init__.py"
    package = importlib.import_module(f"tacita.{place}")
    assert getattr(package, name, None) is not None, f"{place}/__init__.py does not export {name}"
    assert name in package.__all__


def test_some_methods_are_declared() -> None:
    assert len(_declared()) >= 8


@every_method
def test_method_stands_in_the_room_of_its_kind(method: type[Method]) -> None:
    assert method.__module__.split(".")[1] == ELSEWHERE.get(method.name, ROOM_OF.get(method.kind, method.kind))


@every_method
def test_method_has_tests_of_its_own(method: type[Method]) -> None:
    """Conformance is not enough: somewhere in the tests of its room a method is tested for what only it does."""
    place = ELSEWHERE.get(method.name, ROOM_OF.get(method.kind, method.kind))
    files = sorted((TESTS / place).rglob("test_*.py"))
    named = re.compile(rf"\b{method.__name__}\b")
    assert any(named.search(path.read_text(encoding="utf-8")) for path in files), f"write a test in tests/{place}/"


LITERATURE = {
    "IlMoments": "il",
    "DistanceLinkage": "dld",
    "ProbabilisticLinkage": "pld",
    "IntervalDisclosure": "id",
    "RankIntervals": "rid",
    "SdIntervals": "sdid",
    "UnchangedValues": "unchanged",
}
"""Measures whose registered name is the one that the literature and users' files have, and whose class says it in words."""


def registered_name(class_name: str) -> str:
    """The name that a class is registered under: its words in small letters, or what the literature calls it."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", class_name)
    return LITERATURE.get(class_name, words.lower())


@every_method
def test_names_follow_their_classes(method: type[Method]) -> None:
    assert method.name == registered_name(method.__name__), f"the class {method.__name__} is registered otherwise"


@every_method
def test_a_technique_has_no_suffix(method: type[Method]) -> None:
    assert not re.search(r"(Manager|Helper|Handler|Utils?|Masks?|Method|Measure|Rule|Protector)$", method.__name__) or (
        method.__name__ == "CombinationRule"  # what it is called in the field: the combination rule
    )


@pytest.mark.parametrize("name", LITERATURE)
def test_every_name_out_of_the_literature_is_used(name: str) -> None:
    assert {m.__name__: m.name for m in METHODS}.get(name) == LITERATURE[name], "strike it from the list"


@pytest.mark.parametrize(
    ("class_name", "name"),
    [("RankSwap", "rank_swap"), ("PPercent", "p_percent"), ("PQ", "pq"), ("Il1s", "il1s"), ("RankIntervals", "rid")],
)
def test_the_rule_of_names(class_name: str, name: str) -> None:
    assert registered_name(class_name) == name
    assert registered_name(class_name + "Two") != name


def test_measure_names_are_unique_across_kinds() -> None:
    """A scorecard finds a loss or a risk by its name alone."""
    names = [m.name for m in METHODS if m.kind != "mask"]
    assert len(names) == len(set(names))


# --- documentation ---------------------------------------------------------------------------------------------------


@every_method
def test_first_line_says_what_it_does(method: type[Method]) -> None:
    first = (inspect.getdoc(method) or "").split("\n")[0]
    assert 20 <= len(first) <= 120
    assert first.endswith(".")
    assert method.summary() == plain_words(first), "the summary is one line"


@every_method
@pytest.mark.parametrize("title", ["Returns", "Complexity", "Notes", "References", "Examples"])
def test_sections_are_there(method: type[Method], title: str) -> None:
    assert _section(method, title), f"{method.__name__} has no section '{title}'"


@every_method
@pytest.mark.parametrize("title", ["Notes", "References", "Examples"])
def test_what_is_special_stands_in_the_class_itself(method: type[Method], title: str) -> None:
    """Choices, sources and examples are those of one method; what it returns and costs may come from a base."""
    assert title in doc_parts(own_docstring(method)).sections, f"{method.__name__} has no section '{title}' of its own"


@every_method
def test_example_is_a_doctest(method: type[Method]) -> None:
    assert ">>> " in _section(method, "Examples")


@every_method
def test_complexity_says_how_it_grows(method: type[Method]) -> None:
    assert re.search(r"O\(", _section(method, "Complexity"))


@every_method
def test_references_name_a_year(method: type[Method]) -> None:
    assert re.search(r"\b(19|20)\d\d\b", _section(method, "References"))


@every_method
def test_parameters_are_documented(method: type[Method]) -> None:
    assert set(parameter_helps(method)) == {p.name for p in method.parameters()}


@every_method
def test_parameters_that_are_declared_anew_are_described_anew(method: type[Method]) -> None:
    """The words of a base tell its own default."""
    own = inspect.get_annotations(method)
    anew = [name for name in own if any(name in inspect.get_annotations(base) for base in method.__mro__[1:])]
    section = doc_parts(own_docstring(method)).sections.get("Parameters", "")
    for name in anew:
        assert re.search(rf"^{name}\b", section, re.MULTILINE), (
            f"{method.__name__}: describe '{name}', its default is new"
        )


def _said_by_itself(part: type) -> dict[tuple[str, str], str]:
    """Return what a class says itself: by section, and by entry where a section has entries."""
    found: dict[tuple[str, str], str] = {}
    for title, text in doc_parts(own_docstring(part)).sections.items():
        entries = doc_entries(text) if title in ("Parameters", "Raises") else [("", text)]
        found |= {(title, name): " ".join(words.split()) for name, words in entries}
    return found


def copies_of_bases(classes: Iterable[type]) -> list[str]:
    """Return what classes say in the words of the base that they would take it from."""
    found = []
    for part in classes:
        anew = {name for base in part.__mro__[1:] for name in inspect.get_annotations(base)} & set(
            inspect.get_annotations(part)
        )
        for place, words in _said_by_itself(part).items():
            near = next((said[place] for said in map(_said_by_itself, part.__mro__[1:]) if place in said), None)
            if words == near and place[1] not in anew:
                found.append(f"{part.__name__}: {' '.join(place).strip()}")
    return found


def test_no_docstring_repeats_what_it_would_inherit() -> None:
    assert copies_of_bases(_classes()) == []


def copies_of_siblings(classes: Iterable[type]) -> dict[str, list[str]]:
    """Return what three or more classes of one base say in the same words; costs and sources agree by chance."""
    found: dict[tuple[str, ...], list[str]] = {}
    for part in classes:
        for (title, name), words in _said_by_itself(part).items():
            if title not in ("Complexity", "References"):
                found.setdefault((part.__mro__[1].__name__, title, name, words), []).append(part.__name__)
    return {" ".join(key[:3]).strip(): names for key, names in found.items() if len(names) >= 3}


def test_what_siblings_share_stands_in_their_base() -> None:
    assert copies_of_siblings(_classes()) == {}


def test_copies_in_docstrings_are_found() -> None:
    class Family:
        """A family.

        Returns
        -------
        Microdata
            Masked.
        """

    def member(name: str) -> type:
        text = "Do it.\n\nReturns\n-------\nMicrodata\n    Masked.\n\nRaises\n------\nDataError\n    When it is late."
        return type(name, (Family,), {"__doc__": text})

    made = [member(name) for name in ("One", "Two", "Three")]
    assert copies_of_bases(made[:1]) == ["One: Returns"]
    assert copies_of_siblings(made[:2]) == {}
    assert copies_of_siblings(made)["Family Raises DataError"] == ["One", "Two", "Three"]


@every_method
def test_no_parameter_is_documented_that_is_not_there(method: type[Method]) -> None:
    names = {p.name for p in method.parameters()}
    for line in _section(method, "Parameters").splitlines():
        if line and not line.startswith(" "):
            assert set(re.split(r",\s*", line)) <= names, f"{method.__name__} documents '{line}'"


masks = pytest.mark.parametrize("method", [m for m in METHODS if m.kind == "mask"], ids=lambda m: m.name)


@masks
def test_masks_say_what_they_protect_against(method: type[Method]) -> None:
    doc = " ".join((inspect.getdoc(method) or "").split())
    assert re.search(r"\bProtects\b", doc)
    assert re.search(r"\bDoes not protect\b", doc)


@masks
def test_preserves_matches_the_traits(method: type[Method]) -> None:
    section = _section(method, "Preserves")
    assert section, f"{method.__name__} has no section 'Preserves'"
    claimed = set(method.traits.preserves)  # type: ignore[attr-defined]
    for name in PROPERTIES:
        named = re.search(rf"(?<![\w-]){name}(?![\w-])", section, re.IGNORECASE)
        assert named or name not in claimed, f"{method.__name__} claims '{name}' but does not explain it"
        if re.search(rf"(?<![\w-]){name}:", section):
            assert name in claimed, f"{method.__name__} explains '{name}' but does not claim it"


@every_method
def test_error_sentences_name_the_class(method: type[Method]) -> None:
    """Errors that begin with a class name begin with the right one."""
    words = {m.__name__ for m in METHODS}
    tree = ast.parse(inspect.getsource(method))
    texts = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    for text in texts:
        begin = text.split(":")[0]
        assert begin not in words or begin == method.__name__, f"{method.__name__} says '{text[:40]}'"


def test_every_property_has_a_check() -> None:
    assert set(PROPERTY_CHECKS) == set(PROPERTIES)

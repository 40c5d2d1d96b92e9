"""A variable as questions see it: its classes or bins, and what it may be used for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from tacita.core.errors import ParameterError, did_you_mean
from tacita.query.cutpoints.bins import Bins

__all__ = ["MISSING", "USES", "Use", "Variable"]

MISSING = "(missing)"
"""The class of the records without a value, in variables that have some."""

Use = Literal["universe", "table", "response", "predictor"]
"""What a variable may be used for: to say who a question is about, to make the cells of a table, to be explained or summed up,
to explain."""

USES: tuple[Use, ...] = get_args(Use)


@dataclass(frozen=True, kw_only=True)
class Variable:
    """One variable of a catalogue.

    Parameters
    ----------
    name
        As in the data.
    classes
        Names of its classes, or of its bins; empty for a numeric variable without cutpoints.
    bins
        The cutpoints of a numeric variable.
    is_numeric
        Whether it has numbers that can be added up.
    has_missing
        Whether some records have no value; these are the class ``(missing)``, the last one.
    uses
        What it may be used for.
    label
        A few words on what it holds.
    may_log
        Whether logarithm and square root may be taken: all values are positive by the definition of the variable.
    made_from_data
        Whether the cutpoints were found in the data; differential privacy takes only those that were not.
    of
        The column that it is made from, where that has another name: a recode of the steward's. Users make none.
    groups
        Of a recode: each class and the classes of the column that it puts together.

    Raises
    ------
    ParameterError
        When a class or a use is not one, or classes and cutpoints contradict each other.
    """

    name: str
    classes: tuple[str, ...] = ()
    bins: Bins | None = field(default=None, repr=False)
    is_numeric: bool = False
    has_missing: bool = False
    uses: tuple[Use, ...] = ()
    label: str = ""
    may_log: bool = False
    made_from_data: bool = False
    of: str = ""
    groups: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def __post_init__(self) -> None:
        for use in self.uses:
            if use not in USES:
                raise ParameterError(f"Variable '{self.name}': a use must be one of {', '.join(USES)}, got '{use}'.")
        if not isinstance(self.name, str) or not self.name:
            raise ParameterError("A variable of a catalogue must have a name.")
        if len(set(self.classes)) < len(self.classes):
            raise ParameterError(f"Variable '{self.name}': two classes have the same name.")
        if MISSING in self.classes:  # nobody could tell the two apart
            raise ParameterError(
                f"Variable '{self.name}': no class may be called {MISSING}; declare that value as missing in the schema."
            )
        self._check_bins()
        self._check_groups()
        if not self.classes and {"universe", "table"} & set(self.uses):
            raise ParameterError(
                f"Variable '{self.name}': without classes it can be used neither in universes nor to make tables; "
                "give it cutpoints."
            )

    def _check_bins(self) -> None:
        """Numbers have classes by their bins only, and bins are for numbers."""
        if self.bins is not None and self.classes != tuple(self.bins.labels):
            raise ParameterError(f"Variable '{self.name}': its classes must be the bins; leave them out.")
        if self.is_numeric != (self.bins is not None) and (self.classes or self.bins is not None):
            raise ParameterError(
                f"Variable '{self.name}': a numeric variable has bins, any other one classes; 'is_numeric' says which it is."
            )

    def _check_groups(self) -> None:
        """A recode names its column, and puts every class of it into one class."""
        if (
            self.of and self.of != self.name and "response" in self.uses
        ):  # under another name a response would get other noise, which averages
            raise ParameterError(
                f"Variable '{self.name}': a recode must not be a response; use the column that it is of."
            )
        if not self.groups:
            return
        members = [word for _, words in self.groups for word in words]
        if not self.of or self.is_numeric or self.classes != tuple(name for name, _ in self.groups):
            raise ParameterError(
                f"Variable '{self.name}': 'groups' must be the classes of a recode; say which column it is 'of'."
            )
        if len(set(members)) < len(members) or not all(words for _, words in self.groups):
            raise ParameterError(
                f"Variable '{self.name}': every class of the column must be in one of the 'groups', and no group empty."
            )

    @property
    def column(self) -> str:
        """The column that it is made from."""
        return self.of or self.name

    @property
    def places(self) -> Mapping[str, int]:
        """For each class of the column the number of the class that it belongs to."""
        if self.groups:
            return {word: number for number, (_, words) in enumerate(self.groups) for word in words}
        return {word: number for number, word in enumerate(self.classes)}

    @property
    def is_cutpoint(self) -> bool:
        """Whether its classes are bins of a numeric variable, which the gamma rule puts together."""
        return self.bins is not None

    @property
    def all_classes(self) -> tuple[str, ...]:
        """The classes, and ``(missing)`` where records have no value."""
        return (*self.classes, MISSING) if self.has_missing else self.classes

    @property
    def size(self) -> int:
        """Number of classes, the missing one included."""
        return len(self.classes) + self.has_missing

    def numbers(self, word: str) -> tuple[int, ...]:
        """Return the numbers of the classes that a word of a request stands for; a node of a tree of bins stands for several.

        Raises
        ------
        ParameterError
            When there is no such class.
        """
        found = self._index.get(word)
        if found is not None:
            return (found,)
        if self.bins is not None:
            return tuple(self.bins.leaves(word))
        near = did_you_mean(word, self.all_classes)
        raise ParameterError(f"Variable '{self.name}' has no class {word[:60]!r}.{near}")

    @property
    def _index(self) -> Mapping[str, int]:
        cached: Mapping[str, int] | None = self.__dict__.get("_found")
        if cached is None:
            cached = {word: number for number, word in enumerate(self.all_classes)}
            object.__setattr__(self, "_found", cached)
        return cached

    # --- files -------------------------------------------------------------------------------------------------------

    def to_plain(self) -> dict[str, Any]:
        """Return what is published of the variable, ready for TOML and JSON."""
        shown: dict[str, Any] = {"name": self.name}
        if self.label:
            shown["label"] = self.label
        if self.of:
            shown["of"] = self.of
        if self.groups:
            shown["groups"] = {name: list(words) for name, words in self.groups}
        elif self.bins is None:
            shown["classes"] = list(self.classes)
        else:
            shown["bins"] = self.bins.to_plain()
        for word in ("is_numeric", "has_missing", "may_log", "made_from_data"):
            if getattr(self, word):
                shown[word] = True
        return {**shown, "uses": list(self.uses)}

    @classmethod
    def from_plain(cls, given: Any) -> Variable:
        """Read the form of a file; every problem names the variable."""
        words = (
            "name",
            "label",
            "classes",
            "bins",
            "is_numeric",
            "has_missing",
            "may_log",
            "made_from_data",
            "uses",
            "of",
            "groups",
        )
        if not isinstance(given, Mapping) or not isinstance(given.get("name"), str):
            raise ParameterError("A variable of a catalogue must be a table with 'name'.")
        unknown = [word for word in given if word not in words]
        if unknown:
            near = did_you_mean(unknown[0], words)
            raise ParameterError(f"Variable '{given['name']}': there is no setting '{unknown[0]}'.{near}")
        classes, uses = given.get("classes", []), given.get("uses", [])
        if not isinstance(classes, list) or not all(isinstance(c, str) for c in classes) or not isinstance(uses, list):
            raise ParameterError(f"Variable '{given['name']}': 'classes' and 'uses' must be lists of texts.")
        for word in ("is_numeric", "has_missing", "may_log", "made_from_data"):
            if not isinstance(given.get(word, False), bool):
                raise ParameterError(f"Variable '{given['name']}': '{word}' must be true or false.")
        groups = _groups(given)
        bins = None
        if given.get("bins") is not None:
            if not isinstance(given["bins"], Mapping) or classes:
                raise ParameterError(
                    f"Variable '{given['name']}': 'bins' must be a table, without 'classes' beside it."
                )
            bins = Bins.from_plain(given["bins"])
        return cls(
            name=given["name"],
            classes=tuple(name for name, _ in groups) or (tuple(classes) if bins is None else tuple(bins.labels)),
            of=given.get("of", ""),
            groups=groups,
            bins=bins,
            is_numeric=given.get("is_numeric", False),
            has_missing=given.get("has_missing", False),
            may_log=given.get("may_log", False),
            made_from_data=given.get("made_from_data", False),
            uses=tuple(uses),
            label=str(given.get("label", "")),
        )


def _groups(given: Mapping[str, Any]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Read the groups of a recode: a table from each class to a list of classes of the column."""
    found, of = given.get("groups", {}), given.get("of", "")
    is_table = isinstance(found, Mapping) and all(
        isinstance(words, list) and all(isinstance(word, str) for word in words) for words in found.values()
    )
    if not is_table or not isinstance(of, str) or (found and given.get("classes")):
        raise ParameterError(
            f"Variable '{given['name']}': 'groups' must be a table of lists of classes, without 'classes' beside it, "
            "and 'of' a name."
        )
    return tuple((name, tuple(words)) for name, words in found.items())

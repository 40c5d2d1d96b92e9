"""The catalogue of a data version: its variables, drafted from the data, edited by the steward, then fixed."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from tacita.core.arrays import FloatArray
from tacita.core.errors import ColumnError, DataError, ParameterError, TacitaWarning, did_you_mean
from tacita.core.metadata import parse_toml, read_text
from tacita.core.toml import toml_key, toml_value
from tacita.query.catalogue.variable import MISSING, Use, Variable
from tacita.query.cutpoints.bins import Bins
from tacita.query.cutpoints.coarse import coarse_enough
from tacita.query.cutpoints.fineness import warn_if_too_fine
from tacita.query.cutpoints.method import Cutpoints
from tacita.query.universe.universe import class_word

if TYPE_CHECKING:
    from tacita.data.schema import Column
    from tacita.data.store.record_store import RecordStore

__all__ = ["Catalogue"]

_MOST_CLASSES = 10_000
_FEW_CLASSES = 100
"""A column with more than the most, or with more than these and one for every second record, is text, such as a name, and no
variable to count by; its values would be published as classes."""

_NEVER = frozenset({"identifier", "weight", "household", "cluster"})


@dataclass(frozen=True)
class Catalogue:
    """What is published about a data version before anybody asks.

    Parameters
    ----------
    variables
        The variables that questions may name, in the order of the data.

    Notes
    -----
    Classes and cutpoints are metadata that everybody sees. Cutpoints made from the data tell something about them;
    they are made once for a version, with a least number of records for each bin (Lucero et al. 2011, section 3.1.3), and kept.
    """

    variables: tuple[Variable, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "variables", tuple(self.variables))
        names = [variable.name for variable in self.variables]
        if len(set(names)) < len(names):
            raise ParameterError("The catalogue has a variable twice.")
        object.__setattr__(self, "_index", {variable.name: variable for variable in self.variables})

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the variables."""
        return tuple(variable.name for variable in self.variables)

    def __iter__(self) -> Iterator[Variable]:
        return iter(self.variables)

    def __getitem__(self, name: str) -> Variable:
        index: Mapping[str, Variable] = self.__dict__["_index"]
        if name not in index:
            raise ColumnError(f"There is no variable {name[:60]!r}.{did_you_mean(name, self.names)}")
        return index[name]

    def __contains__(self, name: object) -> bool:
        return name in self.__dict__["_index"]

    def usable(self, name: str, use: Use) -> Variable:
        """Return a variable that may be used in this way; otherwise say that it may not."""
        variable = self[name]
        if use not in variable.uses:
            raise ColumnError(f"The variable '{name}' cannot be used as {_AS[use]}.")
        return variable

    # --- where it comes from -------------------------------------------------------------------------------------------

    @classmethod
    def draft(
        cls,
        store: RecordStore,
        *,
        cutpoints: Cutpoints | Mapping[str, Cutpoints] | None = None,
        coarsen: bool = False,
        leave_out: Iterable[str] = (),
    ) -> Catalogue:
        """Draft the catalogue of some records.

        Columns with classes may be used in universes, in tables and as predictors; numeric ones as predictors and, unless they
        are keys, as responses; with cutpoints also like columns with classes. Identifiers, weights, households, clusters and the
        record id never enter, nor do columns with as many classes as names have.

        Parameters
        ----------
        store
            The records.
        cutpoints
            How numeric variables are cut: one way for all, or for those named.
        coarsen
            Whether cutpoints are made coarser where bins would show values; otherwise such bins are warned of.
        leave_out
            Columns that nobody may ask for.

        Raises
        ------
        ColumnError
            When a column that is named is not there, or cutpoints are given for one that is not numeric.
        """
        out = set(leave_out)
        for name in (*out, *(cutpoints if isinstance(cutpoints, Mapping) else ())):
            if store.schema[name].scale != "numeric" and name not in out:
                raise ColumnError(f"Cutpoints must be for numeric columns, but '{name}' is {store.schema[name].scale}.")
        made = []
        for column in store.schema:
            if column.name in out or _is_hidden(store, column):
                continue
            cut = cutpoints.get(column.name) if isinstance(cutpoints, Mapping) else cutpoints
            if cut is not None and coarsen and column.scale == "numeric":
                numbers = store.floats(column.name)
                cut = coarse_enough(cut, numbers[~np.isnan(numbers)])
            variable = (
                _numeric(store, column, cut, is_checked=coarsen)
                if column.scale == "numeric"
                else _classed(store, column)
            )
            if variable is not None:
                made.append(variable)
        return cls(tuple(made))

    def to_plain(self) -> dict[str, Any]:
        """Return the published catalogue, ready for JSON."""
        return {"variables": [variable.to_plain() for variable in self.variables]}

    @classmethod
    def from_plain(cls, given: Any) -> Catalogue:
        """Read what :meth:`to_plain` gives."""
        rows = given.get("variables") if isinstance(given, Mapping) else None
        if not isinstance(rows, list) or not rows:
            raise ParameterError("A catalogue must have a list 'variables' with at least one variable.")
        return cls(tuple(Variable.from_plain(row) for row in rows))

    def to_toml(self) -> str:
        """Return the catalogue as a file that a steward edits."""
        blocks = []
        for variable in self.variables:
            lines = [f"{toml_key(name)} = {toml_value(value)}" for name, value in variable.to_plain().items()]
            blocks.append("\n".join(["[[variables]]", *lines]))
        return "\n\n".join(blocks) + "\n"

    @classmethod
    def read(cls, path: str | Path) -> Catalogue:
        """Read a catalogue file."""
        return cls.from_plain(parse_toml(read_text(path, "The catalogue"), "The catalogue"))

    def write(self, path: str | Path) -> Path:
        """Write a catalogue file, atomically."""
        from tacita.data.atomic import atomic_file

        with atomic_file(path) as temporary:
            temporary.write_text(self.to_toml(), encoding="utf-8", newline="\n")
        return Path(path)

    def check_fits(self, store: RecordStore) -> None:
        """Raise an error where a variable is not in the data, has another kind there, or values that are in no class.

        Whether values fit is found here and not when somebody asks: an error at a question would depend on the data.

        Raises
        ------
        ColumnError
            When a variable is not there, has another scale, or may not be asked for.
        DataError
            When values are in no class of the catalogue.
        """
        for variable in self.variables:
            column = store.schema[variable.column]
            if _is_hidden(store, column):
                raise ColumnError(
                    f"The column '{column.name}' identifies records, or says which belong together or how much they weigh; "
                    "no question may name it."
                )
            if variable.is_numeric != (column.scale == "numeric"):
                raise ColumnError(f"The variable '{variable.name}' of the catalogue has another scale in the data.")
            if not _has_all_values(store, variable):
                raise DataError(f"The variable '{variable.name}' has values that are in no class of the catalogue.")


_AS = {
    "universe": "a condition of a universe",
    "table": "a dimension of a table",
    "response": "a response",
    "predictor": "a predictor",
}


def _is_hidden(store: RecordStore, column: Column) -> bool:
    """Whether a column identifies records, alone or together, or is their weight."""
    return bool(_NEVER & set(column.roles)) or column.name == store.record_id


def _has_all_values(store: RecordStore, variable: Variable) -> bool:
    """Whether every value of the data lies in a class, where the variable has classes."""
    if not variable.classes:
        return True
    if variable.bins is not None:
        return variable.has_missing or not bool(np.isnan(store.floats(variable.column)).any())
    codes = store.codes(variable.column)
    occurs = np.bincount(codes.values.astype(np.int64) + 1, minlength=len(codes.categories) + 1) > 0
    known = variable.places
    words = (class_word(value) for value, there in zip(codes.categories, occurs[1:], strict=True) if there)
    return (variable.has_missing or not bool(occurs[0])) and all(word in known for word in words)


def _classed(store: RecordStore, column: Column) -> Variable | None:
    codes = store.codes(column.name)
    if not codes.categories:  # nobody has a value: nothing to count by
        warnings.warn(
            f"The column '{column.name}' has no value and is left out of the catalogue.", TacitaWarning, stacklevel=3
        )
        return None
    if len(codes.categories) > min(_MOST_CLASSES, max(_FEW_CLASSES, store.n_records // 2)):
        warnings.warn(
            f"The column '{column.name}' has as many classes as a name has, and is left out of the catalogue; "
            "give it fewer classes, or the role of an identifier.",
            TacitaWarning,
            stacklevel=3,
        )
        return None
    uses: tuple[Use, ...] = ("universe", "table", "predictor")
    if not column.has_role("key") and len(codes.categories) == 2:
        uses = (*uses, "response")
    words = tuple(map(class_word, codes.categories))
    labels = _labels(column, codes.categories)
    return Variable(
        name=column.name,
        classes=words if labels is None else labels,
        of="" if labels is None else column.name,
        groups=() if labels is None else tuple((label, (word,)) for label, word in zip(labels, words, strict=True)),
        has_missing=bool((codes.values < 0).any()),
        uses=uses,
        label=column.label,
    )


def _labels(column: Column, categories: tuple[Any, ...]) -> tuple[str, ...] | None:
    """Return the value labels as names of the classes, where some value has one and no two would be called the same."""
    if not column.labels:
        return None
    named = tuple(column.shown(value) for value in categories)
    is_plain = named == tuple(map(class_word, categories))
    return None if is_plain or len(set(named)) < len(named) or MISSING in named or "" in named else named


def _numeric(store: RecordStore, column: Column, cut: Cutpoints | None, *, is_checked: bool) -> Variable:
    values = store.floats(column.name)
    is_missing = np.isnan(values)
    bins = None if cut is None else _bins(cut, values[~is_missing], column.name, is_checked=is_checked)
    uses: tuple[Use, ...] = ("predictor",) if bins is None else ("universe", "table", "predictor")
    lowest = None if column.bounds is None else column.bounds[0]
    return Variable(
        name=column.name,
        classes=() if bins is None else tuple(bins.labels),
        bins=bins,
        is_numeric=True,
        has_missing=bool(is_missing.any()),
        uses=uses if column.has_role("key") else (*uses, "response"),
        label=column.label,
        may_log=lowest is not None and lowest > 0,
        made_from_data=bins is not None and cut is not None and cut.from_data,
    )


def _bins(cut: Cutpoints, values: FloatArray, name: str, *, is_checked: bool) -> Bins | None:
    """Cut a column, and warn where bins are so fine that values show; a column with too few values gets no bins."""
    try:
        bins = cut.cut(values)
    except DataError:
        return None
    if not is_checked:
        warn_if_too_fine(values, bins, column=name)
    return bins

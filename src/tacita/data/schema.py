"""Schema: what each column is for (roles) and what can be computed with it (scale)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tacita.core.errors import ColumnError, SchemaError, did_you_mean
from tacita.core.parameters import Columns
from tacita.core.selectors import Selector
from tacita.core.views import view
from tacita.core.vocabulary import ROLES, SCALES, SINGLE_ROLES, Role, Scale
from tacita.data.hierarchy import Hierarchy

__all__ = ["Column", "MissingCode", "Schema"]

MissingCode = int | float | str | tuple[float, float]
"""A code that stands for a missing value, or a range (low, high) of codes as SPSS has it."""


@dataclass(frozen=True, kw_only=True)
class Column:
    """One column of a file.

    Parameters
    ----------
    name
        As in the file.
    scale
        numeric, ordinal, nominal or date.
    roles
        What the column is for; a column may be a key and a stratum at once.
    missing
        Codes that stand for a missing value (``-9``, ``"refused"``, or a range such as ``(90, 99)``).
    bounds
        Smallest and largest value that the *definition* of the column allows; never taken from the data.
    categories
        The order of an ordinal column's values, lowest first.
    hierarchy
        Coarser groups of the values.
    labels
        Value labels: (value, label) pairs.
    label
        A few words on what the column holds.
    linked_to
        The key whose suppression pattern a linked column inherits.
    public
        Whether categories, labels, missing codes, bounds and hierarchy are public knowledge, such as a published
        classification. Only then do they leave whole with a release; otherwise what no released record has any more is
        left out, and so are the bounds (see :func:`tacita.data.public_side.as_public`).
    """

    name: str
    scale: Scale
    roles: tuple[Role, ...] = ("other",)
    missing: tuple[MissingCode, ...] = ()
    bounds: tuple[float | None, float | None] | None = None
    categories: tuple[Any, ...] | None = None
    hierarchy: Hierarchy | None = None
    labels: tuple[tuple[Any, str], ...] = ()
    label: str = ""
    linked_to: str | None = None
    public: bool = False

    def has_role(self, role: Role) -> bool:
        """Whether the column has that role."""
        return role in self.roles

    def shown(self, value: Any) -> str:
        """Return a value as a reader sees it: its label where it has one, a whole number without a decimal point.

        A label that two values share stands with the value behind it.

        Examples
        --------
        >>> sex = Column(name="sex", scale="nominal", labels=((1, "male"), (2, "female")))
        >>> sex.shown(1.0), sex.shown(3.0), sex.shown("x")
        ('male', '3', 'x')
        """
        plain = str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
        label = next((text for known, text in self.labels if known == value and text), None)
        if label is None:
            return plain
        return f"{label} ({plain})" if [text for _, text in self.labels].count(label) > 1 else label

    def problems(self) -> Iterator[str]:
        """Say everything that is wrong with the column on its own."""
        where = f"Column '{self.name}'"
        if self.scale not in SCALES:
            yield f"{where}: scale must be one of {', '.join(SCALES)}, got '{self.scale}'.{did_you_mean(str(self.scale), SCALES)}"
        for role in self.roles:
            if role not in ROLES:
                yield f"{where}: role must be one of {', '.join(ROLES)}, got '{role}'.{did_you_mean(str(role), ROLES)}"
        if "identifier" in self.roles and len(self.roles) > 1:
            yield f"{where}: an identifier is never released, so it can have no other role."
        if "weight" in self.roles and self.scale != "numeric":
            yield f"{where}: a weight must be numeric, but its scale is {self.scale}."
        if "linked" in self.roles and self.linked_to is None:
            yield f"{where}: a linked column needs 'linked_to', the name of a key."
        if self.bounds is not None and None not in self.bounds and self.bounds[0] > self.bounds[1]:  # type: ignore[operator]
            yield f"{where}: the lower bound is above the upper bound."
        if self.categories is not None and len(set(self.categories)) < len(self.categories):
            yield f"{where}: a category is listed twice."


_ROLE_WORDS: dict[Role, str] = {
    "identifier": "identifiers",
    "key": "keys",
    "confidential": "confidential",
    "weight": "weight",
    "household": "household",
    "cluster": "clusters",
    "stratum": "strata",
    "linked": "linked",
    "other": "other",
}


@dataclass(frozen=True)
class Schema:
    """The columns of a file, in their order.

    Examples
    --------
    >>> schema = Schema((Column(name="age", scale="numeric", roles=("key",)), Column(name="sex", scale="nominal")))
    >>> schema.keys
    ('age',)
    >>> schema["agee"]
    Traceback (most recent call last):
    ...
    tacita.core.errors.ColumnError: Column 'agee' is not in the data. Did you mean 'age'?
    """

    columns: tuple[Column, ...]
    _index: Mapping[str, Column] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(self.columns))
        problems = list(self._problems())
        if problems:
            raise SchemaError(problems)
        object.__setattr__(self, "_index", {column.name: column for column in self.columns})

    def _problems(self) -> Iterator[str]:
        names = [column.name for column in self.columns]
        for name in sorted({name for name in names if names.count(name) > 1}):
            yield f"Column '{name}' occurs {names.count(name)} times; every column needs its own name."
        for column in self.columns:
            yield from column.problems()
            if column.linked_to is not None and column.linked_to not in names:
                yield f"Column '{column.name}' is linked to '{column.linked_to}', which is not in the data."
        for role in SINGLE_ROLES:
            holders = [column.name for column in self.columns if column.has_role(role)]
            if len(holders) > 1:
                yield f"Only one column can be the {role}, got {', '.join(holders)}."

    # --- looking up ------------------------------------------------------------------------------------------------

    def __getitem__(self, name: str) -> Column:
        try:
            return self._index[name]
        except KeyError:
            raise ColumnError(f"Column '{name}' is not in the data.{did_you_mean(name, self.names)}") from None

    def __contains__(self, name: object) -> bool:
        return name in self._index

    def __iter__(self) -> Iterator[Column]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    def __repr__(self) -> str:
        return f"Schema: {len(self)} columns ({self.roles_in_words()})"

    def _repr_html_(self) -> str:
        shown: str = view("notebook")(self)
        return shown

    @property
    def names(self) -> tuple[str, ...]:
        """All column names."""
        return tuple(column.name for column in self.columns)

    def roles_in_words(self, most: int = 6) -> str:
        """Return the columns by their roles, those beyond ``most`` of a role as a number; no category and no label."""
        shown = []
        for role, word in _ROLE_WORDS.items():
            names = self.with_role(role)
            if names:
                more = f" and {len(names) - most} more" if len(names) > most else ""
                shown.append(f"{word}: {', '.join(names[:most])}{more}")
        return "; ".join(shown)

    def with_role(self, role: Role) -> tuple[str, ...]:
        """Names of the columns that have a role."""
        return tuple(column.name for column in self.columns if column.has_role(role))

    @property
    def keys(self) -> tuple[str, ...]:
        """Key variables (quasi-identifiers)."""
        return self.with_role("key")

    @property
    def confidential(self) -> tuple[str, ...]:
        """Confidential outcome variables."""
        return self.with_role("confidential")

    @property
    def identifiers(self) -> tuple[str, ...]:
        """Direct identifiers; they never leave with a release."""
        return self.with_role("identifier")

    @property
    def strata(self) -> tuple[str, ...]:
        """Design strata."""
        return self.with_role("stratum")

    @property
    def weight(self) -> str | None:
        """The sampling weight, if there is one."""
        return next(iter(self.with_role("weight")), None)

    @property
    def household(self) -> str | None:
        """The household or cluster number, if there is one."""
        return next(iter(self.with_role("household")), None)

    def resolve(
        self, columns: Columns, *, owner: str, scales: Iterable[str] = SCALES, parameter: str = "columns"
    ) -> tuple[str, ...]:
        """Return the names that a parameter of columns stands for, and check that their scales fit."""
        names = columns.pick(self.columns) if isinstance(columns, Selector) else tuple(columns)
        if not names:
            raise ColumnError(
                f"{owner}: '{parameter}' selects no column (rule: {columns}). "
                "Name the columns, or give the columns of the data their roles and scales."
            )
        allowed = [scale for scale in SCALES if scale in set(scales)]
        for name in names:
            if self[name].scale not in allowed:
                raise ColumnError(
                    f"{owner}: works on {' and '.join(allowed)} columns, but '{name}' is {self[name].scale}."
                )
        if len(set(names)) < len(names):
            raise ColumnError(f"{owner}: '{parameter}' names a column twice.")
        return names

    # --- files -----------------------------------------------------------------------------------------------------

    @staticmethod
    def read(path: str | Path) -> Schema:
        """Read a schema file that declares every column completely."""
        from tacita.data.schema_file import schema_from_toml

        return schema_from_toml(Path(path))

    def to_toml(self) -> str:
        """Return the schema as TOML, the form of a schema file."""
        from tacita.data.schema_file import schema_to_toml

        return schema_to_toml(self)

    def write(self, path: str | Path) -> Path:
        """Write a schema file, atomically."""
        from tacita.data.atomic import atomic_file

        with atomic_file(path) as temporary:
            temporary.write_text(self.to_toml(), encoding="utf-8", newline="\n")
        return Path(path)

    # --- making new ones ---------------------------------------------------------------------------------------------

    def select(self, names: Iterable[str]) -> Schema:
        """Return the schema of some columns; a link to a dropped key becomes an ordinary column."""
        kept = [self[name] for name in names]
        there = {column.name for column in kept}
        return Schema(tuple(c if c.linked_to is None or c.linked_to in there else _unlinked(c) for c in kept))

    def change(self, name: str, **changes: Any) -> Schema:
        """Return a schema in which one column differs."""
        changed = replace(self[name], **changes)
        return Schema(tuple(changed if column.name == name else column for column in self.columns))

    def public(self) -> Schema:
        """Return the schema without direct identifiers."""
        return self.select(name for name in self.names if name not in self.identifiers)


def _unlinked(column: Column) -> Column:
    roles = tuple(role for role in column.roles if role != "linked") or ("other",)
    return replace(column, linked_to=None, roles=roles)

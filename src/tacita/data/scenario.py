"""Scenario: what an intruder is supposed to know; every risk is one under a scenario.

.. code-block:: toml

    [scenario]
    keys = ["age", "sex", "region"]      # without it: the columns with the role key
    known = ["age", "income"]            # without it: the numeric keys, and where there are none all numeric columns
    knows_sample = true                  # the intruder knows who is in the file
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from tacita.core.errors import ParameterError, did_you_mean
from tacita.core.metadata import parse_toml, read_text
from tacita.core.parameters import Columns, coerce
from tacita.core.selectors import Selector
from tacita.core.selectors import keys as key_columns
from tacita.core.toml import toml_value
from tacita.data.schema import Schema

__all__ = ["LINKED_BY", "Scenario", "ScenarioLike", "names_in_a_row"]

LINKED_BY = Selector("numeric keys else numeric columns")
"""The columns that records are linked by where nothing else is said."""


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """What an intruder knows. What is measured (``columns`` of an evaluation) is another matter and never changes it.

    Parameters
    ----------
    keys
        The columns whose values together single out records: of k-anonymity, individual risk, SUDA and the like. By default
        those with the role ``key``.
    known
        The columns whose true values the intruder has for everybody, and links records by. By default the numeric keys, and
        where there are none all numeric columns.
    knows_sample
        Whether the intruder knows who is in the file. Otherwise a record hides among all people that it stands for.

    Raises
    ------
    ParameterError
        When a value is no list of columns, or there is nothing of that name.

    Notes
    -----
    Columns of the design (identifiers, weights, households) are never part of a rule: they join a scenario only by name.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(300, seed=1)
    >>> print(Scenario(keys=["sex", "region"], known=["income"], knows_sample=True).words(data.schema))
    keys sex, region; linkage by income; the intruder knows who is in the file
    """

    keys: Columns = key_columns()
    known: Columns = LINKED_BY
    knows_sample: bool = False

    def __post_init__(self) -> None:
        for name in ("keys", "known"):
            chosen = coerce(getattr(self, name), Columns, owner="Scenario", name=name)
            object.__setattr__(self, name, chosen if isinstance(chosen, Selector) else tuple(chosen))
        if not isinstance(self.knows_sample, bool):
            raise ParameterError("Scenario: 'knows_sample' must be true or false.")

    @classmethod
    def of(cls, given: ScenarioLike) -> Scenario:
        """Return a scenario: itself, the one of a file or of plain words, or the default for None."""
        if given is None:
            return cls()
        if isinstance(given, Scenario):
            return given
        if isinstance(given, Mapping):
            return cls.from_plain(given)
        if isinstance(given, str | Path):
            return cls.read(given)
        raise ParameterError(f"'scenario' must be a Scenario, its words or a file, got {type(given).__name__}.")

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> Scenario:
        """Make a scenario of words and lists, as they stand in a file."""
        for word in plain:
            if word not in _FIELDS:
                raise ParameterError(f"A scenario has {', '.join(_FIELDS)}, got '{word}'.{did_you_mean(word, _FIELDS)}")
        return cls(**plain)

    @classmethod
    def read(cls, path: str | Path) -> Scenario:
        """Read a scenario file; whatever else than ``[scenario]`` it has is refused."""
        parsed = parse_toml(read_text(path, "The scenario file"), "The scenario file", error=ParameterError)
        if set(parsed) != {"scenario"} or not isinstance(parsed["scenario"], dict):
            raise ParameterError("A scenario file has one table, [scenario].")
        return cls.from_plain(parsed["scenario"])

    def check(self, schema: Schema) -> None:
        """Raise ``ColumnError`` where it names a column that the data do not have."""
        for columns in (self.keys, self.known):
            for name in () if isinstance(columns, Selector) else columns:
                schema[name]  # raises for a column that is not there

    def key_names(self, schema: Schema) -> tuple[str, ...]:
        """Return the keys in data of a schema; none where no column has that role."""
        return _picked(self.keys, schema)

    def known_names(self, schema: Schema) -> tuple[str, ...]:
        """Return the columns that records are linked by in data of a schema."""
        return _picked(self.known, schema)

    def words(self, schema: Schema, most: int = 6, *, within: Container[str] | None = None) -> str:
        """Return the scenario in words; of its columns only those ``within``, where that is given."""
        found, linked = (
            [name for name in names if within is None or name in within]
            for names in (self.key_names(schema), self.known_names(schema))
        )
        return "; ".join(
            (
                f"keys {names_in_a_row(found, most)}" if found else "no keys",
                f"linkage by {names_in_a_row(linked, most)}" if linked else "no column to link by",
                f"the intruder {'knows' if self.knows_sample else 'does not know'} who is in the file",
            )
        )

    def to_plain(self) -> dict[str, Any]:
        """Return what differs from the defaults, ready for TOML and JSON."""
        found: dict[str, Any] = {}
        for name in ("keys", "known"):
            chosen = getattr(self, name)
            if chosen != getattr(_DEFAULT, name):
                found[name] = str(chosen) if isinstance(chosen, Selector) else list(chosen)
        return {**found, "knows_sample": True} if self.knows_sample else found

    def to_toml(self) -> str:
        """Return the scenario as a file has it."""
        return "\n".join(
            ["[scenario]", *(f"{name} = {toml_value(value)}" for name, value in self.to_plain().items()), ""]
        )


ScenarioLike: TypeAlias = "Scenario | Mapping[str, Any] | str | Path | None"
_FIELDS = ("keys", "known", "knows_sample")
_DEFAULT = Scenario()


def names_in_a_row(names: Sequence[str], most: int) -> str:
    """Return names with commas, those beyond ``most`` as a number."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def _picked(columns: Columns, schema: Schema) -> tuple[str, ...]:
    if isinstance(columns, Selector):
        return columns.pick(schema.columns)
    for name in columns:
        schema[name]  # raises for a column that is not there
    return tuple(columns)

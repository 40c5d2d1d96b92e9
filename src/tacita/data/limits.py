"""Limits: the largest values of measures that a release may have, as objects, in recipe files, and as named presets.

.. code-block:: toml

    [limits]
    preset = "scientific-use"

    [[limits.limit]]
    measure = "dld"
    columns = ["age", "sex", "region"]   # what the intruder knows; without it the measure's own choice
    at_most = 5.0
    why = "agreed with the data protection officer"
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from tacita.core.errors import FileError, ParameterError, TacitaError, UnknownMethodError, did_you_mean
from tacita.core.toml import toml_key, toml_value
from tacita.data.measure import Measure, find_measure, measure_names
from tacita.data.scenario import Scenario
from tacita.data.schema import Schema

__all__ = ["PRESETS", "Limit", "Limits", "LimitsLike", "preset"]

Of = Literal["file", "worst record"]


@dataclass(frozen=True, kw_only=True)
class Limit:
    """The largest value that a measure of a release may have.

    Parameters
    ----------
    measure
        Registered name of a risk or loss; ``strongest`` is the attack that identifies most records.
    at_most
        Its largest value, in the unit of the measure (most are percentages, a chance of a record is between 0 and 1).
    columns
        What the intruder knows; by default the measure's own choice, mostly the key variables.
    of
        ``file``: the value for the whole file. ``worst record``: the largest value of a single record.
    settings
        Further parameters of the measure, such as ``{"k": 5}``.
    why
        Where the limit comes from, in a few words; it stands in the internal report.

    Raises
    ------
    UnknownMethodError
        When there is no such measure; a near miss is suggested.
    ParameterError
        When the limit is no finite number, or a parameter does not fit the measure.

    Examples
    --------
    >>> print(Limit(measure="k_anonymity", at_most=0, settings={"k": 5}))
    k_anonymity (k = 5) at most 0 %
    """

    measure: str
    at_most: float
    columns: tuple[str, ...] | None = None
    of: Of = "file"
    settings: Mapping[str, Any] | tuple[tuple[str, Any], ...] = ()
    why: str = ""

    def __post_init__(self) -> None:
        settings = dict(self.settings)
        object.__setattr__(self, "settings", tuple((name, _frozen(value)) for name, value in settings.items()))
        known: object = self.columns
        if known is not None:
            object.__setattr__(self, "columns", (known,) if isinstance(known, str) else tuple(self.columns or ()))
        owner = f"Limit of '{self.measure}'"
        if isinstance(self.at_most, bool) or not isinstance(self.at_most, (int, float)):
            raise ParameterError(f"{owner}: 'at_most' must be a number, got {type(self.at_most).__name__}.")
        if not math.isfinite(self.at_most):
            raise ParameterError(f"{owner}: 'at_most' must be a finite number.")
        if self.of not in get_args(Of):
            raise ParameterError(f"{owner}: 'of' must be one of {', '.join(get_args(Of))}, got {self.of!r}.")
        if not isinstance(self.why, str):
            raise ParameterError(f"{owner}: 'why' must be text, got {type(self.why).__name__}.")
        kind = self._kind()
        if kind.traits.better != "lower":
            raise ParameterError(f"{owner}: a higher value of it is better, so it can have no largest value.")
        if self.of == "worst record" and not kind.traits.per_record:
            raise ParameterError(f"{owner}: it has no value for single records, so 'of' must be 'file'.")
        self.build()

    def _kind(self) -> type[Measure]:
        try:
            return find_measure(str(self.measure))
        except UnknownMethodError:
            near = did_you_mean(str(self.measure), measure_names())
            raise UnknownMethodError(f"There is no measure named '{self.measure}' to set a limit to.{near}") from None

    def build(self, scenario: Scenario | None = None, schema: Schema | None = None) -> Measure:
        """Return the measure with the settings of this limit, for its own columns, or under a scenario where it has none."""
        own = dict(self.settings)
        if self.columns is None and scenario is not None and schema is not None:
            return self._kind().under(scenario, schema, settings=own)
        return self._kind().from_plain(own if self.columns is None else {**own, "columns": self.columns})

    @property
    def unit(self) -> str:
        """The unit of the value that is limited."""
        return "" if self.of == "worst record" else self._kind().traits.unit

    @property
    def what(self) -> str:
        """The measure with its settings and scenario, in words."""
        settings = ", ".join(f"{name} = {value}" for name, value in dict(self.settings).items())
        words = f"{self.measure} ({settings})" if settings else self.measure
        if self.of == "worst record":
            words += " of the worst record"
        return words if self.columns is None else f"{words} for an intruder who knows {', '.join(self.columns)}"

    def __str__(self) -> str:
        return f"{self.what} at most {self.at_most:g}{f' {self.unit}' if self.unit else ''}"

    def to_plain(self) -> dict[str, Any]:
        """Return what differs from the defaults, ready for TOML and JSON."""
        found: dict[str, Any] = {"measure": self.measure, "at_most": self.at_most}
        if self.columns is not None:
            found["columns"] = list(self.columns)
        if self.of != "file":
            found["of"] = self.of
        if self.settings:
            found["settings"] = {
                name: list(v) if isinstance(v, tuple) else v for name, v in dict(self.settings).items()
            }
        return {**found, "why": self.why} if self.why else found


@dataclass(frozen=True)
class Limits:
    """What a release must keep to leave.

    Parameters
    ----------
    limits
        Largest values of measures; all of them must hold.
    preset
        Name of the preset whose limits hold besides; empty for none.

    Examples
    --------
    >>> limits = Limits((Limit(measure="dld", at_most=5),), preset="internal")
    >>> Limits.from_toml(limits.to_toml()) == limits
    True
    """

    limits: tuple[Limit, ...] = ()
    preset: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "limits", tuple(self.limits))
        for limit in self.limits:
            if not isinstance(limit, Limit):
                raise ParameterError(f"Limits must be made of limits, got {type(limit).__name__}.")
        if self.preset:
            _known_preset(self.preset)

    def __bool__(self) -> bool:
        return bool(self.limits or self.preset)

    @property
    def all(self) -> tuple[Limit, ...]:
        """The limits of the preset and then the own ones."""
        return (*(preset(self.preset).limits if self.preset else ()), *self.limits)

    def joined(self, other: Limits) -> Limits:
        """Return limits that ask for both: a second list never loosens the first."""
        return Limits((*self.limits, *other.all), self.preset) if self else other

    @classmethod
    def of(cls, given: LimitsLike) -> Limits:
        """Return limits from what a user may give.

        Parameters
        ----------
        given
            Limits, a single one or several of them, the name of a preset, the path of a TOML file with a ``[limits]``
            table, largest values by measure (``{"dld": 5}``), or None for no limits.
        """
        if given is None:
            return cls()
        if isinstance(given, Limits):
            return given
        if isinstance(given, Limit):
            return cls((given,))
        if isinstance(given, Path):
            return cls.read(given)
        if isinstance(given, str):
            return cls(preset=given) if given in PRESETS or not _is_file(given) else cls.read(given)
        if isinstance(given, Mapping):
            return cls(tuple(Limit(measure=str(name), at_most=value) for name, value in given.items()))
        if isinstance(given, Iterable):
            return cls(tuple(given))
        raise ParameterError(
            f"'limits' must be limits, a preset, a file or numbers by measure, got {type(given).__name__}."
        )

    # --- files -----------------------------------------------------------------------------------------------------------

    def to_toml(self) -> str:
        """Write the limits as they stand in a recipe; empty where there are none."""
        if not self:
            return ""
        lines = ["[limits]", *([f"preset = {toml_value(self.preset)}"] if self.preset else [])]
        for limit in self.limits:
            lines += ["", "[[limits.limit]]"]
            lines += [f"{toml_key(name)} = {toml_value(value)}" for name, value in limit.to_plain().items()]
        return "\n".join(lines) + "\n"

    @classmethod
    def from_plain(cls, table: Any) -> Limits:
        """Build limits from the ``[limits]`` table of a file; every problem names its limit."""
        if not isinstance(table, Mapping):
            raise ParameterError("Limits stand in a table [limits] with 'preset' and [[limits.limit]] tables.")
        unknown = [word for word in table if word not in ("preset", "limit")]
        if unknown:
            raise ParameterError(
                f"[limits] has 'preset' and [[limits.limit]] tables, got '{unknown[0]}'."
                f"{did_you_mean(unknown[0], ('preset', 'limit'))}"
            )
        name, rows = table.get("preset", ""), table.get("limit", [])
        if not isinstance(name, str):
            raise ParameterError("[limits]: 'preset' must be the name of a preset.")
        if not isinstance(rows, list):
            raise ParameterError("The limits stand in [[limits.limit]] tables, with two brackets.")
        if not name and not rows:
            raise ParameterError("[limits] is empty: name a preset, or set a [[limits.limit]].")
        return cls(tuple(_limit(number, row) for number, row in enumerate(rows, 1)), name)

    @classmethod
    def from_toml(cls, text: str) -> Limits:
        """Read limits from text with a ``[limits]`` table; other tables, such as the steps of a recipe, are passed over."""
        try:
            parsed = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise ParameterError(f"The limits are not valid TOML: {error}.") from error
        if "limits" not in parsed:
            raise ParameterError("There is no [limits] table in the text.")
        return cls.from_plain(parsed["limits"])

    @classmethod
    def read(cls, path: str | Path) -> Limits:
        """Read limits from a TOML file, which may be a recipe."""
        try:
            text = Path(path).read_text(encoding="utf-8-sig")
        except OSError as error:
            raise FileError(f"The limits file '{Path(path).name}' cannot be read: {error.strerror}.") from error
        except UnicodeDecodeError:
            raise FileError(f"The limits file '{Path(path).name}' must be UTF-8 text.") from None
        try:
            return cls.from_toml(text)
        except TacitaError as error:
            raise ParameterError(f"The limits file '{Path(path).name}': {error}") from error


LimitsLike: TypeAlias = Limits | Limit | Iterable[Limit] | Mapping[str, float] | str | Path | None


# --- presets ---------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Preset:
    """Limits with a name, and for whom they are meant."""

    meant_for: str
    settings: tuple[tuple[str, float, Of, Mapping[str, Any], str], ...] = field(repr=False)

    @property
    def limits(self) -> tuple[Limit, ...]:
        """The limits, built when they are asked for."""
        return tuple(
            Limit(measure=measure, at_most=most, of=of, settings=tuple(settings.items()), why=why)
            for measure, most, of, settings, why in self.settings
        )


def _ladder(
    k: int, chance: float, linked: float, source: str
) -> tuple[tuple[str, float, Of, Mapping[str, Any], str], ...]:
    return (
        ("k_anonymity", 0.0, "file", {"k": k}, f"every combination of keys has at least {k} records; {source}"),
        ("individual_risk", chance, "worst record", {}, f"chance of the riskiest record, the counterpart of k = {k}"),
        ("strongest", linked, "file", {}, "share of records that the strongest known attack links to the right person"),
    )


PRESETS: Mapping[str, Preset] = {
    "public-use": Preset(
        "files that anyone can download",
        _ladder(10, 0.1, 5.0, "the cell size of open health data and of output checking"),
    ),
    "scientific-use": Preset(
        "files for researchers under contract", _ladder(5, 0.2, 10.0, "the cell size of data under a contract")
    ),
    "internal": Preset(
        "files that stay in the house, for colleagues", _ladder(3, 0.334, 20.0, "the smallest cell size in common use")
    ),
}
"""Named limits; the page "Judge a release" explains each number."""


def preset(name: str) -> Preset:
    """Return the preset of that name; a near miss is suggested."""
    return PRESETS[_known_preset(name)]


def _known_preset(name: object) -> str:
    if not isinstance(name, str) or name not in PRESETS:
        near = did_you_mean(str(name), PRESETS)
        raise ParameterError(
            f"'limits' must be one of the presets {', '.join(PRESETS)} or a TOML file, got '{name}'.{near}"
        )
    return name


# --- small parts -----------------------------------------------------------------------------------------------------------


def _limit(number: int, row: object) -> Limit:
    where = f"Limit {number}"
    if not isinstance(row, Mapping):
        raise ParameterError(f"{where} must be a table [[limits.limit]].")
    words = ("measure", "at_most", "columns", "of", "settings", "why")
    unknown = [word for word in row if word not in words]
    if unknown:
        raise ParameterError(f"{where}: there is no setting '{unknown[0]}'.{did_you_mean(unknown[0], words)}")
    lacking = [word for word in ("measure", "at_most") if word not in row]
    if lacking:
        raise ParameterError(f"{where}: '{lacking[0]}' must be given.")
    if not isinstance(row.get("settings", {}), Mapping):
        raise ParameterError(f"{where}: 'settings' must be a table of parameters of the measure.")
    if not isinstance(row.get("columns", []), list) or any(not isinstance(c, str) for c in row.get("columns", [])):
        raise ParameterError(f"{where}: 'columns' must be a list of names.")
    try:
        return Limit(**row)
    except TacitaError as error:
        raise ParameterError(f"{where}: {error}") from error


def _frozen(value: Any) -> Any:
    return tuple(_frozen(entry) for entry in value) if isinstance(value, list) else value


def _is_file(text: str) -> bool:
    return text.endswith(".toml") or "/" in text or "\\" in text

"""Scores: several measures in one number, with every part in sight.

.. code-block:: toml

    name = "house score"

    [bounded]                 # measures that have a largest value
    dld = 0.25
    rid = 0.25

    [unbounded]               # measures that can grow without end
    il1s = {weight = 50, transform = "x/(1+x)"}
    il = {weight = 0.1, cap = 200}

    [parameters.rid]          # parameters of a measure, where its own defaults will not do
    widths = [1, 2, 5]
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tacita.compare.parts import CountedPart, Part, find_measure
from tacita.core import registry
from tacita.core.errors import MeasureError, ParameterError, UnknownMethodError, did_you_mean
from tacita.core.metadata import parse_toml, read_text
from tacita.core.parameters import Columns
from tacita.core.selectors import Selector, all_columns
from tacita.core.toml import toml_key, toml_value
from tacita.data.pairing import Pairing
from tacita.data.scenario import Scenario
from tacita.data.schema import Schema

__all__ = ["Score", "as_score", "fitting_score"]

_TABLES = ("name", "pairing", "bounded", "unbounded", "parameters")


@dataclass(frozen=True, eq=False)
class Score:
    """A weighted sum of measures; lower is better.

    ``score = sum_j w_j g_j(m_j)``, where g_j is the identity, a cap, or x/(1+x). "No specific score weighting can do
    justice to all methods": whatever shows a score shows its parts beside it.

    Parameters
    ----------
    parts
        Weights by name of the measure, or :class:`Part` objects for parts with parameters, a cap or a transform.
    name
        What the score is called in tables.
    pairing
        ``nearest`` for a score of primed measures; ``auto`` leaves it to :func:`tacita.evaluate`.

    Raises
    ------
    UnknownMethodError
        When no measure of a name is registered.
    ParameterError
        When there is no part, a measure occurs twice, or a weight has the wrong sign.

    Notes
    -----
    Seven scores have names. ``default`` is ``0.5 il + 0.25 strongest + 0.25 rid``: the intruder does the best that is known
    against the mask. It is for numbers; ``categorical`` is for categories and has the mean of the overview's three categorical
    losses instead, ``0.5 (direct_categorical + contingency + entropy) / 3 + 0.25 strongest + 0.25 k_anonymity``; ``mixed`` is
    for both: a quarter for the loss of numbers, a quarter in equal parts for the categorical ones and ``open_range``, and half
    in equal parts for ``strongest``, ``rid`` and ``k_anonymity``. Where no score is named, the columns that are measured decide
    between these three, and without keys ``k_anonymity`` goes to ``strongest``. ``synthetic`` is
    ``5 min(table_pmse, 10) + 0.25 strongest + 0.25 citizen_match``: nothing in it needs the original of a record, so that
    synthetic, hybrid and masked files stand on one scale; it is the default for synthetic files. ``plain`` is
    ``0.5 il + 0.25 dld + 0.25 rid``, whose intruder only measures distances. ``overview`` is
    ``0.5 il + 0.125 dld + 0.125 pld + 0.25 id``, where ``rid`` stands for ``id`` as long as no measure ``id`` is
    registered. ``primed`` is expression (5.1), ``0.5 IL' + 0.25 DLD' + 0.25 ID'``: the measures of ``plain`` with each
    masked record paired with its nearest original. As ID' is defined on ranks only, it is ``rid`` there. DLD' is the mean
    over knowing the first 1, 2, ..., 7 columns, as in the paper; a file with fewer needs a score file of its own with another
    ``most``, and with all columns known every link would be right by definition.

    References
    ----------
    Domingo-Ferrer (2007), Statistical databases, section "Score construction". Sebe et al. (2002), Post-masking
    optimization, expression (5.1).

    Examples
    --------
    >>> score = Score({"pil": 0.5, "dld": 0.5}, name="between 0 and 100")
    >>> score.formula()
    '0.5 pil + 0.5 dld'
    >>> [part.points for part in score.count({"pil": 20.0, "dld": 4.0})]
    [10.0, 2.0]
    >>> Score.from_toml(score.to_toml()) == score
    True
    """

    name: str
    parts: tuple[Part, ...]
    pairing: Pairing

    def __init__(
        self, parts: Mapping[str, float] | Iterable[Part], *, name: str = "score", pairing: Pairing = "auto"
    ) -> None:
        listed = (
            tuple(Part(measure=measure, weight=weight) for measure, weight in parts.items())
            if isinstance(parts, Mapping)
            else tuple(parts)
        )
        if not listed:
            raise ParameterError("Score: at least one part must be given.")
        for part in listed:
            if not isinstance(part, Part):
                raise ParameterError(f"Score: 'parts' must be weights by name or parts, got {type(part).__name__}.")
        names = [part.measure for part in listed]
        twice = sorted({n for n in names if names.count(n) > 1})
        if twice:
            raise ParameterError(f"Score: the measure '{twice[0]}' occurs twice; give it one weight.")
        if pairing not in ("auto", "nearest"):
            raise ParameterError(f"Score: 'pairing' must be auto or nearest, got {pairing!r}.")
        object.__setattr__(self, "name", str(name))
        object.__setattr__(self, "parts", listed)
        object.__setattr__(self, "pairing", pairing)

    def __eq__(self, other: object) -> bool:
        """Whether both are the same sum, in whatever order."""
        if not isinstance(other, Score):
            return NotImplemented
        return self._content() == other._content()

    def __hash__(self) -> int:
        return hash((self.name, self.pairing, frozenset(self.measures)))

    def _content(self) -> tuple[str, Pairing, dict[str, Part]]:
        return self.name, self.pairing, {part.measure: part for part in self.parts}

    @property
    def measures(self) -> tuple[str, ...]:
        """The names of the measures, in the order of the parts."""
        return tuple(part.measure for part in self.parts)

    def formula(self) -> str:
        """Return the score as a formula."""
        return " + ".join(part.words() for part in self.parts).replace("+ -", "- ")

    def missing(self, values: Mapping[str, float]) -> list[str]:
        """Return the measures that the score needs and ``values`` does not have."""
        return [name for name in self.measures if name not in values]

    def count(self, values: Mapping[str, float]) -> tuple[CountedPart, ...]:
        """Return the parts; their points add up to the score."""
        lacking = self.missing(values)
        if lacking:
            raise MeasureError(f"The score '{self.name}' needs the measure '{lacking[0]}', which was not computed.")
        counted = tuple(self._counted(part, float(values[part.measure])) for part in self.parts)
        if not math.isfinite(sum(part.points for part in counted)):
            raise MeasureError(
                f"The score '{self.name}' cannot be formed: it is not finite; are its weights too large?"
            )
        return counted

    def _counted(self, part: Part, value: float) -> CountedPart:
        kind, counted = find_measure(part.measure), part.counted(value)
        if not math.isfinite(counted):
            raise MeasureError(f"The score '{self.name}' cannot be formed: '{part.measure}' is not finite.")
        points = part.weight * counted
        return CountedPart(
            measure=part.measure,
            kind=kind.kind,
            is_bounded=part.is_bounded,
            value=value,
            counted=counted,
            weight=part.weight,
            points=points,
        )

    def of(self, values: Mapping[str, float]) -> float:
        """Return the score: the sum of the points of its parts."""
        return sum(part.points for part in self.count(values))

    # --- files and names -----------------------------------------------------------------------------------------------

    @classmethod
    def named(cls, name: str) -> Score:
        """Return a score by name: ``default``, ``categorical``, ``mixed``, ``synthetic``, ``plain``, ``overview``, ``primed``."""
        if name not in _NAMED:
            raise UnknownMethodError(
                f"There is no score named '{name}'.{did_you_mean(name, _NAMED)} There are: {', '.join(_NAMED)}; "
                "a score of your own stands in a TOML file."
            )
        weights, pairing = _NAMED[name]
        if "id" in weights and not any(m.name == "id" for m in registry.methods("risk")):
            weights = {"rid" if measure == "id" else measure: weight for measure, weight in weights.items()}
        settings = _PRIMED if pairing == "nearest" else {}
        caps = _CAPS.get(name, {})
        parts = [Part(measure=m, weight=w, cap=caps.get(m), parameters=settings.get(m, {})) for m, w in weights.items()]
        return cls(parts, name=name, pairing=pairing)

    def to_toml(self) -> str:
        """Write the score as TOML."""
        lines = [f"name = {toml_value(self.name)}"]
        if self.pairing != "auto":
            lines.append(f"pairing = {toml_value(self.pairing)}")
        for bounded in dict.fromkeys(part.is_bounded for part in self.parts):
            here = [part for part in self.parts if part.is_bounded == bounded]
            lines += ["", "[bounded]" if bounded else "[unbounded]"]
            lines += [f"{toml_key(part.measure)} = {toml_value(_plain_weight(part))}" for part in here]
        for part in self.parts:
            lines += ["", f"[parameters.{toml_key(part.measure)}]"] if part.parameters else []
            lines += [f"{toml_key(name)} = {toml_value(value)}" for name, value in part.parameters.items()]
        return "\n".join(lines) + "\n"

    @classmethod
    def from_toml(cls, text: str) -> Score:
        """Read a score from text; nothing in it is ever evaluated."""
        parsed = parse_toml(text, "The score", error=ParameterError)
        for word, value in parsed.items():
            if word not in _TABLES:
                raise ParameterError(f"A score has {', '.join(_TABLES)}, got '{word}'.{did_you_mean(word, _TABLES)}")
            if word in ("bounded", "unbounded", "parameters") and not isinstance(value, dict):
                raise ParameterError(f"A score: '{word}' must be a table, [{word}].")
        settings = parsed.get("parameters", {})
        weights = {m for word in ("bounded", "unbounded") for m in parsed.get(word, {})}
        stray = sorted(set(settings) - weights)
        if stray:
            raise ParameterError(f"A score: [parameters.{stray[0]}] belongs to no part; give '{stray[0]}' a weight.")
        parts = [
            _part(measure, given, settings.get(measure, {}), bounded=word == "bounded")
            for word, table in parsed.items()
            if word in ("bounded", "unbounded")
            for measure, given in table.items()
        ]
        return cls(parts, name=str(parsed.get("name", "score")), pairing=parsed.get("pairing", "auto"))

    @classmethod
    def read(cls, path: str | Path) -> Score:
        """Read a score file."""
        return cls.from_toml(read_text(path, "The score file"))


_CATEGORICAL = ("direct_categorical", "contingency", "entropy")
_NAMED: dict[str, tuple[dict[str, float], Pairing]] = {
    "default": ({"il": 0.5, "strongest": 0.25, "rid": 0.25}, "auto"),
    "categorical": ({**dict.fromkeys(_CATEGORICAL, 1 / 6), "strongest": 0.25, "k_anonymity": 0.25}, "auto"),
    "mixed": (
        {
            "il": 0.25,
            **dict.fromkeys((*_CATEGORICAL, "open_range"), 1 / 16),
            **dict.fromkeys(("strongest", "rid", "k_anonymity"), 1 / 6),
        },
        "auto",
    ),
    "synthetic": ({"table_pmse": 5.0, "strongest": 0.25, "citizen_match": 0.25}, "auto"),
    "plain": ({"il": 0.5, "dld": 0.25, "rid": 0.25}, "auto"),
    "overview": ({"il": 0.5, "dld": 0.125, "pld": 0.125, "id": 0.25}, "auto"),
    "primed": ({"il": 0.5, "dld": 0.25, "rid": 0.25}, "nearest"),
}

_CAPS: dict[str, dict[str, float]] = {"synthetic": {"table_pmse": 10.0}}
"""A ratio above 10 says that tables cannot be used; how far above says no more."""
_PRIMED: dict[str, dict[str, Any]] = {"dld": {"knows": "first", "most": 7}}
"""DLD' of the paper: the intruder knows the first one, the first two, ..., the first seven columns."""


def as_score(given: str | Path | Score | None) -> Score:
    """Return a score: itself, the one of a name, the one of a file, or the default for None."""
    if given is None:
        return Score.named("default")
    if isinstance(given, Score):
        return given
    if isinstance(given, Path) or (isinstance(given, str) and given not in _NAMED and given.endswith(".toml")):
        return Score.read(given)
    if not isinstance(given, str):
        raise ParameterError(f"'score' must be a score, its name or a file, got {type(given).__name__}.")
    return Score.named(given)


def fitting_score(
    given: str | Path | Score | None,
    schema: Schema,
    columns: Columns | None,
    scenario: Scenario,
    *,
    is_synthetic: bool = False,
) -> Score:
    """Return the score that was asked for, or the one for what is measured: synthetic records, numbers, categories, or both."""
    if given is not None or is_synthetic:
        return as_score("synthetic" if given is None else given)
    chosen = all_columns() if columns is None else columns
    names = chosen.pick(schema.columns) if isinstance(chosen, Selector) else chosen
    scales = {schema[name].scale for name in names if name in schema}
    has_numbers, has_categories = "numeric" in scales, bool(scales & {"nominal", "ordinal"})
    score = Score.named("mixed" if has_numbers and has_categories else "categorical" if has_categories else "default")
    if "k_anonymity" not in score.measures or scenario.key_names(schema):
        return score
    weights = {part.measure: part.weight for part in score.parts}
    weights["strongest"] += weights.pop("k_anonymity")
    return Score(weights, name=f"{score.name}, no keys")


def _part(measure: str, given: Any, parameters: Any, *, bounded: bool) -> Part:
    kind = find_measure(measure)
    if (kind.traits.upper is not None) != bounded:
        right, limit = ("unbounded", "no largest value") if bounded else ("bounded", f"at most {kind.traits.upper:g}")
        raise ParameterError(f"A score: '{measure}' has {limit}; its place is under [{right}].")
    table = given if isinstance(given, dict) else {"weight": given}
    known = ("weight", "cap", "transform")
    for word in table:
        if word not in known:
            raise ParameterError(f"A score: part '{measure}' has {', '.join(known)}, got '{word}'.")
    if "weight" not in table:
        raise ParameterError(f"A score: part '{measure}' must have a 'weight'.")
    if not isinstance(parameters, dict):
        raise ParameterError(f"A score: [parameters.{measure}] must be a table.")
    return Part(measure=measure, parameters=parameters, **table)


def _plain_weight(part: Part) -> Any:
    more = {
        **({} if part.cap is None else {"cap": part.cap}),
        **({} if part.transform == "x" else {"transform": part.transform}),
    }
    return {"weight": part.weight, **more} if more else part.weight

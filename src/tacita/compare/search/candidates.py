"""Candidates of a search: masks, recipes and grids over their parameters."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from tacita.core import registry
from tacita.core.errors import ParameterError, RecipeError, TacitaError, did_you_mean
from tacita.core.metadata import parse_toml, read_text
from tacita.core.parameters import coerce
from tacita.mask.base import Mask
from tacita.release.recipe import Recipe

__all__ = ["Candidate", "Candidates", "grid", "list_candidates", "read_search"]

Candidates: TypeAlias = "Mask | Recipe | Iterable[Candidates] | Mapping[str, Candidates]"
"""What a search can be given: a mask, a recipe, any nesting of lists of them, or such by name."""

_MOST = 100_000
"""A grid beyond this is a slip of the pen, not a search."""


@dataclass(frozen=True)
class Candidate:
    """One recipe of a search.

    Parameters
    ----------
    recipe
        What is tried.
    label
        What it is called in tables and on the map.
    """

    recipe: Recipe
    label: str
    family: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "family", " + ".join(step.name for step in self.recipe))

    @property
    def text(self) -> str:
        """The recipe as TOML: two candidates with the same text are the same."""
        return self.recipe.to_toml()

    @property
    def fingerprint(self) -> str:
        """A short hash of the recipe, for the journal."""
        return hashlib.sha256(self.text.encode("utf-8")).hexdigest()[:20]

    @property
    def is_stochastic(self) -> bool:
        """Whether the result depends on the seed."""
        return any(step.traits.stochastic for step in self.recipe)

    @property
    def is_synthetic(self) -> bool:
        """Whether its records come from nobody."""
        return any(step.traits.synthetic for step in self.recipe)


# --- grids ----------------------------------------------------------------------------------------------------------------


def grid(mask: type[Mask] | str, /, **parameters: Any) -> tuple[Mask, ...]:
    """Make one mask for each combination of parameters.

    A value that the parameter itself takes stays as it is; of any other list or range each entry is tried. So
    ``p=[5, 10]`` makes two masks, ``columns=["age", "income"]`` one, and ``columns=[["age"], ["age", "income"]]`` two.

    Parameters
    ----------
    mask
        The mask, or its registered name.
    **parameters
        Values, or lists and ranges of values, by the names of the mask's parameters.

    Returns
    -------
    tuple of Mask
        The combinations; the last parameter changes fastest.

    Raises
    ------
    ParameterError
        When there is no parameter of a name, or a value is outside what it may be.

    Examples
    --------
    >>> import tacita as tc
    >>> [mask.p for mask in tc.grid(tc.mask.RankSwap, columns="income", p=range(5, 20, 5))]
    [5.0, 10.0, 15.0]
    """
    method = registry.find("mask", mask) if isinstance(mask, str) else mask
    if not (isinstance(method, type) and issubclass(method, Mask)):
        raise ParameterError(f"grid: 'mask' must be a mask or its name, got {type(mask).__name__}.")
    known = {parameter.name: parameter for parameter in method.parameters()}
    options: list[list[Any]] = []
    for name, value in parameters.items():
        if name not in known:
            raise ParameterError(
                f"{method.__name__}: there is no parameter '{name}'.{did_you_mean(name, known)} It has: {', '.join(known)}."
            )
        options.append(_options(value, known[name].annotation, method.__name__, name))
    count = 1
    for values in options:
        count *= len(values)
    if count > _MOST:
        raise ParameterError(f"grid: {method.__name__} would have {count:,} combinations; the most are {_MOST:,}.")
    return tuple(
        method.from_plain(dict(zip(parameters, values, strict=True))) for values in itertools.product(*options)
    )


def _options(value: Any, annotation: Any, owner: str, name: str) -> list[Any]:
    """Return the values to try: one that fits as it is, or the entries of a list."""
    if isinstance(value, Mapping) and {"from", "to"} <= set(value):
        return _steps(value, f"{owner}: '{name}'")
    try:
        coerce(value, annotation, owner=owner, name=name)
    except ParameterError:
        if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
            raise
    else:
        return [value]
    entries = list(value)
    if not entries:
        raise ParameterError(f"{owner}: '{name}' has an empty list of values to try.")
    return entries


def _steps(table: Mapping[str, Any], owner: str) -> list[float]:
    """Return the numbers of ``{from, to, step}``, both ends included."""
    unknown = set(table) - {"from", "to", "step"}
    numbers = {word: table.get(word, 1) for word in ("from", "to", "step")}
    if unknown or any(isinstance(v, bool) or not isinstance(v, (int, float)) for v in numbers.values()):
        raise ParameterError(
            f"{owner}: a range has the numbers from, to and step, such as {{from = 1, to = 20, step = 1}}."
        )
    start, stop, step = numbers["from"], numbers["to"], numbers["step"]
    if not step > 0 or stop < start or (stop - start) / step > _MOST:
        raise ParameterError(f"{owner}: a range must go up from 'from' to 'to' in steps above 0.")
    count = int((stop - start) / step + 1e-9) + 1
    # Sums like 0.1 + 0.1 + 0.1 are rounded back to the number that was meant.
    values = [round(start + i * step, 12) for i in range(count)]
    return [int(v) for v in values] if all(isinstance(v, int) for v in numbers.values()) else values


# --- lists ----------------------------------------------------------------------------------------------------------------


def list_candidates(given: Candidates) -> tuple[Candidate, ...]:
    """Return all candidates, each once, with labels that tell them apart."""
    found: dict[str, tuple[Recipe, str]] = {}
    for recipe, name in _flat(given, ""):
        found.setdefault(recipe.to_toml(), (recipe, name))
    if not found:
        raise ParameterError("search: 'candidates' is empty; give at least one mask or recipe.")
    return _labelled(list(found.values()))


def _flat(given: Any, name: str) -> Iterable[tuple[Recipe, str]]:
    if isinstance(given, Recipe):
        yield given, name
    elif isinstance(given, Mask):
        yield Recipe([given]), name
    elif isinstance(given, Mapping):
        for word, entry in given.items():
            yield from _flat(entry, str(word))
    elif isinstance(given, Iterable) and not isinstance(given, (str, bytes)):
        for entry in given:
            yield from _flat(entry, name)
    else:
        raise ParameterError(f"search: a candidate must be a mask or a recipe, got {type(given).__name__}.")


def _labelled(found: Sequence[tuple[Recipe, str]]) -> tuple[Candidate, ...]:
    """Give each candidate the name it came with, or its method and what differs from its kin."""
    families: dict[tuple[str, ...], list[Recipe]] = {}
    for recipe, _ in found:
        families.setdefault(tuple(step.name for step in recipe), []).append(recipe)
    labels: list[str] = []
    for recipe, name in found:
        kin = families[tuple(step.name for step in recipe)]
        own = " + ".join(_step_label(recipe, kin, place) for place in range(len(recipe)))
        # Several candidates may have come under one name.
        labels.append(own if not name else name if [n for _, n in found].count(name) == 1 else f"{name}: {own}")
    twice = {label for label in labels if labels.count(label) > 1}
    numbered = [f"{label} #{i}" if label in twice else label for i, label in enumerate(labels, 1)]
    return tuple(Candidate(recipe, label) for (recipe, _), label in zip(found, numbered, strict=True))


def _step_label(recipe: Recipe, kin: Sequence[Recipe], place: int) -> str:
    step = recipe.steps[place]
    plain = {p.name: getattr(step, p.name) for p in step.parameters()}
    varied = [n for n, value in plain.items() if any(getattr(other.steps[place], n) != value for other in kin)]
    named = varied or [n for n in step.to_plain() if n not in ("columns", "identities", "by")]
    return ", ".join([step.name, *(f"{name} = {_words(plain[name])}" for name in named)])


def _words(value: Any) -> str:
    if isinstance(value, (tuple, list)):
        return ", ".join(_words(entry) for entry in value) or "none"
    if isinstance(value, Mapping):
        return ", ".join(map(str, value)) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


# --- files ----------------------------------------------------------------------------------------------------------------

_SETTINGS: dict[str, type | tuple[type, ...]] = {
    "columns": (list, str),
    "scenario": dict,
    "measures": list,
    "score": str,
    "loss": str,
    "risk": (list, str),
    "limits": (list, str),
    "seeds": int,
    "seed": int,
    "time_limit": (int, float),
}


def read_search(path: str | Path) -> tuple[list[Candidates], dict[str, Any]]:
    """Read a search file: its candidates, and its settings by the names that :func:`tacita.search` has for them.

    .. code-block:: toml

        seeds = 3
        limits = ["dld <= 5", "rid <= 40"]

        [[candidate]]
        mask = "rank_swap"
        p = {from = 1, to = 20}

        [[candidate]]
        name = "round after swapping"
        [[candidate.step]]
        mask = "rank_swap"
        p = [5, 10]
        [[candidate.step]]
        mask = "rounding"
        base = 100
    """
    parsed = _parsed(Path(path))
    for word, value in parsed.items():
        if word != "candidate" and word not in _SETTINGS:
            raise RecipeError(f"A search file has no '{word}'.{did_you_mean(word, [*_SETTINGS, 'candidate'])}")
        if word != "candidate" and (not isinstance(value, _SETTINGS[word]) or isinstance(value, bool)):
            raise RecipeError(f"A search file: '{word}' cannot be {type(value).__name__}.")
    tables = parsed.get("candidate", [])
    if not isinstance(tables, list):
        raise RecipeError("The candidates of a search stand in [[candidate]] tables, with two brackets.")
    settings = {word: value for word, value in parsed.items() if word != "candidate"}
    found = [_from_table(table, number, settings.get("columns")) for number, table in enumerate(tables, 1)]
    return found, settings


def _parsed(path: Path) -> dict[str, Any]:
    return parse_toml(read_text(path, "The search file"), f"The search file '{path.name}'", error=RecipeError)


def _from_table(table: Any, number: int, columns: Any) -> Candidates:
    if not isinstance(table, dict) or ("mask" in table) == ("step" in table):
        raise RecipeError(f'Candidate {number} must have either mask = "NAME" or [[candidate.step]] tables.')
    steps = table["step"] if "step" in table else [{n: v for n, v in table.items() if n != "name"}]
    if "step" in table and (set(table) - {"name", "step"} or not isinstance(steps, list)):
        raise RecipeError(f"Candidate {number}: parameters stand in its [[candidate.step]] tables.")
    try:
        grids = [_step_grid(step, columns) for step in steps]
    except TacitaError as error:
        raise RecipeError(f"Candidate {number}: {error}") from error
    recipes = [Recipe(chosen) for chosen in itertools.product(*grids)]
    return {str(table["name"]): recipes} if "name" in table else recipes


def _step_grid(step: Any, columns: Any) -> tuple[Mask, ...]:
    if not isinstance(step, dict) or "mask" not in step:
        raise RecipeError('every step must say which mask it is: mask = "NAME".')
    method = registry.find("mask", str(step["mask"]))
    has_columns = any(parameter.name == "columns" for parameter in method.parameters())
    own = {"columns": columns} if columns is not None and has_columns else {}
    return grid(method, **{**own, **{name: value for name, value in step.items() if name != "mask"}})  # type: ignore[arg-type]

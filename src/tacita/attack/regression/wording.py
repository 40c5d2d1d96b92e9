"""Regression attacks in the words of a server that takes published variables, classes and bins only, and reads nothing else."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np

from tacita.attack.targets import Ask, ServerTarget

__all__ = ["AskedServer", "VictimWords", "WordedModel", "told_either_way", "universe_without", "victim_words"]

Conditions: TypeAlias = dict[str, list[str]]


@dataclass(frozen=True, eq=False)
class VictimWords:
    """What is known of one victim, as the server words it.

    Parameters
    ----------
    classes
        By variable: the victim's class, or the bin that his number lies in.
    others
        By variable: all other classes or bins.
    numbers
        By variable: his number, where it is known and not its bin only.
    named
        Variables with classes, without those that have bins.
    measured
        Numeric variables that may stand in a model beside the wanted one; those that are known come first.
    """

    classes: Mapping[str, str]
    others: Mapping[str, list[str]]
    numbers: Mapping[str, float]
    named: tuple[str, ...]
    measured: tuple[str, ...]

    def by_names(self) -> VictimWords:
        """Return the same without the bins of numbers: larger universes, of which fewer are refused."""
        classes = {name: self.classes[name] for name in self.named}
        return replace(self, classes=classes, others={name: self.others[name] for name in self.named})

    def cell(self, *but: str) -> Conditions:
        """Return the conditions that single the victim out, without those on some variables."""
        return {name: [word] for name, word in self.classes.items() if name not in but}


def victim_words(target: ServerTarget, victim: int) -> VictimWords:
    """Return what is known of a victim in the words of the catalogue; a number is known by itself or by its bin."""
    listed = {entry["name"]: entry for entry in target.catalogue.get("variables", ())}
    classes, others, numbers, named = {}, {}, {}, []
    for name, word in target.known[victim].items():
        entry = listed.get(name)
        if entry is None or name == target.wanted:
            continue
        is_numeric = bool(entry.get("is_numeric"))
        every = _bins(entry) if is_numeric else [str(c) for c in entry.get("classes", ())]
        own = word
        if is_numeric and _is_number(word):
            numbers[name] = float(word)
            own = every[int(np.searchsorted(_cuts(entry), float(word), side="left"))]
        if own in every and len(every) > 1:
            classes[name], others[name] = own, [other for other in every if other != own]
            named += [] if is_numeric else [name]
    usable = [
        name
        for name, entry in listed.items()
        if entry.get("is_numeric") and "predictor" in entry.get("uses", ("predictor",))
    ]
    measured = sorted((name for name in usable if name != target.wanted), key=lambda name: name not in numbers)
    return VictimWords(classes, others, numbers, tuple(named), tuple(measured))


def told_either_way(words: VictimWords, tell: Callable[[VictimWords], tuple[float, bool]]) -> tuple[float, bool]:
    """Try without the bins of numbers, then with them; return what is sure, otherwise what was told last."""
    value, is_sure = tell(words.by_names())
    if is_sure or len(words.classes) == len(words.named):
        return value, is_sure
    narrow, is_sure = tell(words)
    return (narrow, is_sure) if math.isfinite(narrow) else (value, False)


def universe_without(where: Conditions, cell: Conditions, others: Mapping[str, list[str]]) -> dict[str, Any]:
    """Return a universe less one cell in it, as a union of pieces: each has another class of one variable."""
    pieces = [{**where, name: others[name]} for name in cell if name not in where and others[name]]
    return pieces[0] if len(pieces) == 1 else {"any": pieces}


@dataclass(frozen=True, eq=False)
class WordedModel:
    """A fitted model as it came back.

    Parameters
    ----------
    estimates, errors
        By label; of intervals the middles, without errors.
    effects
        By label: the variables behind it with their transformations and classes.
    n
        Number of records; NaN where it is not told.
    variance
        Residual variance; NaN where it is not told.
    absorbed
        By variable: the classes that count as the reference, because they are rare.
    """

    estimates: Mapping[str, float]
    errors: Mapping[str, float]
    effects: Mapping[str, tuple[tuple[str, str, str | None], ...]]
    n: float
    variance: float
    absorbed: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, model: Mapping[str, Any]) -> WordedModel:
        """Read the JSON form of a model."""
        if "intervals" in model:
            middle = {i["label"]: (i["low"] + i["high"]) / 2 for i in model["intervals"]}
            effects = {label: _effects_of(label) for label in middle}
            return cls(middle, {}, effects, math.nan, math.nan, model.get("absorbed", {}))
        rows = model["coefficients"]
        lines = {line["label"]: line for line in model["table"]["lines"]}
        left = lines.get("(residual)")
        n = math.nan if model["n"] is None else float(model["n"])
        freedom = n - len(rows)
        variance = (
            left["amount"] / freedom if left is not None and left["amount"] is not None and freedom > 0 else math.nan
        )
        return cls(
            {row["label"]: _or_nan(row["estimate"]) for row in rows},
            {row["label"]: _or_nan(row["error"]) for row in rows},
            {
                row["label"]: tuple((e["variable"], e["transform"] or "", e["class"]) for e in row["effects"])
                for row in rows
            },
            n,
            variance,
            model.get("absorbed", {}),
        )

    def at(self, words: VictimWords) -> float:
        """Return the fitted value of a victim; NaN where the model has a number that is not known of him."""
        total = 0.0
        for label, estimate in self.estimates.items():
            factor = 1.0
            for name, transform, word in self.effects[label]:
                if word is not None:
                    factor *= float(words.classes.get(name) == word)
                else:
                    factor *= _changed(words.numbers.get(name, math.nan), transform)
            total += estimate * factor if factor else 0.0
        return total

    def total(self) -> tuple[float, float]:
        """Return the sum of the response and the number of records, from a model of one number.

        With s2 the residual variance, the errors of slope and intercept are s2 / Sxx and s2 (1 / n + m^2 / Sxx): they give Sxx
        and the mean m of the predictor, and the residuals add up to zero. Of the two signs of m that of a size is taken.
        """
        names = list(self.estimates)
        if len(names) != 2 or not self.errors or not self.variance > 0 or not self.errors[names[1]] > 0:
            return math.nan, self.n
        spread = self.variance / self.errors[names[1]] ** 2
        square = (self.errors[names[0]] ** 2 / self.variance - 1 / self.n) * spread
        middle = math.sqrt(max(square, 0.0))
        return self.n * (self.estimates[names[0]] + self.estimates[names[1]] * middle), self.n

    def class_total(self, name: str, word: str) -> tuple[float, float]:
        """Return the sum of the response and the number of records of one class, from a model of one variable with classes.

        The diagonal of s2 (X'X)^-1 is s2 / r for the intercept, with r records of the reference, and s2 (1 / r + 1 / k) for a
        class of k records.
        """
        first, label = "(intercept)", f"{name}[{word}]"
        if not self.errors or not self.variance > 0 or label not in self.estimates:
            return math.nan, math.nan
        reference = self.errors[first] ** 2 / self.variance
        inverse = self.errors[label] ** 2 / self.variance - reference
        if not inverse > 0:
            return math.nan, math.nan
        count = 1 / inverse
        count = round(count) if abs(count - round(count)) < 0.25 else count
        return count * (self.estimates[first] + self.estimates[label]), float(count)


@dataclass(eq=False)
class AskedServer:
    """The regressions that one attacker asks a server for, counted, with the rules that refused him."""

    ask: Ask
    most: int
    queries: int = 0
    refused: dict[str, int] = field(default_factory=dict)

    def model(
        self,
        response: str,
        predictors: Sequence[str | Mapping[str, str]],
        where: Mapping[str, Any],
        interactions: Sequence[Sequence[str]] = (),
    ) -> WordedModel | None:
        """Return the fitted model, or None where it is refused or he can ask no more."""
        if self.queries >= self.most:
            return None
        self.queries += 1
        request: dict[str, Any] = {"kind": "regress", "response": response, "predictors": list(predictors)}
        request |= {"where": dict(where)} if where else {}
        request |= {"interactions": [list(names) for names in interactions]} if interactions else {}
        answer = self.ask(request)
        if answer.get("status") == "answered" and answer.get("model") is not None:
            return WordedModel.of(answer["model"])
        for rule in answer.get("reasons", ()) or ("no_answer",):
            self.refused[str(rule)] = self.refused.get(str(rule), 0) + 1
        return None


def _bins(entry: Mapping[str, Any]) -> list[str]:
    """Return the bins of a number as they are called, from its published cutpoints."""
    cuts, whole = _cuts(entry), bool((entry.get("bins") or {}).get("whole", False))
    if not cuts:
        return ["all values"]
    between = [_between(low, high, whole=whole) for low, high in pairwise(cuts)]
    return [f"up to {_text(cuts[0])}", *between, f"above {_text(cuts[-1])}"]


def _cuts(entry: Mapping[str, Any]) -> list[float]:
    return [float(cut) for cut in (entry.get("bins") or {}).get("cuts", ())]


def _between(low: float, high: float, *, whole: bool) -> str:
    if not whole:
        return f"above {_text(low)} up to {_text(high)}"
    return f"exactly {_text(high)}" if low + 1 == high else f"{_text(low + 1)} to {_text(high)}"


def _text(cut: float) -> str:
    return str(int(cut)) if cut.is_integer() else repr(cut)


def _is_number(word: str) -> bool:
    try:
        return math.isfinite(float(word))
    except ValueError:
        return False


def _or_nan(value: float | None) -> float:
    return math.nan if value is None else float(value)


def _changed(value: float, transform: str) -> float:
    """Apply a transformation of the approved list."""
    if transform == "square":
        return value * value
    if transform == "sqrt":
        return math.sqrt(value) if value >= 0 else math.nan
    if transform == "log":
        return math.log(value) if value > 0 else math.nan
    return value


def _effects_of(label: str) -> tuple[tuple[str, str, str | None], ...]:
    """Read the effects of a coefficient out of its label, such as ``log(size)`` or ``sex[f]:age``."""
    if label == "(intercept)":
        return ()
    found: list[tuple[str, str, str | None]] = []
    for part in label.split(":"):
        name, _, rest = part.partition("[")
        word = rest[:-1] if rest else None
        transform, _, inner = name.partition("(")
        found.append((inner[:-1], transform, word) if inner else (name, "", word))
    return tuple(found)

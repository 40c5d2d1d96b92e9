"""Column models by their names, as recipes write them: ``cart``, ``pmm``, ``nested(region)``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from tacita.core.errors import ParameterError, did_you_mean
from tacita.mask.synthetic.column_source import ColumnSource
from tacita.numeric.synthesis.column_values import NumberForm
from tacita.numeric.synthesis.models.cart import CartModel
from tacita.numeric.synthesis.models.constant import ConstantModel
from tacita.numeric.synthesis.models.forest import ForestModel
from tacita.numeric.synthesis.models.linear import LinearModel
from tacita.numeric.synthesis.models.logistic import LogisticModel
from tacita.numeric.synthesis.models.model import ColumnModel
from tacita.numeric.synthesis.models.nested import NestedModel
from tacita.numeric.synthesis.models.normal_rank import NormalRankModel
from tacita.numeric.synthesis.models.pmm import PmmModel
from tacita.numeric.synthesis.models.sample import SampleModel
from tacita.numeric.synthesis.sequential import ColumnPlan
from tacita.numeric.synthesis.smoothing import Smoothing

__all__ = ["COLUMN_MODELS", "ModelSettings", "SynthesisMethod", "column_plan", "read_models"]

SynthesisMethod: TypeAlias = Literal["cart", "forest", "parametric", "sample"]
"""How columns are drawn that no model is named for; ``parametric`` is normal_rank for numbers and logistic for classes."""


@dataclass(frozen=True)
class ModelSettings:
    """What all models of a mask are told."""

    min_leaf: int = 5
    smoothing: Smoothing = "density"
    proper: bool = False
    chance: float = 0.005


@dataclass(frozen=True)
class _Kind:
    make: Callable[[ModelSettings], ColumnModel]
    numbers: bool = True
    classes: bool = True


COLUMN_MODELS: Mapping[str, Any] = {
    "cart": _Kind(lambda s: CartModel(s.min_leaf, s.smoothing, s.proper, s.chance)),
    "forest": _Kind(lambda s: ForestModel(min_leaf=s.min_leaf, smoothing=s.smoothing, proper=s.proper)),
    "sample": _Kind(lambda s: SampleModel(s.smoothing, s.proper)),
    "nested": _Kind(lambda s: NestedModel(s.smoothing, s.proper)),
    "constant": _Kind(lambda _: ConstantModel()),
    "linear": _Kind(lambda s: LinearModel(s.proper), classes=False),
    "normal_rank": _Kind(lambda s: NormalRankModel(s.smoothing, s.proper), classes=False),
    "pmm": _Kind(lambda s: PmmModel(s.smoothing, s.proper), classes=False),
    "logistic": _Kind(lambda s: LogisticModel(s.proper), numbers=False),
}
"""Every column model by its name."""

_NAMED = re.compile(r"(\w+)(?:\((.+)\))?")


@dataclass(frozen=True)
class NamedModel:
    """A model as a recipe names it, with the columns in brackets that the column is drawn by."""

    name: str
    given: tuple[str, ...] = field(default=())


def read_models(models: Mapping[str, Any], owner: str) -> dict[str, NamedModel]:
    """Read the models of columns.

    Raises
    ------
    ParameterError
        When a model has no known name, or ``nested`` has no column.

    Examples
    --------
    >>> read_models({"town": "nested(region)", "age": "pmm"}, "Mask")["town"]
    NamedModel(name='nested', given=('region',))
    """
    return {column: _read(column, text, owner) for column, text in models.items()}


def _read(column: str, text: Any, owner: str) -> NamedModel:
    found = _NAMED.fullmatch(text.strip()) if isinstance(text, str) else None
    name = "" if found is None else found[1]
    if found is None or name not in COLUMN_MODELS:
        raise ParameterError(
            f"{owner}: 'models' must name one of {', '.join(COLUMN_MODELS)} for '{column}', got {text!r:.60}."
            f"{did_you_mean(name, COLUMN_MODELS)}"
        )
    given = tuple(part.strip() for part in (found[2] or "").split(",") if part.strip())
    if name == "nested" and not given:
        raise ParameterError(f"{owner}: 'models' must say what '{column}' is nested in: nested(region).")
    return NamedModel(name, given)


def column_plan(
    source: ColumnSource, named: NamedModel | None, method: SynthesisMethod, settings: ModelSettings, owner: str
) -> ColumnPlan:
    """Return how a column is drawn."""
    is_number = source.form is not None
    if named is None:
        usual = ("normal_rank" if is_number else "logistic") if method == "parametric" else method
        named = NamedModel(usual)
    kind: _Kind = COLUMN_MODELS[named.name]
    if not (kind.numbers if is_number else kind.classes):
        what, others = ("numbers", "classes") if is_number else ("classes", "numbers")
        raise ParameterError(
            f"{owner}: 'models' names {named.name} for '{source.name}', which has {what}; it draws {others}."
        )
    model = kind.make(settings)
    state = model if kind.classes else LogisticModel(settings.proper)
    return ColumnPlan(model, state, source.form or NumberForm(), named.given or None)

"""What all plots of one answer are made of: a fit, its records' names, the noise of each residual."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from tacita.core.arrays import FloatArray, WordArray
from tacita.core.keyed import Key
from tacita.query.models.analyses import spec_of
from tacita.query.models.model_result import InternalFit
from tacita.query.models.terms import ModelSpec
from tacita.query.residuals.noise import layered_noise
from tacita.query.residuals.settings import ResidualSettings

if TYPE_CHECKING:
    from tacita.query.question import Question
    from tacita.query.requests.regress import Regress

__all__ = ["PlotSource", "model_name", "source_of"]


def model_name(spec: ModelSpec) -> str:
    """Return one text for all ways of writing a model: the order of predictors and interactions does not matter.

    Examples
    --------
    >>> model_name(ModelSpec.of("y", ["a", "b"])) == model_name(ModelSpec.of("y", ["b", "a"]))
    True
    """
    parts = sorted(sorted(part) for part in spec.parts())
    return json.dumps([spec.response, spec.family, spec.robust, parts], ensure_ascii=False)


@dataclass(frozen=True, eq=False)
class PlotSource:
    """A fit with the names of its records.

    Parameters
    ----------
    spec
        The model.
    fit
        Its internal side.
    settings
        How plots are made.
    key
        Secret, derived for residual plots of the data version.
    model
        Name of the model and of the universe's members.
    ids
        (n,): what identifies the complete cases.
    """

    spec: ModelSpec
    fit: InternalFit
    settings: ResidualSettings
    key: Key = field(repr=False)
    model: bytes = field(repr=False)
    ids: WordArray = field(repr=False)

    @property
    def size(self) -> int:
        """Number of complete cases."""
        return len(self.ids)

    def rng(self, *parts: str) -> np.random.Generator:
        """Return the stream of one plot of this model and these members."""
        return self.key.generator("plot", self.model, *parts)

    @cached_property
    def units(self) -> FloatArray:
        """What a standardised residual of 1 is in units of the response, for each record."""
        shown = self.fit.standardised
        there = shown != 0
        if not there.any():
            return np.zeros(len(shown))
        found = np.divide(self.fit.residuals, shown, out=np.zeros(len(shown)), where=there)
        if not there.all():
            found[~there] = np.median(found[there])
        return found

    @cached_property
    def scale(self) -> float:
        """The standard deviation of the residuals, by which noise is measured."""
        if self.fit.family == "logistic":
            return float(np.sqrt(np.mean(np.square(self.fit.residuals))))
        return float(np.median(self.units))

    @cached_property
    def noisy(self) -> FloatArray:
        """The residuals with their noise, in units of the response; nothing else of them is ever shown."""
        settings = self.settings
        noise = layered_noise(
            self.key,
            self.ids,
            self.scale,
            response=self.spec.response,
            model=self.model,
            sigma=settings.sigma,
            model_sigma=settings.model_sigma,
        )
        noise += self.fit.residuals
        return noise

    @cached_property
    def standardised(self) -> FloatArray:
        """The noisy residuals, standardised."""
        return self.noisy / self.units


def source_of(question: Question, request: Regress, fit: InternalFit) -> PlotSource:
    """Return what plots of a question's model are made of.

    Keys come from the data version; the model is named by its canonical form, the members by their exact sums, the records by
    their own identifiers: the user, the wording and the order of asking are in none of them.
    """
    spec, version = spec_of(request), question.version
    ids = version.record_ids[question.rows]
    if fit.rows is not None:
        ids = ids[fit.rows]
    key = version.lasting_key.derive("residuals")
    name = key.digest("model", model_name(spec), *question.members.parts)
    parts = question.policy.parts
    settings = parts.get("residuals")
    chosen = settings if isinstance(settings, ResidualSettings) else ResidualSettings()
    return PlotSource(spec, fit, chosen, key, name, ids)

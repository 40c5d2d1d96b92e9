"""Limits of output checking, with their units and where they come from, and a steward's exceptions from them.

.. code-block:: toml

    [output_limits]
    at_least = 10
    dominance_share = 50.0

    [[exception]]
    output = "table 3"
    check = "minimum_frequency"
    because = "the cells are shops with public accounts"
    by = "data steward"
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from tacita.core.errors import FileError, ParameterError, TacitaError, did_you_mean
from tacita.core.parameterised import Parameterised
from tacita.core.parameters import Interval
from tacita.core.toml import toml_value

__all__ = ["CHECKS", "OutputException", "OutputLimits", "OutputRules", "OutputRulesLike"]

CHECKS = {
    "minimum_frequency": "a figure is about too few contributors",
    "holdings": "a figure is about too few holdings",
    "dominance": "few contributors make up most of a sum",
    "p_percent": "the largest contribution can be estimated too closely",
    "zero": "a combination is empty, so nobody is in it",
    "full": "all of a line is in one of its cells, so what everybody has is known",
    "all_same": "everybody behind a figure has the same value",
    "extremes": "a smallest or largest value belongs to few",
    "steps": "too few contributors lie between two published points",
    "degrees_of_freedom": "a model or statistic has too few residual degrees of freedom",
    "saturated": "a model fits its data exactly, or nearly",
    "small_category": "a coefficient belongs to a category with few contributors",
    "single_records": "single records are shown",
    "unknown_basis": "what the output is based on was said, not computed",
    "match": "figures that are shown are not those of the data",
    "differencing": "outputs together disclose a small group",
}
"""Names of the checks, as reasons and exceptions have them, and what each finds."""

Weight = Literal["pass", "review", "fail"]


@dataclass(frozen=True, kw_only=True)
class OutputLimits(Parameterised):
    """What an output must keep to leave.

    Parameters
    ----------
    at_least
        Smallest number of contributors behind a figure, unweighted.
    holdings_at_least
        Smallest number of holdings (households, groups of enterprises) behind a figure, where the data have them.
    degrees_of_freedom
        Smallest number of residual degrees of freedom of models, correlations and tests.
    dominance_n
        Number of largest contributors that the dominance rule adds up.
    dominance_share
        Percent of a sum that these may make up.
    p
        Percent within which the largest contribution must not be estimated by the second largest contributor.
    fit
        Largest share of variance that a model may explain, in percent; above it the model counts as saturated.
    zeros
        What an empty combination is worth: ``pass``, ``review`` or ``fail``.
    full
        What a line is worth of which one cell has everybody (100 %).
    missing
        What a small difference of counts is worth that comes from records left out because they lack a value.
    effort
        Combinations that the search for differences tries before it gives up and asks for a review.

    Notes
    -----
    Defaults: 10 contributors, 10 degrees of freedom and 50 % for the largest contributor are the rules of thumb of the
    guidelines for output checking of Data without Boundaries; 10 % is the p of ACRO. Empty cells are for a person to look
    at, as in ACRO; a line of 100 % fails.

    References
    ----------
    Bond, S., Brandt, M. and de Wolf, P. P. (2015), Guidelines for output checking, Data without Boundaries; Griffiths, E. et
    al. (2019), Handbook on statistical disclosure control for outputs; Green, E., Ritchie, F. and Smith, J. (2021), Automatic
    checking of research outputs (ACRO).

    Examples
    --------
    >>> OutputLimits(at_least=5).to_plain()
    {'at_least': 5}
    """

    owner = "output limits"
    at_least: Annotated[int, Interval(1)] = 10
    holdings_at_least: Annotated[int, Interval(1)] = 3
    degrees_of_freedom: Annotated[int, Interval(1)] = 10
    dominance_n: Annotated[int, Interval(1, 10)] = 1
    dominance_share: Annotated[float, Interval(0, 100, "neither")] = 50.0
    p: Annotated[float, Interval(0, 100, "right")] = 10.0
    fit: Annotated[float, Interval(0, 100, "right")] = 99.0
    zeros: Weight = "review"
    full: Weight = "fail"
    missing: Weight = "review"
    effort: Annotated[int, Interval(1, 10**8)] = 100_000


@dataclass(frozen=True, kw_only=True)
class OutputException:
    """A steward's word that one check does not keep an output from leaving.

    Parameters
    ----------
    output
        Name of the output.
    check
        Name of the check.
    because
        Why, in a sentence; it is recorded with the verdict.
    by
        Who says so.

    Examples
    --------
    >>> print(OutputException(output="t1", check="zero", because="nobody below 16 can be married", by="steward"))
    zero of 't1' was excepted by steward: nobody below 16 can be married
    """

    output: str
    check: str
    because: str
    by: str = "the steward"

    def __post_init__(self) -> None:
        for word in ("output", "check", "because", "by"):
            text = getattr(self, word)
            if not isinstance(text, str) or not text.strip():
                raise ParameterError(f"exception: '{word}' must be said in words.")
            object.__setattr__(self, word, " ".join(text.split()))
        if self.check not in CHECKS:
            raise ParameterError(f"exception: there is no check '{self.check}'.{did_you_mean(self.check, CHECKS)}")

    def __str__(self) -> str:
        return f"{self.check} of '{self.output}' was excepted by {self.by}: {self.because}"


@dataclass(frozen=True)
class OutputRules:
    r"""Limits and exceptions, as a steward states them.

    Parameters
    ----------
    limits
        What an output must keep.
    exceptions
        Checks that do not count for an output, each with its reason.

    Examples
    --------
    >>> rules = OutputRules.from_toml("[output_limits]\nat_least = 5")
    >>> rules.limits.at_least, OutputRules.from_toml(rules.to_toml()) == rules
    (5, True)
    """

    limits: OutputLimits = OutputLimits()
    exceptions: tuple[OutputException, ...] = ()

    @classmethod
    def of(cls, given: OutputRulesLike) -> OutputRules:
        """Return the rules from what a user may give: rules, limits, numbers by name, a TOML file, or None."""
        if given is None:
            return cls()
        if isinstance(given, OutputRules):
            return given
        if isinstance(given, OutputLimits):
            return cls(given)
        if isinstance(given, (str, Path)):
            return cls.read(given)
        if isinstance(given, Mapping):
            return cls(OutputLimits.from_plain(given))
        raise ParameterError(f"'limits' must be limits, numbers by name or a TOML file, got {type(given).__name__}.")

    def excepted(self, output: str, check: str) -> OutputException | None:
        """Return the exception for a check of an output, if there is one."""
        return next((one for one in self.exceptions if (one.output, one.check) == (output, check)), None)

    def to_plain(self) -> dict[str, Any]:
        """Return everything that is compared with, defaults included, ready for JSON."""
        values = {parameter.name: getattr(self.limits, parameter.name) for parameter in OutputLimits.parameters()}
        return {"limits": values, "exceptions": [_plain(one) for one in self.exceptions]}

    def to_toml(self) -> str:
        """Write the rules as they stand in a file, the defaults too."""
        lines = ["[output_limits]"]
        lines += [f"{name} = {toml_value(value)}" for name, value in self.to_plain()["limits"].items()]
        for one in self.exceptions:
            lines += ["", "[[exception]]", *(f"{name} = {toml_value(value)}" for name, value in _plain(one).items())]
        return "\n".join(lines) + "\n"

    @classmethod
    def from_toml(cls, text: str) -> OutputRules:
        """Read rules from text; every unknown word is an error."""
        try:
            parsed = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise ParameterError(f"The output limits are not valid TOML: {error}.") from error
        words = ("output_limits", "exception")
        for word in parsed:
            if word not in words:
                raise ParameterError(
                    f"The file has [output_limits] and [[exception]] tables, got '{word}'.{did_you_mean(word, words)}"
                )
        limits, rows = parsed.get("output_limits", {}), parsed.get("exception", [])
        if not isinstance(limits, Mapping) or not isinstance(rows, list):
            raise ParameterError("The limits stand in one [output_limits] table, exceptions in [[exception]] tables.")
        return cls(
            OutputLimits.from_plain(limits), tuple(_exception(number, row) for number, row in enumerate(rows, 1))
        )

    @classmethod
    def read(cls, path: str | Path) -> OutputRules:
        """Read rules from a TOML file."""
        try:
            text = Path(path).read_text(encoding="utf-8-sig")
        except OSError as error:
            raise FileError(f"The file of limits '{Path(path).name}' cannot be read: {error.strerror}.") from error
        except UnicodeDecodeError:
            raise FileError(f"The file of limits '{Path(path).name}' must be UTF-8 text.") from None
        try:
            return cls.from_toml(text)
        except TacitaError as error:
            raise ParameterError(f"The file of limits '{Path(path).name}': {error}") from error


OutputRulesLike: TypeAlias = OutputRules | OutputLimits | Mapping[str, Any] | str | Path | None


def _plain(one: OutputException) -> dict[str, str]:
    return {"output": one.output, "check": one.check, "because": one.because, "by": one.by}


def _exception(number: int, row: object) -> OutputException:
    words = ("output", "check", "because", "by")
    if not isinstance(row, Mapping):
        raise ParameterError(f"Exception {number} must be a table [[exception]].")
    for word in row:
        if word not in words:
            raise ParameterError(f"Exception {number}: there is no setting '{word}'.{did_you_mean(word, words)}")
    lacking = [word for word in words[:3] if word not in row]
    if lacking:
        raise ParameterError(f"Exception {number}: '{lacking[0]}' must be given.")
    return OutputException(**row)

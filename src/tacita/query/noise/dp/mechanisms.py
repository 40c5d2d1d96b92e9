"""Noise with a proof: discrete Laplace and discrete Gaussian, drawn and accounted for by OpenDP."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Self

import numpy as np

from tacita.core.arrays import IntArray
from tacita.core.constraints import Interval
from tacita.core.errors import ParameterError
from tacita.core.parameterised import Parameterised
from tacita.numeric.privacy.cost import Cost

__all__ = ["DiscreteGaussian", "DiscreteLaplace", "Mechanism"]

LARGEST_SCALE = 2.0**50


@dataclass(frozen=True, kw_only=True)
class Mechanism(Parameterised, ABC):
    """Whole noise on whole numbers, with a cost that depends on their sensitivity.

    The noise comes from OpenDP's own secure source, exactly and without floating point, so it cannot be repeated: whoever
    answers keeps the answer and gives it again. Results that do not fit into 64 bits are cut off there, which costs nothing.
    """

    name: ClassVar[str] = ""
    scale: Annotated[float, Interval(0, LARGEST_SCALE, "right")]

    def cost(self, sensitivity: int) -> Cost:
        """Return what one answer costs, as OpenDP computes it, rounded up.

        Parameters
        ----------
        sensitivity
            The most that one privacy unit changes the vector of numbers: the sum of absolute changes for Laplace, the root
            of the sum of squares, rounded up, for Gaussian.
        """
        if sensitivity < 0:
            raise ParameterError(f"{self.speaker()}: the sensitivity must be at least 0, got {sensitivity}.")
        return self._cost(sensitivity)

    def release(self, values: IntArray) -> IntArray:
        """Return the numbers with fresh noise. About 10 microseconds a number.

        Parameters
        ----------
        values
            (m,): whole numbers whose sensitivity was bounded.

        Raises
        ------
        ParameterError
            When values are not a vector of whole numbers, or OpenDP is not installed.
        """
        if values.ndim != 1 or not np.issubdtype(values.dtype, np.integer):
            raise ParameterError(f"{self.speaker()}: values must be a vector of whole numbers, got {values.dtype}.")
        if not len(values):
            return np.zeros(0, dtype=np.int64)
        noisy: Sequence[int] = self._measurement()(values.tolist())
        return np.array(noisy, dtype=np.int64)

    @classmethod
    @abstractmethod
    def for_cost(cls, amount: float, sensitivity: int) -> Self:
        """Return the mechanism whose answer costs at most this."""

    @abstractmethod
    def _cost(self, sensitivity: int) -> Cost: ...

    @abstractmethod
    def _measurement(self) -> Any: ...


@dataclass(frozen=True, kw_only=True)
class DiscreteLaplace(Mechanism):
    """Add noise v with probability proportional to ``exp(-abs(v) / scale)``.

    Answers with sensitivity s cost epsilon = s / scale, of the pure kind.

    Parameters
    ----------
    scale
        The larger, the more noise; the variance is near 2 scale^2.

    References
    ----------
    Ghosh, A., Roughgarden, T. and Sundararajan, M. (2012), Universally utility-maximizing privacy mechanisms, SIAM Journal
    on Computing 41, 1673-1693.

    Examples
    --------
    >>> DiscreteLaplace(scale=10).cost(1)
    Cost(measure='pure', amount=0.1)
    """

    name: ClassVar[str] = "discrete_laplace"

    @classmethod
    def for_cost(cls, amount: float, sensitivity: int) -> Self:
        return cls(scale=_ratio(sensitivity, amount, owner=cls.speaker()))

    def _cost(self, sensitivity: int) -> Cost:
        return Cost("pure", float(self._measurement().map(sensitivity)))

    def _measurement(self) -> Any:
        domain, metrics, measurements = _opendp()
        return measurements.make_laplace(domain, metrics.l1_distance(T="i64"), scale=self.scale)


@dataclass(frozen=True, kw_only=True)
class DiscreteGaussian(Mechanism):
    """Add noise v with probability proportional to ``exp(-v^2 / (2 scale^2))``.

    Answers with sensitivity s, as a Euclidean length, cost rho = (s / scale)^2 / 2 of the zero-concentrated kind.

    Parameters
    ----------
    scale
        Near the standard deviation.

    References
    ----------
    Canonne, C., Kamath, G. and Steinke, T. (2020), The discrete Gaussian for differential privacy, theorem 4.

    Examples
    --------
    >>> DiscreteGaussian(scale=10).cost(1)
    Cost(measure='zcdp', amount=0.005)
    """

    name: ClassVar[str] = "discrete_gaussian"

    @classmethod
    def for_cost(cls, amount: float, sensitivity: int) -> Self:
        return cls(scale=_ratio(sensitivity, (2 * amount) ** 0.5 if amount > 0 else 0.0, owner=cls.speaker()))

    def _cost(self, sensitivity: int) -> Cost:
        return Cost("zcdp", float(self._measurement().map(float(sensitivity))))

    def _measurement(self) -> Any:
        domain, metrics, measurements = _opendp()
        return measurements.make_gaussian(domain, metrics.l2_distance(T="f64"), scale=self.scale)


def _ratio(sensitivity: int, amount: float, *, owner: str) -> float:
    """Return the scale, a little up, so that rounding never makes an answer cost more than was offered."""
    if sensitivity < 1 or not amount > 0:
        raise ParameterError(f"{owner}: the sensitivity must be at least 1 and the cost above 0.")
    return sensitivity / amount * (1 + 2.0**-50)


def _opendp() -> tuple[Any, Any, Any]:
    """Return the domain of vectors of whole numbers and OpenDP's modules of metrics and measurements."""
    try:
        from opendp import domains, measurements, metrics
        from opendp.mod import enable_features
    except ImportError as error:
        raise ParameterError(
            "Differential privacy needs OpenDP, which is not installed: pip install opendp, or choose another policy."
        ) from error
    # OpenDP asks for this word because its library is vetted in steps; both mechanisms here have their proofs published with it.
    enable_features("contrib")
    return domains.vector_domain(domains.atom_domain(T="i64")), metrics, measurements

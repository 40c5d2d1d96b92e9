"""Methods by name, so that a policy file can say ``method = "partitioned"`` and ``minimum = 50``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tacita.core.errors import ParameterError, did_you_mean
from tacita.query.cutpoints.fixed_width import FixedWidth
from tacita.query.cutpoints.given import Given
from tacita.query.cutpoints.increasing_width import IncreasingWidth
from tacita.query.cutpoints.method import Cutpoints
from tacita.query.cutpoints.minimum_width import MinimumWidth
from tacita.query.cutpoints.partitioned import Partitioned

__all__ = ["METHODS", "cutpoints_from_plain", "cutpoints_to_plain", "named_cutpoints"]

METHODS: dict[str, type[Cutpoints]] = {
    method.name: method for method in (FixedWidth, MinimumWidth, IncreasingWidth, Partitioned, Given)
}
"""All methods of cutting by their names in a policy."""


def named_cutpoints(name: str) -> type[Cutpoints]:
    """Return the method of that name.

    Raises
    ------
    ParameterError
        When there is none.

    Examples
    --------
    >>> named_cutpoints("fixed").__name__
    'FixedWidth'
    """
    if not isinstance(name, str) or name not in METHODS:
        raise ParameterError(
            f"Cutpoints: 'method' must be one of {', '.join(METHODS)}, got {str(name)[:60]!r}.{did_you_mean(str(name), METHODS)}"
        )
    return METHODS[name]


def cutpoints_from_plain(plain: Mapping[str, Any]) -> Cutpoints:
    """Build a method from a table of a policy file: ``method``, and the parameters of this method.

    Raises
    ------
    ParameterError
        When there is no such method, or a parameter is unknown, missing or out of its limits.

    Examples
    --------
    >>> cutpoints_from_plain({"method": "partitioned", "minimum": 50})
    Partitioned(low=None, high=None, minimum=50, grain=None)
    """
    if "method" not in plain:
        raise ParameterError(f"Cutpoints: 'method' must be given, one of {', '.join(METHODS)}.")
    return named_cutpoints(plain["method"]).from_plain({name: v for name, v in plain.items() if name != "method"})


def cutpoints_to_plain(method: Cutpoints) -> dict[str, Any]:
    """Return a method as a table of a policy file.

    Examples
    --------
    >>> cutpoints_to_plain(FixedWidth(minimum=30))
    {'method': 'fixed', 'minimum': 30}
    """
    return {"method": method.name, **method.to_plain()}

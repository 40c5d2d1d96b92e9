"""The one decorator of compiled functions: what is compiled, and how, is said here and nowhere else.

A kernel is an ordinary Python function on arrays and numbers. Compiled, it runs without the interpreter's lock, so that
:mod:`tacita.numeric.compiled.threads` can spread it over cores. ``function.py_func`` is the function as it is written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, overload

import numba as nb

__all__ = ["kernel"]

F = TypeVar("F", bound=Callable[..., Any])

_SUMS_IN_ANY_ORDER = {"reassoc", "contract"}


@overload
def kernel(function: F, /) -> F: ...
@overload
def kernel(*, inline: bool = False, sums_in_any_order: bool = False) -> Callable[[F], F]: ...
def kernel(function: Any = None, /, *, inline: bool = False, sums_in_any_order: bool = False) -> Any:
    """Compile a function when it is first called, and keep the result for the next process.

    Parameters
    ----------
    function
        The function; it keeps its types, so that callers are checked.
    inline
        Whether its code is put into its callers, for a few lines inside the innermost loops.
    sums_in_any_order
        Whether the compiler may add up in another order, several numbers at a time. The last digits of sums then depend
        on the processor: only where they decide nothing that is handed out.
    """
    options: dict[str, Any] = {"cache": True, "nogil": True}
    if inline:
        options["inline"] = "always"
    if sums_in_any_order:
        options["fastmath"] = _SUMS_IN_ANY_ORDER
    compiled = nb.njit(**options)
    return compiled if function is None else compiled(function)

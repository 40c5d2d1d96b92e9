"""Kernels: functions on arrays that are compiled ahead of time, and the border at which Python hands arrays over to them.

A kernel is an ordinary Python function on arrays and numbers. ``tools/kernels`` compiles all of them before the package is
installed; whoever uses the package needs no compiler and waits for none. Two decorators say what is compiled::

    @kernel      called by other kernels only; its types follow from its callers
    @entry       called by Python; its annotations are its signature (``Float2``: float64, two dimensions, C order)

At the border of an entry every array is checked, because machine code does not: kind of numbers, dimensions, order in memory,
and whether it may be written to. Compiled code runs without the interpreter's lock, so that
:mod:`tacita.numeric.compiled.threads` can spread it over cores.

Without machine code the functions run as they are written, hundreds of times slower and with the same results; a warning says
so once. ``TACITA_KERNELS=python`` asks for that, to step through a kernel with a debugger. In a working copy, a group of kernels
whose files were changed is compiled anew when it is first used.
"""

from __future__ import annotations

import functools
import inspect
import itertools
import types
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints, overload

import numpy as np

from tacita.core import machine_code
from tacita.core.arrays import ArrayForm
from tacita.core.errors import ParameterError, TacitaWarning

__all__ = ["Entry", "KernelOptions", "entries", "entry", "kernel", "signatures", "use_compiler"]

F = TypeVar("F", bound=Callable[..., Any])


class KernelOptions(NamedTuple):
    """How a kernel is compiled.

    Parameters
    ----------
    inline
        Whether its code is put into its callers, for a few lines inside the innermost loops.
    sums_in_any_order
        Whether the compiler may add up in another order, several numbers at a time. The last digits of sums then depend
        on the processor: only where they decide nothing that is handed out.
    """

    inline: bool = False
    sums_in_any_order: bool = False


@dataclass(frozen=True)
class Entry:
    """A kernel that Python calls: the function as it is written, and how it is compiled."""

    function: Callable[..., Any]
    options: KernelOptions

    @property
    def group(self) -> str:
        """The folder of ``numeric`` that it stands in; a group is compiled as a whole."""
        return self.function.__module__.split(".")[2]

    @property
    def symbol(self) -> str:
        """Its name in the compiled module of its group."""
        return "__".join([*self.function.__module__.split(".")[3:], self.function.__name__])


_compiler: Callable[[Callable[..., Any], KernelOptions], Any] | None = None
_entries: dict[str, Entry] = {}


def use_compiler(compiler: Callable[[Callable[..., Any], KernelOptions], Any]) -> None:
    """Hand every kernel that is defined from now on to a compiler: for ``tools/kernels``, before any is imported."""
    global _compiler
    _compiler = compiler


def entries() -> list[Entry]:
    """Return the entries of all modules that were imported so far."""
    return list(_entries.values())


@overload
def kernel(function: F, /) -> F: ...
@overload
def kernel(*, inline: bool = False, sums_in_any_order: bool = False) -> Callable[[F], F]: ...
def kernel(function: Any = None, /, *, inline: bool = False, sums_in_any_order: bool = False) -> Any:
    """Mark a function that is compiled with the kernels that call it; for the options see :class:`KernelOptions`."""
    options = KernelOptions(inline, sums_in_any_order)

    def mark(written: F) -> F:
        return written if _compiler is None else _compiler(written, options)

    return mark if function is None else mark(function)


@overload
def entry(function: F, /) -> F: ...
@overload
def entry(*, sums_in_any_order: bool = False) -> Callable[[F], F]: ...
def entry(function: Any = None, /, *, sums_in_any_order: bool = False) -> Any:
    """Mark a kernel that Python calls; the annotations of its parameters are exact types, see :func:`signatures`."""
    options = KernelOptions(sums_in_any_order=sums_in_any_order)

    def mark(written: F) -> Any:
        known = Entry(written, options)
        _entries[f"{known.group}.{known.symbol}"] = known
        return _border(known) if _compiler is None else _compiler(written, options)

    return mark if function is None else mark(function)


# --- signatures ------------------------------------------------------------------------------------------------------------


def signatures(function: Callable[..., Any]) -> list[tuple[Any, ...]]:
    """Return the types of the parameters of an entry; several lists where a parameter has a choice (``Float1 | Single1``).

    A type is an :class:`ArrayForm`, ``int``, ``float``, ``bool``, ``np.uint64``, ``np.random.Generator``, or a tuple: of the
    class and the types of the fields for a named tuple, of ``tuple`` and the types of its parts for a plain one.

    Examples
    --------
    >>> from tacita.core.arrays import Float1, Place1, Single1
    >>> def toy(x: Float1 | Single1, rows: Place1, k: int) -> float: ...
    >>> for types_of in signatures(toy):
    ...     print(", ".join(str(kind) for kind in types_of[:2]))
    float64 in 1 dimension, int32 in 1 dimension
    float32 in 1 dimension, int32 in 1 dimension
    """
    hints = get_type_hints(function, include_extras=True)
    names = list(inspect.signature(function).parameters)
    return list(itertools.product(*(_choices(hints[name]) for name in names)))


def _choices(hint: Any) -> list[Any]:
    if get_origin(hint) in (Union, types.UnionType):
        return [_exact(part) for part in get_args(hint)]
    return [_exact(hint)]


def _exact(hint: Any) -> Any:
    if get_origin(hint) is Annotated:
        return next(mark for mark in get_args(hint)[1:] if isinstance(mark, ArrayForm))
    if get_origin(hint) is tuple:
        return (tuple, *(_exact(part) for part in get_args(hint)))
    if inspect.isclass(hint) and issubclass(hint, tuple):
        fields = get_type_hints(hint, include_extras=True)
        return (hint, *(_exact(fields[name]) for name in hint._fields))  # type: ignore[attr-defined]
    return hint


# --- the border ------------------------------------------------------------------------------------------------------------


def _border(known: Entry) -> Any:
    """Return the function that Python calls: it checks what is handed over, and calls the machine code."""
    written = known.function
    calls: list[tuple[Callable[[tuple[Any, ...]], str], Callable[..., Any]]] = []

    @functools.wraps(written)
    def call(*given: Any, **named: Any) -> Any:
        if not calls:
            calls.extend(_compiled_calls(known))
        args = _in_order(written, given, named) if named else given
        for refusal, compiled in calls:
            wrong = refusal(args)
            if not wrong:
                return compiled(*args)
        raise ParameterError(f"{written.__module__}.{written.__name__}: {wrong}.")

    return call


def _in_order(written: Callable[..., Any], given: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
    bound = inspect.signature(written).bind(*given, **named)
    return tuple(bound.arguments.values())


def _compiled_calls(known: Entry) -> list[tuple[Callable[[tuple[Any, ...]], str], Callable[..., Any]]]:
    if machine_code.as_written():
        return [(lambda _: "", _interpreted(known.function))]
    module = machine_code.compiled_module(known.group)
    if module is None:
        _say_once()
        return [(lambda _: "", _interpreted(known.function))]
    names = list(inspect.signature(known.function).parameters)
    return [
        (_refusal(names, kinds), getattr(module, f"{known.symbol}__{number}"))
        for number, kinds in enumerate(signatures(known.function))
    ]


def _interpreted(written: Callable[..., Any]) -> Callable[..., Any]:
    def call(*args: Any) -> Any:
        with np.errstate(over="ignore"):  # words of random generators wrap around, as in machine code
            return written(*args)

    return call


@functools.cache
def _say_once() -> None:
    warnings.warn(
        f"Kernels run as Python, hundreds of times slower: {machine_code.why_not()}", TacitaWarning, stacklevel=4
    )


def _refusal(names: list[str], kinds: tuple[Any, ...]) -> Callable[[tuple[Any, ...]], str]:
    """Return the check of all arguments: what is wrong with the first that does not fit, or nothing."""
    checks = [_check_of(name, kind) for name, kind in zip(names, kinds, strict=True)]

    def refusal(args: tuple[Any, ...]) -> str:
        if len(args) != len(checks):
            return f"takes {len(checks)} values, got {len(args)}"
        for check, value in zip(checks, args, strict=True):
            wrong = check(value)
            if wrong:
                return wrong
        return ""

    return refusal


def _check_of(name: str, kind: Any) -> Callable[[Any], str]:
    if isinstance(kind, ArrayForm):
        return functools.partial(_wrong_array, name, kind, np.dtype(kind.dtype))
    if isinstance(kind, tuple):
        return _tuple_check(name, kind)
    accepted = {
        int: (int, np.integer),
        float: (float, int, np.floating, np.integer),
        bool: (bool, np.bool_),
        np.uint64: (np.uint64,),
        np.random.Generator: (np.random.Generator,),
    }[kind]
    return lambda value: "" if isinstance(value, accepted) else f"'{name}' must be {kind.__name__}"


def _wrong_array(name: str, form: ArrayForm, dtype: np.dtype[Any], value: Any) -> str:
    if (
        isinstance(value, np.ndarray)
        and value.dtype == dtype
        and value.ndim == form.ndim
        and value.flags.c_contiguous
        and value.flags.aligned
        and (form.frozen or value.flags.writeable)
    ):
        return ""
    return f"'{name}' must be {form}, in C order{'' if form.frozen else ' and open to be written'}"


def _tuple_check(name: str, kind: tuple[Any, ...]) -> Callable[[Any], str]:
    made, *parts = kind
    fields = [f"{name}.{field}" for field in getattr(made, "_fields", range(len(parts)))]
    refusal = _refusal(fields, tuple(parts))

    def check(value: Any) -> str:
        return refusal(value) if isinstance(value, made) else f"'{name}' must be {made.__name__}"

    return check

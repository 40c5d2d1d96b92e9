"""The shape of a suppression engine: options in a frozen dataclass, one function from a problem to a pattern.

An engine is looked up by its name; :class:`tacita.tables.Suppress` takes every one that is registered.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Self

from tacita.core.arrays import BoolArray
from tacita.core.docstrings import doc_summary
from tacita.core.errors import ParameterError, TacitaError, did_you_mean
from tacita.tables.model.table import Table
from tacita.tables.protect.pattern import Pattern
from tacita.tables.protect.problem import Problem

__all__ = ["Asked", "Engine", "engines", "find_engine", "unregister_engine"]


@dataclass(frozen=True, eq=False)
class Asked:
    """What an engine is asked for, the same for all of them.

    Parameters
    ----------
    table
        The table, for its dimensions.
    problem
        Levels, costs and seats of its cells.
    time_limit
        Seconds after which the best pattern so far is taken; None for as long as it takes.
    start
        (n,): a safe pattern that is known already; None where there is none.
    accepts_leaks
        Whether to go on without the levels that no pattern can reach; otherwise they are an error.
    """

    table: Table = field(repr=False)
    problem: Problem = field(repr=False)
    time_limit: float | None = None
    start: BoolArray | None = field(default=None, repr=False)
    accepts_leaks: bool = False


_engines: dict[str, type[Engine]] = {}


@dataclass(frozen=True, kw_only=True)
class Engine(ABC):
    """A way to find a pattern of hidden cells.

    A subclass gives its name, ``class Exact(Engine, name="exact")``, and is registered by that. Its docstring opens with what
    it does, in one sentence. Its fields are options that not every engine has; each is named as the parameter of ``Suppress``
    that it comes from and has a default. The pattern need not be safe: ``Suppress`` has it audited, and completes what lacks.
    """

    name: ClassVar[str]
    seconds: ClassVar[float | None] = None
    """Time limit where the user gives none; None for no limit."""

    def __init_subclass__(cls, *, name: str, **options: Any) -> None:
        super().__init_subclass__(**options)
        known = _engines.get(name)
        if known is not None and (known.__module__, known.__qualname__) != (cls.__module__, cls.__qualname__):
            raise TacitaError(
                f"Two suppression engines are named '{name}': {known.__qualname__} and {cls.__qualname__}."
            )
        cls.name = name
        _engines[name] = cls

    @abstractmethod
    def find(self, asked: Asked) -> Pattern:
        """Return a pattern that hides the unsafe cells and what protects them.

        Raises
        ------
        InfeasibleError
            When levels are out of reach even with everything hidden, where the engine can tell.
        """

    @classmethod
    def summary(cls) -> str:
        """Return the first sentence of the docstring."""
        return doc_summary(cls)

    @classmethod
    def options(cls) -> tuple[str, ...]:
        """Return the names of the options that not every engine has."""
        return tuple(option.name for option in fields(cls))

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        """Build the engine with those of its options that are given."""
        return cls(**{name: given[name] for name in cls.options() if name in given})


def engines() -> tuple[type[Engine], ...]:
    """Return the engines in the order in which they were registered."""
    return tuple(_engines.values())


def find_engine(name: str) -> type[Engine]:
    """Return the engine of that name; a near miss is suggested."""
    if name not in _engines:
        known = did_you_mean(name, list(_engines)) or f" There are: {', '.join(_engines)}."
        raise ParameterError(f"There is no suppression engine named '{name}'.{known}")
    return _engines[name]


def unregister_engine(engine: type[Engine]) -> None:
    """Remove an engine, for tests that register one of their own."""
    _engines.pop(engine.name, None)

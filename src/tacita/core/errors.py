"""The error tree. One sentence pattern: what must hold, what was got, what to do.

Parameters may be echoed in a message, data values never. A value that helps to find the trouble goes into
``details``; the command line prints it only with ``--show-values``.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Any

__all__ = [
    "AttackError",
    "ColumnError",
    "DataError",
    "FileError",
    "MeasureError",
    "ParameterError",
    "RecipeError",
    "ReleaseError",
    "RepeatedReleaseWarning",
    "SchemaError",
    "TacitaError",
    "TacitaNote",
    "TacitaWarning",
    "UnknownMethodError",
    "did_you_mean",
    "reason_of",
]


class TacitaError(Exception):
    """Root of every error that Tacita raises on purpose.

    Parameters
    ----------
    message
        One or two sentences without any data value.
    details
        What may contain data values (offending values, row numbers); never part of ``str(error)``.
    """

    def __init__(self, message: str, *, details: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.details: dict[str, Any] = dict(details or {})

    def __str__(self) -> str:
        return self.message


class ParameterError(TacitaError, ValueError):
    """A parameter of a method or function is outside what it may be."""


class ColumnError(TacitaError, LookupError):
    """A column is not there, or is not of the kind that the method needs."""


class SchemaError(TacitaError, ValueError):
    """A schema contradicts itself or the data; ``problems`` lists everything that is wrong."""

    def __init__(self, problems: Iterable[str], *, details: Mapping[str, Any] | None = None) -> None:
        self.problems = tuple(problems)
        count = len(self.problems)
        head = "The schema has a problem: " if count == 1 else f"The schema has {count} problems:\n  - "
        super().__init__(head + "\n  - ".join(self.problems), details=details)


class DataError(TacitaError, ValueError):
    """The data themselves cannot be used in the way that was asked for."""


class FileError(TacitaError, OSError):
    """A file or directory cannot be read or written; nothing was left half-written."""


class RecipeError(TacitaError, ValueError):
    """A recipe file or list of steps cannot be understood."""


class MeasureError(TacitaError, ValueError):
    """A measure cannot be computed for this pair of files; the message says why."""


class AttackError(TacitaError, ValueError):
    """An attack cannot be tried against this target; the message says what is lacking."""


class ReleaseError(TacitaError, ValueError):
    """A release cannot be made or written in the way that was asked for."""


class UnknownMethodError(TacitaError, LookupError):
    """No method of that kind is registered under that name."""


class TacitaWarning(UserWarning):
    """Root of the warnings: the result is right, but the user should know something about it."""


class TacitaNote(UserWarning):
    """Nothing is wrong: a default did something that the user should know, and may want otherwise."""


class RepeatedReleaseWarning(TacitaWarning):
    """The same input was released before with another seed or recipe."""


def did_you_mean(name: str, options: Iterable[str]) -> str:
    """Return `` Did you mean 'income'?`` for a near miss, otherwise an empty string.

    Examples
    --------
    >>> did_you_mean("incom", ["age", "income"])
    " Did you mean 'income'?"
    >>> did_you_mean("zzz", ["age", "income"])
    ''
    """
    close = difflib.get_close_matches(name, list(options), n=1, cutoff=0.6)
    return f" Did you mean '{close[0]}'?" if close else ""


def reason_of(error: Exception) -> str:
    """Return why the system would not open a file, as the end of a sentence; a name with a zero byte is no file's.

    Examples
    --------
    >>> reason_of(FileNotFoundError(2, "No such file or directory")), reason_of(ValueError("embedded null byte"))
    ('No such file or directory', 'its name is none that a file can have')
    """
    return getattr(error, "strerror", None) or "its name is none that a file can have"

"""The words that every room shares: roles and scales of a column, the kinds of method, readings of missing keys.

They stand here, below everything else, so that a mask's traits, a schema file, a selector in a recipe and the
command line cannot come to mean different things by the same word.
"""

from __future__ import annotations

from typing import Final, Literal, get_args

__all__ = [
    "DESIGN_ROLES",
    "KINDS",
    "MISSING_KEYS",
    "ROLES",
    "SCALES",
    "SINGLE_ROLES",
    "Kind",
    "MissingKeys",
    "Role",
    "Scale",
]

Role = Literal[
    "identifier",
    "key",
    "confidential",
    "weight",
    "household",
    "cluster",
    "stratum",
    "linked",
    "other",
]
"""What a column is *for*.

identifier    names the respondent; never leaves with a release
key           quasi-identifier: an intruder may know it from elsewhere
confidential  what must not be learned about a respondent
weight        sampling weight (at most one column)
household     number of the household (at most one column)
cluster       another number that only says which records belong together: a sampling unit, an interviewer, the number of a
              partner; renumbered at random in a release, like the household
stratum       design stratum
linked        inherits the suppression pattern of a key ("ghost" variable)
other         neither identifying nor confidential
"""

Scale = Literal["numeric", "ordinal", "nominal", "date"]
"""What can be computed with a column: distances, an order, only equality, or time differences."""

Kind = Literal["mask", "loss", "risk", "rule", "protector", "restriction", "attack", "anonymiser", "log_measure"]
"""What a registered method is: a mask changes data, a loss and a risk measure them; a rule says which cells of a table
are unsafe, a protector makes them safe; a restriction says which questions to a database are not answered; an attack tries
to learn what a release should not tell; an anonymiser makes a query log one in which users hide among each other, and a log
measure says what that took away or left open."""

MissingKeys = Literal["wildcard", "own category", "conservative"]
"""What a missing key value matches when records with equal keys are counted.

wildcard      everything, on both sides
own category  only other missing values
conservative  everything on the record's own side; nothing on the side of those it hides among
"""

ROLES: Final[tuple[Role, ...]] = get_args(Role)
SCALES: Final[tuple[Scale, ...]] = get_args(Scale)
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
MISSING_KEYS: Final[tuple[MissingKeys, ...]] = get_args(MissingKeys)

DESIGN_ROLES: Final[frozenset[Role]] = frozenset({"identifier", "weight", "household", "cluster"})
"""Roles of columns that describe the sample, not the respondent."""

SINGLE_ROLES: Final[tuple[Role, ...]] = ("weight", "household")
"""Roles that at most one column of a file can have."""

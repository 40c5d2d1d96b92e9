"""Traits: what a method claims about itself. Every claim is checked by the conformance suite."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass
from typing import Any, Literal

from tacita.core.docstrings import complete_docstring
from tacita.core.errors import ParameterError
from tacita.core.vocabulary import SCALES

__all__ = [
    "ABOUT",
    "AGAINST",
    "LEARNS",
    "NEEDS",
    "PROPERTIES",
    "STAGES",
    "TABLE_CLAIMS",
    "About",
    "Against",
    "AnonymiserTraits",
    "AttackTraits",
    "Learns",
    "LogMeasureTraits",
    "MeasureTraits",
    "MethodTraits",
    "ProtectorTraits",
    "RestrictionTraits",
    "RuleTraits",
    "Stage",
    "Traits",
]

PROPERTIES = {
    "marginals": "every column keeps exactly its own values, in another order",
    "means": "the mean of every column stays the same (to rounding of its values)",
    "ranks": "the order of the values in every column stays the same (ties may appear)",
    "rows": "every record that comes out went in unchanged",
    "k-anonymity": "every combination of the masked columns occurs at least k times",
    "zeros": "a value is zero afterwards exactly where it was zero before",
    "coefficients": "a regression on the given columns has the same coefficients, where no value is missing or at a bound",
    "covariances": "means and covariances of the columns stay the same, where no value is missing or at a bound",
    "group moments": "so do means and covariances within every group of similar records that the mask formed",
}
"""What a mask can claim to preserve, in words; the conformance suite has one check for each."""


@dataclass(frozen=True, kw_only=True)
class MethodTraits:
    """Claims of a method.

    Masks, measures, rules and protectors each have claims of their own, in a type of their own.
    """

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        complete_docstring(cls)

    def as_plain(self) -> dict[str, Any]:
        """Return the claims ready for JSON."""
        return asdict(self)


@dataclass(frozen=True, kw_only=True)
class _ScaledTraits(MethodTraits):
    """What masks and measures both claim.

    Parameters
    ----------
    scales
        Scales of the columns it works on.
    """

    scales: Collection[str] = ("numeric",)

    def __post_init__(self) -> None:
        _check_words("scales", self.scales, SCALES)
        object.__setattr__(self, "scales", frozenset(self.scales))

    def as_plain(self) -> dict[str, Any]:
        """Return the claims ready for JSON; the scales in their usual order."""
        return {**asdict(self), "scales": [scale for scale in SCALES if scale in self.scales]}


@dataclass(frozen=True, kw_only=True)
class Traits(_ScaledTraits):
    """Claims of a mask.

    Parameters
    ----------
    stochastic
        Whether its result depends on the seed.
    preserves
        Names out of :data:`PROPERTIES` that hold for every input.
    keeps_rows
        Whether records stay as many as they were and in the same order.
    reweights
        Whether it gives the records new weights; all other masks leave the weight column as it is.
    recodes
        Whether columns may get another scale, categories and hierarchy; all other masks leave the schema as it is.
    suppresses
        Whether values may become missing.
    fills
        Whether missing values may become values: gaps are drawn like these.
    synthetic
        Whether its records are new ones that come from nobody: as many as one likes, without a link to an original, with new
        numbers for households and without identifiers.
    private
        Whether it has a proof of differential privacy: what comes out is nearly as likely without any one record. A record of
        the original may then come out again by chance, and an empty file need not stay empty: a rule against either would
        tell who is there.
    """

    stochastic: bool = False
    preserves: tuple[str, ...] = ()
    keeps_rows: bool = True
    reweights: bool = False
    recodes: bool = False
    suppresses: bool = False
    fills: bool = False
    synthetic: bool = False
    private: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        _check_words("preserves", self.preserves, PROPERTIES)

    def as_plain(self) -> dict[str, Any]:
        """Return the claims ready for JSON."""
        return {**super().as_plain(), "preserves": list(self.preserves)}


@dataclass(frozen=True, kw_only=True)
class MeasureTraits(_ScaledTraits):
    """Claims of a loss or a risk.

    Parameters
    ----------
    paired
        Whether it needs to know which masked record comes from which original.
    per_record
        Whether it also gives a value for each record.
    better
        Whether a lower or a higher value is better for the data owner.
    unit
        The unit of its value, such as ``%``.
    upper
        Its largest possible value; None where it has none.
    by_default
        Whether it stands on every scorecard; the others are computed when they are named.
    of_synthetic
        Whether it stands on every scorecard of a synthetic file, whatever ``by_default`` says.
    of_file
        For a risk: whether it is one of the masked file alone, so that the original does not enter.
    identifies
        For a risk: whether its value is the percentage of records that an intruder identifies rightly, so that it can be
        the strongest attack of a card.
    """

    paired: bool = False
    per_record: bool = False
    better: Literal["lower", "higher"] = "lower"
    unit: str = ""
    upper: float | None = None
    by_default: bool = True
    of_synthetic: bool = False
    of_file: bool = False
    identifies: bool = False


def _check_words(name: str, words: Collection[str], known: Collection[str]) -> None:
    for word in words:
        if word not in known:
            raise ParameterError(f"Traits: '{name}' must be out of {', '.join(known)}, got '{word}'.")


# --- rules and protectors of tables ---------------------------------------------------------------------------------------

About = Literal["dominance", "internal", "group", "named"]

ABOUT: dict[About, str] = {
    "dominance": "a contributor comes too close to another, because the rest of the cell is small",
    "internal": "the few contributors of a cell learn what the others have",
    "group": "a known zero tells about everybody in the cell",
    "named": "somebody asked for it: the data owner, a contributor, a law",
}
"""The attacks that a rule can be about, in words."""

TABLE_CLAIMS = {
    "about": "the attack that the rule is about",
    "needs": "what the table must know beside its values",
    "spares_empty": "a cell without contributors is never unsafe",
    "hides": "cells are hidden, and no value is changed",
    "safe_for_outsiders": "nobody who knows the published cells comes closer to an unsafe one than its levels allow",
    "safe_for_seats": "nor does a contributor who knows what it has itself",
    "additive": "all sums hold for what is published",
    "keeps_zeros": "no zero becomes another value",
    "leaves_safe_tables": "a table without unsafe cells is published as it is",
}
"""What a rule or a protector of tables can claim, in words; the conformance suite has a check for each."""

NEEDS = ("contributors", "counts", "requests")
"""What a rule can need: who has which part of a cell, how many are in it, who asked for protection."""


@dataclass(frozen=True, kw_only=True)
class RuleTraits(MethodTraits):
    """Claims of a rule for tables; each holds for every parameter of the rule.

    Parameters
    ----------
    about
        The attack that the rule is about, out of :data:`ABOUT`.
    needs
        What the table must know beside its values, out of :data:`NEEDS`; without it the rule is refused.
    spares_empty
        Whether a cell without contributors is never unsafe.
    """

    about: About
    needs: tuple[str, ...] = ()
    spares_empty: bool = True

    def __post_init__(self) -> None:
        _check_words("about", (self.about,), ABOUT)
        _check_words("needs", self.needs, NEEDS)

    def as_plain(self) -> dict[str, Any]:
        """Return the claims ready for JSON."""
        return {**super().as_plain(), "needs": list(self.needs)}


@dataclass(frozen=True, kw_only=True)
class ProtectorTraits(MethodTraits):
    """Claims of a protector of tables; each holds for every parameter of the protector.

    Parameters
    ----------
    hides
        Whether cells are hidden and no value is changed; other protectors change values and hide nothing.
    safe_for_outsiders
        Whether nobody who knows the published cells comes closer to an unsafe one than its levels allow.
    safe_for_seats
        Whether a contributor who knows what it has itself does not either.
    additive
        Whether all sums hold for what is published.
    keeps_zeros
        Whether no zero becomes another value.
    leaves_safe_tables
        Whether a table without unsafe cells is published as it is.
    """

    hides: bool = False
    safe_for_outsiders: bool = False
    safe_for_seats: bool = False
    additive: bool = False
    keeps_zeros: bool = False
    leaves_safe_tables: bool = False


# --- restrictions of questions --------------------------------------------------------------------------------------------

Stage = Literal["request", "universe", "history", "result"]

STAGES: dict[Stage, str] = {
    "request": "the question alone, before any record is looked at",
    "universe": "the records that the question is about",
    "history": "what was answered before",
    "result": "the statistic that was computed",
}
"""What a restriction looks at, in the order in which it happens."""


@dataclass(frozen=True, kw_only=True)
class RestrictionTraits(MethodTraits):
    """Claims of a restriction of questions.

    Parameters
    ----------
    stage
        What it looks at, out of :data:`STAGES`.
    value_free
        Whether its decision depends on the sets of records that were asked for and on published metadata only, never
        on a value of a record: then a refusal tells nothing that the user did not know.
    """

    stage: Stage
    value_free: bool = False

    def __post_init__(self) -> None:
        _check_words("stage", (self.stage,), STAGES)


# --- attacks --------------------------------------------------------------------------------------------------------------

Against = Literal["file", "table", "server", "generator", "releases", "log"]

AGAINST: dict[Against, str] = {
    "file": "a released file of records",
    "table": "published cells and their sums",
    "server": "a database that answers questions",
    "generator": "a way to make synthetic data, which the attacker can run himself",
    "releases": "everything that was released from one population",
    "log": "a released query log",
}
"""What an attack is against, in words."""

Learns = Literal["identity", "value", "membership"]

LEARNS: dict[Learns, str] = {
    "identity": "which released record belongs to a victim",
    "value": "a value of a victim, or of a hidden cell",
    "membership": "whether a victim is in the data",
}
"""What an attacker wants to learn, in words."""


@dataclass(frozen=True, kw_only=True)
class AttackTraits(MethodTraits):
    """Claims of an attack.

    Parameters
    ----------
    against
        What it is against, out of :data:`AGAINST`.
    learns
        What it wants to learn, out of :data:`LEARNS`.
    knows
        What the attacker has beside what left, in words.
    breaks
        A setting that it is known to break, in words.
    held_by
        A defence that it is known to be held by, in words.
    of_any
        Whether it is run against everything of its kind; the others are run where a method names them in ``faces``.
    """

    against: Against
    learns: Learns
    knows: str
    breaks: str
    held_by: str
    of_any: bool = True

    def __post_init__(self) -> None:
        _check_words("against", (self.against,), AGAINST)
        _check_words("learns", (self.learns,), LEARNS)


# --- query logs -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class AnonymiserTraits(MethodTraits):
    """Claims of an anonymiser of query logs.

    Parameters
    ----------
    stochastic
        Whether its result depends on the seed.
    needs_topics
        Whether it goes by what a topic directory says of the queries.
    groups_users
        Whether every user of the input stands behind a profile that stands for at least k users.
    private
        Whether it has a proof of differential privacy.
    """

    stochastic: bool = True
    needs_topics: bool = False
    groups_users: bool = False
    private: bool = False


@dataclass(frozen=True, kw_only=True)
class LogMeasureTraits(MethodTraits):
    """Claims of a measure of query logs.

    Parameters
    ----------
    needs_topics
        Whether it goes by what a topic directory says of the queries of both logs.
    better
        Whether a lower or a higher value is better for the data owner.
    unit
        The unit of its value, such as ``%``.
    upper
        Its largest possible value; None where it has none.
    is_risk
        Whether it says what somebody learns, rather than what was lost.
    """

    needs_topics: bool = False
    better: Literal["lower", "higher"] = "higher"
    unit: str = "%"
    upper: float | None = 100.0
    is_risk: bool = False

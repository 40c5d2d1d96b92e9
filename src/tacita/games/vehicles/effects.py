"""Effects: what density, threshold, selfish and malicious drivers and the scheme change, one at a time or two together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from tacita.core.errors import DataError, ParameterError, did_you_mean
from tacita.core.progress import track
from tacita.core.streams import Seed
from tacita.games.vehicles.announcement_game import announcing_coprivacy
from tacita.games.vehicles.announcements import Endorsing, announce
from tacita.games.vehicles.traffic import Sightings, Traffic, drive

__all__ = ["AnnouncementEffect", "announcement_effects"]


@dataclass(frozen=True, kw_only=True)
class AnnouncementEffect:
    """The figures of one simulation among several.

    Parameters
    ----------
    settings
        What was changed, by name.
    functionality, warned, crowd, entropy, listener_entropy, believed
        As in :class:`Announcements`.
    is_secure
        Whether few enough lies were believed.
    ratio
        The smallest ratio of weights, functionality to privacy, at which there is general coprivacy; infinity where there is
        none, NaN where no danger had enough cars near it.
    holds
        Whether there is general coprivacy at the weights that were asked for, with security; None where nobody could say.
    """

    settings: Mapping[str, Any]
    functionality: float
    warned: float
    crowd: float
    entropy: float
    listener_entropy: float
    believed: float
    is_secure: bool
    ratio: float
    holds: bool | None

    def as_plain(self) -> dict[str, Any]:
        """Return it ready for JSON."""
        return {**asdict(self), "settings": dict(self.settings)}


def announcement_effects(
    traffic: Traffic,
    endorsing: Endorsing,
    changes: Sequence[Mapping[str, Any]],
    seed: Seed,
    *,
    weights: tuple[float, float] = (3.0, 1.0),
    players: int = 3,
    most_believed: float = 0.01,
) -> tuple[AnnouncementEffect, ...]:
    """Simulate once for each change of the settings; traffic that is the same is driven once.

    Parameters
    ----------
    traffic, endorsing
        The settings that are changed.
    changes
        Each some fields of either by name, such as ``{"density": 5, "threshold": 3}``.
    seed
        The same for all.
    weights, players, most_believed
        As in :func:`announcing_coprivacy`.

    Raises
    ------
    ParameterError
        When a change names no setting, or its value is out of range.

    Examples
    --------
    >>> town = Traffic(length=10, streets=4, minutes=20)
    >>> few, many = announcement_effects(town, Endorsing(), [{"threshold": 2}, {"threshold": 12}], seed=1)
    >>> few.functionality > many.functionality
    True
    """
    roads = {parameter.name for parameter in Traffic.parameters()}
    rules = {parameter.name for parameter in Endorsing.parameters()}
    driven: dict[Traffic, Sightings] = {}
    found = []
    for change in track(changes, "Simulating"):
        for name in change:
            if name not in roads | rules:
                raise ParameterError(
                    f"announcement_effects: there is no setting '{name}'.{did_you_mean(name, roads | rules)}"
                )
        road = replace(traffic, **{name: value for name, value in change.items() if name in roads})
        rule = replace(endorsing, **{name: value for name, value in change.items() if name in rules})
        if road not in driven:
            driven[road] = drive(road, seed)
        found.append(_effect(change, driven[road], rule, weights, players, most_believed))
    return tuple(found)


def _effect(
    change: Mapping[str, Any],
    seen: Sightings,
    rule: Endorsing,
    weights: tuple[float, float],
    players: int,
    most_believed: float,
) -> AnnouncementEffect:
    made = announce(seen, rule)
    ratio, holds = float("nan"), None
    try:
        asked = announcing_coprivacy(made, weights=weights, players=players, most_believed=most_believed)
        ratio, holds = (asked.ratios[0][0] if asked.ratios else float("inf")), asked.holds
    except DataError:  # no danger had so many cars near it: there is no game
        pass
    return AnnouncementEffect(
        settings=dict(change), functionality=made.functionality, warned=made.warned, crowd=made.crowd,
        entropy=made.entropy, listener_entropy=made.listener_entropy, believed=made.believed,
        is_secure=not made.believed > most_believed, ratio=ratio, holds=holds,
    )  # fmt: skip

"""What ``tacita games vanet-sim`` runs: one simulation in full, and around it what each setting changes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from tacita.core.errors import ParameterError
from tacita.core.streams import Seed
from tacita.games.vehicles.announcement_game import AnnouncingCoprivacy, announcing_coprivacy
from tacita.games.vehicles.announcements import Announcements, Endorsing, announce
from tacita.games.vehicles.effects import AnnouncementEffect, announcement_effects
from tacita.games.vehicles.signed_messages import SignedMessages, sign_announcements
from tacita.games.vehicles.traffic import Traffic, drive

__all__ = ["SCHEMES", "VehicleStudy", "study_vehicles"]

SCHEMES = {
    ("anonymous", "near"): "anonymous, no defence",
    ("threshold", "near"): "one share a car",
    ("threshold", "pooled"): "one share a car, liars pool theirs",
    ("named", "near"): "signed with names",
}
"""Scheme and attackers that are compared, with what they are called."""
DENSITIES, THRESHOLDS = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0), (1, 2, 3, 4, 6, 8, 12)
SELFISH, MALICIOUS = (0.0, 0.2, 0.4, 0.6, 0.8, 0.95), (0.0, 0.01, 0.02, 0.05, 0.1, 0.2)


@dataclass(frozen=True, eq=False, kw_only=True)
class VehicleStudy:
    """One simulation and its surroundings.

    Parameters
    ----------
    made, coprivacy
        The simulation as it was asked for, and whether its drivers help each other.
    signed
        What the signatures said; None where the scheme has none, or none was asked for.
    by_threshold, by_density, by_selfish, by_scheme, by_density_and_threshold
        Simulations with other settings.
    """

    made: Announcements
    coprivacy: AnnouncingCoprivacy
    signed: SignedMessages | None
    by_threshold: tuple[AnnouncementEffect, ...]
    by_density: tuple[AnnouncementEffect, ...]
    by_selfish: tuple[AnnouncementEffect, ...]
    by_scheme: tuple[AnnouncementEffect, ...]
    by_density_and_threshold: tuple[AnnouncementEffect, ...]

    def as_plain(self) -> dict[str, Any]:
        """Return it ready for JSON."""
        effects = ("by_threshold", "by_density", "by_selfish", "by_scheme", "by_density_and_threshold")
        return {
            "traffic": self.made.sightings.traffic.to_plain(),
            "endorsing": self.made.endorsing.to_plain(),
            "seed": self.made.sightings.seed,
            "figures": self.made.as_plain(),
            "coprivacy": self.coprivacy.as_plain(),
            "signatures": None if self.signed is None else self.signed.as_plain(),
            **{name: [effect.as_plain() for effect in getattr(self, name)] for name in effects},
        }


def study_vehicles(
    traffic: Traffic,
    endorsing: Endorsing,
    seed: Seed,
    *,
    weights: tuple[float, float] = (4.0, 1.0),
    players: int = 3,
    most_believed: float = 0.01,
    signatures: int = 10,
) -> VehicleStudy:
    """Simulate once as asked, and around it along each setting.

    Parameters
    ----------
    traffic, endorsing, seed
        The simulation that stands in the middle.
    weights, players, most_believed
        As in :func:`announcing_coprivacy`.
    signatures
        Messages of each kind that are signed for real; none for 0.

    Complexity
    ----------
    Some ten times a :func:`drive`.
    """
    made = announce(drive(traffic, seed), endorsing)
    asked = {"weights": weights, "players": players, "most_believed": most_believed}
    found = announcing_coprivacy(made, **asked)  # type: ignore[arg-type]
    is_signed = signatures > 0 and endorsing.scheme == "threshold"
    signed = sign_announcements(made, at_most=signatures) if is_signed else None
    thresholds = [t for t in THRESHOLDS if endorsing.scheme != "threshold" or t <= endorsing.shares]
    changes: dict[str, list[dict[str, Any]]] = {
        "by_threshold": [{"threshold": t} for t in thresholds],
        "by_density": [{"density": d} for d in _densities(traffic)],
        "by_selfish": [{"selfish": share} for share in SELFISH],
        "by_scheme": [
            {"malicious": share, "scheme": scheme, "attackers": attackers}
            for scheme, attackers in SCHEMES
            for share in MALICIOUS
            if scheme != "threshold" or endorsing.threshold <= endorsing.shares
        ],
        "by_density_and_threshold": [{"density": d, "threshold": t} for d in _densities(traffic) for t in thresholds],
    }
    flat = [change for some in changes.values() for change in some]
    effects = iter(announcement_effects(traffic, endorsing, flat, seed, **asked))  # type: ignore[arg-type]
    rows = {name: tuple(next(effects) for _ in some) for name, some in changes.items()}
    return VehicleStudy(made=made, coprivacy=found, signed=signed, **rows)


def _densities(traffic: Traffic) -> tuple[float, ...]:
    """Densities up to four times what was asked for, as far as a machine can drive them."""
    found = []
    for density in DENSITIES:
        if density <= max(4 * traffic.density, 4.0):
            try:
                found.append(replace(traffic, density=density).density)
            except ParameterError:  # too few cars, or too many
                continue
    return tuple(found)

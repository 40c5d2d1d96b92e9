"""The base of attacks that end with reading a profile: what is sensitive, and whether only that is wanted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from numpy.random import Generator

from tacita.attack.attacker import Attacker
from tacita.attack.claims import Claims
from tacita.attack.logs.further_queries import Knows, claims_of_queries
from tacita.attack.logs.log_target import LogTarget
from tacita.attack.logs.released_profiles import ReleasedProfiles
from tacita.core.arrays import BoolArray

__all__ = ["ProfileReader"]


@dataclass(frozen=True, kw_only=True)
class ProfileReader(Attacker):
    """Base of attacks that say which queries in a profile a victim asked.

    Parameters
    ----------
    sensitive
        Names of the categories that are sensitive.
    only_sensitive
        Whether he wants to know sensitive queries and topics only; otherwise any query.
    """

    sensitive: tuple[str, ...] = ("Health",)
    only_sensitive: bool = False

    def read(
        self,
        target: LogTarget,
        profiles: ReleasedProfiles,
        rows: Any,
        *,
        is_sure: BoolArray,
        rng: Generator,
        knows: Knows = "nothing",
    ) -> tuple[Claims, ...]:
        """Return what is said of the texts that may be each victim's; see :func:`claims_of_queries`."""
        return claims_of_queries(
            target,
            profiles,
            rows,
            is_sure=is_sure,
            rng=rng,
            sensitive=self.sensitive,
            only_sensitive=self.only_sensitive,
            knows=knows,
        )

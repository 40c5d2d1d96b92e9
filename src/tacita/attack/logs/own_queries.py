"""Own queries: somebody looks for himself in what left, or whoever has his browser looks for him."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from tacita.attack.attacker import Attacker
from tacita.attack.claims import Claims
from tacita.attack.logs.further_queries import claims_of_profiles, rows_of_profiles
from tacita.attack.logs.log_target import LogTarget
from tacita.attack.logs.released_profiles import (
    ReleasedProfiles,
    best_of_rows,
    find_profiles,
    matching_seconds,
    rows_less,
    texts_asked,
)
from tacita.core.errors import AttackError
from tacita.core.traits import AttackTraits

__all__ = ["OwnQueries"]


@dataclass(frozen=True, kw_only=True)
class OwnQueries(Attacker):
    """Find the profile with most of what somebody asked himself, and the queries in it that nobody but he can have asked.

    All lines of a victim are held against every profile. A text that stands in one of P profiles out of n counts ``log(P / n)``;
    the profile with the largest sum is said to stand for him. Of his texts in it the one that stands in the fewest profiles is
    said to be his and nobody else's.

    Returns
    -------
    Claims
        Of ``profile`` (which stands for him, among others or not), of ``identity`` (it stands for him alone) and of ``own_query``
        (a released text that nobody else asked).

    Complexity
    ----------
    O(sum over texts of victims who asked it x profiles that have it); memory for a block of victims x profiles.

    Notes
    -----
    That he finds the profile is no disclosure by itself where it stands for k users. That a line in it is his alone is: whoever
    sees it on his screen, or hears of it, knows what was released of him. A claim is sure where two such lines or more make a
    wrong profile less likely than one in a hundred, and nothing says that a query leaves only where several asked it.

    References
    ----------
    Barbaro, M. and Zeller, T. (2006), A face is exposed for AOL searcher no. 4417749. The New York Times; Frankowski, D. et al.
    (2006), You are what you say: privacy risks of public mentions.

    Examples
    --------
    >>> from tacita.attack.judge.stage_log import stage_log
    >>> from tacita.data.query_log.query_log import QueryLog
    >>> log = QueryLog.from_columns(["ann", "ann", "bob", "bob"], ["tea", "leeds", "tea", "york"])
    >>> staged = stage_log(log, log, [0, 1])
    >>> import tacita as tc
    >>> tc.attack.attack_once(OwnQueries(), staged.target, staged.answers, seed=1).standing
    'broken'
    """

    name = "own_queries"
    title = "Who recognises his own queries"
    traits = AttackTraits(
        against="log",
        learns="identity",
        knows="all that each victim asked, as he has it himself",
        breaks="profiles with lines that one user alone asked",
        held_by="releases in which every query was asked by several users of the group",
    )

    def declined(self, target: LogTarget) -> str:
        if target.own is None:
            return "Nobody attacks with all that a victim asked."
        return "" if len(target.released) else "Nothing was released."

    def cost(self, target: LogTarget) -> float:
        return matching_seconds(target.known if target.own is None else target.own, target.released)

    def run(self, target: LogTarget, rng: Generator) -> tuple[Claims, ...]:
        if target.own is None:
            raise AttackError(self.declined(target))
        profiles = ReleasedProfiles.of_texts(target.released)
        own = texts_asked(target.own, target.released)
        found = find_profiles(own, profiles, rng)
        rows = rows_of_profiles(found, profiles)
        shared = rows_less(rows, rows_less(rows, own)).astype(np.float64)
        shared.data = 1 + profiles.rarity[shared.indices]
        said, _ = best_of_rows(shared)
        alone = (said >= 0) & (np.append(profiles.stands_in, 0)[said] == 1)
        learned = f"{int(alone.sum())} of {len(said)} victims find a query of theirs that stands in no other profile."
        claim = Claims(
            about="own_query", said=said, is_sure=found.is_sure & alone & (target.askers == 1), learned=learned
        )
        return (*claims_of_profiles(target, found), claim)

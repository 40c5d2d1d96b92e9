"""Attacks on released files of records: linkage, and masks undone by what is known of them.

In come a released file, some true values of victims and perhaps the documentation of the mask; out come claims who a record
belongs to and what a value was. Read ``compared.py`` first, then ``links.py`` and ``distance_link.py``.
"""

from tacita.attack.files.distance_link import DistanceLink
from tacita.attack.files.group_mate import GroupMate
from tacita.attack.files.key_match import KeyMatch
from tacita.attack.files.method_guess import MethodGuess
from tacita.attack.files.minimality import Minimality
from tacita.attack.files.noise_filter import NoiseFilter
from tacita.attack.files.pram_inversion import PramInversion
from tacita.attack.files.probabilistic_link import ProbabilisticLink
from tacita.attack.files.rank_swap_intersection import RankSwapIntersection
from tacita.attack.files.release_link import ReleaseLink, TwoReleaseAverage

__all__ = [
    "DistanceLink",
    "GroupMate",
    "KeyMatch",
    "MethodGuess",
    "Minimality",
    "NoiseFilter",
    "PramInversion",
    "ProbabilisticLink",
    "RankSwapIntersection",
    "ReleaseLink",
    "TwoReleaseAverage",
]

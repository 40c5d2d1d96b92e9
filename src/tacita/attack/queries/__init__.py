"""Attacks by questions about sets of people: trackers, differences, averages, refusals, and a search for new ones.

In come a server that answers, what it publishes, and what is known of victims; out come claims of what they have. Read
``words.py`` first: it is all that an attacker can say; then ``tracker_formulas.py``.
"""

from tacita.attack.queries.attack_search import AttackSearch
from tacita.attack.queries.double_tracker import DoubleTracker
from tacita.attack.queries.equivalent_cells import EquivalentCells
from tacita.attack.queries.general_tracker import GeneralTracker
from tacita.attack.queries.individual_tracker import IndividualTracker
from tacita.attack.queries.many_splits import ManySplits
from tacita.attack.queries.padding import Padding
from tacita.attack.queries.refusal_reading import RefusalReading
from tacita.attack.queries.repeated_question import RepeatedQuestion
from tacita.attack.queries.union_tracker import UnionTracker
from tacita.attack.queries.universe_difference import UniverseDifference
from tacita.attack.queries.version_difference import VersionDifference

__all__ = [
    "AttackSearch",
    "DoubleTracker",
    "EquivalentCells",
    "GeneralTracker",
    "IndividualTracker",
    "ManySplits",
    "Padding",
    "RefusalReading",
    "RepeatedQuestion",
    "UnionTracker",
    "UniverseDifference",
    "VersionDifference",
]

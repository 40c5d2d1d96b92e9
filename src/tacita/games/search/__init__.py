"""Anonymous search with the help of others (section 4), its rivals, and what each hides from a profiler.

In come a query log and rules; out come who submitted what, entropies over time, and what named attackers learn. Read
``community.py`` first, then ``play.py``; ``comparison.py`` puts all ways side by side.
"""

from tacita.games.search.community import Community, community_of_log, community_of_sample
from tacita.games.search.comparison import SearchComparison, compare_search
from tacita.games.search.cover_queries import add_cover
from tacita.games.search.cover_told import CoverTold, tell_cover
from tacita.games.search.entropies import entropies_over_time, entropy_against_database, entropy_against_peers
from tacita.games.search.interactions import check_interactions, interaction_game
from tacita.games.search.keyword_masking import MaskedQueries, mask_queries
from tacita.games.search.play import SearchRules, SearchRun, play_search
from tacita.games.search.profilers import colluding_peers, database_profile, found_by_history, single_peer
from tacita.games.search.sights import Sight, sight_of
from tacita.games.search.topology import Topology, draw_topology

__all__ = [
    "Community",
    "CoverTold",
    "MaskedQueries",
    "SearchComparison",
    "SearchRules",
    "SearchRun",
    "Sight",
    "Topology",
    "add_cover",
    "check_interactions",
    "colluding_peers",
    "community_of_log",
    "community_of_sample",
    "compare_search",
    "database_profile",
    "draw_topology",
    "entropies_over_time",
    "entropy_against_database",
    "entropy_against_peers",
    "found_by_history",
    "interaction_game",
    "mask_queries",
    "play_search",
    "sight_of",
    "single_peer",
    "tell_cover",
]

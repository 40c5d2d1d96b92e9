"""Social networks as games: what users show to whom, why selfish ones end up showing nothing, and protocols that keep them at it.

In come networks and sensitivities; out come scores, play round by round, gains of deviations, and advice for one user. Read
``scores.py`` first, then ``selfish.py``, ``protocols.py`` and ``exchange.py``.
"""

from tacita.games.social.assistant import Advice, advise
from tacita.games.social.deviations import Deviation, best_deviation, least_penance
from tacita.games.social.disclosure_game import disclosure_game
from tacita.games.social.epsilon import Epsilon, measured_epsilon
from tacita.games.social.exchange import Disclosure, Upload
from tacita.games.social.file_sharing import contribution_level, file_sharing_game
from tacita.games.social.generators import (
    complete_network,
    random_network,
    scale_free_network,
    small_world_network,
)
from tacita.games.social.item_response import ItemResponse, item_response
from tacita.games.social.network import Network
from tacita.games.social.network_file import read_network
from tacita.games.social.protocols import Reputation, TitForTat
from tacita.games.social.relations.access import Relationships, request_access
from tacita.games.social.scores import prf, prf_2, privacy_risk, received, visibility_of_reach
from tacita.games.social.selfish import SelfishPlay, best_responses, play_selfishly
from tacita.games.social.sensitivities import naive_sensitivities, naive_visibility, response_sensitivities
from tacita.games.social.social_study import study_social
from tacita.games.social.sustained import SocialRun, sustain

__all__ = [
    "Advice",
    "Deviation",
    "Disclosure",
    "Epsilon",
    "ItemResponse",
    "Network",
    "Relationships",
    "Reputation",
    "SelfishPlay",
    "SocialRun",
    "TitForTat",
    "Upload",
    "advise",
    "best_deviation",
    "best_responses",
    "complete_network",
    "contribution_level",
    "disclosure_game",
    "file_sharing_game",
    "item_response",
    "least_penance",
    "measured_epsilon",
    "naive_sensitivities",
    "naive_visibility",
    "play_selfishly",
    "prf",
    "prf_2",
    "privacy_risk",
    "random_network",
    "read_network",
    "received",
    "request_access",
    "response_sensitivities",
    "scale_free_network",
    "small_world_network",
    "study_social",
    "sustain",
    "visibility_of_reach",
]

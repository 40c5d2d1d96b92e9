"""Attacks on released query logs: whose profile it is, what else he asked, and who is named.

In come a released log, a few lines, times or topics that somebody knows of victims, and perhaps other people behind the same
profile; out come claims which profile stands for whom and which queries he asked. Read ``log_target.py`` first, then
``released_profiles.py`` and ``known_queries.py``.
"""

from tacita.attack.logs.group_mate_queries import GroupMateQueries
from tacita.attack.logs.known_queries import KnownQueries
from tacita.attack.logs.known_topics import KnownTopics
from tacita.attack.logs.log_target import LogTarget
from tacita.attack.logs.own_queries import OwnQueries
from tacita.attack.logs.time_trace import TimeTrace
from tacita.attack.logs.two_log_releases import TwoLogReleases
from tacita.attack.logs.vanity_search import VanitySearch

__all__ = [
    "GroupMateQueries",
    "KnownQueries",
    "KnownTopics",
    "LogTarget",
    "OwnQueries",
    "TimeTrace",
    "TwoLogReleases",
    "VanitySearch",
]

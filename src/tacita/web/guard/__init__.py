"""Guards: what stands between the network and the application, each one thing.

In come connections from anybody; out come requests that are small enough, came in time, are meant for this server, and leave with
headers that keep browsers safe. Read ``headers.py`` first.
"""

from tacita.web.guard.body import BodyGuard
from tacita.web.guard.headers import HeaderGuard
from tacita.web.guard.hosts import HostGuard
from tacita.web.guard.slow import SlowGuard

__all__ = ["BodyGuard", "HeaderGuard", "HostGuard", "SlowGuard"]

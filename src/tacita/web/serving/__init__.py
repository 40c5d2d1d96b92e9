"""Serving: the processes of a server, how they begin, watch over each other and end.

In come settings and an address; out comes a running server: one engine, which holds the data, workers, which talk to the
network, and a supervisor that starts them. Read ``supervisor.py`` first.
"""

from tacita.web.serving.binding import Binding
from tacita.web.serving.supervisor import Supervisor

__all__ = ["Binding", "Supervisor"]

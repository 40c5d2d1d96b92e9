"""The engine: the one process that holds records, keys and journals; what talks to the public has none of them.

In come questions as JSON with the name of who asks; out come answers as JSON. Read ``port.py`` first: it is what the rest of
the server sees. ``keeper.py`` holds the databases; ``local.py`` asks it in this process, ``remote.py`` and ``process.py`` over a
socket.
"""

from tacita.web.engine.keeper import Keeper
from tacita.web.engine.local import LocalEngine
from tacita.web.engine.port import AnsweringEngine, DatasetFacts, EngineUnavailableError, Reply
from tacita.web.engine.remote import RemoteEngine

__all__ = [
    "AnsweringEngine",
    "DatasetFacts",
    "EngineUnavailableError",
    "Keeper",
    "LocalEngine",
    "RemoteEngine",
    "Reply",
]

"""Cell suppression: unsafe cells are hidden, and others with them, until no attacker comes too close.

In comes a problem; out comes a pattern of hidden cells, which the auditor then judges. Every engine is one class, looked up
by its name: ``exact``, ``fast``, ``modular`` and ``hypercube``. Read ``suppress.py`` first, then ``engine.py``.
"""

from tacita.tables.suppression.exact.engine import Exact
from tacita.tables.suppression.fast.engine import Fast
from tacita.tables.suppression.hypercube import Hypercube
from tacita.tables.suppression.modular import Modular

__all__ = ["Exact", "Fast", "Hypercube", "Modular"]

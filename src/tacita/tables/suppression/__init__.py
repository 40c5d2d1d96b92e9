"""Cell suppression: unsafe cells are hidden, and others with them, until no attacker comes too close.

In comes a problem; out comes a pattern of hidden cells, which the auditor then judges. Four engines: ``exact``, ``fast``,
``modular`` and ``hypercube``. Read ``suppress.py`` first.
"""

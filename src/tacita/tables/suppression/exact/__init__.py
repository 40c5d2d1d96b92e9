"""Exact suppression: the cheapest safe pattern, by a master problem and cuts, with a proof of how cheap.

In comes a problem, taken apart into blocks; out comes a pattern with a lower bound. Read ``exact.py`` first, then
``block.py``.
"""

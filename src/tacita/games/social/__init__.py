"""Social networks as games: what users show to whom, why selfish ones end up showing nothing, and protocols that keep them at it.

In come networks and sensitivities; out come scores, play round by round, gains of deviations, and advice for one user. Read
``scores.py`` first, then ``selfish.py``, ``protocols.py`` and ``exchange.py``.
"""

"""Equilibria: what rational players may end at, alone or advised, each checked by an inequality that its solver does not know.

In come games; out come equilibria with their utilities and the largest gain that any deviation would bring. Read
``equilibrium.py`` first, then ``deviation_gains.py``.
"""

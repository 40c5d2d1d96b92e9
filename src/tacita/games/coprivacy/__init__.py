"""Coprivacy: whether it is in the players' own interest to help each other, in each of the paper's senses.

In come games and what counts as help in them; out come answers with what shows them: who helps whom, in which equilibrium, or
why nobody does. Read ``help.py`` first, then ``pure.py``.
"""

"""Groups of similar users of a query log: how many categories two users share, and partitions that keep similar ones together.

In come counts of users x categories; out come groups of at least k users. Read ``counts.py`` first, then ``partition.py``.
"""

"""A better partition: descent, annealing and crossing of partitions, until time or ideas run out.

In comes any partition; out comes one with a smaller sum of squares and the same k. Read ``improve.py`` first, then
``exchanges.py``.
"""

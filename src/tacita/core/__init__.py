"""The ground floor: parameters, registry, errors, seeded streams, progress. It imports nothing of ours.

In come declarations, as a class with annotated fields is one; out come checks, names and sentences that all rooms share. Read
``method.py`` first, then ``parameters.py`` and ``registry.py``.
"""

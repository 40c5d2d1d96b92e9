"""The asymmetric form: recipients draw a part of their marks themselves, so that the office alone cannot forge a copy of theirs.

In come the copies of a release and the messages of a recipient; out come an offer, an answer, the recipient's file, and what a
judge finds. Three messages go back and forth: offer, request, answer. Read ``transfer.py`` first, then ``office.py``,
``recipient.py`` and ``judge.py``.
"""

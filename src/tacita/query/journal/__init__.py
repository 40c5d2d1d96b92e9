"""The journal: what was asked, what the rules said and what left, in a chain that nobody can change unseen.

In come requests, the outcomes of rules and answers; out come entries, anchors of the head and verifications. The journal is
written, and on the disk, before an answer leaves. Read ``entry.py`` first, then ``chain.py`` and ``journal.py``.
"""

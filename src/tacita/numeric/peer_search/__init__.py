"""Peers who submit each other's queries: what each has submitted so far, and the rules by which they ask and help.

In come a stream of queries, who is a neighbour of whom and who never helps; out come who submitted each query and who was asked.
Read ``submitted.py`` first, then ``coprivate_rules.py``.
"""

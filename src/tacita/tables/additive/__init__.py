"""Additive counts: noisy tables whose sums hold again, without small counts, and near the truth; one table, or a set of them.

In come true and noisy counts of a table, or records and a declared set of tables; out come whole tables that add up, each with
a recount of what is promised. Read ``additive_counts.py`` first, then ``consistent_tables.py``; what both search with is in
``settle.py``.
"""

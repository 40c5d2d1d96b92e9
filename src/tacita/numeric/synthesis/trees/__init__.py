"""Trees by histograms: records in leaves where a column hardly varies, and donors of new values drawn from a leaf.

In come columns as models see them; out come trees, the leaf of each record, and rows of donors. Read ``tree.py`` first.
"""

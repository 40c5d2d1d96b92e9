"""Column models: one way a file to draw a column given others, all with the protocol of ``model.py``, which to read first.

In come a column and the columns that it is given, of the records to learn from; out comes what draws it for other records.
"""

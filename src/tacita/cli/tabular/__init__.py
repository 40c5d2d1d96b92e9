"""Tables on the command line: built from a file of cells, or from a file of records.

In come the options of ``table`` and ``audit``; out come tables, and what a file says of unsafe cells. Read ``cells.py`` first.
"""

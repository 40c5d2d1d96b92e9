"""Tables on the command line: built from a file of cells, or from a file of records.

In come the options of ``table``, ``audit`` and their like; out come tables and what a file says of unsafe cells. Read ``cells.py``
first.
"""

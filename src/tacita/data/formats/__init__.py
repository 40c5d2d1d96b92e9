"""File formats: one file each, in and out.

In come paths; out come Arrow columns with what the file says of them, and the same the other way round. ``tacita.data.read`` and
``tacita.data.write`` choose among them. Read ``base.py`` first, then ``csv_read.py``.
"""

"""Output checking: whether the results that a researcher wants to take out disclose anybody.

In come declared outputs (tables, curves, models) and the data that they were made of; out come verdicts with reasons, of each
output and of all of them together. Read ``check_output.py`` first, then ``output.py`` and ``differencing.py``.
"""

"""Faults under load: processes are killed, disks and clocks and databases fail; nothing that left may be lost.

In comes a number of kills; out comes a table of faults with what was found wrong, which is nothing. Read ``faults.py`` first, and
then ``checks.py``, which says what must hold.
"""

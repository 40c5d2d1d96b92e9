"""Faults under load: processes are killed, the disk is full, the journal cannot be written; nothing that left may be lost.

In comes a number of kills; out comes a table of faults with what was found wrong, which is nothing. Read ``kills.py`` first.
"""

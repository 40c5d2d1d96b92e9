"""Synthesis with a proof: noisy one- and two-way tables, the distribution that fits them, and records drawn from it.

In come codes of records, whose classes are public, and a budget; out come codes of new records. Everything after the noise is
arithmetic on noisy numbers and costs nothing. Read ``private_tables.py`` first.
"""

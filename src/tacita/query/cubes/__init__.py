"""Cubes: tables of all records that later questions are read from, kept within a bounded memory.

In come the classes of records as bytes and a question's variables; out come counts of cells with exact sums of keyed hashes,
which add up over disjoint sets, so that the table of any universe is a part of a kept cube added up. Read ``cube.py`` first.
"""

from tacita.query.cubes.cube import CellSums, Cube
from tacita.query.cubes.kept_arrays import KeptArrays
from tacita.query.cubes.record_planes import RecordPlanes
from tacita.query.cubes.record_tables import RecordTables

__all__ = ["CellSums", "Cube", "KeptArrays", "RecordPlanes", "RecordTables"]

"""The records of a queryable database: columns from any engine, in one order, kept compactly. No engine computes a statistic.

In comes a file, a DuckDB table, the address of a PostgreSQL server or microdata; out come whole columns as arrays, one order of
records, and a digest that is the same wherever the same records come from. Read ``record_store.py`` first, then ``opening.py``.
"""

from tacita.data.store.opening import open_store
from tacita.data.store.record_store import NarrowCodes, RecordStore

__all__ = ["NarrowCodes", "RecordStore", "open_store"]

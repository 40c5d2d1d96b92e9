"""Microdata and its schema, files and frames in and out. Only this room touches frames and DuckDB.

In come files, frames and declarations of columns; out come ``Microdata``, which never change and give plain arrays to kernels.
Read ``microdata.py`` first, then ``schema.py`` and ``read.py``.
"""

"""Microdata and its schema, files and frames in and out, sample data. Only this room touches frames and DuckDB."""

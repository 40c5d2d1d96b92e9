"""Tests of ``tacita.compare.benchmark``."""

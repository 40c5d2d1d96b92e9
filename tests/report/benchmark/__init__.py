"""Tests of ``tacita.report.benchmark``."""

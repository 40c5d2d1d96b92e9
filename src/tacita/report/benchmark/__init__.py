"""The page of a benchmark.

In comes a benchmark with its sets; out comes one HTML page with bars and tables. Read ``benchmark_page.py``.
"""

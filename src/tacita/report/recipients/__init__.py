"""Pages on fingerprinted copies: whom a leaked file names, beside everybody else.

In comes a trace, out comes a page that opens without a network. Read ``trace_page.py``.
"""

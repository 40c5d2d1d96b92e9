"""The benchmark: every mask over the same open data under one scenario, so that methods and versions can be compared.

In come data sets, masks or recipes and a scenario; out comes a ranking with its parts, and what changed since an earlier one.
Read ``benchmark.py`` first, then ``mask_grid.py``.
"""

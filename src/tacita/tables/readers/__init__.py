"""What readers find in published counts: differences of geographies, averages over splits, and linear programmes.

In come published tables and what a reader knows of how they were made; out comes how near he gets to the true counts. Read
``count_intervals.py`` first, then ``split_averages.py`` and ``geography_differences.py``.
"""

"""Optimisation after masking: masked data are improved so that less is lost and risk does not grow.

In come original and masked data; out comes a better masked file with loss and risk before and after. Read ``optimise.py``
first.
"""

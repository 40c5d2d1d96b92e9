"""Post-masking optimisation: masked values are moved on until a file loses less and risks no more.

In come masked values and what they are held against; out come better ones. Read ``moment_objective.py`` first.
"""

"""Local suppression: which key values to set missing so that every record hides among k others, at little cost.

In come integer codes and costs; out comes which cells are suppressed. Read ``local_suppression.py`` first: its
docstring is the algorithm, and names the file of each step.
"""

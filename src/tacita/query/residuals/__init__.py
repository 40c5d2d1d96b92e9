"""Residual plots that show no residual: synthetic predictors, deviations of near units with noise, bins instead of records.

In come a question and the internal side of a fitted model; out come plots as data, rounded and ready for JSON. The same model of
the same records has the same plots for ever, whoever asks. Read ``plots.py`` first: it says which plot is made of what.
"""

"""Regression and correlation that answer without showing a record: models from a closed form, rules before and after the fit.

In come a model as data (response, terms, interactions) and plain arrays that the caller has prepared; out come either the names
of the rules that refuse it, or a public result of rounded numbers beside an internal one with residuals. Read ``fit.py`` first:
it is the way from one to the other.
"""

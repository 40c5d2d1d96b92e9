"""Requests: what can be asked, as frozen dataclasses with a JSON form.

In come names, classes and a universe; out come requests that hold nothing to be evaluated: no text of a language, no
expression, no column of the user's making. Read ``request.py`` first.
"""

from tacita.query.requests.correlate import Correlate
from tacita.query.requests.quantiles import Quantiles
from tacita.query.requests.regress import Regress
from tacita.query.requests.request import KINDS_OF_REQUEST, QueryRequest, request_from_plain
from tacita.query.requests.residuals import Residuals
from tacita.query.requests.statistic import Statistic
from tacita.query.requests.tabulate import Tabulate

__all__ = [
    "KINDS_OF_REQUEST",
    "Correlate",
    "Quantiles",
    "QueryRequest",
    "Regress",
    "Residuals",
    "Statistic",
    "Tabulate",
    "request_from_plain",
]

"""Forms of an answer: the bytes of a file that a user takes away.

In come answers and the tables, models and quantiles in them; out come JSON, CSV, SDMX-CSV and Arrow, each with nothing that the
answer does not have. Read ``answer_forms.py`` first.
"""

from tacita.query.forms.answer_forms import FORMS, AnswerForm, offered_forms
from tacita.query.forms.arrow_form import table_arrow
from tacita.query.forms.csv_form import correlations_csv, model_csv, number_csv, quantiles_csv, table_csv
from tacita.query.forms.sdmx_csv import table_sdmx_csv

__all__ = [
    "FORMS",
    "AnswerForm",
    "correlations_csv",
    "model_csv",
    "number_csv",
    "offered_forms",
    "quantiles_csv",
    "table_arrow",
    "table_csv",
    "table_sdmx_csv",
]

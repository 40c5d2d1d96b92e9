"""Sample data that the package makes itself, seeded: surveys of households and businesses, a register, a census, a query log.

In come a size and a seed; out come microdata with a full schema, or a log with the truth about its lines. Read ``household.py``
first; what all of them draw by is in ``draws.py``.
"""

from tacita.data.samples.business import business_survey
from tacita.data.samples.census import census_register
from tacita.data.samples.household import household_survey
from tacita.data.samples.query_logs.log_sample import LogSample
from tacita.data.samples.query_logs.query_log import query_log
from tacita.data.samples.query_logs.topic_directory import topic_directory
from tacita.data.samples.register import person_register

__all__ = [
    "LogSample",
    "business_survey",
    "census_register",
    "household_survey",
    "person_register",
    "query_log",
    "topic_directory",
]


def __dir__() -> list[str]:
    return list(__all__)

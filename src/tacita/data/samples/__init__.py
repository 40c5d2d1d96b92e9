"""Sample data that the package makes itself, seeded: surveys of households and businesses, a register, a census.

In come a size and a seed; out come microdata with a full schema. Read ``household.py`` first; what all of them draw by is in
``draws.py``.
"""

from tacita.data.samples.business import business_survey
from tacita.data.samples.census import census_register
from tacita.data.samples.household import household_survey
from tacita.data.samples.register import person_register

__all__ = ["business_survey", "census_register", "household_survey", "person_register"]


def __dir__() -> list[str]:
    return list(__all__)

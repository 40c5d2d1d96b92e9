"""A survey whose schema declares what is public, as differential privacy needs it."""

from __future__ import annotations

from functools import cache

from tacita.data.microdata import Microdata
from tests.query.builders import survey

__all__ = ["public_survey"]


@cache
def public_survey() -> Microdata:
    """Classes of sex, education and household size are public, and so are bounds of tax; the rest is not."""
    data = survey()
    schema = data.schema.change("sex", public=True, categories=("female", "male"))
    schema = schema.change("education", public=True).change("household_size", public=True)
    schema = schema.change("urban", public=True)  # declared as public, but its classes are not listed
    return data.with_schema(schema.change("tax", public=True, bounds=(0, 20_000)))

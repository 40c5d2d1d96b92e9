"""Which columns say who is who, and what becomes of a column that counts members."""

from __future__ import annotations

import pyarrow as pa

import tacita as tc
from tacita.data.microdata import Microdata
from tacita.mask.synthetic.household_draw import kinship_of


def test_names_in_other_languages_tell_who_is_who() -> None:
    table = pa.table({"Alter": [30, 40], "Familienstand": ["a", "b"], "Geschlecht": ["m", "w"], "Ort": ["x", "y"]})
    data = Microdata.from_frame(table, keys=["Alter", "Familienstand", "Geschlecht", "Ort"])
    assert kinship_of(data, data.names) == ("Familienstand", "Geschlecht", "Alter")


def test_a_country_of_birth_is_no_age() -> None:
    data = tc.samples.household_survey(40, seed=1)
    assert "birth_country" not in kinship_of(data, data.names)


def test_what_is_no_key_says_nothing() -> None:
    data = Microdata.from_frame(pa.table({"age": [1, 2], "sex": ["m", "w"]}), keys=["sex"])
    assert kinship_of(data, data.names) == ("sex",)

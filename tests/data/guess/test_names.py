"""Words in names: languages, signs between words, and what only sounds alike."""

from __future__ import annotations

import pytest

from tacita.data.guess.names import looks_like, plain_name


@pytest.mark.parametrize(
    ("name", "plain"),
    [("HaushaltsNr", "haushalts_nr"), ("Région", "region"), ("marital.status", "marital_status"), ("AGEP", "agep")],
)
def test_plain_names(name: str, plain: str) -> None:
    assert plain_name(name) == plain


@pytest.mark.parametrize(
    ("name", "like", "is_like"),
    [
        ("ori_hid", "household", True),
        ("hh_id", "household", True),
        ("id_hogar", "household", True),
        ("household_income", "household", False),
        ("perwt", "weight", True),
        ("fnlwgt", "weight", True),
        ("F_INCOME", "flag", True),
        ("PY010N_F", "flag", True),
        ("family", "flag", False),
        ("q12_age", "age", True),
        ("wage", "age", False),
        ("isco08", "code", True),
        ("nace_rev2", "code", True),
        ("PWGTP1", "replicate", True),
        ("PWGTP", "replicate", False),
        ("valid", "id", False),
    ],
)
def test_what_names_look_like(name: str, like: str, is_like: bool) -> None:
    assert looks_like(plain_name(name), like) is is_like

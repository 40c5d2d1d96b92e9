"""l-diversity, t-closeness and their kin on files: published examples, hierarchies, what is refused."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from tacita.core.errors import ColumnError, MeasureError
from tacita.data.hierarchy import Hierarchy
from tacita.data.microdata import Microdata
from tacita.risk.diversity import BetaLikeness, DeltaDisclosure, LDiversity, TCloseness

DISEASES = (
    "gastric ulcer",
    "gastritis",
    "stomach cancer",
    "gastritis",
    "flu",
    "bronchitis",
    "bronchitis",
    "pneumonia",
    "cancer",
)


def hospital(**more: Any) -> Microdata:
    """Three groups of three; salaries and diseases after the example of Li et al. (2007)."""
    table = pa.table(
        {
            "zip": ["476**"] * 3 + ["4790*"] * 3 + ["476**"] * 3,
            "age": ["2*"] * 3 + ["40+"] * 3 + ["3*"] * 3,
            "salary": [3, 4, 5, 6, 11, 8, 7, 9, 10],
            "disease": list(DISEASES),
        }
    )
    return Microdata.from_frame(table, keys=["zip", "age"], confidential=["salary", "disease"], **more)


def test_ordered_closeness_of_the_paper() -> None:
    found = TCloseness(t=0.25).assess(hospital())
    assert found.parts["largest distance"] == pytest.approx(0.375)
    assert found.value == pytest.approx(100 / 3)
    assert found.per_record is not None
    assert found.per_record.tolist() == [1, 1, 1, 0, 0, 0, 0, 0, 0]


def test_equal_and_hierarchical_closeness() -> None:
    rows = [(d, "stomach" if d in DISEASES[:3] else "lungs", "*") for d in dict.fromkeys(DISEASES)]
    data = hospital(hierarchies={"disease": Hierarchy(tuple(rows))})
    equal = TCloseness(confidential="disease", t=0.5).assess(data)
    tree = TCloseness(confidential="disease", t=0.5, distance="hierarchical").assess(data)
    assert 0 < tree.parts["largest distance"] <= equal.parts["largest distance"]


def test_l_diversity_by_hand() -> None:
    data = hospital()
    assert LDiversity(confidential="disease", l=3).assess(data).value == 0
    assert LDiversity(confidential="disease", l=4).assess(data).value == 100
    assert LDiversity(confidential="disease", l=3, form="entropy").assess(data).value == 0
    recursive = LDiversity(confidential="disease", l=2, form="recursive", c=0.5)
    assert recursive.assess(data).value == 100
    assert LDiversity(confidential="disease", l=2, form="recursive", c=0.6).assess(data).value == 0


def test_likeness_by_hand() -> None:
    """Gastritis has share 1/3 in the first group and 2/9 in the file: a gain of one half."""
    found = BetaLikeness(confidential="disease", beta=1.9).assess(hospital())
    assert found.parts["largest gain"] == pytest.approx(2)
    assert found.value == 100
    assert BetaLikeness(confidential="disease", beta=2).assess(hospital()).value == 0
    assert DeltaDisclosure(confidential="disease", delta=5).assess(hospital()).value == 100


def test_what_is_refused() -> None:
    bare = Microdata.from_frame(pa.table({"a": ["x", "y"], "b": ["u", "v"]}), keys=["a", "b"])
    with pytest.raises(ColumnError, match="no column has the role 'confidential'"):
        LDiversity().assess(bare)
    with pytest.raises(MeasureError, match="no key column beside 'a'"):
        LDiversity(columns=["a"], confidential="a").assess(bare)
    with pytest.raises(MeasureError, match="'disease' has no hierarchy"):
        TCloseness(confidential="disease", distance="hierarchical").assess(hospital())
    short = Hierarchy((("flu", "*"),))
    with pytest.raises(MeasureError, match="does not cover 6 of its values"):
        TCloseness(confidential="disease", distance="hierarchical").assess(hospital(hierarchies={"disease": short}))

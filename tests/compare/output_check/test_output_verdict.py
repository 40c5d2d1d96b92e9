"""Verdicts: what they say, in every form; safe versions; linking."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import tacita as tc
from tacita.compare.output_check.basis import Owners, basis_of
from tacita.compare.output_check.linked import JudgedOutput, link_verdicts
from tacita.compare.output_check.output_limits import OutputException, OutputLimits, OutputRules
from tacita.compare.output_check.output_verdict import OutputCheck, OutputVerdict
from tacita.compare.output_check.reason import OutputReason
from tacita.compare.output_check.safer import safer_table
from tacita.core.errors import DataError

BAD = OutputReason("zero", "fail", "an <empty> cell.", ("a=1",), "Merge.")


def test_the_gravest_reason_decides() -> None:
    verdict = OutputVerdict("t", "a table", 3, (BAD, OutputReason("match", "review", "off.")))
    assert verdict.state == "fail"
    rules = OutputRules(exceptions=(OutputException(output="t", check="zero", because="known"),))
    excepted = verdict.excepting(rules)
    assert excepted.state == "review"
    assert excepted.excepting(rules).exceptions == excepted.exceptions
    assert OutputVerdict("u", "a table", 3, (BAD,)).excepting(rules).state == "fail"


def test_all_forms_say_the_same() -> None:
    check = OutputCheck((OutputVerdict("t", "a table", 3, (BAD,)), OutputVerdict("u", "more", 1)), OutputRules())
    assert check.summary == "1 pass, 0 review, 1 fail"
    assert not check.has_passed
    assert "[fail] zero: an <empty> cell. Merge." in str(check)
    assert "&lt;empty&gt;" in check._repr_html_()
    assert check.to_frame().column("verdict").to_pylist() == ["fail", "pass"]
    assert check.to_plain()["outputs"][0]["reasons"][0]["cells"] == ["a=1"]
    assert check.with_undescribed(["p.png"])["p.png"].state == "review"


def test_a_failed_output_is_not_compared_with_others() -> None:
    frame = pd.DataFrame({"a": ["x"] * 20 + ["y"] * 20})
    data = tc.Microdata.from_frame(frame)
    rows = np.ones(40, bool)
    rows[0] = False
    outputs = [tc.Output(name="one", rows=["a"]), tc.Output(name="two", rows=["a"], universe=rows)]
    bases = [basis_of(output, data) for output in outputs]
    owners = Owners.of(data, None, None)

    def states(*reasons: tuple[OutputReason, ...]) -> list[str]:
        judged = [
            JudgedOutput(OutputVerdict(output.name, "", 2, reason), basis, np.zeros(2, bool))
            for output, basis, reason in zip(outputs, bases, reasons, strict=True)
        ]
        return [one.state for one in link_verdicts(judged, [], data, owners, OutputRules())]

    assert states((), ()) == ["fail", "fail"]
    assert states((BAD,), ()) == ["fail", "pass"]


def test_a_safe_version_hides_what_is_unsafe() -> None:
    data = tc.samples.business_survey(400, seed=3)
    output = tc.Output(rows=["size_class"], values="turnover", statistic="sum")
    made = safer_table(output, data, OutputLimits())
    assert made.is_safe
    assert made.hidden[made.unsafe.cells].all()
    with pytest.raises(DataError, match="no record is in its universe"):
        safer_table(tc.Output(rows=["size_class"], universe={"employees": {"below": -1}}), data, OutputLimits())

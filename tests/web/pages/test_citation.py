"""Citations: all that finds an answer again, and nothing that LaTeX would obey."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from tacita.web.pages.citation import Citation

CITED = Citation(
    dataset="Survey",
    question="Mean of x",
    server="Office",
    id="0123456789abcdef",
    version="v7",
    accessed=date(2026, 3, 9),
    address="http://localhost/explore/answer/0123456789abcdef",
)


def test_a_citation_has_what_finds_the_answer_again() -> None:
    for word in ("Survey", "Mean of x", "Office", CITED.id, "v7", "9 March 2026", CITED.address):
        assert word in CITED.text


def test_bibtex_obeys_nothing_that_stands_in_a_title() -> None:
    found = replace(CITED, dataset="100 % \\input{x} & $y_1$ #1 ~^", question="a\nb").bibtex
    assert r"100 \% \textbackslash{}input\{x\} \& \$y\_1\$ \#1 \textasciitilde{}\textasciicircum{}: a b" in found
    assert found.startswith("@misc{tacita-0123456789ab,")
    assert found.replace(r"\{", "").replace(r"\}", "").count("{") == found.replace(r"\{", "").replace(r"\}", "").count(
        "}"
    )

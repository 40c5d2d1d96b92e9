from __future__ import annotations

from dataclasses import replace

import pytest

from tacita.games.oblivion.forwarding_game import Forwarding
from tacita.games.oblivion.multicast import Multicast
from tacita.games.oblivion.oblivion_study import OblivionStudy, study_oblivion
from tacita.report.games.oblivion_page import oblivion_figures, oblivion_page, round_rows, tracing_rows


@pytest.fixture(scope="module")
def study() -> OblivionStudy:
    return study_oblivion(Forwarding(), Multicast(receivers=100, rounds=2), 1, forwarders=1, trials=5, points=3)


def test_the_page_has_its_figures_in_words(study: OblivionStudy) -> None:
    page = oblivion_page(study)
    assert page == oblivion_page(study)
    for words in ("Forwarded content", "holder 1, holder 2, holder 3", "expired", "line is the formula"):
        assert words in page
    assert dict(oblivion_figures(study))["honest forwarding is an equilibrium"] == "yes"
    assert len(tracing_rows(study)) == len(study.rates)


def test_what_is_not_there_is_said(study: OblivionStudy) -> None:
    nothing = replace(study, penalty=float("inf"), is_honest=False)
    assert dict(oblivion_figures(nothing))["penalty that it takes"] == "none is enough"
    row = round_rows([replace(study.rounds[0], traced=float("nan"))])[0]
    assert row[-2] == "–"
    run = replace(study.protocol, resolved=("", "holder 2", ""), bare="")
    page = oblivion_page(replace(study, protocol=run))
    assert "to nobody, holder 2, nobody" in page

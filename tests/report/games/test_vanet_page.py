from __future__ import annotations

from dataclasses import replace

import pytest

from tacita.games.vehicles.announcements import Endorsing
from tacita.games.vehicles.traffic import Traffic
from tacita.games.vehicles.vehicle_study import VehicleStudy, study_vehicles
from tacita.report.games.vanet_page import effect_rows, figure_rows, lie_rows, vanet_page


@pytest.fixture(scope="module")
def study() -> VehicleStudy:
    return study_vehicles(Traffic(length=6, streets=3, minutes=12, density=6), Endorsing(threshold=2), 1, signatures=0)


def test_the_page_has_its_figures_in_words(study: VehicleStudy) -> None:
    page = vanet_page(study)
    assert page == vanet_page(study)
    for words in ("Announcing cars", "Sybil", study.coprivacy.words()[:20], "entropy of an announcer, bits"):
        assert words in page
    assert "Signed for real" not in page
    assert f"{100 * study.made.functionality:.1f}" in dict(figure_rows(study)).values()


def test_lies_stand_by_share_and_scheme(study: VehicleStudy) -> None:
    rows = lie_rows(study)
    assert [row[0] for row in rows] == ["0", "1", "2", "5", "10", "20"]
    assert rows[0][1:] == ("0.0",) * 4
    assert all(float(row[1]) >= float(row[2]) for row in rows)  # the defence never helps a liar


def test_a_figure_that_is_not_there_is_a_dash(study: VehicleStudy) -> None:
    one = replace(study.by_threshold[0], believed=float("nan"), ratio=float("inf"))
    assert effect_rows((one,), "threshold")[0][-2:] == ("–", "∞")

"""The study of query logs on a small log: its parts, its files, and that its promises are judged."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import tacita as tc
from tacita.core.errors import ParameterError
from tacita.data.directory.topic_index import TopicIndex
from tacita.data.query_log.write import write_log
from tacita.study.base import find_study
from tacita.study.query_logs.material import LEVELS, LogMaterial, material
from tacita.study.query_logs.pages import querylog_figures
from tacita.study.query_logs.remain import SIZES, WAYS, Remain, remain
from tacita.study.query_logs.rivals import RivalRow, figure, rivals
from tacita.study.query_logs.study import _shares, querylog


@pytest.fixture(scope="module")
def small() -> LogMaterial:
    return material((), seed=1, users=120)


@pytest.fixture(scope="module")
def found(small: LogMaterial) -> Remain:
    return remain(small, seed=1)


def test_the_published_method_keeps_more_than_its_bound(found: Remain) -> None:
    for j, k in enumerate(SIZES):
        assert (found.by_level[:, j] > 90 / k).all()  # of 120 users few are alike; the study itself asks for 100 / k
        assert (found.all_levels[0, j] > found.all_levels[1, j]).all()  # than groups at random
        assert found.smallest[j] >= k
    assert (found.seconds > 0).all()
    assert found.all_levels.shape == (len(WAYS), len(SIZES), LEVELS)


def test_queries_are_classified_less_often_the_deeper(small: LogMaterial) -> None:
    shares = _shares(small)
    assert (np.diff(shares) <= 1e-9).all()
    assert shares[0] > 80
    ranked = small.ranked_first(2)
    assert ranked is not None
    assert ranked > 80


def test_every_rival_has_a_row(small: LogMaterial, tmp_path: Path) -> None:
    rows = rivals(small, seed=1, wordnet=tmp_path / "none")
    assert len(rows) == 10
    for row in rows:
        assert (row.card is None) == ("WordNet" in row.words) == bool(row.note)
    safe = next(row for row in rows if row.words.startswith("semantic, safe"))
    assert figure(safe, "lonely_queries") == 0
    assert figure(safe, "semantic_remain", "level_1") > figure(safe, "semantic_remain", "level_5")
    assert np.isnan(figure(RivalRow("none", None), "lines_kept"))


def test_the_figures_can_be_drawn(small: LogMaterial, found: Remain) -> None:
    figures = querylog_figures(_shares(small), found)
    assert [one.name for one in figures] == ["figure-2", "figure-3", "figure-4", "levels"]
    for one in figures:
        one.chart.to_dict()


def test_a_log_of_ones_own(tmp_path: Path) -> None:
    made = tc.samples.query_log(40, seed=2)
    write_log(made.log, tmp_path / "log.tsv")
    TopicIndex.build(made.directory, tmp_path / "topics")
    own = material((str(tmp_path / "log.tsv"), str(tmp_path / "topics")), seed=1)
    assert len(own.log) == len(made.log)
    assert own.ranked_first(2) is None
    with pytest.raises(ParameterError, match="a log and a topic directory"):
        material((str(tmp_path / "log.tsv"),), seed=1)


@pytest.mark.slow
def test_the_study_keeps_its_promises(tmp_path: Path) -> None:
    result = querylog.run(replicates=1, output=tmp_path / "out")
    assert result.kept_promises
    assert "–" not in result.tables[1].rows[-1], "WordNet is measured"
    assert find_study("querylog") is querylog
    assert {path.name for path in result.files} >= {"figure-2.svg", "figure-3.png", "querylog.html"}

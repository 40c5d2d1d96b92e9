"""Files of a study: every figure twice, one page, and an error that names the directory."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacita.core.errors import FileError
from tacita.report.deviation_lines import DeviationLine, deviation_chart
from tacita.report.study_page import PageFigure
from tacita.study.base import StudyFinding, StudyTable
from tacita.study.pages import write_study

CHART = deviation_chart([DeviationLine("one", (0.2, 0.6, 0.2))], title="t")
PARTS = {
    "figures": [PageFigure("picture", "A caption.", "A description.", CHART)],
    "findings": [StudyFinding("a quantity", "a setting", (1.0,))],
    "tables": [StudyTable("A table", ("x",), (("1",),))],
    "notes": ("A note.",),
}


def test_figures_and_page(tmp_path: Path) -> None:
    made = write_study(tmp_path / "new" / "deep", "trial", "Title", **PARTS)  # type: ignore[arg-type]
    assert [path.name for path in made] == ["picture.svg", "picture.png", "trial.html"]
    text = made[-1].read_text()
    for words in ("A caption.", "A description.", "a quantity", "A table", "A note."):
        assert words in text
    assert made[1].read_bytes().startswith(b"\x89PNG")
    again = write_study(tmp_path / "new" / "deep", "trial", "Title", **PARTS)  # type: ignore[arg-type]
    assert again[-1].read_text() == text


def test_a_file_in_the_way_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    with pytest.raises(FileError, match="'taken' cannot be made"):
        write_study(tmp_path / "taken", "trial", "Title", **PARTS)  # type: ignore[arg-type]

"""Campaigns on the screen and on disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from tacita.attack.judge.campaign import Campaign
from tacita.attack.judge.grade import Grade
from tacita.cli.attacks.campaigns import EXIT_OF_CAMPAIGN, show_campaign, write_campaign
from tacita.core.errors import FileError


def found() -> Campaign:
    held = Grade(attack="hidden_cells", target="the table", victims=10, of=10, success=0.1, baseline=0.1)
    left = Grade(attack="rounded_cells", target="the table", reason="Nothing is rounded.")
    return Campaign(against="table", target="the table", grades=(held, left), scenario="the sums", notes=("A note.",))


def test_what_was_not_tried_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    show_campaign(found())
    shown = capsys.readouterr()
    assert "PASSED: the table" in shown.out
    for words in ("rounded_cells: not run; Nothing is rounded.", "The attackers know: the sums.", "A note."):
        assert words in shown.err
    assert EXIT_OF_CAMPAIGN[found().state] == 0


def test_nothing_of_somebody_else_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear", encoding="utf-8")
    with pytest.raises(FileError):
        write_campaign(found(), tmp_path / "mine", overwrite=True)
    assert (tmp_path / "mine" / "letter.txt").read_text(encoding="utf-8") == "dear"
    assert write_campaign(found(), tmp_path / "new", overwrite=False).name == "attack.html"

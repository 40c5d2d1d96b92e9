"""Notes on the command line: what a default did is told as a note, not as a warning."""

from __future__ import annotations

import pytest

from tacita.cli import output
from tacita.core.errors import TacitaNote, TacitaWarning


@pytest.mark.parametrize(
    ("category", "prefix"), [(TacitaNote, "Note"), (TacitaWarning, "Warning"), (FutureWarning, "Future")]
)
def test_what_is_told_has_its_word(category: type[Warning], prefix: str, capsys: pytest.CaptureFixture[str]) -> None:
    output.show_warning(category("households stay together"), category, "file.py", 1)
    told = " ".join(capsys.readouterr().err.split())
    assert told.startswith(prefix)
    assert told.endswith("households stay together")

"""The look-up form: there and back, and files that are none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tacita.core.errors import FileError, ParameterError
from tacita.tables.perturbation.lookup_form import noise_of_lookup
from tacita.tables.perturbation.transition_matrix import TransitionMatrix


def test_there_and_back(tmp_path: Path) -> None:
    made = TransitionMatrix.published(D=5)
    rows = made.lookup()
    assert [row.upper for row in rows if row.i == 1] == [pytest.approx(2 / 3), 1.0]
    back = TransitionMatrix.read(made.write(tmp_path / "matrix.csv"))
    assert (back.D, back.forbidden) == (5, (1, 2))
    assert abs(back.V - 2) < 1e-12
    assert np.abs(back.noise - made.noise).max() < 1e-15


def test_the_form_of_other_tools_is_read(tmp_path: Path) -> None:
    """Semicolons, quotes, decimal commas, more columns in another order."""
    path = tmp_path / "ptable.csv"
    path.write_text('"i";"j";"v";"p";"type"\n0;0;0;1;"all"\n1;0;-1;0,5;"all"\n1;2;1;0,5;"all"\n', encoding="utf-8")
    made = TransitionMatrix.read(path)
    assert made.noise.tolist() == [[0, 1, 0], [0.5, 0, 0.5]]


@pytest.mark.parametrize(
    ("text", "words"),
    [("a,b\n1,2\n", "columns i, j and p"), ("i,j,p\n0,x,1\n", "numbers as i, j and p"), ("i,j,p\n0\n", "numbers")],
)
def test_other_files_are_refused(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "x.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FileError, match=words):
        TransitionMatrix.read(path)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="cannot be read"):
        TransitionMatrix.read(tmp_path / "no.csv")


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([(0, 0, 1.0), (2, 2, 1.0)], "without a gap"),
        ([], "without a gap"),
        ([(0, 0, 0.5), (0, 0, 0.5)], "once"),
        ([(0, 0, 1.0), (1, 1, 0.5)], "sum to 1"),
        ([(0, 0, 1.0), (1, -1, 1.0)], "from 0 up"),
    ],
)
def test_rows_that_are_no_matrix_are_refused(rows: list[tuple[int, int, float]], words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        noise_of_lookup(rows)

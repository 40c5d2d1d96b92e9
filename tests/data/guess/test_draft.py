"""Drafts: readable, with reasons as comments, and the same schema when read again, whatever stands in names and notes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa

from tacita.data.describe import describe
from tacita.data.microdata import Microdata
from tacita.data.schema import Column, Schema
from tacita.data.schema_file import schema_from_toml

N = 300
RNG = np.random.default_rng(5)


def drafted(columns: dict[str, object]) -> tuple[str, object]:
    found = describe(Microdata.from_frame(pa.table(columns)))
    return found.draft_toml(), found.draft_schema()


def test_each_guess_has_its_reason() -> None:
    text, _ = drafted({"q1": RNG.integers(1, 5, N), "income": RNG.integers(100, 9999, N)})
    lines = [line for line in text.splitlines() if line.startswith(("role", "scale"))]
    assert all(" # " in line for line in lines)
    assert "few whole numbers (4); else ordinal or numeric" in text


def test_suspected_codes_are_a_line_to_uncomment() -> None:
    text, _ = drafted({"income": np.where(np.arange(N) % 9, RNG.integers(100, 9999, N), -9)})
    line = next(line for line in text.splitlines() if line.startswith("# missing"))
    active = text.replace(line, line[2:])
    assert schema_from_toml(active)["income"].missing == (-9,)


def test_a_draft_reads_back_whatever_the_names(tmp_path: Path) -> None:
    text, schema = drafted(
        {'a "b"\n# c': RNG.integers(1, 4, N), "état civil": ["x", "y", "z"] * (N // 3), "": range(N)}
    )
    (tmp_path / "draft.toml").write_text(text, encoding="utf-8")
    assert schema_from_toml(tmp_path / "draft.toml") == schema


def test_labels_with_line_ends_stay_in_their_comment() -> None:
    found = Microdata.from_frame(pa.table({"x": ["yes", "no", "don't\nknow", "?"] * 20}))
    assert schema_from_toml(describe(found).draft_toml())["x"].scale == "nominal"


def test_control_characters_of_labels_do_not_break_the_draft() -> None:
    column = Column(name="x", scale="numeric", labels=((1, "yes"), (2, "no"), (8, "don\x1bt know")))
    found = describe(Microdata(pa.table({"x": [1, 2, 8] * 20}), Schema((column,))))
    assert "don?t know" in found.draft_toml()
    assert schema_from_toml(found.draft_toml()) == found.draft_schema()


def test_the_order_of_words_is_written() -> None:
    text, _ = drafted({"health": ["good", "bad", "fair"] * (N // 3)})
    assert schema_from_toml(text)["health"].categories == ("bad", "fair", "good")

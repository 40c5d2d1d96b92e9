"""The static server: answers as files, nothing else told, everything else refused."""

import csv
import io
import json
import stat
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from tacita.core.errors import FileError
from tacita.data.microdata import Microdata
from tacita.query import Quantiles, Regress, Statistic, Tabulate, Universe
from tacita.query.restrictions import SetSize, TableSize
from tacita.query.steward import static
from tacita.query.steward.static import StaticRelease, static_answers
from tests.query.builders import opened, policy_of, survey

ASKED = [
    Tabulate(by=["sex", "region"]),
    Tabulate(by=["urban"], where={"sex": ["female"], "urban": ["city", "town"]}),
    Tabulate(by=["region"], response="income", statistic="mean"),
    Regress(response="income", predictors=["age", "sex"]),
    Quantiles(response="income"),
    Statistic(response="income", statistic="mean"),
    Tabulate(by=["urban"], where={"birth_country": "Fiji"}),
]
POLICY = policy_of(TableSize(), SetSize(k=20))


@pytest.fixture(scope="module")
def release() -> StaticRelease:
    return static_answers(
        opened(survey(2000), POLICY, cutpoints=opened(survey(2000), "tables").policy.part("cutpoints")), ASKED
    )


def test_what_was_answered_is_answered_again_from_files(release: StaticRelease, tmp_path: Path) -> None:
    back = StaticRelease.read(release.write(tmp_path / "out"))
    assert len(back) == len(release) == 6
    for request in ASKED[:6]:
        assert back.ask(request).to_json() == release.ask(request).to_json()
    table = back.ask(ASKED[0]).table
    assert table.shape == (2, 12)
    assert np.array_equal(table.values, release.ask(ASKED[0]).table.values)
    assert back.ask(ASKED[3]).model["response"] == "income"
    assert back.refused == ()
    assert repr(back) == "StaticRelease: 6 answers"


def test_it_needs_neither_database_nor_journal(tmp_path: Path) -> None:
    db = opened(survey(600), POLICY, journal=tmp_path / "journal.jsonl")
    made = static_answers(db, ASKED[:2], user="steward")
    entries = [entry for entry in db.journal.entries() if entry.kind == "request"]
    assert [entry.status for entry in entries] == ["answered", "answered"]
    made.write(tmp_path / "out")
    before = db.journal.head()
    back = StaticRelease.read(tmp_path / "out")
    assert back.ask(ASKED[0]).status == "answered"
    assert db.journal.head() == before


def test_every_wording_finds_the_answer(release: StaticRelease) -> None:
    other = Universe({"sex": "female", "urban": "town"}) | Universe({"urban": ["city"], "sex": ["female"]})
    assert release.ask(Tabulate(by=["urban"], where=other)).id == release.ask(ASKED[1]).id
    assert release.ask(ASKED[1].to_json()).id == release.ask(ASKED[1]).id
    everybody = Tabulate(by=["sex", "region"], where={"sex": ["male", "female"]})
    assert release.ask(everybody).status == "answered"


@pytest.mark.parametrize(
    "request_",
    [
        Tabulate(by=["sex"]),
        Tabulate(by=["region", "sex"]),
        ASKED[6],
        Tabulate(by=["nobody"]),
        Tabulate(by=["sex"], where={"sex": "x"}),
        "no json",
        {"kind": "sql"},
    ],
)
def test_everything_else_is_not_offered(release: StaticRelease, request_: object) -> None:
    """Whether it was refused, never asked or cannot be understood: all look the same."""
    answer = release.ask(request_)  # type: ignore[arg-type]
    assert (answer.status, answer.reasons, answer.hint, answer.table) == ("refused", ("not_offered",), "", None)


def test_refusals_are_for_the_steward_alone(release: StaticRelease, tmp_path: Path) -> None:
    folder = release.write(tmp_path / "out")
    internal = json.loads((folder / "internal" / "refused.json").read_text(encoding="utf-8"))
    assert [(row["rules"], row["request"]["where"]) for row in internal] == [
        (["set_size"], {"birth_country": ["Fiji"]})
    ]
    for path in (folder / "public").rglob("*.*"):
        assert "set_size" not in path.read_text(encoding="utf-8")
    index = (folder / "public" / "index.json").read_text(encoding="utf-8")
    assert "Fiji" not in index
    assert stat.S_IMODE((folder / "internal").stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / "internal" / "refused.json").stat().st_mode) == 0o600


def test_tables_are_csv_too(release: StaticRelease, tmp_path: Path) -> None:
    folder = release.write(tmp_path / "out") / "public"
    index = json.loads((folder / "index.json").read_text(encoding="utf-8"))["answers"]
    (row,) = [row for row in index if row["request"] == {"kind": "tabulate", "by": ["sex", "region"]}]
    lines = list(csv.reader(io.StringIO((folder / row["table"]).read_text(encoding="utf-8"))))
    table = release.ask(ASKED[0]).table
    assert lines[0] == ["sex", "region", "count"]
    assert [int(line[2]) for line in lines[1:]] == table.values.ravel().astype(int).tolist()
    assert sorted(row["file"] for row in index) == [f"answers/{i:05d}.json" for i in range(1, 7)]


def test_a_class_that_a_spreadsheet_would_run_is_made_harmless(tmp_path: Path) -> None:
    data = Microdata.from_frame(pa.table({"name": ["=1+1", "-2", "b"] * 10}), keys=["name"])
    made = static_answers(opened(data, policy_of(TableSize())), [Tabulate(by=["name"])])
    text = (made.write(tmp_path / "out") / "public" / "answers" / "00001.csv").read_text(encoding="utf-8")
    assert text == "name,count\n-2,10\n'=1+1,10\nb,10\n"
    assert StaticRelease.read(tmp_path / "out").ask(Tabulate(by=["name"])).table[{"name": "=1+1"}] == 10


def test_the_same_answers_are_the_same_bytes_in_any_order(release: StaticRelease, tmp_path: Path) -> None:
    db = opened(survey(600), POLICY)
    one = static_answers(db, ASKED[:3]).write(tmp_path / "one")
    two = static_answers(db, ASKED[2::-1]).write(tmp_path / "two")
    files = sorted(path.relative_to(one) for path in (one / "public").rglob("*.*"))
    assert files == sorted(path.relative_to(two) for path in (two / "public").rglob("*.*"))
    assert all((one / file).read_bytes() == (two / file).read_bytes() for file in files)


def test_it_is_written_whole_or_not_at_all(
    release: StaticRelease, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "out"

    def fails(*_: object) -> None:
        raise FileError("The disk is full.")

    monkeypatch.setattr(static, "put_documents", fails)
    with pytest.raises(FileError, match="full"):
        release.write(target)
    assert list(tmp_path.iterdir()) == []
    monkeypatch.undo()
    release.write(target)
    with pytest.raises(FileError, match=r"exists|is there"):
        release.write(target)
    release.write(target, overwrite=True)
    assert len(StaticRelease.read(target)) == 6


def test_damaged_files_are_refused(release: StaticRelease, tmp_path: Path) -> None:
    public = release.write(tmp_path / "out") / "public"
    with pytest.raises(FileError, match="cannot be read"):
        StaticRelease.read(tmp_path / "nothing")
    index = json.loads((public / "index.json").read_text(encoding="utf-8"))
    for place in ("../internal/refused.json", "/etc/hostname", "answers/../index.json"):
        index["answers"][0]["file"] = place
        (public / "index.json").write_text(json.dumps(index), encoding="utf-8")
        with pytest.raises(FileError, match="none of the answers"):
            StaticRelease.read(tmp_path / "out")
    (public / "index.json").write_text('{"form": "other"}', encoding="utf-8")
    with pytest.raises(FileError, match="none of a static release"):
        StaticRelease.read(public)
    release.write(tmp_path / "two")
    answer = tmp_path / "two" / "public" / "answers" / "00001.json"
    answer.write_text('{"status": "refused", "id": "", "request": {}}', encoding="utf-8")
    with pytest.raises(FileError, match="something else than an answer"):
        StaticRelease.read(tmp_path / "two")
    answer.write_text("[1]", encoding="utf-8")
    with pytest.raises(FileError, match="another form"):
        StaticRelease.read(tmp_path / "two")

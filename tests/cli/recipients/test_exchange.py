"""``tacita exchange``: office, recipient and judge as three people with files between them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.test_verbs import tacita
from tests.release.recipients.material import write_release


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Offers to three recipients, with few symbols, which are enough for one leaker."""
    place = tmp_path_factory.mktemp("office")
    write_release(place, 400)
    (place / "names.txt").write_text("University\nBank\nMinistry\n", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tacita.cli.recipients.fingerprint._THEIR_SYMBOLS", 36)
        patch.setattr("tacita.release.recipients.plan.MOST_EXCHANGED", 36)
        done = tacita(
            "fingerprint", place / "release", "-o", place / "copies", "--recipients", place / "names.txt",
            "--original", place / "firms.csv", "--coalition", 1, "--asymmetric",
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "3 offers" in done.stderr
    tacita("key", "new", place / "bank.key")
    return place


@pytest.fixture(scope="module")
def bank(office: Path) -> Path:
    """The bank's file, by request and answer."""
    offer = office / "copies/offers/0002-bank/offer.json"
    done = tacita("exchange", "request", offer, "--key", office / "bank.key", "-o", office / "request.json")
    assert done.returncode == 0, done.stderr
    done = tacita("exchange", "answer", office / "request.json", "-r", office / "copies", "-o", office / "answer")
    assert done.returncode == 0, done.stderr
    how = ["--offer", offer, "--key", office / "bank.key", "-o", office / "mine.csv"]
    done = tacita("exchange", "open", office / "answer", *how)
    assert done.returncode == 0, done.stderr
    assert "is there already" in tacita("exchange", "open", office / "answer", *how).stderr
    return office / "mine.csv"


def test_a_leak_is_traced_and_judged(office: Path, bank: Path) -> None:
    assert not (office / "copies/copies").exists()
    assert "copy of 'Bank'" in tacita("trace", bank, "-r", office / "copies").stderr
    how = ["-r", office / "copies", "--request", office / "request.json", "--answer", office / "answer"]
    done = tacita("exchange", "judge", bank, *how, "--key", office / "bank.key", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["is_guilty"]
    done = tacita("exchange", "judge", office / "release/public/data.csv", *how, "--key", office / "bank.key")
    assert done.returncode == 3
    assert "does not show" in done.stderr


def test_nobody_is_answered_twice_with_other_choices(office: Path, bank: Path, tmp_path: Path) -> None:
    """Neither after the offers were written anew; the same request gets the same answer."""
    again = tacita("exchange", "answer", office / "request.json", "-r", office / "copies", "-o", tmp_path / "again")
    assert again.returncode == 0, again.stderr
    for name in ("answer.json", "data.csv"):
        assert (tmp_path / "again" / name).read_bytes() == (office / "answer" / name).read_bytes()
    (tmp_path / "more.txt").write_text("Latecomer\n")
    done = tacita(
        "fingerprint", office / "release", "-o", office / "copies", "--recipients", tmp_path / "more.txt", "--add"
    )
    assert done.returncode == 0, done.stderr
    tacita("key", "new", tmp_path / "other.key")
    offer = office / "copies/offers/0002-bank/offer.json"
    tacita("exchange", "request", offer, "--key", tmp_path / "other.key", "-o", tmp_path / "second.json")
    done = tacita("exchange", "answer", tmp_path / "second.json", "-r", office / "copies", "-o", tmp_path / "second")
    assert done.returncode == 2
    assert "has had the answer to another request" in done.stderr
    assert not (tmp_path / "second").exists()
    assert bank.exists()


def test_wrong_files_cost_a_sentence(office: Path, tmp_path: Path) -> None:
    offer = office / "copies/offers/0001-university/offer.json"
    (tmp_path / "text.json").write_text("[1]")
    (tmp_path / "broken.json").write_text('{"kind": "offer"')
    own = ["--key", office / "bank.key", "-o", tmp_path / "out"]
    for file, words in (
        ("text.json", "holds no message"),
        ("broken.json", "offer"),
        ("nowhere.json", "cannot be read"),
    ):
        done = tacita("exchange", "request", tmp_path / file, *own)
        assert done.returncode == 2
        assert words in done.stderr
    done = tacita("exchange", "answer", offer, "-r", office / "copies", "-o", tmp_path / "out")
    assert "must be a request" in done.stderr
    done = tacita("exchange", "open", office / "release", "--offer", offer, *own)
    assert "must be the directory of an answer" in done.stderr
    assert list(tmp_path.glob("out*")) == []

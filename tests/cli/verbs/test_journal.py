"""``tacita journal``: verify, head and show as a steward calls them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tacita.cli.verbs.journal import EXIT
from tests.cli.test_verbs import tacita
from tests.query.journal.children import KEY, OTHER, written


@pytest.fixture
def path(tmp_path: Path) -> Path:
    KEY.write(tmp_path / "key")
    OTHER.write(tmp_path / "other")
    return written(tmp_path / "journal.jsonl", 4).path


def test_verify_ends_with_the_state(path: Path) -> None:
    head = tacita("journal", "head", path).stdout.strip()
    key = path.with_name("key")
    alone, keyed = tacita("journal", "verify", path), tacita("journal", "verify", path, "--key", key)
    anchored = tacita("journal", "verify", path, "--anchor", head)
    assert (alone.returncode, keyed.returncode, anchored.returncode) == (EXIT["consistent"], 0, 0)
    assert "journal.jsonl: CONSISTENT, entries: 5" in alone.stdout
    assert "computed anew looks the same" in alone.stderr
    assert "VERIFIED" in keyed.stdout
    assert f"Anchor: {head}" in anchored.stderr
    plain = tacita("journal", "verify", path, "--key", key, "--anchor", head, "--json")
    assert json.loads(plain.stdout) == {
        "state": "verified", "entries": 5, "head": head, "flaws": [], "more": 0, "notes": [],
    }  # fmt: skip


def test_verify_finds_what_was_done(path: Path) -> None:
    head = tacita("journal", "head", path).stdout.strip()
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]))
    cut = tacita("journal", "verify", path, "--anchor", head)
    assert cut.returncode == EXIT["broken"] == 3
    assert "it was cut off" in cut.stdout
    path.write_bytes(b"".join(lines).replace(b'"answered"', b'"refused2"', 1))
    changed = tacita("journal", "verify", path, "--json")
    assert changed.returncode == 3
    assert json.loads(changed.stdout)["flaws"] == [{"line": 3, "what": "entry 2: its content was changed"}]
    path.write_bytes(b"".join(lines))
    wrong = tacita("journal", "verify", path, "--key", path.with_name("other"))
    assert wrong.returncode == 3
    assert "key of another database" in wrong.stderr
    path.write_bytes(b"{}\n" * 30)
    assert "Further flaws that are not shown: 10." in tacita("journal", "verify", path).stderr


def test_show_has_pseudonyms_and_counts(path: Path) -> None:
    shown = tacita("journal", "show", path, "--last", 2)
    assert shown.returncode == 0
    assert "entries: 5, shown: 2" in shown.stdout
    assert "universe_gamma deny" in shown.stdout
    assert "user 0" not in shown.stdout
    assert "status: answered 2, refused 2" in shown.stderr
    assert "rule minimum_size: allow 4" in shown.stderr
    plain = json.loads(tacita("journal", "show", path, "--status", "answered", "--json").stdout)
    assert [entry["number"] for entry in plain["entries"]] == [2, 4]
    assert plain["count"] == 2
    named = tacita("journal", "show", path, "--user", "user 1", "--key", path.with_name("key"), "--json")
    assert [entry["number"] for entry in json.loads(named.stdout)["entries"]] == [2, 4]
    none = tacita("journal", "show", path, "--rule", "other")
    assert "entries: 0" in none.stdout
    assert "status: none" in none.stderr


def test_head_is_one_line(path: Path) -> None:
    done = tacita("journal", "head", path)
    assert done.stdout.startswith("4:")
    assert len(done.stdout) == 2 + 64 + 1
    assert json.loads(tacita("journal", "head", path, "--json").stdout) == {"anchor": done.stdout.strip()}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["verfy"], "must be one of verify, head, show, answers, got 'verfy'. Did you mean 'verify'?"),
        (["head", "--last", "3"], "'tacita journal head' must not have --last"),
        (["verify", "--status", "answered"], "must not have --status"),
        (["show", "--anchor", "1:0"], "must not have --anchor"),
        (["verify", "--anchor", "5"], "An anchor must be"),
        (["verify", "--key", "none"], "The key file 'none' cannot be read"),
    ],
)
def test_bad_input_is_one_sentence(words: list[str], sentence: str, path: Path) -> None:
    done = tacita("journal", words[0], path, *words[1:])
    assert done.returncode == 2
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    for action in ("verify", "head", "show"):
        done = tacita("journal", action, tmp_path / "none")
        assert done.returncode == 2
        assert "The journal 'none' cannot be opened: No such file" in done.stderr


def test_answers_are_made_again(tmp_path: Path) -> None:
    import tacita as tc

    people = tc.samples.household_survey(300, seed=1)
    tc.write(people, tmp_path / "people.csv")
    people.schema.write(tmp_path / "people.toml")
    KEY.write(tmp_path / "key")
    options = {"schema": tmp_path / "people.toml", "policy": "tables", "key": tmp_path / "key"}
    db = tc.query.open(tmp_path / "people.csv", journal=tmp_path / "journal", **options)  # type: ignore[arg-type]
    left = db.ask({"kind": "tabulate", "by": ["sex"]}).to_plain()
    given = [word for name, value in options.items() for word in (f"--{name}", value)]
    found = tacita(
        "journal", "answers", tmp_path / "journal", "--data", tmp_path / "people.csv", *given, "-o", tmp_path / "a.json"
    )
    assert found.returncode == 0
    assert "1 answers were made again" in found.stdout
    assert json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))["answers"] == [left]
    lacking = tacita("journal", "answers", tmp_path / "journal", "--data", tmp_path / "people.csv")
    assert lacking.returncode != 0
    assert "--data, --key and --output" in lacking.stderr

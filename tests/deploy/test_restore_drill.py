"""The drill: a server is backed up while it is asked, killed, and restored elsewhere; nothing that was told is told otherwise."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path

import tacita as tc
from tacita.core.keyed import Key
from tacita.query.journal.reading import last_anchor
from tacita.query.journal.verify import verify
from tacita.web.accounts import open_accounts
from tacita.web.backup import backup, restore
from tests.deploy.running import RunningServer, serving
from tests.deploy.site import make_site, put_data

QUESTIONS = [
    {"by": ["sex"]},
    {"by": ["urban", "sex"]},
    {"by": ["sex"], "where": {"urban": ["city"]}},
    {"by": ["education"], "response": "income", "statistic": "mean"},
    {"by": ["sex"], "where": {"education": ["doctorate"], "urban": ["rural"]}},
]
"""Four that are answered, and one that is refused."""
REGIONS = 12


def asked_meanwhile(server: RunningServer, token: str, ends: threading.Event, got: list[bytes]) -> None:
    """Ask one question after the other until told to stop."""
    for number in range(500):
        if ends.is_set():
            return
        said = server.ask(
            {"by": ["sex", "marital"], "where": {"urban": [("city", "town", "rural")[number % 3]]}}, token
        )
        assert said.status_code in (200, 403)
        got.append(said.content)


def spent(accounts: Path) -> dict[tuple[str, str], int]:
    with open_accounts(accounts, create=False) as opened:
        return {(row.scope, row.subject): row.spent for row in opened.spending()}


def test_a_server_is_restored_from_a_backup_made_under_questions(tmp_path: Path) -> None:
    data = tc.samples.household_survey(2000, seed=1)
    old, new = tmp_path / "old", tmp_path / "new"
    settings = make_site(old, data)
    with open_accounts(old / "accounts.sqlite") as accounts:
        token = accounts.new_token(user="ann", role="researcher", datasets=("survey",)).text

    with serving(settings) as server:
        before = [server.ask(question, token) for question in QUESTIONS]
        assert [said.status_code for said in before] == [200] * 4 + [403]
        spent_before, anchor = spent(old / "accounts.sqlite"), last_anchor(old / "survey.journal")
        ends, meanwhile = threading.Event(), []
        asker = threading.Thread(target=asked_meanwhile, args=(server, token, ends, meanwhile), daemon=True)
        asker.start()
        try:
            parts = backup(
                tmp_path / "copy",
                keys=[old / "survey.key"],
                journals=[old / "survey.journal"],
                accounts=old / "accounts.sqlite",
            )
        finally:
            ends.set()
            asker.join(60)
        assert meanwhile
        assert [part.kind for part in parts] == ["key", "journal", "accounts"]
        server.kill()

    restored = restore(tmp_path / "copy", new, anchor=str(anchor))
    for name in ("survey.toml", "policy.toml"):
        shutil.copy(old / name, new / name)
    settings = put_data(new, data, "survey.parquet", key="keys/survey.key", journal="journals/survey.journal")
    shutil.rmtree(old)

    journal, key = new / "journals" / "survey.journal", Key.read(new / "keys" / "survey.key")
    assert verify(journal, key=key, anchor=anchor).state == "verified"
    assert any("forgotten" in note for note in restored.notes)
    now = spent(new / "accounts.sqlite")
    assert all(now[who] >= number for who, number in spent_before.items())

    with serving(settings) as server:
        after = [server.ask(question, token) for question in QUESTIONS]
        assert [(said.status_code, said.content) for said in after] == [
            (said.status_code, said.content) for said in before
        ]
        assert server.ask(QUESTIONS[0], "tacita_none").status_code == 401
        again = server.get(before[0].headers["location"])
        assert again.content == before[0].content
    assert spent(new / "accounts.sqlite")["user", "ann"] == now["user", "ann"] + len(QUESTIONS)
    assert verify(journal, key=key, anchor=anchor).state == "verified"

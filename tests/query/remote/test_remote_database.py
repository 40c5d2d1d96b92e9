"""A database on a server: the same answers as here, and clear errors for whatever else a server says."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest

import tacita as tc
from tacita.core.errors import ParameterError, TacitaError
from tacita.core.progress import show_progress
from tacita.query.database import Database
from tacita.query.remote.remote_database import RemoteDatabase, connect
from tacita.query.remote.remote_error import RemoteError
from tacita.query.requests import Correlate, Quantiles, QueryRequest, Regress, Residuals, Statistic, Tabulate
from tacita.query.restrictions import Combinations, SetSize, TableSize
from tests.core.test_progress import Recorder
from tests.query.builders import fresh, opened, policy_of, survey
from tests.query.remote.fake_server import TOKEN, FakeServer, refusal, serving

MODEL: dict[str, Any] = {"response": "income", "predictors": ["age", "sex"]}
REQUESTS: list[QueryRequest] = [
    Tabulate(by=["sex", "region"]),
    Tabulate(by=["health"], statistic="mean", response="income"),
    Tabulate(by=["urban"], statistic="percent", where={"sex": ["female"]}),
    Statistic(response="income", statistic="mean"),
    Quantiles(response="income"),
    Correlate(columns=["income", "age"]),
    Regress(**MODEL),
    Residuals(**MODEL),
    Residuals(**MODEL, plots="binned"),
    Tabulate(by=["sexx"]),
    Tabulate(by=["sex", "region", "health", "urban"]),
]


@pytest.fixture(scope="module")
def database() -> Database:
    rules = (TableSize(cells=200, dimensions=3), SetSize(k=5))
    return opened(survey(), policy_of(*rules), cutpoints=tc.query.cutpoints.FixedWidth(minimum=100))


@pytest.fixture
def server(database: Database) -> Iterator[FakeServer]:
    with serving({"survey": fresh(database)}) as fake:
        yield fake


@pytest.fixture
def remote(server: FakeServer) -> Iterator[RemoteDatabase]:
    with connect(server.url, TOKEN, timeout=5) as made:
        server.asked.clear()
        yield made


@pytest.fixture
def pauses(remote: RemoteDatabase) -> list[float]:
    """Pauses of the client, which are noted and not slept."""
    found: list[float] = []
    remote._sleep = found.append
    return found


# --- the same as here -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda request: request.kind)
def test_answers_are_those_of_the_database(remote: RemoteDatabase, database: Database, request_: QueryRequest) -> None:
    here, there = fresh(database).ask(request_), remote.ask(request_, user="somebody")
    assert there.to_plain() == here.to_plain()
    for part in ("table", "model", "plots"):
        assert type(getattr(there, part)) is type(getattr(here, part))
    if here.table is not None:
        assert there.table.to_rows() == here.table.to_rows()


def test_the_requests_above_have_answers_of_every_kind(database: Database) -> None:
    found = [fresh(database).ask(request) for request in REQUESTS]
    assert [answer.status for answer in found] == ["answered"] * 9 + ["refused"] * 2
    assert {part for answer in found for part in answer.to_plain()} >= {"table", "model", "plots", "value", "quantiles"}


def test_a_question_may_be_json(remote: RemoteDatabase) -> None:
    request = Tabulate(by=["sex"])
    found = [remote.ask(form) for form in (request, request.to_plain(), request.to_json(), request.to_json().encode())]
    assert len({answer.to_json() for answer in found}) == 1
    assert found[0].status == "answered"


def test_what_is_no_question_is_refused_as_here(remote: RemoteDatabase, server: FakeServer, database: Database) -> None:
    here, there = fresh(database).ask('{"kind": "guess"}'), remote.ask('{"kind": "guess"}')
    assert (there.status, there.reasons, there.hint) == (here.status, here.reasons, here.hint)
    assert server.asked == []


def test_the_catalogue_is_that_of_the_database(remote: RemoteDatabase, server: FakeServer, database: Database) -> None:
    assert remote.catalogue.to_plain() == database.catalogue.to_plain()
    assert remote.catalogue["sex"].classes == ("female", "male")
    assert len(server.asked) == 1


def test_data_sets_are_listed(remote: RemoteDatabase) -> None:
    (found,) = remote.datasets()
    assert (found.name, found.title, found.version, found.records) == ("survey", "Survey", "1", None)
    assert "tabulate" in found.requests


def test_an_answer_is_given_again_by_its_id(remote: RemoteDatabase) -> None:
    first = remote.ask(Tabulate(by=["sex"]))
    again = remote.answer(first.id)
    assert again is not None
    assert again.to_json() == first.to_json()
    assert remote.answer("0" * 32) is None
    with pytest.raises(ParameterError, match="'id'"):
        remote.answer("../../datasets")


def test_a_person_may_have_to_look_at_it() -> None:
    with serving({"survey": opened(survey(), policy_of(Combinations(ask=[["sex", "health"]])))}) as server:
        answer = connect(server.url).ask(Tabulate(by=["sex", "health"]))
    assert (answer.status, answer.reasons) == ("review", ("combinations",))


def test_threads_ask_at_the_same_time(remote: RemoteDatabase, server: FakeServer) -> None:
    found: dict[int, str] = {}

    def ask(number: int) -> None:
        found[number] = remote.ask(REQUESTS[number % 3]).to_json()

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[i] == found[i + 3] for i in range(3)] == [True] * 3
    assert len({found[i] for i in range(3)}) == 3


def test_a_remote_answer_is_drawn_as_one_from_here(remote: RemoteDatabase, database: Database) -> None:
    from tacita.report.queries.residuals import residuals_chart

    request = Residuals(**MODEL)
    here = fresh(database).ask(request)
    assert residuals_chart(remote.ask(request).plots).to_dict() == residuals_chart(here.plots).to_dict()


# --- which data set ---------------------------------------------------------------------------------------------------------


def test_a_data_set_is_chosen_by_its_name(database: Database) -> None:
    with serving({"one": database, "dos más": fresh(database)}) as server:
        assert repr(connect(server.url, dataset="one")).startswith("RemoteDatabase: 'one' at http://127.0.0.1")
        none = connect(server.url)
        assert [found.name for found in none.datasets()] == ["one", "dos más"]
        with pytest.raises(ParameterError, match="must be chosen"):
            none.ask(Tabulate(by=["sex"]))
        with pytest.raises(RemoteError, match=r"no data set 'onee'\. Did you mean 'one'"):
            connect(server.url, dataset="onee")


@pytest.mark.parametrize("name", ["", ".", "..", "a\nb", "x" * 300, 7])
def test_names_that_no_data_set_has(name: Any) -> None:
    with pytest.raises(ParameterError, match="'dataset'"):
        connect("http://127.0.0.1:9", dataset=name)


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), float("inf"), True, "60"])
def test_a_timeout_is_a_number_of_seconds(timeout: Any) -> None:
    with pytest.raises(ParameterError, match="'timeout'"):
        connect("http://127.0.0.1:9", timeout=timeout)


def test_a_name_with_signs_stays_one_step_of_the_path(remote: RemoteDatabase, server: FakeServer) -> None:
    remote.dataset = "a/b ?#"
    with pytest.raises(RemoteError, match="no data set"):
        remote.ask(Tabulate(by=["sex"]))
    assert server.asked[0][0] == "POST /datasets/a%2Fb%20%3F%23/tabulate"


# --- tokens -----------------------------------------------------------------------------------------------------------------


def test_a_wrong_token_is_an_error_that_does_not_show_it(server: FakeServer) -> None:
    with pytest.raises(RemoteError, match="must know the token") as found:
        connect(server.url, "tacita_9_wrong")
    assert "wrong" not in repr(found.value) + str(found.value.details)


def test_the_token_is_sent_and_never_shown(remote: RemoteDatabase, server: FakeServer) -> None:
    remote.ask(Tabulate(by=["sex"]))
    assert server.asked[0][2] == f"Bearer {TOKEN}"
    assert TOKEN not in repr(remote) + repr(remote._wire) + repr(remote._wire.address)


@pytest.mark.parametrize(
    "said", [lambda fake: fake.say(403, refusal("scope")), lambda fake: fake.say(
        403, refusal("forbidden"), WWW_Authenticate='Bearer error="insufficient_scope"')],
)  # fmt: skip
def test_a_token_that_is_not_for_this_is_an_error(remote: RemoteDatabase, server: FakeServer, said: Any) -> None:
    said(server)
    with pytest.raises(RemoteError, match="does not open 'survey' to this token"):
        remote.ask(Tabulate(by=["sex"]))


# --- not now ----------------------------------------------------------------------------------------------------------------


def test_a_spent_budget_is_a_refusal(remote: RemoteDatabase, server: FakeServer, pauses: list[float]) -> None:
    server.say(429, refusal("budget"), Retry_After="3600")
    answer = remote.ask(Tabulate(by=["sex"]))
    assert (answer.status, answer.reasons, pauses) == ("refused", ("budget",), [])


def test_a_server_that_is_not_available_is_waited_for(
    remote: RemoteDatabase, server: FakeServer, pauses: list[float]
) -> None:
    server.say(503, refusal("unavailable"), Retry_After="7")
    server.say(503, "<p>restarting", Content_Type="text/html")
    assert remote.ask(Tabulate(by=["sex"])).status == "answered"
    assert pauses[0] == 7
    assert len(pauses) == 2


@pytest.mark.parametrize("asked", ["100000", "60", "1"])
def test_patience_has_an_end(remote: RemoteDatabase, server: FakeServer, pauses: list[float], asked: str) -> None:
    for _ in range(9):
        server.say(503, refusal("unavailable"), Retry_After=asked)
    with pytest.raises(RemoteError, match="available within 120 seconds"):
        remote.ask(Tabulate(by=["sex"]))
    assert sum(pauses) <= 120
    assert len(server.asked) <= 5


def _job(server: FakeServer, *progress: float | None) -> None:
    server.say(202, {"status": "queued", "id": "j1", "location": "/jobs/j1"})
    for done in progress:
        server.say(200, {"status": "running"} | ({} if done is None else {"progress": done}))


def test_a_table_that_comes_later_is_waited_for(
    remote: RemoteDatabase, server: FakeServer, pauses: list[float], database: Database
) -> None:
    recorder = Recorder()
    answer = fresh(database).ask(Tabulate(by=["sex"]))
    _job(server, None, 0.4, 0.2)
    server.say(200, answer.to_plain())
    with show_progress(recorder):
        assert remote.ask(Tabulate(by=["sex"])).to_json() == answer.to_json()
    assert [path for path, _, _ in server.asked] == ["POST /datasets/survey/tabulate", *["GET /jobs/j1"] * 4]
    assert [round(event[1], 9) for event in recorder.events[1:-1]] == [0, 0.4, 0, 0.6]
    assert [recorder.events[0][0], recorder.events[-1][0]] == ["open", "close"]
    assert len(pauses) == 4


def test_a_table_that_comes_later_may_be_refused(
    remote: RemoteDatabase, server: FakeServer, pauses: list[float]
) -> None:
    _job(server)
    server.say(403, refusal("cell_size"))
    assert remote.ask(Tabulate(by=["sex"])).reasons == ("cell_size",)


def test_no_table_is_waited_for_without_end(remote: RemoteDatabase, server: FakeServer, pauses: list[float]) -> None:
    server.say(202, {"status": "queued", "id": "j1", "location": "/jobs/j1"})
    for _ in range(10):
        server.say(200, {"status": "running", "progress": 0.1}, Retry_After="900")
    with pytest.raises(RemoteError, match="finish a table within 3600 seconds"):
        remote.ask(Tabulate(by=["sex"]))
    assert sum(pauses) <= 3600


@pytest.mark.parametrize(
    "location", ["https://elsewhere.example/jobs/1", "//elsewhere/jobs/1", "/jobs/../datasets", "/other/1", "", None, 7]
)
def test_a_job_is_on_the_same_server(remote: RemoteDatabase, server: FakeServer, location: Any) -> None:
    server.say(202, {"status": "queued", "id": "1", "location": location})
    with pytest.raises(RemoteError, match="where a table will be"):
        remote.ask(Tabulate(by=["sex"]))
    assert len(server.asked) == 1


# --- hostile servers --------------------------------------------------------------------------------------------------------

TABLE = {"by": ["sex"], "classes": {"sex": ["f", "m"]}, "statistic": "count", "values": [1, 2]}
GOOD = {"status": "answered", "id": "1", "request": {"kind": "tabulate"}, "table": TABLE}

HOSTILE: dict[str, tuple[int, Any]] = {
    "nothing": (200, ""),
    "no object": (200, []),
    "a number": (200, 7),
    "another kind": (200, GOOD | {"request": {"kind": "statistic"}}),
    "refused with 200": (200, refusal("rule")),
    "answered with 403": (403, GOOD),
    "answered with 202": (202, GOOD),
    "an unknown status": (200, GOOD | {"status": "perhaps"}),
    "no status": (200, {"table": TABLE}),
    "a part that is not known": (200, GOOD | {"surprise": 1}),
    "a wrong table": (200, GOOD | {"table": TABLE | {"values": [1]}}),
    "no table": (200, GOOD | {"table": []}),
    "control characters": (403, refusal("\x1b[2J")),
    "deep": (200, "[" * 100_000),
    "infinite": (200, json.dumps(GOOD).replace("2]", "1e999]")),
    "not a number": (200, json.dumps(GOOD).replace("2]", "NaN]")),
    "long numbers": (200, json.dumps(GOOD).replace("2]", "9" * 5000 + "]")),
    "an error of its own": (500, refusal("error")),
    "an error in another shape": (403, {"detail": "no"}),
    "a redirection": (302, ""),
    "a status of no meaning": (299, GOOD),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_no_answer_is_an_error(remote: RemoteDatabase, server: FakeServer, name: str) -> None:
    status, body = HOSTILE[name]
    server.say(status, body, Location="https://elsewhere.example/")
    with pytest.raises(RemoteError, match=r"must|cannot be reached|valid JSON|too much") as found:
        remote.ask(Tabulate(by=["sex"]))
    assert TOKEN not in str(found.value)
    assert len(server.asked) == 1
    assert remote.ask(Tabulate(by=["sex"])).status == "answered"


def test_the_good_one_is_an_answer(remote: RemoteDatabase, server: FakeServer) -> None:
    server.say(200, GOOD)
    assert remote.ask(Tabulate(by=["sex"])).table[{"sex": "m"}] == 2


@pytest.mark.parametrize(
    "body",
    [
        [], {}, {"variables": []}, {"variables": [7]}, {"variables": [{"name": "a", "uses": [[]]}]},
        {"variables": [{"name": "a", "classes": ["x", "x"], "uses": ["table"]}]},
        {"variables": [{"name": "a", "bins": {"cuts": [2, 1]}, "is_numeric": True}]},
        {"variables": [{"name": "a", "bins": {"cuts": 7, "tree": "x"}, "is_numeric": True}]},
        {"variables": [{"name": f"{TOKEN}", "oops": 1}]},
    ],
)  # fmt: skip
def test_a_wrong_catalogue_is_an_error(remote: RemoteDatabase, server: FakeServer, body: Any) -> None:
    server.say(200, body)
    with pytest.raises(RemoteError) as found:
        remote.catalogue  # noqa: B018
    assert TOKEN not in str(found.value)


@pytest.mark.parametrize(
    "body",
    [None, [], {}, {"datasets": {}}, {"datasets": [7]}, {"datasets": [{"name": ".."}]}, {"datasets": [{"name": "a\x1b"}]},
     {"datasets": [{"name": "a", "requests": 7}]}, {"datasets": [{"name": "a", "records": "many"}]}],
)  # fmt: skip
def test_a_wrong_list_of_data_sets_is_an_error(remote: RemoteDatabase, server: FakeServer, body: Any) -> None:
    server.say(200, body)
    with pytest.raises(RemoteError):
        remote.datasets()


def test_all_errors_are_of_this_package() -> None:
    assert issubclass(RemoteError, TacitaError)
    assert issubclass(RemoteError, OSError)

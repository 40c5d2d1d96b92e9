"""The pages that ask: forms that need no script, answers, refusals, and what each costs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest
from starlette.testclient import TestClient

from tacita.web.accounts.budget import BudgetRule
from tacita.web.settings import ServerLimits
from tests.web.pages.page_server import HOSTILE, PageReader, pages_of, read

TABLE = "/explore/survey/table?by=urban&by=sex"
REFUSED = "/explore/survey/table?by=occupation&by=birth_country&u.sex=male"
MODEL = "/explore/survey/regression?response=earnings&x=age&x=sex"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with pages_of(tmp_path_factory.mktemp("pages")) as opened:
        yield opened


def page(client: TestClient, address: str, code: int = 200) -> PageReader:
    answer = client.get(address)
    assert answer.status_code == code, answer.text
    assert answer.headers["cache-control"] == "no-store"
    return read(answer.text)


def test_a_table_is_answered_below_its_form(client: TestClient) -> None:
    found = page(client, TABLE)
    assert "Number of records by Kind of settlement and Sex" in found.words
    assert {had["scope"] for had in found.found("th")} == {"col", "colgroup", "row"}
    heads = list(found.found("th", scope="col"))
    assert len(heads) >= 3
    chosen = [had["value"] for had in found.found("option") if "selected" in had]
    assert chosen[:2] == ["urban", "sex"]
    assert "Some records were left out at random" in found.words
    downloads = [had["href"] for had in found.found("a") if "download" in had]
    assert [urlsplit(link).query for link in downloads][:4] == [
        "format=csv",
        "format=json",
        "format=arrow",
        "format=sdmx-csv",
    ]
    for link in downloads:
        assert client.get(link).status_code == 200
    (picture,) = found.found("img")
    assert picture["alt"].startswith("Chart: Number of records by Kind of settlement and Sex. city, female ")
    assert "How the cells are protected" in found.words
    assert "data version" in found.words
    assert "@misc{tacita-" in found.words


def test_a_form_asks_for_what_it_shows(client: TestClient) -> None:
    """The form of a page without a script, sent as a browser sends it, asks the same question again."""
    address = "/explore/survey/table?by=urban&statistic=mean&response=earnings&u.sex=female&u.sex=male&u1.region=Lunden"
    text = client.get(address).text
    sent = _sent(text)
    assert sent == [
        *[
            ("by", "urban"),
            ("by", ""),
            ("by", ""),
            ("statistic", "mean"),
            ("response", "earnings"),
            ("unit", "persons"),
        ],
        *[("each", ""), ("u.sex", "female"), ("u.sex", "male"), ("u1.region", "Lunden")],
    ]
    first, again = read(text), read(client.get("/explore/survey/table", params=sent).text)
    assert first.found("img") == again.found("img") != []


def test_a_form_of_a_regression_asks_for_what_it_shows(client: TestClient) -> None:
    address = f"{MODEL}&x=age:square&i=age*sex&robust=1"
    sent = _sent(client.get(address).text)
    assert sorted(pair for pair in sent if pair[1]) == sorted(
        [*parse_qsl(urlsplit(address).query), ("family", "linear")]
    )


def _sent(text: str) -> list[tuple[str, str]]:
    """What a browser without scripts sends for the form of a page."""
    sent: list[tuple[str, str]] = []
    select: str | None = None
    options: list[tuple[str, bool]] = []
    for tag, had in [*read(text).elements, ("end", {})]:
        if tag in ("select", "fieldset", "p", "end") and select is not None:
            marked = [value for value, is_chosen in options if is_chosen]
            sent.append((select, (marked or [value for value, _ in options])[0]))
            select, options = None, []
        if tag == "select":
            select = had["name"]
        elif tag == "option":
            options.append((had["value"], "selected" in had))
        elif tag == "input" and had.get("type") == "checkbox" and "checked" in had:
            sent.append((had["name"], had["value"]))
    return sent


def test_a_refusal_keeps_the_form_and_says_what_to_change(client: TestClient) -> None:
    found = page(client, REFUSED)
    assert "This question is not answered" in found.words
    assert "What you may change:" in found.words
    assert "sparsity" in found.words
    assert [had["value"] for had in found.found("option") if "selected" in had][:2] == ["occupation", "birth_country"]
    assert found.found("input", name="u.sex", value="male")[0].get("checked") is not None
    assert found.found("img") == []


def test_what_is_wrong_is_told_before_it_costs_anything(tmp_path: Path) -> None:
    with pages_of(tmp_path, budgets=(BudgetRule(scope="address", questions=1, per="day"),)) as client:
        assert "names a variable twice. Nothing was asked." in page(client, "/explore/survey/table?by=sex&by=sex").words
        assert (
            "does not allow it. The question so far: Number of records by Sex"
            in page(client, "/explore/survey/table?by=sex&edit=1").words
        )
        assert client.get("/explore/survey/table?by=sex", headers={"Sec-Purpose": "prefetch"}).status_code == 200
        assert "Download" in page(client, "/explore/survey/table?by=sex").words
        spent = client.get("/explore/survey/table?by=urban")
        assert spent.status_code == 429
        assert spent.headers["retry-after"]
        assert "budget of questions" in read(spent.text).words


def test_pieces_are_joined_by_or(client: TestClient) -> None:
    more = page(client, "/explore/survey/table?by=sex&u.region=Lunden&edit=2")
    assert more.found("button", name="edit", value="3")
    assert more.found("input", name="u1.region", value="Corrin")
    found = page(client, "/explore/survey/table?by=sex&u.region=Lunden&u1.urban=city")
    assert "Universe: Region of residence is Lunden; or Kind of settlement is city" in found.words


def test_a_table_in_parts_says_how_many_were_answered(client: TestClient) -> None:
    found = page(client, "/explore/survey/table?by=region&by=marital&each=region&statistic=mean&response=earnings")
    assert " of 12 classes are answered" in found.words
    assert "Refused: the rules do not allow this part of the table." in found.words or "12 of 12" in found.words


def test_a_regression_has_coefficients_and_a_table(client: TestClient) -> None:
    found = page(client, f"{MODEL}&i=age*sex")
    assert "Linear regression: earnings ~ age + sex + age × sex" in found.words
    for word in (
        "(intercept)",
        "sex[male]",
        "R squared",
        "Records analysed",
        "Wald tests of the terms",
        "Reference classes",
    ):
        assert word in found.words
    (link,) = [had for had in found.found("a") if "plots=1" in had["href"]]
    assert link["rel"] == "nofollow"
    assert found.found("img") == []


def test_residual_plots_are_another_question(client: TestClient) -> None:
    found = page(client, f"{MODEL}&plots=1")
    (picture,) = found.found("img")
    assert picture["src"].endswith("/residuals.svg")
    assert picture["alt"].startswith("Residual plots of earnings ~ age + sex")
    assert "Show residual plots" not in found.words
    assert "synthetic" in found.words


def test_a_refused_model_says_why(client: TestClient) -> None:
    found = page(client, "/explore/survey/regression?response=earnings&x=earnings&x=age")
    assert "The response stands on both sides of the equation." in found.words
    assert found.found("input", name="x", value="earnings")[0].get("checked") is not None


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("/explore/survey/quantiles?response=earnings&level=0.5", "Quantiles of Income from work, euros a year at 0.5"),
        ("/explore/survey/correlations?column=age&column=earnings", "Correlations (Pearson) of Age in years"),
        ("/explore/numbers/number?statistic=mean&response=earnings", "Mean of Income from work, euros a year"),
        ("/explore/numbers/number?statistic=quantile&response=earnings&level=x", "'level' must be"),
        (
            "/explore/numbers/number?statistic=maximum&response=earnings",
            "This statistic is the value of a single record.",
        ),
    ],
)
def test_the_small_pages_answer(client: TestClient, address: str, words: str) -> None:
    assert words in page(client, address).words


def test_what_is_not_offered_is_refused_on_its_page(client: TestClient) -> None:
    assert "This kind of question is not answered" in page(client, "/explore/numbers/quantiles?response=earnings").words


def test_an_unknown_class_is_refused_and_named(client: TestClient) -> None:
    found = page(client, "/explore/survey/table?by=urban&u.sex=femal")
    assert "Did you mean 'female'?" in found.words


def test_a_large_table_goes_to_the_queue(tmp_path: Path) -> None:
    with pages_of(tmp_path, limits=ServerLimits(cells=3, quantum=0)) as client:
        answer = client.get(TABLE)
        assert answer.status_code == 303
        assert answer.headers["location"].startswith("/explore/jobs/")


def test_hostile_names_are_text(client: TestClient) -> None:
    text = client.get("/explore/town/table", params={"by": ["sex", "part"], "u.sex": [HOSTILE]}).text
    assert HOSTILE not in text
    assert "<script>alert" not in text
    assert "<img src=x" not in text
    assert HOSTILE in read(text).text
    assert "{{7*7}}" in read(text).text
    refused = client.get("/explore/town/table", params={"by": HOSTILE, "u.<b>": "<i>"}).text
    assert "<script>alert" not in refused
    assert "<i>" not in refused

"""The page: self-contained, escaped, repeatable, right for odd files; the external form gives nothing away.

It tests ``tacita.report.sections``, ``tacita.report.panels`` through the only door that they have.
"""

import html.parser
import re

import numpy as np
import pyarrow as pa
import pytest

import tacita as tc
from tacita.core.errors import ParameterError
from tacita.mask.synthetic.new_records import new_records
from tacita.report.facts import MOST_PANELS
from tacita.report.html import report_pages, scorecard_html

from .conftest import CANARY, RARE, SEED, P, planted_survey, swapped


@pytest.fixture(scope="module")
def pages(card: tc.Scorecard, release: tc.Release) -> dict[str, str]:
    internal, external = report_pages(card, release, ("internal", "external"), {"earlier try": card})
    return {"internal": internal, "external": external}


class Tags(html.parser.HTMLParser):
    """Checks that elements are closed in order, and collects headings and attributes."""

    _VOID = frozenset({"meta", "br", "hr", "img", "link", "input"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.attributes += attrs
        if tag not in self._VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("form", ["internal", "external"])
def test_page_needs_nothing_but_itself(pages: dict[str, str], form: str) -> None:
    text = pages[form]
    assert not re.findall(r"https?://(?!www\.w3\.org/(?:2000/svg|1999/xlink))\S+", text)
    tags = Tags(text)
    assert not {"script", "link", "img", "iframe", "object"} & set(tags.seen)
    assert not [value for name, value in tags.attributes if name in ("src", "href") and not str(value).startswith("#")]
    assert "@import" not in text
    assert "url(" not in text.replace("url(#", "")


@pytest.mark.parametrize("form", ["internal", "external"])
def test_page_is_well_formed_and_accessible(pages: dict[str, str], form: str) -> None:
    tags = Tags(pages[form])
    assert not tags.open
    assert tags.seen.count("h1") == tags.seen.count("main") == 1
    assert ("lang", "en") in tags.attributes
    assert tags.seen.count("table") == tags.seen.count("caption")
    pictures = len(re.findall(r"<svg ", pages[form]))
    assert pictures >= 5
    assert len(re.findall(r'<svg role="img" aria-label="[^"]{15,}"', pages[form])) == pictures
    ids = [value for name, value in tags.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    targets = {str(value)[1:] for name, value in tags.attributes if name == "href"}
    assert targets <= set(ids)


def test_same_input_gives_the_same_text(pages: dict[str, str]) -> None:
    data = planted_survey()
    release = swapped(data)
    again = report_pages(
        tc.evaluate(data, release), release, ("internal",), {"earlier try": tc.evaluate(data, release)}
    )
    assert again[0] == pages["internal"]


def test_internal_form_has_everything(pages: dict[str, str], card: tc.Scorecard, release: tc.Release) -> None:
    text = pages["internal"].replace("\u00a0", " ")
    facts = release.provenance()
    for word in ("input_sha256", "schema_sha256", "recipe_sha256", "output_sha256"):
        assert facts[word] in text
    assert str(SEED) in text
    assert "987 654 321" in text
    assert RARE in text
    assert str(P) in text
    assert "earlier try" in text
    assert "Records at risk" in text
    assert "must stay inside" in text
    assert "No score does justice to all methods" in text
    for name in card:
        assert f"<code>{name}</code>" in text


def test_external_form_gives_nothing_away(pages: dict[str, str], card: tc.Scorecard, release: tc.Release) -> None:
    text = pages["external"]
    digits = re.sub(r"(?<=\d)[\s\u00a0\u202f\u2009,._'](?=\d)", "", text)
    for leak in (CANARY, str(CANARY)[:6], SEED, str(SEED)[:8]):
        assert str(leak) not in text
        assert str(leak) not in digits
    assert not re.search(r"9\.87?\d*\s*(e\+?0?8|×|G|M)|98[78](\.\d+)?M", text)
    facts = release.provenance()
    for word, value in facts.items():
        if word.endswith("sha256"):
            assert value[:12] not in text
    assert not re.search(r"\b[0-9a-f]{32,}\b", text)
    assert RARE not in text
    assert "Person " not in text
    assert str(P) not in text
    assert "earlier try" not in text
    assert "Records at risk" not in text
    assert "original has" not in text
    assert not re.search(r"<th[^>]*>(Min|Max|Mean|SD)</th>", text)
    drawn = re.sub(r' (?:d|transform|width|height|x2|y2)="[^"]*"', "", text)  # coordinates are made of any digits
    for name in card:  # a measure in full precision would confirm a guess of the original
        shown = f"{card[name]:.4g}"
        assert len(shown) < 4 or shown not in drawn  # a plain 0, 12 or 1.5 has no precision to lose


def test_external_form_says_what_may_be_said(pages: dict[str, str]) -> None:
    text = pages["external"]
    assert "Rank swap" in text
    assert "Columns: age, income." in text
    assert "parameters of these methods are not published" in text
    assert "The release has 600 records and 4 columns." in text
    assert "goes with the data" in text
    assert "Not judged" in text
    assert "rounded for publication" in text


def test_external_form_reads_the_release_alone() -> None:
    """Two originals that differ in everything but the release's own columns give the same pictures and summaries."""
    data = planted_survey()
    release = swapped(data)
    other = tc.Release(original=data.take(np.arange(300)), data=release.data, recipe=release.recipe, seed=release.seed)
    parts = []
    for made in (release, other):
        text = scorecard_html(tc.evaluate(made.original, made), release=made, form="external")
        parts.append(text[text.index('id="variables"') :])
    assert parts[0] == parts[1]


def test_text_from_data_is_escaped() -> None:
    bad, label = "<script>alert(1)</script>&\"'", '</td><img src=x onerror="y">'
    values = np.random.default_rng(1).normal(size=80)
    column = tc.Column(name=bad, scale="numeric", label=label)
    kinds = tc.Column(name="kind ☃ <i>", scale="nominal", labels=(("a", "<u>A & B</u>"),))
    data = tc.Microdata(pa.table({bad: values, "kind ☃ <i>": ["a", "<b>"] * 40}), tc.Schema((column, kinds)))
    release = tc.Recipe([tc.mask.AdditiveNoise(columns=(bad,))]).apply(data, seed=1)
    for text in report_pages(tc.evaluate(data, release), release, ("internal", "external")):
        tags = Tags(text)
        assert not tags.open
        assert not {"script", "img", "i", "u", "b"} & set(tags.seen)
        assert "kind ☃ &lt;i&gt;" in text


def empty_like(data: tc.Microdata, rows: int) -> tc.Microdata:
    return data.take(np.arange(rows))


@pytest.mark.parametrize("rows", [0, 1, 5])
def test_tiny_files_get_a_report(rows: int) -> None:
    data = empty_like(planted_survey(60), rows)
    release = tc.Recipe([tc.mask.AdditiveNoise(columns=("income",))]).apply(data, seed=1)
    internal, external = report_pages(tc.evaluate(data, release), release, ("internal", "external"))
    assert not Tags(internal).open
    assert "too few values to be published" in external
    assert not Tags(external).open
    assert "<svg" not in external[external.index('id="variables"') :]


def test_file_without_numbers_gets_a_report() -> None:
    data = tc.Microdata.from_frame(pa.table({"sex": ["f", "m"] * 50, "town": ["a", "b", "c", "d"] * 25}), keys=["sex"])
    card = tc.evaluate(data, data, measures=[])
    assert not card.results
    for text in report_pages(card, None, ("internal", "external")):
        assert "No measure could be computed" in text
        assert "There is no score" in text
        assert "There is no map" in text
        assert "without a recipe" in text
        assert "Distribution of sex" in text


def test_empty_and_constant_columns_are_handled() -> None:
    n = 100
    data = tc.Microdata.from_frame(
        pa.table(
            {
                "void": pa.array([None] * n, pa.float64()),
                "silent": pa.array([None] * n, pa.string()),
                "constant": np.full(n, 3.0),
                "x": np.arange(n, dtype=float),
            }
        )
    )
    release = tc.Recipe([tc.mask.AdditiveNoise(columns=("x",))]).apply(data, seed=1)
    internal, external = report_pages(tc.evaluate(data, release), release, ("internal", "external"))
    assert "Not drawn, no values: void, silent." in internal
    assert "void, silent" in external
    assert "Distribution of constant" in internal


def test_many_columns_are_limited_and_masked_ones_come_first() -> None:
    rng = np.random.default_rng(1)
    data = tc.Microdata.from_frame(pa.table({f"v{i:02d}": rng.normal(size=60) for i in range(60)}))
    release = tc.Recipe([tc.mask.AdditiveNoise(columns=("v50", "v59"))]).apply(data, seed=1)
    card = tc.evaluate(data, release, measures=["il1s", "rid"])
    for text in report_pages(card, release, ("internal", "external")):
        drawn = re.findall(r'aria-label="Distribution of (v\d\d)', text)
        assert len(drawn) == MOST_PANELS
        assert drawn[:3] == ["v50", "v59", "v00"]
        assert "24 variables are drawn, masked ones first; 36 more were left out." in text
        assert "v58" in text[text.index('id="summary"') :]


def test_form_must_be_one_of_two(card: tc.Scorecard) -> None:
    with pytest.raises(ParameterError, match="must be 'internal' or 'external'"):
        scorecard_html(card, form="public")  # type: ignore[arg-type]


# --- synthetic releases ---------------------------------------------------------------------------------------------------


def test_synthetic_records_are_called_so_on_the_first_screen() -> None:
    data = planted_survey(200)
    made = new_records(data.take(np.random.default_rng(1).integers(0, 200, 200)), data)
    card = tc.evaluate(data, made)
    internal, external = report_pages(card, None, ("internal", "external"))
    for page in (internal, external):
        screen = page[page.index("<header") : page.index("</header>")]
        assert "No record is a person&#x27;s" in screen
        assert "times what chance would do" in screen
        assert "citizen_match" in screen
    assert "keys of a real person" in internal
    assert 'id="tables"' in internal
    assert 'id="tables"' not in external, "ratios of single tables stay inside"
    assert "finds nobody" in internal


def test_other_releases_are_not_called_synthetic(pages: dict[str, str]) -> None:
    assert all("Synthetic." not in page for page in pages.values())

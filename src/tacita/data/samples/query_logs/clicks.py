"""Searches and clicks: a question is sent, further pages of results are asked for, and results are clicked."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from tacita.core.arrays import FloatArray
from tacita.data.query_log.query_log import Codes
from tacita.data.samples.draws import Draw, pick, pick_within, zipf
from tacita.data.samples.query_logs.log_sample import KINDS
from tacita.data.samples.query_logs.outline import word_lists
from tacita.data.samples.query_logs.topic_directory import topic_directory
from tacita.data.samples.query_logs.vocabulary import Vocabulary

__all__ = ["Searches", "addresses", "clicked_addresses", "draw_clicks", "draw_searches"]

_ON_A_PAGE = 10
_MORE_PAGES = {
    "topical": 0.26,
    "illness": 0.3,
    "navigational": 0.06,
    "vanity": 0.3,
    "identifying": 0.1,
    "adult": 0.45,
    "none": 0.1,
}
_CLICKS: FloatArray = np.array(
    [  # how many results of a page are clicked, from none, by kind
        [0.62, 0.21, 0.09, 0.045, 0.02, 0.015],
        [0.52, 0.25, 0.12, 0.06, 0.03, 0.02],
        [0.28, 0.69, 0.02, 0.01, 0.0, 0.0],
        [0.70, 0.22, 0.06, 0.02, 0.0, 0.0],
        [0.85, 0.12, 0.03, 0.0, 0.0, 0.0],
        [0.55, 0.22, 0.10, 0.07, 0.03, 0.03],
        [1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    ]
)
_GAP, _GAP_SPREAD = 4.0, 1.1
"""Mean and standard deviation of the logarithm of the seconds between two searches of a session."""


@dataclass(frozen=True, eq=False, repr=False)
class Searches:
    """Pages of results that were asked for: of which question, which page from 0, and how long after the session's start."""

    question: npt.NDArray[np.int64]
    page: npt.NDArray[np.int64]
    after: npt.NDArray[np.int64]


def draw_searches(draw: Draw, session: npt.NDArray[np.int64], kind: npt.NDArray[np.int64]) -> Searches:
    """Draw how many pages of each question are looked at, and when; ``session`` and ``kind`` are those of the questions."""
    more = np.array([_MORE_PAGES[name] for name in KINDS])
    count = draw("pages").geometric(1 - more[kind])
    question = np.repeat(np.arange(len(kind)), count)
    page = np.arange(len(question)) - np.repeat(np.cumsum(count) - count, count)
    gap = 1 + np.minimum(draw("gap").lognormal(_GAP, _GAP_SPREAD, len(question)), 1700).astype(np.int64)
    elapsed = np.cumsum(gap)
    of = session[question]
    return Searches(question, page, elapsed - elapsed[np.searchsorted(of, of)] if len(of) else elapsed)


def draw_clicks(
    draw: Draw, page: npt.NDArray[np.int64], kind: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int64], Codes]:
    """Draw the lines of each search: which search it is, and the rank of the result; -1 for a search without a click.

    Several clicks are lines one after the other, further down each time, and end with the page.
    """
    clicks = pick_within(draw("clicks"), _CLICKS, kind)
    search = np.repeat(np.arange(len(page)), np.maximum(clicks, 1))
    number = np.arange(len(search)) - np.searchsorted(search, search)
    step = 1 + pick(draw("rank"), zipf(_ON_A_PAGE, 1.5), len(search))
    step[(number == 0) & (kind[search] == KINDS.index("navigational"))] = 1
    down = np.cumsum(step)
    down -= (down - step)[np.searchsorted(search, search)]
    rank = np.where(clicks[search] > 0, _ON_A_PAGE * page[search] + down, -1).astype(np.int32)
    on_the_page = down <= _ON_A_PAGE
    return search[on_the_page], rank[on_the_page]


def addresses() -> pa.StringArray:
    """Return what can be clicked: an invented address for every entry of the directory, then those of the sites."""
    titles = topic_directory().title.to_pylist()
    made = ["".join(letter for letter in title.lower() if letter.isalnum()) for title in titles]
    sites = [name.replace(" ", "") for name in word_lists()["sites"]["names"]]
    entries = [f"http://www.{name}.example/{number}" for number, name in enumerate(made)]
    return pa.array([*entries, *(f"http://www.{site}.com" for site in sites)], pa.string())


def clicked_addresses(
    words: Vocabulary,
    *,
    query: Codes,
    category: npt.NDArray[np.int64],
    site: npt.NDArray[np.int64],
    rank: Codes,
) -> Codes:
    """Return the address that stands at a rank of a query's results; -1 where nothing was clicked.

    First come the entries of the category that is meant, in an order of the query's own, then those filed behind them. A site
    that is meant stands first.
    """
    directory = topic_directory()
    edges = np.searchsorted(directory.category, np.arange(len(words.tree) + 1))
    first, count = edges[:-1], np.maximum(np.diff(edges), 1)
    at = np.where(category >= 0, category, 0)
    place, turn = rank.astype(np.int64) - 1, query.astype(np.int64) * 7919
    within = (place + turn) % count[at]
    entry = first[at] + np.where(place < count[at], within, place)
    entry = np.where(category >= 0, entry, turn + place * 31) % len(directory)
    found = np.where((site >= 0) & (rank == 1), len(directory) + site, entry)
    return np.where(rank > 0, found, -1).astype(np.int32)

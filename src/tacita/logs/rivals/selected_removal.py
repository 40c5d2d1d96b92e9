"""Selected queries leave until no two of those that are left lead to the same result, so that sites cannot be told by them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.errors import DataError
from tacita.core.streams import Streams
from tacita.core.traits import AnonymiserTraits
from tacita.data.directory.classified import Classified
from tacita.data.query_log.query_log import Codes, QueryLog
from tacita.logs.anonymiser import AnonymisedLog
from tacita.logs.microaggregation.traces import Clicks
from tacita.logs.rivals.renamed import Removal
from tacita.logs.terms import terms_of

__all__ = ["SelectedRemoval", "names_its_result", "separate_queries", "site_names"]


def site_names(urls: pa.StringArray) -> pa.StringArray:
    """Return the name of the site of each address: its host without ``www.`` and without what follows the last dots.

    Examples
    --------
    >>> site_names(pa.array(["http://www.nytimes.com/a", "https://en.wikipedia.org", "bbc.co.uk"])).to_pylist()
    ['nytimes', 'wikipedia', 'bbc']
    """
    host = pc.replace_substring_regex(pc.utf8_lower(urls), r"^[a-z]+://", "")
    host = pc.replace_substring_regex(host, r"[/:?#].*$", "")
    host = pc.replace_substring_regex(host, r"^(www\d*|m)\.", "")
    host = pc.replace_substring_regex(host, r"(\.(com?|org|net|gov|edu|ac))?\.[a-z]{2,}$", "")
    return pc.replace_substring_regex(host, r"^.*\.", "")


def names_its_result(texts: pa.StringArray, urls: pa.StringArray, text: IntArray, url: IntArray) -> BoolArray:
    """Return which texts have the name of a site among their terms that was clicked after them, one pair an entry. O(n log n)."""
    found = np.zeros(len(texts), bool)
    if not len(text):
        return found
    terms = terms_of(texts)
    known = pc.index_in(site_names(urls), value_set=terms.words)
    word = np.asarray(pc.fill_null(known, -1).to_numpy(zero_copy_only=False), np.int64)[url]
    has = word >= 0
    width = max(len(terms.words), 1)
    own = np.repeat(np.arange(len(texts)), np.diff(terms.counts.indptr)) * width + terms.counts.indices
    found[text[has][np.isin(text[has] * width + word[has], own)]] = True
    return found


def separate_queries(text: IntArray, url: IntArray, weight: FloatArray) -> BoolArray:
    """Return which queries stay when no two may share a result; one pair of a query and a result an entry.

    Of all queries that share a result the one with the largest ``weight / (degree + 1)`` stays and the others leave; then degrees
    are counted anew, until nothing is shared. O(p) time for p pairs in each of few rounds.

    Parameters
    ----------
    text, url
        Which query was followed by a click on which result, each pair once.
    weight
        What a query is worth.

    Examples
    --------
    A query that shares a result with two others leaves.

    >>> separate_queries(np.array([0, 1, 1, 2]), np.array([0, 0, 1, 1]), np.ones(3)).tolist()
    [True, False, True]
    """
    alive = np.ones(len(weight), bool)
    open_ = np.ones(len(weight), bool)  # neither kept nor removed so far
    urls = int(url.max(initial=-1)) + 1
    while True:
        live = open_[text]
        t, u = text[live], url[live]
        if not len(t):
            return alive
        sharing = np.bincount(u, minlength=urls)
        degree = np.bincount(t, weights=sharing[u] - 1, minlength=len(weight))
        order = np.lexsort((np.arange(len(weight)), -weight / (degree + 1)))
        rank = np.empty(len(weight), np.int64)
        rank[order] = np.arange(len(weight))
        first = np.full(urls, len(weight), np.int64)
        np.minimum.at(first, u, rank[t])
        beaten = np.zeros(len(weight), bool)
        beaten[t[rank[t] > first[u]]] = True
        kept = np.zeros(len(weight), bool)
        kept[t] = True
        kept &= ~beaten
        taken = np.zeros(urls, bool)
        taken[u[kept[t]]] = True
        gone = np.zeros(len(weight), bool)
        gone[t[taken[u]]] = True
        gone &= ~kept
        alive[gone] = False
        open_[gone | kept] = False


@dataclass(frozen=True, kw_only=True)
class SelectedRemoval(Removal):
    """Remove queries that name the site they lead to, and then queries until no two lead to the same result.

    Queries are joined by an edge when users clicked on a common result after them. Whoever keeps a site knows the queries that
    led to it; he finds them in the log, and walks along the edges to what others search for and to the sites of his rivals. Two
    steps prevent it:

    1. A query that has the name of a site among its terms that was clicked after it leaves.
    2. Of the others as many as possible stay such that no edge is left: an independent set, found greedily by
       ``weight / (degree + 1)``, with the number of lines of a query as its weight.

    Protects sites against each other. Does not protect users: their histories stay whole but for what was removed.

    Parameters
    ----------
    clicks
        Whether addresses that were clicked leave, or their hosts, or none; those that leave are numbers.
    keeps_frequent
        Whether a query is worth as much as it has lines; otherwise all are worth the same, and those with many edges leave.

    Raises
    ------
    DataError
        When the log is empty or has no clicked addresses.

    Complexity
    ----------
    O(n log n) time for n lines, times the few rounds of the greedy search; O(n) memory.

    Notes
    -----
    The authors state the search for the most valuable queries without an edge as the maximum weighted independent set, which is
    NP-hard, and remove queries by their degree. Here those are kept whose weight is largest for their degree, which finds a set
    at least as heavy as the sum of ``weight / (degree + 1)`` over all queries where degrees count every shared result. Edges are
    shared addresses as they stand in the log, not sites. Addresses leave as numbers drawn at random, for the authors take them as
    hidden. Queries without clicks have no edges and stay. Their tests for vulnerable queries were known from summaries only.

    References
    ----------
    Poblete, B., Spiliopoulou, M. and Baeza-Yates, R. (2010), Privacy-preserving query log mining for business confidentiality
    protection, ACM Transactions on the Web 4(3); first in PinKDD 2007 as website privacy preservation for query log publishing.

    Sakai, S., Togasaki, M. and Yamazaki, K. (2003), A note on greedy algorithms for the maximum weighted independent set problem,
    Discrete Applied Mathematics 126, for GWMIN and its bound.

    Examples
    --------
    >>> log = QueryLog.from_columns(
    ...     ["ann", "bob", "eve", "eve"], ["tea", "tea", "hot drinks", "ebay"], url=["x.org", "y.org", "y.org", "www.ebay.com"]
    ... )
    >>> made = SelectedRemoval().apply(log, seed=1)
    >>> made.log.texts.to_pylist(), dict(made.removed)
    (['tea'], {'naming a site': 1, 'sharing results': 1})
    """

    name = "selected_removal"
    title = "Removal of selected queries"
    traits = AnonymiserTraits()
    clicks: Clicks = "urls"
    keeps_frequent: bool = True

    def make(self, log: QueryLog, topics: Classified | None, streams: Streams) -> AnonymisedLog:
        """Remove what names a site, then what shares a result."""
        if log.url is None or log.urls is None or not (log.url >= 0).any():
            raise DataError(f"{self.speaker()}: the log must have addresses that were clicked.")
        has = (log.query >= 0) & (log.url >= 0)
        text, url = np.divmod(np.unique(log.query[has].astype(np.int64) * len(log.urls) + log.url[has]), len(log.urls))
        times = np.bincount(log.query[log.query >= 0], minlength=len(log.texts))
        naming = names_its_result(log.texts, log.urls, text, url)
        rest = ~naming[text]
        weight = np.maximum(times, 1).astype(np.float64) if self.keeps_frequent else np.ones(len(log.texts))
        stays = separate_queries(text[rest], url[rest], weight) & ~naming
        lines = np.flatnonzero(np.append(stays, False)[log.query])
        removed = {"naming a site": int(times[naming].sum()), "sharing results": int(times[~naming & ~stays].sum())}
        return self.renamed(log, topics, lines, streams, removed=removed)

    def shown_clicks(self, log: QueryLog, streams: Streams) -> tuple[Codes | None, pa.StringArray | None]:
        """Return numbers drawn at random in the place of addresses."""
        url, urls = super().shown_clicks(log, streams)
        if urls is None:
            return None, None
        numbers = streams.stream("addresses").permutation(len(urls)) + 1
        return url, pa.array(numbers.astype(str), pa.string())

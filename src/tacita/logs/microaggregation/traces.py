"""Times and clicks of a profile: coarse, shared by several users of the group, and not tied to the lines of one of them.

The times of a user are a pattern of his own: the days on which he was there. A time therefore leaves only when several users
of the group were active in it, and the times that leave are dealt out anew among the lines of the profile, so that lines of one
user cannot be told by the times that they have in common. An address leaves with a text only when several users of the group
clicked it after this text.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tacita.core.arrays import IntArray
from tacita.data.query_log.query_log import Codes, QueryLog, Times
from tacita.logs.microaggregation.generalisation import is_shared

__all__ = ["Clicks", "clicked", "dealt_times", "hosts_of"]

Clicks = Literal["none", "hosts", "urls"]
"""What is said of clicks."""


def dealt_times(
    coarse: Times, group: IntArray, user: IntArray, chosen: IntArray, askers: int, rng: np.random.Generator
) -> Times:
    """Return times for the chosen lines, shuffled within each group; NaT where too few users of the group were active.

    Parameters
    ----------
    coarse, group, user
        Coarsened time, group and user of every line of the original.
    chosen
        The lines that leave.
    askers
        Fewest users who were active at a time.
    rng
        Deals them out.

    Notes
    -----
    O(n log n) time for n lines.
    """
    _, number = np.unique(coarse, return_inverse=True)
    shared = is_shared(group, np.where(np.isnat(coarse), -1, number), user, askers)
    times = np.where(shared, coarse, np.datetime64("NaT", "us"))[chosen]
    shuffled = rng.permutation(len(chosen))
    order = shuffled[np.argsort(group[chosen][shuffled], kind="stable")]
    dealt = np.empty_like(times)
    dealt[np.argsort(group[chosen], kind="stable")] = times[order]
    return dealt


def clicked(
    log: QueryLog, clicks: Clicks, lines: IntArray, group: IntArray, item: IntArray, askers: int
) -> tuple[Codes | None, pa.StringArray | None]:
    """Return the address of each line, -1 where too few users of the group clicked it after this item, and the addresses.

    Parameters
    ----------
    log
        The original.
    clicks
        Whole addresses, their hosts, or nothing.
    lines
        The lines that take part.
    group, item
        What stands for each of them.
    askers
        Fewest users.
    """
    if clicks == "none" or log.url is None or log.urls is None:
        return None, None
    code, addresses = (log.url, log.urls) if clicks == "urls" else hosts_of(log.url, log.urls)
    url = code[lines].astype(np.int64)
    pair = np.where(url < 0, -1, item * (len(addresses) + 1) + url)
    _, number = np.unique(pair, return_inverse=True)
    shared = is_shared(group, np.where(pair < 0, -1, number), log.user[lines].astype(np.int64), askers)
    return np.where(shared, url, -1).astype(np.int32), addresses


def hosts_of(url: Codes, urls: pa.StringArray) -> tuple[Codes, pa.StringArray]:
    """Return the host of each address, and the hosts; an address without one has -1.

    Examples
    --------
    >>> code, hosts = hosts_of(np.array([0, 1, -1], np.int32), pa.array(["http://a.org/x?y=1", "https://A.org:80"]))
    >>> code.tolist(), hosts.to_pylist()
    ([0, 0, -1], ['a.org'])
    """
    bare = pc.replace_substring_regex(urls, r"^[A-Za-z][A-Za-z0-9+.-]*://", "")
    found = pc.extract_regex(bare, r"^(?:[^/?#@]*@)?(?P<host>[^/?#:@]+)")
    coded = pc.dictionary_encode(pc.utf8_lower(pc.struct_field(found, "host")))
    number = np.append(pc.fill_null(coded.indices, -1).to_numpy(zero_copy_only=False), -1).astype(np.int32)
    return number[url], coded.dictionary

from __future__ import annotations

import numpy as np
import pyarrow as pa

from tacita.data.query_log.query_log import QueryLog
from tacita.logs.microaggregation.traces import clicked, dealt_times, hosts_of

DAYS = np.datetime64("2006-03-01", "us") + np.arange(9) * np.timedelta64(1, "D")


def test_times_that_one_user_alone_was_active_in_do_not_leave() -> None:
    coarse, user = DAYS[[0, 0, 1, 2, 2]], np.array([0, 1, 0, 1, 1])
    times = dealt_times(coarse, np.zeros(5, np.int64), user, np.arange(5), 2, np.random.default_rng(1))
    assert sorted(times[~np.isnat(times)]) == [DAYS[0], DAYS[0]]


def test_times_are_dealt_out_within_a_group() -> None:
    """Each group keeps its own times, and a line gets any of them."""
    group = np.repeat([1, 0], 200)
    coarse = np.concatenate([DAYS[np.arange(200) % 4], DAYS[4 + np.arange(200) % 4]])
    user, chosen = np.arange(400) % 7, np.arange(0, 400, 2)
    times = dealt_times(coarse, group, user, chosen, 2, np.random.default_rng(1))
    for one in (0, 1):
        assert sorted(times[group[chosen] == one]) == sorted(coarse[chosen][group[chosen] == one])
    assert 0.3 < (times == coarse[chosen]).mean() < 0.7  # two days each, at random


def test_an_address_leaves_only_with_a_text_after_which_several_clicked_it() -> None:
    """Users 0 and 1 clicked a.org/1 after tea; user 0 clicked it after milk too, and b.org/2 alone."""
    log = QueryLog.from_columns(
        ["u0", "u1", "u0", "u0", "u1"],
        ["tea", "tea", "milk", "tea", "tea"],
        url=["a.org/1", "a.org/1", "a.org/1", "b.org/2", "b.org/3"],
    )
    group, lines, item = np.zeros(5, np.int64), np.arange(5), log.query.astype(np.int64)
    code, addresses = clicked(log, "urls", lines, group, item, 2)
    assert code is not None
    assert addresses is not None
    assert [addresses[int(c)].as_py() if c >= 0 else None for c in code] == ["a.org/1", "a.org/1", None, None, None]
    code, addresses = clicked(log, "hosts", lines, group, item, 2)
    assert code is not None
    assert addresses is not None
    assert [addresses[int(c)].as_py() if c >= 0 else None for c in code] == ["a.org", "a.org", None, "b.org", "b.org"]
    assert clicked(log, "none", lines, group, item, 2) == (None, None)


def test_hosts() -> None:
    urls = pa.array(["HTTP://www.A.org/b?c=d@e", "user:pass@a.org:80/x", "http://", "a.org?q=b.org", "?"])
    code, hosts = hosts_of(np.arange(5, dtype=np.int32), urls)
    assert [hosts[int(c)].as_py() if c >= 0 else None for c in code] == ["www.a.org", "a.org", None, "a.org", None]

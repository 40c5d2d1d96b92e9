"""The made log: shaped like AOL's, the same for the same seed, and with a truth that belongs to its lines."""

from __future__ import annotations

import numpy as np
import pyarrow.compute as pc
import pytest

from tacita.core.errors import ParameterError
from tacita.data.samples import LogSample, query_log
from tacita.data.samples.query_logs.log_sample import KINDS
from tacita.data.samples.query_logs.outline import LANGUAGES


@pytest.fixture(scope="module")
def sample() -> LogSample:
    return query_log(1000, seed=1)


def texts(sample: LogSample) -> np.ndarray:
    return np.array(sample.log.texts.to_pylist(), dtype=object)


# --- the same, and usable at every size -------------------------------------------------------------------------------


def test_same_seed_same_bytes() -> None:
    one, two, other = query_log(60, seed=3), query_log(60, seed=3), query_log(60, seed=4)
    assert one.log.to_arrow().equals(two.log.to_arrow())
    assert one.names.equals(two.names)
    assert np.array_equal(one.truth, two.truth)
    assert np.array_equal(one.kind, two.kind)
    assert not one.log.to_arrow().equals(other.log.to_arrow())


@pytest.mark.parametrize("users", [0, 1, 2, 13])
def test_small_sizes(users: int) -> None:
    made = query_log(users, seed=1)
    assert len(made.log.users) == len(made.names) == len(made.language) == len(made.interests) == users
    assert len(made.log) == len(made.truth) == len(made.kind)
    assert len(np.unique(made.log.user)) == users  # everybody searched at least once


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"users": -1}, "users"),
        ({"users": 2.5}, "users"),
        ({"typo_share": 1.5}, "typo_share"),
        ({"lines_per_user": 0}, "lines"),
    ],
)
def test_parameters_are_checked(wrong: dict[str, float], named: str) -> None:
    with pytest.raises(ParameterError, match=f"query_log: '{named}"):
        query_log(**wrong, seed=1)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="'seed' must be"):
        query_log(5, seed=-1)


def test_how_much_users_search_is_a_parameter() -> None:
    little, much = query_log(500, seed=1, lines_per_user=10), query_log(500, seed=1, lines_per_user=100)
    assert 8 < len(little.log) / 500 < 13
    assert 85 < len(much.log) / 500 < 115


# --- in the form of AOL -----------------------------------------------------------------------------------------------


def test_it_has_the_size_of_aol(sample: LogSample) -> None:
    assert 0.9 * 55_666 < len(sample.log) < 1.1 * 55_666


def test_lines_are_sorted_by_user_and_time_within_three_months(sample: LogSample) -> None:
    log = sample.log
    assert log.time is not None
    assert np.all(np.diff(log.user) >= 0)
    assert np.all(np.diff(log.time.astype(np.int64))[np.diff(log.user) == 0] >= 0)
    assert log.time.min() >= np.datetime64("2006-03-01")
    assert log.time.max() < np.datetime64("2006-06-02")


def test_a_line_has_a_rank_and_an_address_or_neither(sample: LogSample) -> None:
    log = sample.log
    assert log.rank is not None
    assert log.url is not None
    assert np.array_equal(log.rank > 0, log.url >= 0)
    assert np.all((log.rank > 0) | (log.rank == -1))
    assert 0.45 < np.mean(log.rank > 0) < 0.62  # AOL: 0.53


def test_several_clicks_are_lines_with_one_query_and_time_and_rising_ranks(sample: LogSample) -> None:
    log = sample.log
    assert log.time is not None
    assert log.rank is not None
    same = (np.diff(log.user) == 0) & (np.diff(log.query) == 0) & (np.diff(log.time.astype(np.int64)) == 0)
    assert 0.1 < same.mean() < 0.3
    assert np.all(np.diff(log.rank)[same] > 0)
    assert 0.7 < len(log.searches()) / len(log) < 0.9


def test_a_search_for_the_next_page_has_the_same_words_later(sample: LogSample) -> None:
    searches = sample.log.searches()
    assert searches.time is not None
    again = (np.diff(searches.user) == 0) & (np.diff(searches.query) == 0)
    assert 0.15 < again.mean() < 0.4
    assert np.all(np.diff(searches.time)[again] > np.timedelta64(0))


def test_a_site_that_is_meant_is_clicked_first(sample: LogSample) -> None:
    log = sample.log
    assert log.rank is not None
    assert log.url is not None
    assert log.urls is not None
    first = sample.is_of("navigational") & (log.rank == 1)
    urls = np.array(log.urls.to_pylist(), dtype=object)[log.url[first]]
    assert all(url.endswith(".com") for url in urls)
    google = urls[np.isin(texts(sample)[log.query[first]], ["google", "google.com", "www.google.com"])]
    assert set(google) == {"http://www.google.com"}


# --- heavy tails ------------------------------------------------------------------------------------------------------


def test_a_few_users_search_most(sample: LogSample) -> None:
    lines = np.sort(sample.log.lines_of_users)[::-1]
    assert np.median(lines) < 0.5 * lines.mean()
    assert lines[:100].sum() > 0.4 * lines.sum()
    assert lines[0] > 10 * lines.mean()


def test_most_texts_are_rare_and_a_few_frequent(sample: LogSample) -> None:
    users = np.asarray((sample.log.asked > 0).sum(axis=0)).ravel()
    assert np.mean(users == 1) > 0.8
    often = np.sort(sample.log.asked.sum(axis=0))[::-1]
    assert often[:10].sum() > 0.03 * len(sample.log)
    # Zipf: on double logarithmic scales the counts of the ranks lie near a falling line.
    ranks = np.arange(1, 2001)
    slope, _ = np.polyfit(np.log(ranks), np.log(often[:2000]), 1)
    assert -1.2 < slope < -0.4


def test_terms_of_a_category_follow_zipf(sample: LogSample) -> None:
    words = pc.value_counts(pc.list_flatten(pc.split_pattern(sample.log.texts, " "))).field("counts").to_numpy()
    counts = np.sort(words)[::-1]
    assert counts[:100].sum() > 0.15 * counts.sum()
    assert np.mean(counts <= 2) > 0.3


# --- users ------------------------------------------------------------------------------------------------------------


def test_users_speak_several_languages_and_ask_in_their_own(sample: LogSample) -> None:
    shares = np.bincount(sample.language, minlength=len(LANGUAGES)) / len(sample.language)
    assert 0.75 < shares[0] < 0.85
    assert np.all(shares > 0)
    tree, topical = sample.directory.tree, sample.is_of("topical")
    branch = np.array([*tree.names, ""], dtype=object)[tree.at_level(2)[sample.truth[topical]]]
    for number, language in enumerate(LANGUAGES[1:], 1):
        own = sample.language[sample.log.user[topical]] == number
        assert set(branch[own]) == {language}


def test_some_interests_are_shared_and_some_are_eccentric(sample: LogSample) -> None:
    held = sample.interests[sample.interests >= 0]
    count = (sample.interests >= 0).sum(axis=1)
    assert set(count) == {1, 2, 3, 4, 5, 6}
    users = np.bincount(held)[np.unique(held)]
    assert users.max() > 30
    assert np.mean(users == 1) > 0.2
    for row in sample.interests[:200]:
        kept = row[row >= 0]
        assert len(set(kept)) == len(kept)


def test_most_of_what_users_ask_lies_below_their_interests(sample: LogSample) -> None:
    tree, topical = sample.directory.tree, sample.is_of("topical")
    truth, held = sample.truth[topical], sample.interests[sample.log.user[topical]]
    below = np.zeros(len(truth), bool)
    for level in range(1, tree.depth + 1):
        above = tree.at_level(level)[truth]
        below |= ((held == above[:, None]) & (above[:, None] >= 0)).any(axis=1)
    assert 0.65 < below.mean() < 0.95


def test_users_ask_again_what_they_asked_before(sample: LogSample) -> None:
    searches = sample.log.searches()
    assert searches.time is not None
    keys = searches.user.astype(np.int64) * len(sample.log.texts) + searches.query
    day = searches.time.astype("datetime64[D]").astype(np.int64)
    first, last = np.full(keys.max() + 1, 10**6), np.full(keys.max() + 1, -1)
    np.minimum.at(first, keys, day)
    np.maximum.at(last, keys, day)
    seen = last >= 0
    assert 0.05 < np.mean(last[seen] > first[seen]) < 0.4  # found again on another day


def test_sessions_add_and_drop_words(sample: LogSample) -> None:
    searches = sample.log.searches()
    assert searches.time is not None
    near = (np.diff(searches.user) == 0) & (np.diff(searches.time) < np.timedelta64(600, "s"))
    near &= np.diff(searches.query) != 0
    written = texts(sample)
    before, after = written[searches.query[:-1][near]], written[searches.query[1:][near]]
    shared = [bool(set(one.split()) & set(two.split())) for one, two in zip(before, after, strict=True)]
    assert np.mean(shared) > 0.6
    longer = [set(one.split()) < set(two.split()) for one, two in zip(before, after, strict=True)]
    shorter = [set(one.split()) > set(two.split()) for one, two in zip(before, after, strict=True)]
    assert np.mean(longer) > 0.15
    assert np.mean(shorter) > 0.1


# --- kinds and truth --------------------------------------------------------------------------------------------------


def test_every_kind_occurs_in_its_share(sample: LogSample) -> None:
    shares = dict(zip(KINDS, np.bincount(sample.kind, minlength=len(KINDS)) / len(sample.kind), strict=True))
    assert 0.65 < shares["topical"] < 0.85
    assert 0.1 < shares["navigational"] < 0.25
    assert 0.002 < shares["vanity"] < 0.03
    assert 0.001 < shares["identifying"] < 0.02
    assert 0.005 < shares["illness"] < 0.05
    assert 0.02 < shares["adult"] < 0.12
    assert 0.0005 < shares["none"] < 0.01


def test_topics_and_only_topics_have_a_category(sample: LogSample) -> None:
    assert np.array_equal(sample.truth >= 0, sample.is_of("topical", "illness"))
    assert sample.truth.max() < len(sample.directory.tree)


def test_the_truth_stands_at_its_line(sample: LogSample) -> None:
    """Without typing errors every topical line has a word that is filed under its category."""
    clean = query_log(200, seed=2, typo_share=0)
    filed: dict[int, set[str]] = {}
    entries = zip(clean.directory.category, clean.directory.title, clean.directory.description, strict=True)
    for category, title, description in entries:
        words = f"{title} {description}".lower().replace(",", " ").replace(".", " ").split()
        filed.setdefault(int(category), set()).update(words)
    written, lines = texts(clean), np.flatnonzero(clean.truth >= 0)
    found = [
        bool(filed[int(clean.truth[line])] & set(written[clean.log.query[line]].replace(".", " ").split()))
        for line in lines
    ]
    assert np.mean(found) > 0.995


def test_who_asks_for_himself_asks_for_his_own_name(sample: LogSample) -> None:
    clean = query_log(400, seed=2, typo_share=0)
    written, vain = texts(clean), np.flatnonzero(clean.is_of("vanity"))
    assert len(vain) > 20
    names = clean.names.to_pylist()
    assert all(names[clean.log.user[line]] in written[clean.log.query[line]] for line in vain)


def test_what_identifies_a_user_belongs_to_one_user(sample: LogSample) -> None:
    lines = sample.is_of("identifying")
    users = {}
    for user, query in zip(sample.log.user[lines], sample.log.query[lines], strict=True):
        users.setdefault(int(query), set()).add(int(user))
    assert users
    assert all(len(who) == 1 for who in users.values())


def test_typing_errors_come_in_their_share() -> None:
    with_errors, without = query_log(300, seed=2, typo_share=0.2), query_log(300, seed=2, typo_share=0)
    known = set(texts(without))
    lines = texts(with_errors)[with_errors.log.query]
    assert len(with_errors.log.texts) > 1.1 * len(without.log.texts)
    assert 0.05 < np.mean([line not in known for line in lines]) < 0.3


def test_the_lone_dash_is_there(sample: LogSample) -> None:
    assert set(texts(sample)[sample.log.query[sample.is_of("none")]]) == {"-"}

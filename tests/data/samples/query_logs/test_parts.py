"""Parts of the log on their own: ``tacita.data.samples.query_logs.vocabulary``, ``tacita.data.samples.query_logs.log_users``,
``tacita.data.samples.query_logs.sessions``, ``tacita.data.samples.query_logs.refinement``,
``tacita.data.samples.query_logs.clicks``, ``tacita.data.samples.query_logs.personal``.
"""

from __future__ import annotations

import re

import numpy as np
import pytest

from tacita.data.samples.draws import streams_of
from tacita.data.samples.query_logs.clicks import addresses, draw_clicks, draw_searches
from tacita.data.samples.query_logs.log_sample import KINDS
from tacita.data.samples.query_logs.log_users import LogUsers, draw_log_users
from tacita.data.samples.query_logs.personal import draw_personal_texts
from tacita.data.samples.query_logs.refinement import draw_questions
from tacita.data.samples.query_logs.sessions import ANCHOR, draw_sessions
from tacita.data.samples.query_logs.vocabulary import vocabulary

DRAW = streams_of("test", 1)


@pytest.fixture(scope="module")
def users() -> LogUsers:
    return draw_log_users(DRAW, 3000, vocabulary(), sessions=20)


def test_what_lies_below_a_category_stands_behind_it() -> None:
    words = vocabulary()
    paths = [words.tree.path(place) for place in range(len(words.tree))]
    for place in range(0, len(paths), 37):
        below = [other for other, path in enumerate(paths) if path[: len(paths[place])] == paths[place]]
        assert below == list(range(place, words.last[place]))


def test_a_category_is_drawn_from_those_below() -> None:
    words = vocabulary()
    above = np.repeat(np.flatnonzero(words.weight_below() > 0)[::29], 5)
    drawn = words.draw_below(np.random.default_rng(1), above)
    assert np.all((drawn >= above) & (drawn < words.last[above]))


def test_shares_of_interests_sum_to_one(users: LogUsers) -> None:
    assert np.allclose(users.share.sum(axis=1), 1)
    assert np.all(users.share >= 0)
    assert np.all((users.interests >= 0) == (users.share[:, :6] > 0))


def test_users_live_in_towns_of_their_language(users: LogUsers) -> None:
    tree = vocabulary().tree
    countries = {tree.path(home)[2] for home in users.home[users.language == 1]}
    assert countries == {"Germany"}
    assert all("Localities" in tree.path(home)[:-1] for home in users.home[:300])


def test_the_ill_have_an_illness_in_their_language(users: LogUsers) -> None:
    words = vocabulary()
    ill = users.illness >= 0
    assert 0.1 < ill.mean() < 0.2
    assert np.array_equal(words.language[users.illness[ill]], users.language[ill])
    assert np.array_equal(ill, users.habits[:, KINDS.index("illness")] > 0)


def test_a_session_that_repeats_another_begins_like_it(users: LogUsers) -> None:
    sessions = draw_sessions(DRAW, users, vocabulary())
    assert np.all(np.diff(sessions.user) >= 0)
    assert np.all(sessions.filled[:, ANCHOR])
    assert np.all(sessions.words[:, ANCHOR] >= 0)
    assert np.all(np.where(sessions.filled, sessions.words, 0) >= 0)
    keys = [tuple(row) for row in np.column_stack([sessions.user, np.where(sessions.filled, sessions.words, -1)])]
    assert 0.2 < 1 - len(set(keys)) / len(keys) < 0.6


def test_no_word_stands_twice_in_a_question(users: LogUsers) -> None:
    words = draw_sessions(DRAW, users, vocabulary()).words
    ordered = np.sort(words, axis=1)
    assert not np.any((np.diff(ordered, axis=1) == 0) & (ordered[:, 1:] >= 0))


def test_without_errors_nothing_is_mended(users: LogUsers) -> None:
    sessions = draw_sessions(DRAW, users, vocabulary())
    assert not draw_questions(DRAW, sessions, typo_share=0).mistyped.any()
    always = draw_questions(DRAW, sessions, typo_share=1)
    first = np.flatnonzero(np.diff(always.session, prepend=-1))
    typed = ~np.isin(sessions.kind[always.session[first]], [KINDS.index("identifying"), KINDS.index("none")])
    assert np.array_equal(always.mistyped[first], typed)
    assert not always.mistyped.all()


def test_pages_of_a_question_follow_each_other() -> None:
    session = np.repeat(np.arange(400), 2)
    searches = draw_searches(DRAW, session, np.zeros(800, np.int64))
    new = np.diff(searches.question, prepend=-1) > 0
    assert np.all(searches.page[new] == 0)
    assert np.all(np.diff(searches.page)[~new[1:]] == 1)
    of = session[searches.question]
    assert np.all(searches.after[np.diff(of, prepend=-1) > 0] == 0)
    assert np.all(np.diff(searches.after)[np.diff(of) == 0] > 0)


def test_ranks_belong_to_their_page() -> None:
    page = np.tile([0, 1, 2], 2000)
    search, rank = draw_clicks(DRAW, page, np.zeros(len(page), np.int64))
    there = rank > 0
    assert np.all(rank[there] > 10 * page[search[there]])
    assert np.all(rank[there] <= 10 * (page[search[there]] + 1))
    assert np.mean(rank[there & (page[search] == 0)] == 1) > 0.25
    assert np.array_equal(np.unique(search), np.arange(len(page)))


def test_addresses_are_different_and_nobodys() -> None:
    listed = addresses().to_pylist()
    assert len(set(listed)) == len(listed)
    assert all(re.fullmatch(r"http://www\.\w+\.(example/\d+|com)", address) for address in listed)


def test_what_identifies_users_has_its_form() -> None:
    made = draw_personal_texts(DRAW, 300)
    telephone, mail, street, social = (texts.to_pylist() for texts in made.identifying)
    assert all(re.fullmatch(r"555-\d{3}-\d{4}", text) for text in telephone)
    assert all(re.fullmatch(r"[a-z]+\d+@example\.(com|net|org)", text) for text in mail)
    assert all(re.fullmatch(r"\d+ [a-z]+ [a-z]+", text) for text in street)
    assert all(re.fullmatch(r"9\d\d-\d\d-\d{4}", text) for text in social)
    assert all(re.fullmatch(r"[a-z]+ [a-z]+", text) for text in made.name.to_pylist())
    assert repr(made) == "PersonalTexts of 300 users"

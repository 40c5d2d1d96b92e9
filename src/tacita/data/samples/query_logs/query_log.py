"""The query log: searches of three months in the form of AOL's, by users who have interests, habits and names."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from tacita.core.parameters import Interval, coerce
from tacita.core.streams import Seed
from tacita.data.query_log.query_log import QueryLog
from tacita.data.samples.draws import Draw, streams_of
from tacita.data.samples.query_logs.clicks import addresses, clicked_addresses, draw_clicks, draw_searches
from tacita.data.samples.query_logs.log_sample import LogSample
from tacita.data.samples.query_logs.log_users import draw_log_users
from tacita.data.samples.query_logs.personal import draw_personal_texts
from tacita.data.samples.query_logs.refinement import draw_questions, question_texts
from tacita.data.samples.query_logs.sessions import draw_sessions
from tacita.data.samples.query_logs.topic_directory import topic_directory
from tacita.data.samples.query_logs.vocabulary import vocabulary

__all__ = ["query_log"]

_OWNER = "query_log"
_BEGINS = np.datetime64("2006-03-01T00:00:00", "us")
_LINES_OF_A_SESSION = 2.364
"""On average; measured."""


def query_log(users: int = 1000, *, seed: Seed, lines_per_user: float = 55.0, typo_share: float = 0.05) -> LogSample:
    """Make a query log of three months in the form of AOL's, together with the truth about each line.

    Users have one to six interests, most of them shared with others of a community, some with nobody. Sessions belong to an
    interest, to what anybody asks, to the home town, to a site that the user goes to, or to the user: the own name, telephone,
    e-mail, street, number of social security, an illness. In a session words are added, dropped and mended; what was asked before
    is asked again. Words follow Zipf's law within a category of the directory, numbers of lines a log-normal law.

    Parameters
    ----------
    users
        Number of users.
    seed
        Same seed, same log.
    lines_per_user
        How many lines a user has on average; half of the users have about a third of it or less, a few more than ten times as
        many. Everybody searches at least once, so below five there are more lines than asked for.
    typo_share
        Share of the questions that are typed wrongly: two letters in the wrong order, one left out, or one twice.

    Returns
    -------
    LogSample
        The log, sorted by user and time; the directory of :func:`topic_directory`; and for each line its category and its kind.

    Raises
    ------
    ParameterError
        When a parameter is out of its range.

    Notes
    -----
    Lines are as in the logs of AOL: each click on a result is a line; a search without a click is one; who asks for the next
    page of results searches again with the same words. Nobody in the log is real: names are put together of syllables, no
    telephone has such a number, and e-mail goes to hosts that do not exist. Sites such as ``google`` are real, addresses of
    other results end in ``.example``.

    Complexity: O(lines) time and memory; five million lines of 100 000 users take about 20 seconds and 1.5 GB.

    References
    ----------
    Pass, Chowdhury & Torgeson (2006), A picture of search; Erola, Castella-Roca, Navarro-Arribas & Torra (2011), section 4.

    Examples
    --------
    >>> from tacita.data.samples import query_log
    >>> sample = query_log(100, seed=1)
    >>> len(sample.log.users), sample.log.time is not None
    (100, True)
    >>> sample.log.user.shape == sample.truth.shape == sample.kind.shape
    True
    """
    n: int = coerce(users, Annotated[int, Interval(0)], owner=_OWNER, name="users")
    lines = coerce(lines_per_user, Annotated[float, Interval(1)], owner=_OWNER, name="lines_per_user")
    typo_share = coerce(typo_share, Annotated[float, Interval(0, 1)], owner=_OWNER, name="typo_share")
    draw, words = streams_of(_OWNER, seed), vocabulary()
    people = draw_log_users(draw, n, words, sessions=lines / _LINES_OF_A_SESSION)
    sessions = draw_sessions(draw, people, words)
    personal = draw_personal_texts(draw, n)
    terms = pa.concat_arrays([pa.array([*words.terms, "-"], pa.string()), personal.name, *personal.identifying])
    questions = draw_questions(draw, sessions, typo_share=typo_share)
    texts = question_texts(draw, sessions, questions, terms)

    searches = draw_searches(draw, questions.session, sessions.kind[questions.session])
    of = questions.session[searches.question]
    time = sessions.start[of] + searches.after
    order = np.lexsort([time, sessions.user[of]])
    question, page, of, time = searches.question[order], searches.page[order], of[order], time[order]
    search, rank = draw_clicks(draw, page, sessions.kind[of])
    of = of[search]
    query = texts.indices.to_numpy()[question[search]].astype(np.int32)
    category = sessions.category[of]
    log = QueryLog(
        user=sessions.user[of].astype(np.int32),
        query=query,
        users=_numbers(draw, n),
        texts=texts.dictionary,
        time=_BEGINS + (time[search] * 1_000_000).astype("timedelta64[us]"),
        rank=rank,
        url=clicked_addresses(words, query=query, category=category, site=sessions.site[of], rank=rank),
        urls=addresses(),
    )
    return LogSample(
        log=log,
        directory=topic_directory(),
        truth=category.astype(np.int32),
        kind=sessions.kind[of].astype(np.int8),
        language=people.language.astype(np.int8),
        interests=people.interests.astype(np.int32),
        names=personal.name,
    )


def _numbers(draw: Draw, n: int) -> pa.StringArray:
    """Numbers in the place of names, rising, with gaps."""
    numbers: npt.NDArray[np.int64] = np.cumsum(draw("number").integers(1, 40, n)) + 100
    return pa.array(numbers).cast(pa.string())

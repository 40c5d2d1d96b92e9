"""The recount of an anonymised log with sets: for every profile and text the users who asked it."""

from __future__ import annotations

from tacita.data.directory.classified import Classified
from tacita.data.query_log.query_log import QueryLog

__all__ = ["lonely_clicks", "lonely_texts", "lonely_times"]

Line = tuple[int, str, str | None, str | None]


def plain(text: str) -> str:
    return " ".join(text.lower().split())


def lines_of(log: QueryLog) -> list[Line]:
    """User, text, day, address; lines without a query are left out."""
    found = []
    for i in range(len(log)):
        if log.query[i] >= 0 and plain(log.texts[int(log.query[i])].as_py()):
            when = None if log.time is None else str(log.time[i].astype("datetime64[D]"))
            url = None if log.url is None or log.url[i] < 0 else log.urls[int(log.url[i])].as_py()
            found.append((int(log.user[i]), log.texts[int(log.query[i])].as_py(), when, url))
    return found


def categories_of(log: QueryLog, topics: Classified) -> dict[str, set[str]]:
    """The paths of all categories of each text, with those above them."""
    found: dict[str, set[str]] = {}
    for t, text in enumerate(log.texts.to_pylist()):
        places = {int(c) for level in topics.levels for c in level[[t]].indices}
        found[text] = {": ".join(topics.tree.path(c)) for c in places}
    return found


def askers_of(log: QueryLog, topics: Classified, profile: list[int], text: str, url: str | None, group: int) -> int:
    about = categories_of(log, topics)
    behind: list[set[int]] = [set(), set()]
    for user, asked, _, clicked in lines_of(log):
        if profile[user] == group and (url is None or clicked == url or (clicked or "").split("/")[0] == url):
            if plain(asked) == plain(text):
                behind[0].add(user)
            if text in about[asked]:
                behind[1].add(user)
    return max(map(len, behind))


def lonely_texts(log: QueryLog, topics: Classified, profile: list[int], left: QueryLog, askers: int) -> int:
    pairs = {(group, text) for group, text, _, _ in lines_of(left)}
    return sum(askers_of(log, topics, profile, text, None, group) < askers for group, text in pairs)


def lonely_clicks(log: QueryLog, topics: Classified, profile: list[int], left: QueryLog, askers: int) -> int:
    triples = {(group, text, url) for group, text, _, url in lines_of(left) if url is not None}
    return sum(askers_of(log, topics, profile, text, url, group) < askers for group, text, url in triples)


def lonely_times(log: QueryLog, profile: list[int], left: QueryLog, askers: int) -> int:
    pairs = {(group, when) for group, _, when, _ in lines_of(left) if when not in (None, "NaT")}
    original = lines_of(log)
    return sum(
        len({user for user, _, at, _ in original if profile[user] == group and at == when}) < askers
        for group, when in pairs
    )

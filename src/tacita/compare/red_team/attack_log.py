"""Attack an anonymised query log before it leaves: by its own users, their neighbours, their group mates and strangers."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tacita.attack.judge.campaign import Campaign, applicable, campaign
from tacita.attack.judge.grade import MARGIN
from tacita.attack.judge.stage_log import WhichQueries, stage_log
from tacita.attack.targets import KnownStep
from tacita.core.errors import ParameterError
from tacita.core.streams import Seed
from tacita.data.directory.classified import Classified
from tacita.data.query_log.query_log import QueryLog
from tacita.data.query_log.same_texts import places_of_texts
from tacita.logs.anonymiser import AnonymisedLog, Anonymiser

__all__ = ["attack_log", "told_of_anonymiser"]


def attack_log(
    original: QueryLog,
    anonymised: AnonymisedLog,
    *,
    method: Anonymiser | None = None,
    topics: Classified | None = None,
    known: int = 3,
    which: WhichQueries = "random",
    mates: int = 1,
    watched: int = 3,
    earlier: Sequence[QueryLog] = (),
    attacks: Collection[str] | None = None,
    without: Collection[str] = (),
    seed: Seed = 1,
    seconds: float = 600.0,
    margin: float = MARGIN,
) -> Campaign:
    """Run every attack that applies against an anonymised query log.

    Parameters
    ----------
    original
        The log as it is.
    anonymised
        What is to leave, with the profile that stands for each user of the original.
    method
        What made it, which is told to the attackers with its parameters; None where nothing is told.
    topics
        What a directory says of the texts of the original; with it attackers look for sensitive topics too.
    known, which
        How many different queries of each victim a neighbour knows, and which: any (``random``), or those that the fewest users
        asked (``rare``).
    mates
        How many other users behind a victim's profile attack together, each with all that he asked.
    watched
        How many of a victim's lines somebody saw him write, who knows the times.
    earlier
        Other releases of the same log.
    attacks, without
        Names of the only attacks to run, and of attacks to leave out.
    seed
        Repeats everything.
    seconds
        About how long it may take; attacks that would take longer try a sample of the users.
    margin
        By how much an attack may beat guessing.

    Returns
    -------
    Campaign
        One grade for each attack, and a verdict. The victims are all users of the original.

    Raises
    ------
    AttackError
        When the profiles are not those of this log, or nothing is known of anybody.
    ParameterError
        When there is no attack of a name, or topics are those of another log.

    Notes
    -----
    That a profile stands for somebody among others is what a method with groups says of itself: to find it counts as nothing, and
    stands among the figures as ``profile told rightly``. What counts is what is read in it: queries and sensitive topics of a
    victim, beside how often anybody asks the same and what the same attack tells of users whose profiles were taken out. A method
    that promises one in k is broken where one in k is more than ``margin`` beyond that; the figure ``promised`` is 1/k.

    Examples
    --------
    >>> import numpy as np
    >>> users = [f"user {i // 5}" for i in range(200)]
    >>> log = QueryLog.from_columns(users, [f"query {i}" for i in range(200)])
    >>> released = AnonymisedLog(log=log, profile=np.arange(40, dtype=np.int32), method="pseudonyms")
    >>> attack_log(log, released, attacks=["own_queries", "known_queries"]).state
    'failed'
    """
    if not 0 <= margin < 1:
        raise ParameterError("attack_log: 'margin' must be in [0, 1), a share.")
    if topics is not None and topics.texts != len(original.texts):
        raise ParameterError(
            f"attack_log: 'topics' must have a row for each different query, {len(original.texts)}, got {topics.texts}."
        )
    attackers = applicable("log", faces=() if method is None else method.faces, attacks=attacks, without=without)
    staged = stage_log(
        original,
        anonymised.log,
        anonymised.profile,
        steps=() if method is None else (told_of_anonymiser(method),),
        topics=topics,
        released_topics=_released_topics(original, anonymised, topics),
        known=known,
        which=which,
        mates=mates,
        watched=watched,
        earlier=earlier,
        seed=seed,
    )
    return campaign(
        "log",
        lambda: (staged.target, staged.answers, staged.control),
        target="the query log",
        attackers=attackers,
        seed=seed,
        seconds=seconds,
        margin=margin,
        scenario=_scenario(known, which, mates, watched, len(earlier)),
        notes=_notes(anonymised, method, topics),
    )


def told_of_anonymiser(method: Anonymiser) -> KnownStep:
    """Return what a documentation would tell of an anonymiser: its name and its parameters."""
    return KnownStep(method.name, parameters={p.name: getattr(method, p.name) for p in method.parameters()})


def _released_topics(original: QueryLog, anonymised: AnonymisedLog, topics: Classified | None) -> Classified | None:
    """Return the topics of the released texts: those that came with it, or those of the same texts of the original."""
    if anonymised.topics is not None or topics is None:
        return anonymised.topics
    place = places_of_texts(anonymised.log.texts, original.texts)
    return topics.at(place) if bool((place >= 0).all()) else None


def _scenario(known: int, which: WhichQueries, mates: int, watched: int, earlier: int) -> str:
    """Return what the attackers know, in words."""
    parts = [f"a neighbour knows {known} of each victim's queries ({which} ones), or what these are about"]
    parts.append("the victim himself, or whoever has his browser, knows all of them")
    if mates:
        parts.append(
            f"{mates} other{'s' if mates > 1 else ''} behind the same profile know{'' if mates > 1 else 's'} all of their own"
        )
    if watched:
        parts.append(f"somebody saw when {watched} lines of a victim were written")
    if earlier:
        parts.append(f"{earlier} other release{'s' if earlier > 1 else ''} of the log")
    return "; ".join(parts)


def _notes(anonymised: AnonymisedLog, method: Anonymiser | None, topics: Classified | None) -> tuple[str, ...]:
    notes = [
        "What anybody asks as often, and what is told just as often of users whose profiles were taken out, counts as guessing."
    ]
    if anonymised.smallest > 1:
        notes.append(
            f"Every profile stands for {anonymised.smallest} users at least; to find that of a victim is no disclosure by itself."
        )
    if method is None:
        notes.append("Nothing is told of the method, so that group mates do not know how many they are.")
    if topics is None:
        notes.append("Without a directory nobody looks for sensitive topics.")
    return tuple(notes)

"""Attack a database before users do: the red team asks a trial of it, as a user would, for what it must not tell."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacita.attack.judge.answers import NEAR, Answers
from tacita.attack.judge.campaign import Campaign, applicable, campaign
from tacita.attack.judge.grade import MARGIN
from tacita.attack.targets import Ask, ServerTarget
from tacita.core.arrays import IntArray
from tacita.core.errors import AttackError, ParameterError
from tacita.core.streams import Seed, Streams
from tacita.query.catalogue.version import Version
from tacita.query.database import Database
from tacita.query.steward.trial import trial_of

__all__ = ["VICTIMS", "asked_as_user", "attack_database", "stage_database"]

VICTIMS = 100
"""How many people are attacked."""
_FREQUENT = 0.05
"""A number that more than this share of the people have is no secret of theirs."""


def attack_database(
    db: Database,
    *,
    wanted: str | None = None,
    of: str | None = None,
    victims: int = VICTIMS,
    attacks: Collection[str] | None = None,
    without: Collection[str] = (),
    seed: Seed = 1,
    seconds: float = 600.0,
    margin: float = MARGIN,
    near: float = NEAR,
    ask: Callable[[], Ask] | None = None,
    called: str = "",
) -> Campaign:
    """Run every attack that applies against a database.

    Parameters
    ----------
    db
        The database. Each attack asks a trial of it that remembers nothing yet: nothing is entered, spent or remembered.
    wanted
        The variable that the attackers want to know; by default the first confidential one with numbers.
    of
        Its class, for a variable without numbers.
    victims
        How many people are attacked: those who are alone with what is known of them first.
    attacks, without
        Names of the only attacks to run, and of attacks to leave out.
    seed
        Repeats everything.
    seconds
        About how long it may take.
    margin
        By how much an attack may beat guessing.
    near
        How near a number must be to count as known, as a share of the true value.
    ask
        Gives what is asked instead of trials, such as a connection to the running server; the truth is still that of ``db``.
    called
        What the target is called; by default the database under its policy.

    Returns
    -------
    Campaign
        One grade for each attack with the rules that stopped it, and a verdict.

    Raises
    ------
    ParameterError
        When there is no such variable, class or attack.
    AttackError
        When there is nothing that an attacker could want.

    Examples
    --------
    >>> import tacita as tc
    >>> db = tc.query.open(tc.samples.household_survey(300, seed=1), policy="audited", key=b"an example's key")
    >>> found = attack_database(db, victims=5, attacks=["universe_difference"])
    >>> found.state
    'passed'
    """
    if not 0 <= margin < 1:
        raise ParameterError("attack_database: 'margin' must be in [0, 1), a share.")
    faces = {name for restriction in db.policy.restrictions for name in restriction.faces}
    attackers = applicable("server", faces=faces, attacks=attacks, without=without)
    target, answers = stage_database(db, wanted=wanted, of=of, victims=victims, seed=seed, near=near)

    def stage() -> tuple[ServerTarget, Answers, None]:
        return replace(target, ask=asked_as_user(trial_of(db)) if ask is None else ask()), answers, None

    return campaign(
        "server",
        stage,
        target=called or f"the database under the policy '{db.policy.name}'",
        attackers=attackers,
        seed=seed,
        seconds=seconds,
        margin=margin,
        scenario=f"every published variable of a person but {target.wanted}; what the catalogue says",
        notes=(
            f"{target.victims} people were attacked who do not have the most frequent value of {target.wanted}, those who are "
            f"alone with what is known of them first; a number counts as known within {100 * near:g} %.",
        ),
    )


def stage_database(
    db: Database,
    *,
    wanted: str | None = None,
    of: str | None = None,
    victims: int = VICTIMS,
    seed: Seed = 1,
    near: float = NEAR,
) -> tuple[ServerTarget, Answers]:
    """Choose victims, and give an attacker what he knows of them; the truth stays here. See :func:`attack_database`."""
    if victims < 1:
        raise ParameterError("attack_database: 'victims' must be at least 1.")
    version = db.version
    name, chosen_class = _wanted(version, wanted, of)
    truth = _truth(version, name, chosen_class)
    column = version.catalogue[name].column
    known = [v for v in version.catalogue if v.classes and "universe" in v.uses and v.column != column]
    if not known:
        raise AttackError("No variable of the catalogue says who a question is about, so nobody can be singled out.")
    codes = {v.name: np.asarray(version.codes(v.name), np.int64) for v in known}
    rows = _victims(codes, truth, victims, Streams(seed).within("tacita-stage-1").stream("database"))
    words = {v.name: v.all_classes for v in known}
    told: tuple[Mapping[str, str], ...] = tuple({n: words[n][codes[n][row]] for n in codes} for row in rows)
    target = ServerTarget(
        ask=asked_as_user(trial_of(db)),
        catalogue=db.catalogue.to_plain(),
        known=told,
        wanted=name,
        of="" if chosen_class is None else chosen_class,
    )
    return target, Answers(truth={name: truth[rows]}, near=near)


def asked_as_user(db: Database, user: str = "red team") -> Ask:
    """Return a database as a user sees it: a request in its JSON form goes in, what leaves comes out."""

    def ask(request: Mapping[str, Any]) -> Mapping[str, Any]:
        return db.ask(dict(request), user=user).to_plain()

    return ask


def _wanted(version: Version, wanted: str | None, of: str | None) -> tuple[str, str | None]:
    """Return the variable that is wanted, and its class where it has no numbers."""
    if wanted is None:
        secret = [v for v in version.catalogue if "confidential" in version.column(v.name).roles]
        listed = [v for v in secret if v.is_numeric and "response" in v.uses and of is None] or secret
        if not listed:
            raise AttackError("No variable of the catalogue is confidential; name the one that attackers want.")
        wanted = listed[0].name
    variable = version.catalogue[wanted]
    if of is None and variable.is_numeric and "response" in variable.uses:
        return wanted, None
    if not variable.classes:
        raise AttackError(f"The variable '{wanted}' can neither be summed up nor counted, so nobody can ask for it.")
    return wanted, variable.classes[0] if of is None else variable.classes[variable.numbers(of)[0]]


def _truth(version: Version, name: str, of: str | None) -> NDArray[np.generic]:
    if of is None:
        return np.asarray(version.values(name), np.float64)
    here = np.asarray(version.codes(name), np.int64)
    return np.asarray(here == version.catalogue[name].all_classes.index(of))


def _victims(
    codes: Mapping[str, NDArray[np.int64]], truth: NDArray[np.generic], most: int, rng: np.random.Generator
) -> IntArray:
    """Return people with a value to be learned: those who are alone with what is known of them first, drawn at random.

    Nobody has to be asked about a number that most have, such as no earnings: those who have it are no victims.
    """
    group = np.zeros(len(truth), np.int64)
    for code in codes.values():
        _, group = np.unique(group * (int(code.max(initial=0)) + 1) + code, return_inverse=True)
    size = np.bincount(group)[group]
    there = np.arange(len(truth))
    if truth.dtype.kind == "f":
        there = np.flatnonzero(~np.isnan(truth))
        kinds, times = np.unique(truth[there], return_counts=True)
        if len(kinds) > 1 and times.max() > _FREQUENT * len(there):
            there = there[truth[there] != kinds[times.argmax()]]
    if not len(there):
        raise AttackError("Nobody has a value of the variable that is wanted.")
    drawn = rng.permutation(there)
    order = np.argsort(np.minimum(size[drawn], 2), kind="stable")
    return np.asarray(drawn[order][:most], np.int64)

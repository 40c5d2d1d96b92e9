"""A town for the red team: keys that everybody knows, something confidential, and people who are alone with their keys."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tacita.attack.judge.answers import Answers
from tacita.attack.targets import Ask, ServerTarget
from tacita.core.arrays import IntArray
from tacita.core.errors import TacitaWarning
from tacita.core.streams import Streams
from tacita.data.microdata import Microdata
from tacita.data.samples.made import file_of_columns
from tacita.query.database import Database
from tacita.query.opening import open_database
from tacita.query.policy.policy import Policy, PolicyLike
from tacita.query.steward.attack_database import asked_as_user

__all__ = ["KEYS", "Town", "town", "town_target"]

KEYS: Mapping[str, tuple[str, ...]] = {
    "age": ("16-24", "25-34", "35-44", "45-54", "55-64", "65+"),
    "region": ("east", "north", "south", "west"),
    "sex": ("female", "male"),
    "work": ("farm", "factory", "office", "school", "shop"),
}
"""What everybody knows of everybody, and the classes of it."""
SHARE = 0.4
"""Part of the town that is ill."""
_KEY = b"the secret key of the red team's town"


@dataclass(frozen=True, eq=False)
class Town:
    """People of a town.

    Parameters
    ----------
    data
        Their records: keys, ``ill`` and ``income``, which are confidential, and a number for each person.
    victims
        Rows of people who are alone with their keys.
    twins
        For each victim the row of a second person with the same keys, or -1.
    """

    data: Microdata
    victims: IntArray
    twins: IntArray

    def without(self, rows: IntArray) -> Microdata:
        """Return the records of everybody else."""
        return self.data.take(np.setdiff1d(np.arange(len(self.data)), rows))

    def known(self) -> tuple[dict[str, str], ...]:
        """Return the keys of each victim."""
        words = {name: self.data.codes(name) for name in KEYS}
        return tuple(
            {name: str(found.categories[found.values[row]]) for name, found in words.items()} for row in self.victims
        )


def town(seed: int, *, people: int = 2400, victims: int = 60, alone: int = 1) -> Town:
    """Make a town in which some cells of the keys have one person, or two.

    Parameters
    ----------
    seed
        Repeats it.
    people
        How many there are, about.
    victims
        How many of them are attacked.
    alone
        How many people are in the cell of a victim: 1, or 2 for an insider beside him.
    """
    rng = Streams(seed).within("tacita-red-team-1").stream("town")
    sizes = [len(classes) for classes in KEYS.values()]
    cells = rng.integers(0, int(np.prod(sizes)), people)
    chosen = rng.permutation(int(np.prod(sizes)))[:victims]
    cells = np.concatenate([cells[~np.isin(cells, chosen)], np.repeat(chosen, alone)])
    cells = cells[rng.permutation(len(cells))]
    codes = np.unravel_index(cells, sizes)
    columns: dict[str, Any] = {
        name: np.array(classes, dtype=object)[code] for (name, classes), code in zip(KEYS.items(), codes, strict=True)
    }
    columns["ill"] = np.where(rng.random(len(cells)) < SHARE, "yes", "no").astype(object)
    columns["income"] = np.round(rng.lognormal(10, 0.7, len(cells)))
    columns["person"] = np.arange(len(cells))
    data = file_of_columns(
        {name: values.tolist() for name, values in columns.items()},
        identifiers=["person"],
        keys=list(KEYS),
        confidential=["ill", "income"],
        scales={"income": "numeric"},
    )
    rows = [np.flatnonzero(cells == cell) for cell in chosen]
    twins = np.array([two[1] if len(two) > 1 else -1 for two in rows], np.int64)
    return Town(data, np.array([one[0] for one in rows], np.int64), twins)


def town_target(
    here: Town,
    policy: PolicyLike | None = None,
    *,
    wanted: str = "income",
    ask: Callable[[Microdata], Ask] | None = None,
) -> tuple[ServerTarget, Answers]:
    """Put a server of the town before an attacker who knows the keys of his victims.

    Parameters
    ----------
    here
        The town.
    policy
        What the server answers.
    wanted
        ``income``, or ``ill``.
    ask
        A server of the attacker's opponents' own making instead of a database under a policy.
    """
    db = opened_town(here.data, "internal" if policy is None else policy)
    truth = here.data.numbers("income") if wanted == "income" else _is_ill(here.data)
    insiders: tuple[Mapping[str, Any], ...] = ()
    if (here.twins >= 0).all():
        words = truth if wanted == "income" else np.where(truth, "yes", "no")
        insiders = tuple({wanted: words[row]} for row in here.twins)
    target = ServerTarget(
        ask=asked_as_user(db) if ask is None else ask(here.data),
        catalogue=db.catalogue.to_plain(),
        known=here.known(),
        wanted=wanted,
        of="yes" if wanted == "ill" else "",
        insiders=insiders,
    )
    return target, Answers(truth={wanted: truth[here.victims]})


def opened_town(data: Microdata, policy: PolicyLike, *, previous: Database | None = None) -> Database:
    """Open the records of a town; under differential privacy what is public of it is declared so."""
    chosen = Policy.of(policy)
    schema = data.schema
    for name, classes in KEYS.items():
        schema = schema.change(name, public=True, categories=classes)
    schema = schema.change("ill", public=True, categories=("no", "yes")).change(
        "income", public=True, bounds=(0, 500_000)
    )
    public = data.with_schema(schema)
    with warnings.catch_warnings():  # that no stratum is named is what some of the attackers wait for
        warnings.simplefilter("ignore", TacitaWarning)
        return open_database(public, policy=chosen, key=_KEY, previous=previous)


def _is_ill(data: Microdata) -> Any:
    found = data.codes("ill")
    return np.array([str(found.categories[code]) == "yes" for code in found.values])

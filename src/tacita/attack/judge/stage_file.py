"""The scene of a released file: what left, who knows what of whom, and the truth, which stays with the judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tacita.attack.judge.answers import NEAR, Answers
from tacita.attack.targets import FileTarget, KnownStep
from tacita.core.arrays import IntArray
from tacita.core.errors import AttackError
from tacita.core.method import Method
from tacita.core.streams import Seed, Streams
from tacita.data.microdata import Microdata
from tacita.data.pairing import Pair, pair_records
from tacita.data.public_side import as_public
from tacita.data.scenario import Scenario, ScenarioLike

__all__ = ["FAMILIES", "StagedFile", "as_it_leaves", "family_of", "stage_file", "stage_pair", "true_values"]

FAMILIES = ("none", "microaggregation", "noise", "randomise", "recode", "reweight", "safe", "suppress", "swap", "other")
"""Families of masks, as the folders of the masks are called: what an attacker may guess about the method."""


@dataclass(frozen=True, eq=False)
class StagedFile:
    """A target, the truth about its victims, and a control whose victims were taken out of the file.

    Parameters
    ----------
    target, answers
        Somebody who attacks the file, and the truth about his victims.
    control
        The file without the records of half of the people, and the truth about these: what is told of them nevertheless
        is what everybody could guess.
    """

    target: FileTarget
    answers: Answers
    control: tuple[FileTarget, Answers]


def stage_file(
    original: Microdata,
    masked: Microdata,
    *,
    scenario: ScenarioLike = None,
    wanted: Sequence[str] | None = None,
    seed: Seed = 1,
    reference: Microdata | None = None,
    earlier: Sequence[Microdata] = (),
    mates: int = 0,
    near: float = NEAR,
) -> StagedFile:
    """Give an attacker what a scenario says, and keep the truth.

    Parameters
    ----------
    original, masked
        Both files; they are paired as an evaluation pairs them.
    scenario
        What the intruder knows: the true values of the keys and of the columns that records are linked by.
    wanted
        The columns that he wants to know; by default the confidential ones, and where there are none those that he does
        not know.
    seed
        Of the order of the released records and of who is taken out for the control.
    reference
        Other people of the same population, whom the intruder has wholly.
    earlier
        Other releases of the same population; their columns are known as well where the scenario names them.
    mates
        How many others of a victim's group the intruder knows wholly, where the last step made groups: they are put into the
        reference file, and one of each group is a victim.
    near
        How near a number must be to count as known.

    Raises
    ------
    AttackError
        When nobody knows which released record belongs to whom, or the intruder knows nothing.
    """
    return stage_pair(
        pair_records(original, masked),
        scenario=scenario,
        wanted=wanted,
        seed=seed,
        reference=reference,
        earlier=earlier,
        mates=mates,
        near=near,
    )


def stage_pair(
    pair: Pair,
    *,
    scenario: ScenarioLike = None,
    wanted: Sequence[str] | None = None,
    seed: Seed = 1,
    reference: Microdata | None = None,
    earlier: Sequence[Microdata] = (),
    mates: int = 0,
    near: float = NEAR,
) -> StagedFile:
    """Set the scene for two files whose records are paired already; see :func:`stage_file`."""
    if not pair.is_true_pairing:
        raise AttackError(
            "It is not known which released record belongs to which original, so nobody can say who was found."
        )
    original, masked = pair.original, pair.masked
    rng = Streams(seed).within("tacita-stage-1").stream("file")
    known = _known(Scenario.of(scenario), pair, earlier)
    chosen = _wanted(pair, known, wanted)
    steps = tuple(_told(step, original) for step in pair.steps)
    order = rng.permutation(len(masked))
    place = np.empty(len(masked), np.int64)
    place[order] = np.arange(len(masked))
    victims = rng.permutation(len(pair.rows))
    released = as_it_leaves(masked.take(order))
    others = tuple(as_it_leaves(other.take(rng.permutation(len(other)))) for other in earlier)
    of_group = None
    if mates:
        if reference is not None:
            raise AttackError("A scene has either a reference file or mates of the victims, not both.")
        victims, people_known, in_reference = _mates(pair, steps, mates)
        reference = pair.original.take(pair.rows[people_known])
        of_group = np.full((len(pair.rows), mates), -1, np.int64)
        of_group[victims] = in_reference

    def scene(released: Microdata, chosen_victims: IntArray, rows: IntArray) -> tuple[FileTarget, Answers]:
        people = pair.original.take(pair.rows[chosen_victims])
        truth: dict[str, NDArray[np.generic]] = {"identity": rows}
        truth |= {name: true_values(people, name) for name in chosen}
        if (rows >= 0).all():  # what was done to the file can be told without anybody who is not in it
            truth["method"] = np.full(len(rows), family_of(pair.steps), dtype=object)
        target = FileTarget(
            released=released,
            known=as_it_leaves(people.select(known)),
            wanted=chosen,
            steps=steps,
            reference=None if reference is None else as_it_leaves(reference),
            earlier=others,
            mates=None if of_group is None else of_group[chosen_victims],
        )
        # A method is no secret: to guess it rightly is no disclosure by itself.
        baseline = {"identity": 1 / max(len(released), 1), "method": 1.0}
        return target, Answers(truth=truth, baseline=baseline, near=near)

    target, answers = scene(released, victims, place[pair.masked_rows[victims]])
    gone = np.sort(victims[: len(victims) // 2])
    left = np.setdiff1d(np.arange(len(masked)), place[pair.masked_rows[gone]])
    control = scene(released.take(left), gone, np.full(len(gone), -1, np.int64))
    return StagedFile(target, answers, control)


def as_it_leaves(data: Microdata) -> Microdata:
    """Return data as they leave: without identifiers, unused descriptions, the steps behind them and the link to their origin."""
    public = as_public(data)
    return Microdata(public.to_arrow(codes=False), public.schema)


def true_values(data: Microdata, name: str) -> NDArray[np.generic]:
    """Return a column as claims about it are judged: numbers, or the words of its classes; a missing value is no word."""
    if data.schema[name].scale == "numeric":
        return data.numbers(name)
    found = data.codes(name)
    words = np.array([*(str(category) for category in found.categories), ""], dtype=object)
    return np.asarray(words[found.values], dtype=object)


def family_of(steps: Sequence[Method]) -> str:
    """Return the family of the last step, out of :data:`FAMILIES`; ``none`` where nothing was done.

    Examples
    --------
    >>> import tacita as tc
    >>> family_of([tc.mask.RankSwap()])
    'swap'
    """
    if not steps:
        return "none"
    folder = type(steps[-1]).__module__.split(".")[-2]
    return folder if folder in FAMILIES else "other"


def _mates(pair: Pair, steps: Sequence[KnownStep], mates: int) -> tuple[IntArray, IntArray, IntArray]:
    """Return victims, one of each group, the people of the groups who are known, and for each victim his among these.

    A group are the records that came out equal in the columns of the last step. All are numbered by their place in the pair.
    """
    columns = [name for name in (steps[-1].columns if steps else ()) if name in pair.masked.schema]
    group = pair.masked.groups(columns)[pair.masked_rows]
    order = np.argsort(group, kind="stable")
    size = np.bincount(group)
    first = np.append(0, np.cumsum(size))[:-1]
    victims = order[first[size > 1]]
    at = first[size > 1][:, None] + 1 + np.arange(mates)
    is_one = np.arange(mates) < (size[size > 1] - 1)[:, None]
    known = order[at[is_one]]
    numbers = np.full(is_one.shape, -1, np.int64)
    numbers[is_one] = np.arange(len(known))
    return victims, known, numbers


def _known(scenario: Scenario, pair: Pair, earlier: Sequence[Microdata]) -> tuple[str, ...]:
    """Return the columns that the intruder knows, out of those that the original and a release have."""
    schema = pair.original.schema
    scenario.check(schema)
    named = dict.fromkeys((*scenario.key_names(schema), *scenario.known_names(schema)))
    known = tuple(name for name in named if any(name in file.schema for file in (pair.masked, *earlier)))
    if not known:
        raise AttackError("The intruder knows no column of the released file; name some in the scenario.")
    return known


def _wanted(pair: Pair, known: tuple[str, ...], wanted: Sequence[str] | None) -> tuple[str, ...]:
    """Return the columns that the intruder wants to know."""
    if wanted is not None:
        for name in wanted:
            pair.original.schema[name]
        return tuple(wanted)
    both = [c for c in pair.original.schema if c.name in pair.masked.schema and c.name not in known]
    secret = tuple(c.name for c in both if "confidential" in c.roles)
    plain = tuple(c.name for c in both if {"other", "linked"}.intersection(c.roles))
    return secret or plain


def _told(step: Method, data: Microdata) -> KnownStep:
    """Return what a documentation would tell of a step: its name, its columns and its parameters."""
    parameters: Mapping[str, Any] = {p.name: getattr(step, p.name) for p in step.parameters()}
    worked_on = getattr(step, "worked_on", None)
    columns = () if worked_on is None else tuple(worked_on(data.schema))
    return KnownStep(step.name, columns, {name: value for name, value in parameters.items() if name != "columns"})

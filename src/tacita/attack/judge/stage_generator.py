"""The scene of a generator: what it released, who may have been in the data, and the truth, which stays with the judge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tacita.attack.judge.answers import NEAR, Answers
from tacita.attack.judge.stage_file import as_it_leaves, true_values
from tacita.attack.synthetic.predicates import isolates
from tacita.attack.targets import Generate, GeneratorTarget
from tacita.core.arrays import BoolArray, IntArray
from tacita.core.errors import AttackError
from tacita.core.streams import Seed, Streams
from tacita.data.microdata import Microdata

__all__ = ["StagedGenerator", "stage_generator"]

_LEAST = 20
"""Records that a scene needs at least, so that each part has some."""


@dataclass(frozen=True, eq=False)
class StagedGenerator:
    """A target, the truth about its candidates, and a control of people who were not in the data.

    Parameters
    ----------
    target, answers
        Somebody who attacks the generator and its release, and the truth about his candidates.
    control
        The same attack on people whom the generator never saw, or on what it says of them.
    """

    target: GeneratorTarget
    answers: Answers
    control: tuple[GeneratorTarget, Answers]


def stage_generator(
    original: Microdata,
    generate: Generate,
    *,
    secret: str | None = None,
    apart: Sequence[str] = (),
    seed: Seed = 1,
    near: float = NEAR,
) -> StagedGenerator:
    """Deal out people: to the generator, to the candidates and to the attacker himself; and keep the truth.

    Two fifths of the people are the data that the release is made from. Two fifths are people whom the attacker has. The last
    fifth are others, of whom he asks too.

    Parameters
    ----------
    original
        People with all columns. Members of one household stay together.
    generate
        The generator.
    secret
        The column that the attacker wants to know of people in the data. Without it, and without ``apart``, he wants to know who
        is in the data: half of his candidates are.
    apart
        Columns that he has of the same people in another order, so that he wants to know who belongs to whom.
    seed
        Of who is who, and of the release.
    near
        How near a number must be to count as known.

    Raises
    ------
    AttackError
        When there are too few people, or ``secret`` and ``apart`` are both given.
    ColumnError
        When a column is not there.
    """
    if secret is not None and apart:
        raise AttackError("A generator is attacked for a 'secret' or for columns that stand 'apart', not for both.")
    if len(original) < _LEAST:
        raise AttackError(f"A generator is attacked with {_LEAST} people at least, got {len(original)}.")
    streams = Streams(seed).within("tacita-stage-1")
    rng = streams.stream("generator")
    people = _as_own(original.drop(original.schema.identifiers))
    inside, others, had = _dealt(people, rng)
    inner = _as_own(people.take(inside))
    released = as_it_leaves(generate(inner, int(streams.stream("release").integers(2**63))))
    reference = _as_own(people.take(had))

    def scene(chosen: IntArray, is_member: BoolArray, tested: Microdata) -> tuple[GeneratorTarget, Answers]:
        candidates = _as_own(people.take(chosen))
        truth: dict[str, NDArray[np.generic]] = {"membership": is_member} if secret is None and not apart else {}
        order = rng.permutation(len(chosen))
        if secret is not None:
            truth[secret] = true_values(candidates, secret)
        if apart:
            place = np.empty(len(chosen), np.int64)
            place[order] = np.arange(len(chosen))
            truth["link"] = place
        target = GeneratorTarget(
            released=released,
            generate=generate,
            candidates=candidates.drop([*([secret] if secret else []), *apart]),
            reference=reference,
            secret=secret,
            apart=_as_own(candidates.take(order).select(apart)) if apart else None,
        )
        judged = {"singled": lambda said: isolates(said, tested)}
        baseline = {"link": 1 / len(chosen)} if apart else {}
        return target, Answers(truth=truth, baseline=baseline, near=near, judged=judged)

    if secret is None and not apart:
        few = min(len(inside), len(others))
        chosen = rng.permutation(np.concatenate([rng.permutation(inside)[:few], rng.permutation(others)[:few]]))
        target, answers = scene(chosen, np.isin(chosen, inside), inner)
        # Nothing can be told of members who are not there; what singles out people is tested on as many who are not in it.
        held = Answers(truth={}, near=near, judged={"singled": lambda said: isolates(said, reference)})
        return StagedGenerator(target, answers, (target, held))
    target, answers = scene(inside, np.ones(len(inside), bool), inner)
    return StagedGenerator(target, answers, scene(others, np.zeros(len(others), bool), reference))


def _dealt(people: Microdata, rng: np.random.Generator) -> tuple[IntArray, IntArray, IntArray]:
    """Return the rows of those in the data, of others, and of those whom the attacker has; households stay together."""
    household = people.schema.household
    unit = np.arange(len(people)) if household is None else people.groups([household])
    lot = rng.permutation(int(unit.max()) + 1)[unit]
    order = np.argsort(lot, kind="stable")
    ends = np.flatnonzero(np.diff(lot[order], append=-1)) + 1  # a part ends where a household does
    first, second = (int(ends[np.searchsorted(ends, share * len(people))]) for share in (0.4, 0.6))
    if not first < second < len(people):
        raise AttackError("There are too few households to deal out people to the data and to the attacker.")
    return order[:first], order[first:second], order[second:]


def _as_own(data: Microdata) -> Microdata:
    """Return a file as somebody has it who got it by himself: with all descriptions, without a link to its origin."""
    return Microdata(data.to_arrow(codes=False), data.schema)

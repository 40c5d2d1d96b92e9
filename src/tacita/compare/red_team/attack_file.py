"""Attack a file of records before it leaves, with everything that a scenario gives an intruder."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from tacita.attack.judge.answers import NEAR
from tacita.attack.judge.campaign import Campaign, applicable, campaign
from tacita.attack.judge.grade import MARGIN
from tacita.attack.judge.stage_file import stage_file
from tacita.core.errors import ParameterError
from tacita.core.streams import Seed
from tacita.data.microdata import Microdata
from tacita.data.pairing import pair_records
from tacita.data.scenario import Scenario, ScenarioLike
from tacita.release.release import Release

__all__ = ["attack_file"]


def attack_file(
    original: Microdata,
    masked: Microdata | Release,
    *,
    scenario: ScenarioLike = None,
    wanted: Sequence[str] | None = None,
    attacks: Collection[str] | None = None,
    without: Collection[str] = (),
    reference: Microdata | None = None,
    earlier: Sequence[Microdata] = (),
    seed: Seed = 1,
    seconds: float = 600.0,
    margin: float = MARGIN,
    near: float = NEAR,
) -> Campaign:
    """Run every attack that applies against a released file.

    Parameters
    ----------
    original
        The data as they are.
    masked
        What is to leave; paired with the original as an evaluation pairs them. The masks that made it, where they are known, are
        told to the attackers with their parameters, and name further attacks.
    scenario
        What the intruder knows of people: the true values of the keys and of the columns that records are linked by. The victims
        are in the file, and he knows it, whatever the scenario says of that.
    wanted
        The columns that he wants to know; by default the confidential ones.
    attacks, without
        Names of the only attacks to run, and of attacks to leave out.
    reference
        Other people of the same population, whom the intruder has wholly.
    earlier
        Other releases of the same population; further copies of the release are among them in any case.
    seed
        Repeats everything.
    seconds
        About how long it may take; attacks that would take longer try a sample of the victims.
    margin
        By how much an attack may beat guessing.
    near
        How near a number must be to count as known, as a share of the true value.

    Returns
    -------
    Campaign
        One grade for each attack, and a verdict.

    Raises
    ------
    AttackError
        When nobody knows which released record belongs to whom, or the intruder knows no column.
    ParameterError
        When there is no attack of a name.

    Notes
    -----
    What an attack tells of people whose records were taken out of the file counts as guessing: it is what everybody could infer
    about somebody of their kind.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(300, seed=1)
    >>> money = ["earnings", "tax"]
    >>> masked = tc.mask.AdditiveNoise(columns=money, sd_ratio=0.01).apply(data, seed=7)
    >>> found = tc.attack_file(data, masked, scenario=tc.Scenario(keys=[], known=money), attacks=["distance_link"])
    >>> found.state
    'failed'
    """
    if not 0 <= margin < 1:
        raise ParameterError("attack_file: 'margin' must be in [0, 1), a share.")
    released = masked.leaving if isinstance(masked, Release) else masked
    beside = tuple(copy.leaving for copy in masked.others) if isinstance(masked, Release) else ()
    told = replace(
        Scenario.of(scenario), knows_sample=True
    )  # he asks about people of whom he knows that they are there
    steps = pair_records(original, released).steps
    attackers = applicable(
        "file", faces={name for step in steps for name in step.faces}, attacks=attacks, without=without
    )
    staged = stage_file(
        original,
        released,
        scenario=told,
        wanted=wanted,
        seed=seed,
        reference=reference,
        earlier=(*earlier, *beside),
        near=near,
    )
    return campaign(
        "file",
        lambda: (staged.target, staged.answers, staged.control),
        target="the file",
        attackers=attackers,
        seed=seed,
        seconds=seconds,
        margin=margin,
        scenario=told.words(original.schema),
        notes=_notes(near, bool(steps)),
    )


def _notes(near: float, is_known: bool) -> tuple[str, ...]:
    notes = [
        f"A number counts as known when it is within {100 * near:g} % of the true value.",
        "What is told just as often of people who were taken out of the file counts as guessing.",
    ]
    if not is_known:
        notes.append("The masks that made the file are not known, so the attacks that use them were not run.")
    return tuple(notes)

"""The red team as a risk: by how much the best attack on a file beats guessing, so that a limit can be set to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Self

from tacita.attack.judge.answers import NEAR
from tacita.attack.judge.campaign import applicable, campaign
from tacita.attack.judge.stage_file import stage_pair
from tacita.core.constraints import Interval
from tacita.core.errors import AttackError, MeasureError
from tacita.core.parameters import Columns
from tacita.core.selectors import all_columns
from tacita.core.selectors import keys as key_columns
from tacita.core.traits import MeasureTraits
from tacita.core.vocabulary import SCALES
from tacita.data.measure import NO_SETTINGS, Measure, Measured
from tacita.data.pairing import Pair
from tacita.data.scenario import LINKED_BY, Scenario
from tacita.data.schema import Schema

__all__ = ["RedTeam"]


@dataclass(frozen=True, kw_only=True)
class RedTeam(Measure):
    """Points by which the best attack of the red team on the file beats guessing.

    Every attack that applies is run as ``tacita attack`` does, against the file without anything of the inside. What an attack
    tells of people whose records were taken out of the file counts as guessing.

    Parameters
    ----------
    columns
        What is looked at; it plays no part, what the intruder knows does.
    keys, known
        The columns whose true values the intruder knows: those that single out people, and those that records are linked by.
    attacks
        Names of the only attacks to run; empty for all that apply.
    seconds
        About how long it may take; attacks that would take longer try a sample of the victims.
    near_percent
        How near a number must be to count as known, in percent of the true value.
    seed
        Seed of what is drawn at random; the same seed gives the same number.

    Returns
    -------
    Measured
        Points, 0 where no attack beats guessing; what each attack gains as parts; the strongest in the note.

    Raises
    ------
    MeasureError
        When nobody knows which released record belongs to whom, or no attack could be run.

    Complexity
    ----------
    That of the attacks, most of them near O(n log n); bounded by ``seconds``.

    Notes
    -----
    Where a sample of the victims was attacked, the upper end of the 95 % interval counts. It is not on a card by itself: it
    takes long. Few victims who are told for sure do not move it; ``tacita attack`` names them.

    References
    ----------
    Giomi, M., Boenisch, F., Wehmeyer, C. and Tasnadi, B. (2023), A unified framework for quantifying privacy risk in synthetic
    data, for attacks measured against a baseline of guessing.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(200, seed=1)
    >>> masked = tc.mask.AdditiveNoise(columns=["earnings", "tax"], sd_ratio=0.01).apply(data, seed=7)
    >>> RedTeam(keys=[], known=["earnings", "tax"], attacks=["distance_link"])(data, masked).value > 30
    True
    """

    kind = "risk"
    name = "red_team"
    title = "Red team"
    traits = MeasureTraits(scales=SCALES, paired=True, unit="points", upper=100.0, by_default=False)

    columns: Columns = all_columns()
    keys: Columns = key_columns()
    known: Columns = LINKED_BY
    attacks: tuple[str, ...] = ()
    seconds: Annotated[float, Interval(0, closed="neither")] = 120.0
    near_percent: Annotated[float, Interval(0, 100)] = 100 * NEAR
    seed: Annotated[int, Interval(0)] = 1

    @classmethod
    def under(
        cls,
        scenario: Scenario,
        schema: Schema,
        columns: Columns | None = None,
        settings: Mapping[str, Any] = NO_SETTINGS,
    ) -> Self:
        """Return the measure for what an intruder knows in a scenario; what is measured plays no part."""
        del schema, columns
        return cls.from_plain({"keys": scenario.keys, "known": scenario.known, **settings})

    def measure(self, pair: Pair, names: tuple[str, ...]) -> Measured:
        """Run the attacks and return what the best of them gains."""
        del names
        faces = {name for step in pair.steps for name in step.faces}
        scenario = Scenario(keys=self.keys, known=self.known)
        try:
            staged = stage_pair(pair, scenario=scenario, seed=self.seed, near=self.near_percent / 100)
        except AttackError as error:
            raise MeasureError(f"RedTeam: {error}") from None
        found = campaign(
            "file",
            lambda: (staged.target, staged.answers, staged.control),
            target="the file",
            attackers=applicable("file", faces=faces, attacks=self.attacks or None),
            seed=self.seed,
            seconds=self.seconds,
        )
        if found.worst is None:
            raise MeasureError("RedTeam: no attack could be run.")
        gains = {one.attack: 100 * max(one.counted, 0.0) for one in found.run}
        return Measured(max(gains.values()), parts=gains, note=found.worst.words().rstrip("."))

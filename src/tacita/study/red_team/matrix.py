"""The matrix of attacks and defences: every scene is played, and stands beside what is known of how it ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tacita.attack.judge.grade import Grade
from tacita.core.errors import ParameterError, did_you_mean
from tacita.core.progress import task
from tacita.study.base import StudyFinding, StudyOptions, StudyResult, StudyTable, study
from tacita.study.red_team.scene import Scene, act

__all__ = ["FAMILY_WORDS", "Played", "every_scene", "matrix_tables", "play", "red_team"]

FAMILY_WORDS = {
    "files": "Files of records",
    "synthetic": "Synthetic data and generators",
    "tables": "Tables",
    "reconstruction": "Reconstruction",
    "releases": "Several releases together",
    "logs": "Query logs",
    "queries": "Servers: trackers, differences, averages, search",
    "regression": "Servers: regressions",
}
"""The families of scenes, by the name of their module."""
_FILLED = 0.6
"""Share of the cells of a matrix that must have a figure for it to be drawn as one."""


@dataclass(frozen=True)
class Played:
    """A scene and what came of it."""

    family: str
    scene: Scene
    grade: Grade

    @property
    def is_as_known(self) -> bool:
        """Whether what is known to break it broke it, and what is known to hold held."""
        if self.scene.weak:
            return self.grade.standing in ("broken", "partly")
        return self.grade.standing in ("held", "not worded")

    def cell(self) -> str:
        """Return the figure of the matrix: the verdict, the share told rightly, and that of guessing."""
        one = self.grade
        if one.standing == "not run":
            return f"not run: {one.reason}"
        if one.standing == "not worded":
            return f"no words for it: {'; '.join(one.not_worded)}"
        stopped = f"; {', '.join(sorted(one.refused))}" if one.refused and one.standing == "held" else ""
        sure = f"; {one.affected} of {one.victims} for sure" if one.standing == "partly" else ""
        return f"{one.standing} {100 * one.success:.0f} % ({100 * one.baseline:.0f} %){sure}{stopped}"

    def as_plain(self) -> dict[str, Any]:
        """Return the cell ready for JSON."""
        return {
            "family": self.family,
            "weak": self.scene.weak,
            "why": self.scene.why,
            "default": self.scene.is_default,
            "as_known": self.is_as_known,
            **self.grade.as_plain(),
        }


def every_scene(names: Sequence[str] = ()) -> Mapping[str, tuple[Scene, ...]]:
    """Return all scenes by family, or those of some families.

    Raises
    ------
    ParameterError
        When there is no family of a name.
    """
    from tacita.study.red_team.files import SCENES as FILES
    from tacita.study.red_team.logs import SCENES as LOGS
    from tacita.study.red_team.queries import SCENES as QUERIES
    from tacita.study.red_team.reconstruction import SCENES as RECONSTRUCTION
    from tacita.study.red_team.regression import SCENES as REGRESSION
    from tacita.study.red_team.releases import SCENES as RELEASES
    from tacita.study.red_team.synthetic import SCENES as SYNTHETIC
    from tacita.study.red_team.tables import SCENES as TABLES

    found = {
        "files": FILES,
        "synthetic": SYNTHETIC,
        "tables": TABLES,
        "reconstruction": RECONSTRUCTION,
        "releases": RELEASES,
        "logs": LOGS,
        "queries": QUERIES,
        "regression": REGRESSION,
    }
    for name in names:
        if name not in found:
            raise ParameterError(f"There is no family of attacks '{name}'.{did_you_mean(name, found)}")
    return {name: scenes for name, scenes in found.items() if not names or name in names}


def play(scenes: Mapping[str, Sequence[Scene]], *, seed: int = 1, seconds: float = 60.0) -> tuple[Played, ...]:
    """Play scenes one after the other.

    Parameters
    ----------
    scenes
        By family.
    seed
        Repeats everything.
    seconds
        About how long one attack may take.
    """
    found = []
    with task("Attacking", sum(len(listed) for listed in scenes.values())) as running:
        for family, listed in scenes.items():
            for scene in listed:
                found.append(Played(family, scene, act(scene, seed=seed, seconds=seconds)))
                running.advance(note=scene.attack.name)
    return tuple(found)


def matrix_tables(played: Sequence[Played]) -> tuple[StudyTable, ...]:
    """Return for each family its attacks and what they met, each with its figure.

    Where most attacks met the same defences it is a matrix with a column for each. Where each attack has targets of its own,
    which say nothing to the others, it is a list of where the attack succeeds and what holds it: no cell is empty.
    """
    tables = []
    for family, title in FAMILY_WORDS.items():
        own = [one for one in played if one.family == family]
        defences = list(dict.fromkeys(one.scene.defence for one in own))
        attacks = list(dict.fromkeys(one.scene.attack.name for one in own))
        if not own:
            continue
        if len(own) >= _FILLED * len(defences) * len(attacks):
            tables.append(_crossed(title, own, attacks, defences))
        else:
            rows = tuple(
                (attack, _listed(own, attack, weak=True), _listed(own, attack, weak=False)) for attack in attacks
            )
            tables.append(StudyTable(title, ("attack", "where it succeeds", "where it is held"), rows))
    return tuple(tables)


def _crossed(title: str, own: Sequence[Played], attacks: Sequence[str], defences: Sequence[str]) -> StudyTable:
    cells = {(one.scene.attack.name, one.scene.defence): one.cell() for one in own}
    rows = [
        (attack, *(cells.get((attack, defence), "not tried: not a target of this attack") for defence in defences))
        for attack in attacks
    ]
    return StudyTable(title, ("attack", *defences), tuple(rows))


def _listed(own: Sequence[Played], attack: str, *, weak: bool) -> str:
    found = [
        f"{one.scene.defence}: {one.cell()}" for one in own if (one.scene.attack.name, one.scene.weak) == (attack, weak)
    ]
    return "; ".join(found) or "no such setting is known"


@study(
    "red-team",
    summary="Every attack in a setting that it is known to break, and under a defence that is known to hold it.",
    reference="Bleninger et al. (2011), Denning et al. (1979), Dinur & Nissim (2003), Lucero et al. (2011) and others",
    replicates=1,
    takes_data=True,
)
def red_team(options: StudyOptions) -> StudyResult:
    """Play all scenes, or those of the families that were named."""
    seed = options.seed if isinstance(options.seed, int) else 1
    played = [
        one for number in range(options.replicates) for one in play(every_scene(options.data), seed=seed + number)
    ]
    findings = tuple(
        StudyFinding(
            quantity=one.scene.attack.name,
            setting=one.scene.defence,
            ours=(100 * one.grade.success, 100 * one.grade.baseline),
            required="broken" if one.scene.weak else "held",
            met=one.is_as_known,
            unit="%",
            is_range=False,
        )
        for one in played
    )
    notes = (
        "ours: percent of the victims told rightly, and by guessing. A target is broken where an attack beats guessing by "
        "more than 5 points, or tells some victims for sure (partly).",
    )
    return StudyResult(findings, notes, matrix_tables(played))

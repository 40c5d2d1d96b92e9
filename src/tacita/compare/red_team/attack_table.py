"""Attack a protected table before it leaves, from outside and from the seats of its contributors."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from tacita.attack.judge.answers import NEAR
from tacita.attack.judge.campaign import Campaign, applicable, campaign
from tacita.attack.judge.grade import MARGIN
from tacita.compare.red_team.stage_table import PublishedCells, published_cells, read_published, stage_table
from tacita.core import registry
from tacita.core.errors import ParameterError
from tacita.core.streams import Seed
from tacita.tables.protect.protected import Protected

__all__ = ["attack_table"]


def attack_table(
    protected: Protected | str | Path,
    *,
    attacks: Collection[str] | None = None,
    without: Collection[str] = (),
    seed: Seed = 1,
    seconds: float = 600.0,
    margin: float = MARGIN,
    near: float = NEAR,
) -> Campaign:
    """Run every attack that applies against a protected table.

    Parameters
    ----------
    protected
        What a protector made, or the directory that it was published to.
    attacks, without
        Names of the only attacks to run, and of attacks to leave out.
    seed
        Repeats everything.
    seconds
        About how long it may take; attacks that would take longer try a sample of the unsafe cells.
    margin
        By how much an attack may beat guessing.
    near
        How near a value must be to count as known, as a share of the true value.

    Returns
    -------
    Campaign
        One grade for each attack, and a verdict. The victims are the unsafe cells.

    Raises
    ------
    ParameterError
        When there is no attack of a name.
    FileError
        When a directory holds no published table with its internal side.

    Notes
    -----
    It is a second opinion on the certificate: it shares no code with the auditor.

    Examples
    --------
    >>> import tacita as tc
    >>> firms = tc.samples.business_survey(500, seed=1)
    >>> table = tc.tabulate(firms, ["size_class"], "turnover")
    >>> protected = tc.tables.Suppress().protect(table, tc.tables.MinimumFrequency(at_least=3).judge(table))
    >>> tc.attack_table(protected).state in ("passed", "not judged")
    True
    """
    if not 0 <= margin < 1:
        raise ParameterError("attack_table: 'margin' must be in [0, 1), a share.")
    cells = published_cells(protected) if isinstance(protected, Protected) else read_published(protected)
    attackers = applicable("table", faces=_faces(cells), attacks=attacks, without=without)
    target, answers = stage_table(cells, near=near)
    seats = len(target.seats)
    return campaign(
        "table",
        lambda: (target, answers, None),
        target="the table",
        attackers=attackers,
        seed=seed,
        seconds=seconds,
        margin=margin,
        scenario=f"all published cells and sums; from outside, and from {seats} seats of contributors",
        notes=(
            f"The victims are the {target.victims} unsafe cells; one counts as known when what is left possible lies within "
            f"{100 * near:g} % of the true value.",
        ),
    )


def _faces(cells: PublishedCells) -> set[str]:
    """Return the attacks that the protector names; it is known by its words."""
    name = cells.method.partition("(")[0]
    return {face for kind in registry.methods("protector") if kind.name == name for face in kind.faces}

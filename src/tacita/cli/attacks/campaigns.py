"""Campaigns on the screen, as files and as exit status."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tacita.cli import output
from tacita.cli.files import make_parents

if TYPE_CHECKING:
    from tacita.attack.judge.campaign import Campaign

__all__ = ["EXIT_OF_CAMPAIGN", "show_campaign", "write_campaign"]

EXIT_OF_CAMPAIGN = {"passed": 0, "failed": 3, "review": 4, "not judged": 4}
"""Exit status, as of every verb that judges; 1 and 2 are errors."""

_KIND = "red team"


def show_campaign(found: Campaign) -> None:
    """Print the verdict, every attack beside guessing, and what was not tried and why."""
    from tacita.report.red_team.campaign_page import GRADE_HEADS, grade_row

    rows = [grade_row(one) for one in found.run]
    right = ("told rightly", "by guessing", "for sure", "victims", "questions", "time")
    output.table(f"{found.state.upper()}: {found.target}", GRADE_HEADS, rows, right=right)
    output.say(found.words())
    for one in found.grades:
        if one.standing in ("broken", "partly") and one.learned:
            output.say(f"{one.attack}: {one.learned}")
    left = [one for one in found.grades if one.standing in ("not run", "not worded")]
    for one in left:
        output.say(one.words())
    if found.scenario:
        output.say(f"The attackers know: {found.scenario}.")
    for note in found.notes:
        output.say(note)


def write_campaign(found: Campaign, directory: Path, *, overwrite: bool) -> Path:
    """Write the page and the JSON; both tell how to attack, so they stand on an internal side."""
    from tacita.data.atomic import atomic_directory
    from tacita.data.disk.documents import put_documents
    from tacita.report.red_team.campaign_page import campaign_page

    make_parents(directory)
    with atomic_directory(directory, overwrite, kind=_KIND, private=["internal"]) as made:
        (made / "internal").mkdir(mode=0o700)
        documents = {"internal/attack.html": campaign_page(found), "internal/attack.json": found.to_json()}
        put_documents(made, {name: text.encode("utf-8") for name, text in documents.items()})
    return directory / "internal" / "attack.html"

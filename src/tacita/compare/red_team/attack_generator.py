"""Attack a way to make synthetic data: who was in the data that it learned from, and what it tells of them."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterable, Sequence

from tacita.attack.attacker import Attacker
from tacita.attack.judge.answers import NEAR
from tacita.attack.judge.campaign import Campaign, applicable, campaign, worst_first
from tacita.attack.judge.grade import MARGIN, Grade
from tacita.attack.judge.graded import strongest_grade
from tacita.attack.judge.stage_generator import stage_generator
from tacita.attack.synthetic.linkability import Linkability
from tacita.attack.targets import Generate
from tacita.core.errors import ParameterError, TacitaNote, TacitaWarning
from tacita.core.streams import Seed
from tacita.data.microdata import Microdata
from tacita.mask.base import Mask
from tacita.release.recipe import Recipe

__all__ = ["attack_generator", "recipe_as_generator"]


def recipe_as_generator(recipe: Recipe | Mask) -> Generate:
    """Return a recipe as a function of data and a seed: what an attacker runs who knows it."""
    steps = recipe if isinstance(recipe, Recipe) else Recipe([recipe])

    def generate(data: Microdata, seed: int) -> Microdata:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", TacitaWarning)
            warnings.simplefilter("ignore", TacitaNote)
            return steps.apply(data, seed=seed).leaving

    return generate


def attack_generator(
    original: Microdata,
    recipe: Recipe | Mask | Generate,
    *,
    wanted: Sequence[str] | None = None,
    apart: Sequence[str] | None = None,
    attacks: Collection[str] | None = None,
    without: Collection[str] = (),
    seed: Seed = 1,
    seconds: float = 600.0,
    margin: float = MARGIN,
    near: float = NEAR,
) -> Campaign:
    """Run every attack that applies against a way to make synthetic data.

    Two fifths of the people are what the recipe learns from, two fifths are people whom the attacker has, and he asks about all:
    who was in the data, what they keep secret, which rows of two files are one person's. He knows the recipe and can run it
    himself, which the shadow attacks do.

    Parameters
    ----------
    original
        People with all columns.
    recipe
        What makes the data: a recipe, a mask, or a function of data and a seed.
    wanted
        The columns that he wants to know, one at a time; by default the confidential ones.
    apart
        Columns that he has of the same people in another order; by default all that are no keys.
    attacks, without
        Names of the only attacks to run, and of attacks to leave out.
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
        One grade for each attack, the one of the wanted column that it told most of, and a verdict.

    Raises
    ------
    AttackError
        When there are too few people.
    ParameterError
        When there is no attack of a name, or no column is wanted.

    Notes
    -----
    The release at hand is not looked at: its recipe learns anew from two fifths of the people, so that some are known to be
    inside and others outside. What is told of people outside counts as guessing: it is what everybody could infer.

    References
    ----------
    Giomi, M., Boenisch, F., Wehmeyer, C., Tasnadi, B. (2023), A unified framework for quantifying privacy risk in synthetic data,
    Proceedings on Privacy Enhancing Technologies 2023, 312-328.

    Examples
    --------
    >>> import tacita as tc
    >>> data = tc.samples.household_survey(300, seed=1).select(["age", "sex", "region", "savings", "health"])
    >>> found = attack_generator(data, lambda data, seed: data, attacks=["closest_record"])
    >>> found.state
    'failed'
    """
    if not 0 <= margin < 1:
        raise ParameterError("attack_generator: 'margin' must be in [0, 1), a share.")
    generate = recipe_as_generator(recipe) if isinstance(recipe, (Recipe, Mask)) else recipe
    attackers = applicable("generator", attacks=attacks, without=without)
    schema = original.schema
    secrets = tuple(wanted) if wanted is not None else schema.confidential
    other = tuple(apart) if apart is not None else tuple(n for n in _described(original) if n not in schema.keys)
    share, found = seconds / max(len(attackers), 1), []
    for scene, group in _scenes(attackers, secrets, other):
        graded: list[Campaign] = []
        for secret, columns in scene:
            staged = stage_generator(original, generate, secret=secret, apart=columns, seed=seed, near=near)
            graded.append(
                campaign(
                    "generator",
                    lambda staged=staged: (staged.target, staged.answers, staged.control),  # type: ignore[misc]
                    target="the recipe",
                    attackers=group,
                    seed=seed,
                    seconds=share * len(group) / len(scene),
                    margin=margin,
                )
            )
        found += _strongest_of(graded)
    return Campaign(
        against="generator",
        target="the recipe",
        grades=worst_first(found),
        margin=margin,
        scenario="the recipe, and other people of the same population with all their columns; of the victims "
        "all columns, all but the wanted one, or all in two files",
        seed=seed,
        notes=(
            "The recipe learned anew from two fifths of the people; the attackers have two fifths, and ask about the others too.",
            f"A number counts as known when it is within {100 * near:g} % of the true value.",
        ),
    )


def _described(data: Microdata) -> tuple[str, ...]:
    """Return the columns that describe the respondent."""
    skipped = {"identifier", "weight", "household", "cluster"}
    return tuple(column.name for column in data.schema if not skipped.intersection(column.roles))


def _scenes(
    attackers: Iterable[Attacker], secrets: Sequence[str], apart: Sequence[str]
) -> list[tuple[list[tuple[str | None, tuple[str, ...]]], list[Attacker]]]:
    """Return the scenes that are needed, each with the attacks that it is for."""
    listed = list(attackers)
    values = [one for one in listed if one.traits.learns == "value"]
    links: list[Attacker] = [one for one in listed if isinstance(one, Linkability)]
    rest = [one for one in listed if one not in values and one not in links]
    if values and not secrets:
        raise ParameterError("attack_generator: no column is confidential; name those that are wanted in 'wanted'.")
    found: list[tuple[list[tuple[str | None, tuple[str, ...]]], list[Attacker]]] = [
        ([(None, ())], rest),
        ([(secret, ()) for secret in secrets], values),
        ([(None, tuple(apart))], links),
    ]
    return [(scene, group) for scene, group in found if group and (group is not links or len(apart) > 1)]


def _strongest_of(campaigns: Sequence[Campaign]) -> list[Grade]:
    """Return one grade for each attack: that of the scene in which it learned most."""
    by_name: dict[str, list[Grade]] = {}
    for one in campaigns:
        for grade in one.grades:
            by_name.setdefault(grade.attack, []).append(grade)
    found = []
    for grades in by_name.values():
        run = [grade for grade in grades if grade.standing not in ("not run", "not worded")]
        found.append(strongest_grade(run) if run else grades[0])
    return found

"""Recipe: the list of masking steps, as an object and as a TOML file.

.. code-block:: toml

    [[step]]
    mask = "rank_swap"
    columns = ["income", "savings"]
    p = 10

    [[step]]
    mask = "mdav"
    k = 3

    [limits]
    preset = "scientific-use"
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacita.core import registry
from tacita.core.errors import ParameterError, RecipeError, TacitaError
from tacita.core.metadata import parse_toml, read_text
from tacita.core.progress import track
from tacita.core.streams import Seed, Streams, check_seed, draw_seed
from tacita.core.toml import toml_key, toml_value
from tacita.data.limits import Limits, LimitsLike
from tacita.data.microdata import Microdata
from tacita.mask.after_mask import look_at_release
from tacita.mask.base import Mask, check_data
from tacita.release.release import Release

if TYPE_CHECKING:
    from tacita.release.misfits import Misfit

__all__ = ["Recipe"]

_MOST_COPIES = 1000


@dataclass(frozen=True)
class Recipe:
    """Masking steps that are applied one after another.

    Parameters
    ----------
    steps
        Masks, first to last.
    limits
        What a release must keep to leave: :class:`tacita.Limits`, the name of a preset, or a file. Without limits a release
        is *not judged*.

    Examples
    --------
    >>> import tacita as tc
    >>> recipe = Recipe([tc.mask.RankSwap(columns=["income"], p=10)])
    >>> print(recipe.to_toml())
    [[step]]
    mask = "rank_swap"
    columns = ["income"]
    p = 10.0
    <BLANKLINE>
    >>> Recipe.from_toml(recipe.to_toml()) == recipe
    True
    """

    steps: tuple[Mask, ...]
    limits: Limits

    def __init__(self, steps: Iterable[Mask], *, limits: LimitsLike = None) -> None:
        listed = tuple(steps)
        for number, step in enumerate(listed, 1):
            if not isinstance(step, Mask):
                raise RecipeError(f"Step {number} of a recipe must be a mask, got {type(step).__name__}.")
        if not listed:
            raise RecipeError("A recipe needs at least one step; without one the data would leave as they are.")
        object.__setattr__(self, "steps", listed)
        object.__setattr__(self, "limits", Limits.of(limits))

    def __iter__(self) -> Iterator[Mask]:
        return iter(self.steps)

    def __len__(self) -> int:
        return len(self.steps)

    def apply(self, data: Microdata, *, seed: Seed | None = None, copies: int = 1) -> Release:
        """Run all steps and return the release.

        Parameters
        ----------
        data
            The original; it is not changed.
        seed
            Makes the release repeatable, byte for byte. Without it 128 bits are drawn from the system and kept on the
            internal side of the release.
        copies
            How many files are drawn, each with random numbers of its own, that leave together: the M files of multiple
            imputation, for :func:`tacita.analyse`. They tell more than one does; :func:`tacita.judge` looks at all of them.

        Raises
        ------
        ParameterError
            When more than one copy is asked of a recipe that draws nothing.
        """
        check_data(data, owner="Recipe")
        chosen = draw_seed() if seed is None else check_seed(seed, owner="Recipe")
        self._check_copies(copies)
        made = []
        for number in track(range(1, copies + 1), "Drawing copies") if copies > 1 else (1,):
            streams, masked = Streams(chosen), data
            for step in track(self.steps, "Masking"):
                masked = step.run(masked, streams if number == 1 else streams.within(f"copy {number}"))
            look_at_release("Recipe", data, masked)
            made.append(masked)
        how: dict[str, Any] = {"recipe": self._steps_as_toml(), "seed": chosen, "limits": self.limits}
        others = tuple(Release(data, masked, number=number, **how) for number, masked in enumerate(made[1:], 2))
        return Release(data, made[0], others=others, **how)

    def _check_copies(self, copies: int) -> None:
        if isinstance(copies, bool) or not isinstance(copies, int) or not 1 <= copies <= _MOST_COPIES:
            raise ParameterError(f"Recipe: 'copies' must be a whole number in [1, {_MOST_COPIES}], got {copies!r}.")
        if copies > 1 and not any(step.traits.stochastic for step in self.steps):
            raise ParameterError("Recipe: 'copies' must be 1 here, because no step of the recipe draws anything.")

    def misfits(self, data: Microdata) -> tuple[Misfit, ...]:
        """Return everything in the recipe that does not fit data, such as those of the next wave of a survey.

        Parameters
        ----------
        data
            What the recipe is to be applied to; nothing is masked.

        Returns
        -------
        tuple of Misfit
            In the order of the steps, then of the limits. One that ``stops`` would make :meth:`apply` fail; the others are
            worth a look: values that a map does not name, intervals and groups that are empty or small.

        Examples
        --------
        >>> import tacita as tc
        >>> data = tc.samples.household_survey(50, seed=1)
        >>> for misfit in Recipe([tc.mask.RankSwap(columns=["salary", "tax"])]).misfits(data):
        ...     print(misfit)
        Step 1 (rank_swap): there is no column 'salary'.
        """
        from tacita.release.misfits import find_misfits  # loads when used

        check_data(data, owner="Recipe")
        return find_misfits(self.steps, self.limits.limits, data)

    # --- files -----------------------------------------------------------------------------------------------------------

    def to_toml(self) -> str:
        """Write the recipe; parameters that have their default are left out."""
        limits = self.limits.to_toml()
        return f"{self._steps_as_toml()}\n{limits}" if limits else self._steps_as_toml()

    def _steps_as_toml(self) -> str:
        blocks = []
        for step in self.steps:
            lines = ["[[step]]", f"mask = {toml_value(step.name)}"]
            lines += [
                f"{toml_key(name)} = {toml_value(value)}"
                for name, value in step.to_plain().items()
                if value is not None
            ]
            blocks.append("\n".join(lines) + "\n")
        return "\n".join(blocks)

    @classmethod
    def from_toml(cls, text: str) -> Recipe:
        """Read a recipe from text; every problem names its step."""
        parsed = parse_toml(text, "The recipe", error=RecipeError)
        unknown = [word for word in parsed if word not in ("step", "limits")]
        if unknown:
            raise RecipeError(f"A recipe consists of [[step]] tables and [limits], got '{unknown[0]}'.")
        tables = parsed.get("step", [])
        if not isinstance(tables, list):
            raise RecipeError("The steps of a recipe stand in [[step]] tables, with two brackets.")
        if not tables:
            raise RecipeError("The recipe has no [[step]] table, so it would leave the data as they are.")
        steps: list[Mask] = []
        for number, table in enumerate(tables, 1):
            if not isinstance(table, dict) or "mask" not in table:
                raise RecipeError(f'Step {number} of the recipe must say which mask it is: mask = "NAME".')
            try:
                method = registry.find("mask", str(table["mask"]))
                built = method.from_plain({name: value for name, value in table.items() if name != "mask"})
            except TacitaError as error:
                raise RecipeError(f"Step {number} of the recipe: {error}") from error
            steps.append(built)  # type: ignore[arg-type]
        try:
            limits = Limits.from_plain(parsed["limits"]) if "limits" in parsed else None
        except TacitaError as error:
            raise RecipeError(f"The limits of the recipe: {error}") from error
        return cls(steps, limits=limits)

    @classmethod
    def read(cls, path: str | Path) -> Recipe:
        """Read a recipe file."""
        return cls.from_toml(read_text(path, "The recipe file"))

    def write(self, path: str | Path) -> Path:
        """Write the recipe to a file, atomically."""
        from tacita.data.atomic import atomic_file

        with atomic_file(path) as temporary:
            temporary.write_text(self.to_toml(), encoding="utf-8")
        return Path(path)

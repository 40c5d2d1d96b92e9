"""Recipe: the list of masking steps, as an object and as a TOML file.

.. code-block:: toml

    [[step]]
    mask = "rank_swap"
    columns = ["income", "savings"]
    p = 10

    [[step]]
    mask = "mdav"
    k = 3
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tacita.core import registry
from tacita.core.errors import FileError, RecipeError, TacitaError
from tacita.core.progress import track
from tacita.core.streams import Seed, Streams, check_seed, draw_seed
from tacita.core.toml import toml_key, toml_value
from tacita.data.microdata import Microdata
from tacita.mask.base import Mask, check_data
from tacita.mask.release import Release

__all__ = ["Recipe"]


@dataclass(frozen=True)
class Recipe:
    """Masking steps that are applied one after another.

    Parameters
    ----------
    steps
        Masks, first to last.

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

    def __init__(self, steps: Iterable[Mask]) -> None:
        listed = tuple(steps)
        for number, step in enumerate(listed, 1):
            if not isinstance(step, Mask):
                raise RecipeError(f"Step {number} of a recipe must be a mask, got {type(step).__name__}.")
        if not listed:
            raise RecipeError("A recipe needs at least one step; without one the data would leave as they are.")
        object.__setattr__(self, "steps", listed)

    def __iter__(self) -> Iterator[Mask]:
        return iter(self.steps)

    def __len__(self) -> int:
        return len(self.steps)

    def apply(self, data: Microdata, *, seed: Seed | None = None) -> Release:
        """Run all steps and return the release.

        Parameters
        ----------
        data
            The original; it is not changed.
        seed
            Makes the release repeatable, byte for byte. Without it 128 bits are drawn from the system and kept on the
            internal side of the release.
        """
        check_data(data, owner="Recipe")
        chosen = draw_seed() if seed is None else check_seed(seed, owner="Recipe")
        streams, masked = Streams(chosen), data
        for step in track(self.steps, "Masking"):
            masked = step.transform(masked, streams).with_history((*masked.history, step))
        return Release(original=data, data=masked, recipe=self.to_toml(), seed=chosen)

    # --- files -----------------------------------------------------------------------------------------------------------

    def to_toml(self) -> str:
        """Write the recipe; parameters that have their default are left out."""
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
        try:
            parsed = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise RecipeError(f"The recipe is not valid TOML: {error}.") from error
        unknown = [word for word in parsed if word != "step"]
        if unknown:
            raise RecipeError(f"A recipe consists of [[step]] tables, got '{unknown[0]}'.")
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
        return cls(steps)

    @classmethod
    def read(cls, path: str | Path) -> Recipe:
        """Read a recipe file."""
        try:
            text = Path(path).read_text(encoding="utf-8-sig")
        except OSError as error:
            raise FileError(f"The recipe file '{Path(path).name}' cannot be read: {error.strerror}.") from error
        except UnicodeDecodeError:
            raise FileError(f"The recipe file '{Path(path).name}' must be UTF-8 text.") from None
        return cls.from_toml(text)

    def write(self, path: str | Path) -> Path:
        """Write the recipe to a file, atomically."""
        from tacita.data.atomic import atomic_file

        with atomic_file(path) as temporary:
            temporary.write_text(self.to_toml(), encoding="utf-8")
        return Path(path)

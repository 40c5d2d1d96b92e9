"""The shape of a mask: parameters in a frozen dataclass, one method from microdata to microdata."""

from __future__ import annotations

import json
from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from tacita.core.attacks import Attack, KnownAttack
from tacita.core.errors import ParameterError
from tacita.core.method import Method
from tacita.core.selectors import Selector
from tacita.core.streams import Seed, Streams, check_seed
from tacita.core.traits import Traits
from tacita.core.vocabulary import Kind
from tacita.data.microdata import Microdata
from tacita.data.schema import Schema
from tacita.mask.after_mask import look_at_mask, look_at_release

__all__ = ["Mask", "check_data"]

_SCHEME = "tacita-mask-2"
"""How the streams of a mask are labelled: 2 since its parameters are among the labels."""


@dataclass(frozen=True, kw_only=True)
class Mask(Method):
    """A function from microdata to microdata.

    A subclass sets ``name`` and ``traits``, declares its parameters as annotated fields and writes
    :meth:`transform`. It is then known to recipes, the command line and the conformance suite. ``attacks`` names the
    risks that it is weakest against, or ``no_attack`` says why there is none. ``faces`` names the attacks of the red team
    that its releases must be shown; linkage, where it has none of its own.
    """

    kind: ClassVar[Kind] = "mask"
    faces: ClassVar[tuple[str, ...]] = ("distance_link", "probabilistic_link")
    traits: ClassVar[Traits] = Traits()
    not_drawn_by: ClassVar[frozenset[str]] = frozenset({"columns"})
    """Parameters that say what is masked and how it is written, not what is drawn: they leave the random numbers alone."""

    advice: ClassVar[str] = "mask more strongly, or in another way"
    """What to do where too many values came out as they were."""

    attacks: ClassVar[tuple[Attack, ...]] = ()
    no_attack: ClassVar[str] = ""

    def apply(self, data: Microdata, *, seed: Seed | None = None) -> Microdata:
        """Mask the data.

        Parameters
        ----------
        data
            The original; it is not changed.
        seed
            A non-negative integer that makes the result repeatable. Masks that draw random numbers need it.

        Returns
        -------
        Microdata
            The masked data, linked inside to the records they come from.
        """
        check_data(data, owner=type(self).__name__)
        if seed is None:
            if self.traits.stochastic:
                raise ParameterError(
                    f"{type(self).__name__}: 'seed' must be given, because the mask draws random numbers; "
                    "any whole number makes the result repeatable."
                )
            seed = 0
        masked = self.run(data, Streams(check_seed(seed, owner=type(self).__name__)))
        look_at_release(type(self).__name__, data, masked)
        return masked

    def run(self, data: Microdata, streams: Streams) -> Microdata:
        """Mask the data as one step, with the random streams of this mask and its parameters, and look at the result."""
        masked = self.transform(data, self.own(streams, data))
        look_at_mask(self, data, masked)
        return masked.with_history((*data.history, self))

    @property
    def keeps_at_most(self) -> float | None:
        """Largest share of a column's values that may come out as they were before it is warned of; None for any share.

        The most frequent value of a column does not count. A mask that is there to change few values has a high share, or
        none: its own docstring says what it leaves.
        """
        return None

    def audited(self, data: Microdata) -> tuple[str, ...]:
        """Return the columns that the share is for: those that the mask was given."""
        columns = getattr(self, "columns", None)
        return () if columns is None else data.schema.resolve(columns, owner=type(self).__name__)

    def worked_on(self, schema: Schema) -> tuple[str, ...]:
        """Return the columns that it changes in data of a schema; none where it takes or leaves whole records."""
        columns = getattr(self, "columns", getattr(self, "keys", ()) if self.traits.keeps_rows else ())
        names = columns.pick(schema.columns) if isinstance(columns, Selector) else tuple(columns)
        return (*names, schema.weight) if self.traits.reweights and schema.weight else names

    def own(self, streams: Streams, data: Microdata) -> Streams:
        """Return the streams of this mask: those of its name and of every parameter that something is drawn by.

        Two noise levels with one seed would otherwise add multiples of the same numbers, and two releases would give the
        original back exactly: 2 (x + e) - (x + 2 e) = x.
        """
        settings = {name: value for name, value in self.to_plain().items() if name not in self.not_drawn_by}
        for name in settings:
            rule = getattr(self, name)
            if isinstance(rule, Selector):  # a rule and the names that it stands for are one setting
                settings[name] = sorted(rule.pick(data.schema.columns))
        return streams.within(
            _SCHEME, getattr(self, "name", type(self).__name__), json.dumps(settings, sort_keys=True, default=str)
        )

    def promises(self, schema: Schema) -> tuple[str, ...]:
        """Return what it proves about any release of data with a schema, in sentences; none where it has no proof."""
        return ()

    @abstractmethod
    def transform(self, data: Microdata, streams: Streams) -> Microdata:
        """Return the masked data, drawing random numbers from ``streams`` only."""

    def attacked_columns(self, data: Microdata) -> tuple[str, ...]:
        """Return the columns that an intruder attacks this mask by; none where the attack has a choice of its own."""
        columns = getattr(self, "columns", getattr(self, "keys", ()))
        return data.schema.resolve(columns, owner=type(self).__name__) if columns != () else ()

    def attacks_on(self, data: Microdata) -> tuple[KnownAttack, ...]:
        """Return the attacks that this mask is weakest against, with its own parameters, for data that it was applied to."""
        parameters = {parameter.name: getattr(self, parameter.name) for parameter in self.parameters()}
        columns = (
            () if self.traits.synthetic else self.attacked_columns(data)
        )  # every column is drawn: nothing is told by that
        return tuple(attack.of(columns, parameters) for attack in self.attacks)


def check_data(data: object, *, owner: str) -> None:
    """Say what to do with a frame that is no microdata yet."""
    if not isinstance(data, Microdata):
        raise ParameterError(
            f"{owner}: 'data' must be Microdata, got {type(data).__name__}; Microdata.from_frame makes them of a frame."
        )

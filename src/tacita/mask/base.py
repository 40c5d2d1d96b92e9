"""The shape of a mask: parameters in a frozen dataclass, one method from microdata to microdata."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from tacita.core.attacks import Attack, KnownAttack
from tacita.core.errors import ParameterError
from tacita.core.method import Method
from tacita.core.streams import Seed, Streams, check_seed
from tacita.core.vocabulary import Kind
from tacita.data.microdata import Microdata

__all__ = ["Mask", "check_data"]


@dataclass(frozen=True, kw_only=True)
class Mask(Method):
    """A function from microdata to microdata.

    A subclass sets ``name`` and ``traits``, declares its parameters as annotated fields and writes
    :meth:`transform`. It is then known to recipes, the command line and the conformance suite. ``attacks`` names the
    risks that it is weakest against, or ``no_attack`` says why there is none.
    """

    kind: ClassVar[Kind] = "mask"
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
        masked = self.transform(data, Streams(check_seed(seed, owner=type(self).__name__)))
        return masked.with_history((*data.history, self))

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
        columns = self.attacked_columns(data)
        return tuple(attack.of(columns, parameters) for attack in self.attacks)


def check_data(data: object, *, owner: str) -> None:
    """Say what to do with a frame that is no microdata yet."""
    if not isinstance(data, Microdata):
        raise ParameterError(
            f"{owner}: 'data' must be Microdata, got {type(data).__name__}; Microdata.from_frame makes them of a frame."
        )

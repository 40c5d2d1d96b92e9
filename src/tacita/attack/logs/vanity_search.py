"""Vanity searches: people look for their own names, addresses and numbers, and whoever reads the release reads who they are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from tacita.attack.attacker import Attacker
from tacita.attack.claims import Claims
from tacita.attack.logs.further_queries import texts_about
from tacita.attack.logs.log_target import LogTarget
from tacita.attack.logs.released_profiles import ReleasedProfiles
from tacita.core.arrays import BoolArray, FloatArray, IntArray
from tacita.core.traits import AttackTraits
from tacita.data.query_log.telling_texts import TellingTexts, telling_texts

__all__ = ["VanitySearch"]


@dataclass(frozen=True, kw_only=True)
class VanitySearch(Attacker):
    """Look through what left for addresses, numbers and names of people that stand in one profile only.

    An e-mail address or a telephone number counts most, then a name whose surname stands in several texts of one profile and in
    no other profile, then any name that one profile has. What is asked again and again counts more. One text is said of each
    person: of each profile where nothing says that it stands for several, otherwise of each surname in it.

    Parameters
    ----------
    places
        Names of the categories that towns are filed under. The figure ``with_a_place`` counts the names in whose profile there
        is such a text too: a surname and a town find most people.

    Returns
    -------
    Claims
        Of ``named``: texts that name the one user who asked them, the strongest first, as many as there are victims at most.

    Complexity
    ----------
    O(n) for n characters of different texts, and O(z log z) for z entries of profiles.

    Notes
    -----
    The judge counts a user once who alone asked a claimed text, whatever it says: a name that one user alone looked for is that
    of himself, of kin, or of somebody famous. What is found is therefore an upper bound of those who are named. Given names
    come from a list of frequent ones; surnames need not be known.

    References
    ----------
    Jones, R., Kumar, R., Pang, B. and Tomkins, A. (2007), "I know what you did last summer": query logs and user privacy, CIKM;
    Soghoian, C. (2007), The problem of anonymous vanity searches.

    Examples
    --------
    >>> from tacita.attack.judge.stage_log import stage_log
    >>> from tacita.data.query_log.query_log import QueryLog
    >>> log = QueryLog.from_columns(["a", "a", "b", "b"], ["mary harrowmoor", "tea", "tea", "tom yarwick leeds"])
    >>> staged = stage_log(log, log, [0, 1])
    >>> import tacita as tc
    >>> tc.attack.attack_once(VanitySearch(), staged.target, staged.answers, seed=1).words()
    'vanity_search: broken; 100.0 % of 2 victims told rightly, 0.0 % by guessing.'
    """

    name = "vanity_search"
    title = "Who is named in what left"
    traits = AttackTraits(
        against="log",
        learns="identity",
        knows="what left, and frequent given names",
        breaks="releases with what single users asked, word for word",
        held_by="releases of queries that several users asked",
    )

    places: tuple[str, ...] = ("Regional",)

    def declined(self, target: LogTarget) -> str:
        return "" if len(target.released) else "Nothing was released."

    def cost(self, target: LogTarget) -> float:
        return 1e-3 + 2e-6 * len(target.released.texts) + 1e-7 * len(target.released) + 1e-6 * target.victims

    def run(self, target: LogTarget, rng: Generator) -> tuple[Claims, ...]:
        del rng
        released = target.released
        profiles = ReleasedProfiles.of_texts(released)
        told = telling_texts(released.texts)
        strength, has_several = _strengths(profiles, told)
        of_profile = _profile_of(profiles)
        chosen = _one_a_person(strength, of_profile, told, k=target.k)[: target.victims]
        said = np.full(target.victims, -1, np.int64)
        said[: len(chosen)] = chosen
        sure = (said >= 0) & np.append(told.has_address | told.has_number | has_several, False)[said]
        figures = {"texts": float((strength > 0).sum())}
        if target.topics is not None:
            is_place = np.asarray(profiles.lines @ texts_about(target.topics, self.places).astype(np.int64)) > 0
            figures["with_a_place"] = float(is_place[of_profile[chosen]].sum())
        learned = f"{int(figures['texts'])} different texts name somebody and stand in one profile."
        return (Claims(about="named", said=said, is_sure=sure, learned=learned, figures=figures),)


def _strengths(profiles: ReleasedProfiles, told: TellingTexts) -> tuple[FloatArray, BoolArray]:
    """Return how much each text tells of who asked it, 0 for nothing, and which surnames one profile has in several texts."""
    entries = profiles.lines.tocoo()
    strength = 4.0 * told.has_address + 3.0 * told.has_number
    surname = told.surname[entries.col]
    names = int(told.surname.max(initial=-1)) + 1
    pairs = np.unique(np.stack([surname, entries.row])[:, surname >= 0], axis=1)
    profiles_of = np.bincount(pairs[0], minlength=names + 1)
    texts_of = np.bincount(told.surname[(told.surname >= 0) & (profiles.stands_in > 0)], minlength=names + 1)
    one, several = profiles_of == 1, (profiles_of == 1) & (texts_of > 1)
    has_name, has_several = np.append(one, False)[told.surname], np.append(several, False)[told.surname]
    is_name: BoolArray = (told.surname >= 0) & has_name
    strength = strength + 1.0 * is_name + 1.0 * (is_name & has_several)
    lines = np.bincount(entries.col, weights=entries.data, minlength=len(strength))
    strength = (strength + 0.5 * (lines > 1)) * (strength > 0) * (profiles.stands_in == 1)
    return strength, is_name & has_several


def _one_a_person(strength: FloatArray, of_profile: IntArray, told: TellingTexts, *, k: int) -> IntArray:
    """Return the strongest text of each person, the strongest first.

    A profile is one person where nothing says that it stands for several; otherwise each surname, and each kind of number, is.
    """
    texts = np.flatnonzero(strength > 0)
    kind = (
        np.where(told.surname >= 0, told.surname + 2, told.has_address * 1)[texts]
        if k > 1
        else np.zeros(len(texts), int)
    )
    order = np.lexsort((texts, -strength[texts]))
    person = np.stack([of_profile[texts], kind])[:, order]
    _, first = np.unique(person, axis=1, return_index=True)
    return np.asarray(texts[order[np.sort(first)]], np.int64)


def _profile_of(profiles: ReleasedProfiles) -> IntArray:
    """Return for each text a profile that has it, 0 where none has."""
    entries = profiles.lines.tocoo()
    found = np.zeros(profiles.lines.shape[1], np.int64)
    found[entries.col] = entries.row
    return found

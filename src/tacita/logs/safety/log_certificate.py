"""What was found when the promises of an anonymised log were recounted."""

from __future__ import annotations

from dataclasses import dataclass, fields

__all__ = ["LogCertificate"]


@dataclass(frozen=True, kw_only=True)
class LogCertificate:
    """The recount of an anonymised log; it holds numbers only, no text and no name.

    Parameters
    ----------
    k
        Fewest users that a profile must stand for.
    askers
        Fewest users of a group who must have asked, or be interested in, what leaves.
    users
        Users of the original who asked something.
    profiles
        Profiles in the release.
    smallest
        Fewest asking users that a profile stands for.
    texts
        Pairs of a profile and a text that leave.
    categories
        How many of them are categories in the place of texts.
    users_without_profile
        Users who asked something and stand behind no profile.
    small_profiles
        Profiles that stand for fewer than k asking users.
    names
        Profiles that have the name of a user of the original.
    lonely_texts
        Pairs of a profile and a text that too few users of the group asked, and that are no category shared by enough of them.
    lonely_clicks
        Triples of a profile, a text and an address that too few users of the group clicked.
    lonely_times
        Pairs of a profile and a time in which too few users of the group were active.
    """

    k: int
    askers: int
    users: int
    profiles: int
    smallest: int
    texts: int
    categories: int
    users_without_profile: int
    small_profiles: int
    names: int
    lonely_texts: int
    lonely_clicks: int
    lonely_times: int

    @property
    def holds(self) -> bool:
        """Whether every promise is kept."""
        return not self.breaches

    @property
    def breaches(self) -> dict[str, int]:
        """The promises that are broken, with how often."""
        kinds = ("users_without_profile", "small_profiles", "names", "lonely_texts", "lonely_clicks", "lonely_times")
        return {kind: count for kind in kinds if (count := getattr(self, kind))}

    def as_plain(self) -> dict[str, int | bool]:
        """Return all of it ready for JSON."""
        return {"holds": self.holds} | {field.name: getattr(self, field.name) for field in fields(self)}

    def words(self) -> str:
        """Return it in one sentence.

        Examples
        --------
        >>> zero = dict.fromkeys(["users_without_profile", "small_profiles", "names", "lonely_clicks", "lonely_times"], 0)
        >>> made = dict(k=5, askers=2, users=60, profiles=12, smallest=5, texts=400, categories=90, lonely_texts=0) | zero
        >>> LogCertificate(**made).words()
        'The promises hold: 60 users stand behind 12 profiles of at least 5; 310 texts and 90 categories have 2 users or more.'
        """
        if self.holds:
            return (
                f"The promises hold: {self.users} users stand behind {self.profiles} profiles of at least {self.smallest}; "
                f"{self.texts - self.categories} texts and {self.categories} categories have {self.askers} users or more."
            )
        found = ", ".join(f"{kind.replace('_', ' ')}: {count}" for kind, count in self.breaches.items())
        return f"The promises do not hold: {found}."

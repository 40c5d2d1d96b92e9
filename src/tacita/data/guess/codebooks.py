"""Columns of well-known surveys, whose names say nothing to who has not read their codebook.

A codebook counts only when several of its names stand in a file: one column called ``v024`` may be anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import cast

from tacita.core.vocabulary import Role, Scale

__all__ = ["Known", "known_columns"]

Known = tuple[Role, Scale, str]
"""A role, a scale, and the survey whose codebook says so."""

_LEAST = 4  # names of one codebook that a file must have
_LEAST_SHARE = 0.3  # and so large a part of the file's names

_ROLES = {
    "i": "identifier",
    "k": "key",
    "c": "confidential",
    "w": "weight",
    "h": "household",
    "u": "cluster",
    "s": "stratum",
}
_ROLES |= {"o": "other"}
_SCALES = {"n": "nominal", "o": "ordinal", "#": "numeric", "d": "date"}

# Role and scale by their letters, then the names, as patterns without a beginning and an end.
_CODEBOOKS = {
    "EU-SILC": r"""
        in: [prhd]b030; hn: rx030 hx030 px030; w#: rb050 rb060 db090 pb040 pb060; un: db060 db062; sn: db050
        kn: [dhrp]b020 db040 rb090 pb150 pb190 pl031 pl032 pl030 pl051 pl111 hh010 hh020 hh021 pb220a pb210 rb031 pl040 db100
        k#: [pr]b140 rb080 rb082 px020 rx020 hx040; ko: pe040 pe041; co: ph010 hs120; cn: ph020 ph030
        c#: hy\d{3}[gn]? py\d{3}[gn]? hh060 hh070 hs130; o#: [dhrp]b010; on: \w+_f \w+_i; o#: pl060 pl073""",
    "DHS": r"""
        in: caseid hhid; un: h?v001 h?v021; hn: h?v002; on: h?v003 h?v000; w#: h?v005; sn: h?v022 h?v023
        o#: h?v006 h?v007 h?v008 h?v016; k#: v012 hv105 hv009 v136 v137 v201 v218; ko: v013 v106 v149 hv106 h?v190 v190a
        k#: v011 v010 v009 v133; kn: h?v024 h?v025 h?v101 h?v102 v501 v502 v131 v716 v717 v714 h?v113 v116 v119 hv206
        kn: h?v127 h?v128 v151 hv219 v012a v201a; cn: v130 v312 v313 v463\w v781 d\d{3}\w?; c#: h?v191""",
    "ACS PUMS": r"""
        hn: serialno; on: sporder rt type f\w+p adjinc adjhsg; w#: pwgtp; o#: pwgtp\d+ wgtp\d*
        kn: st puma division region sex mar rac\w+ hisp cit nativity occp indp naicsp socp cow relp relshipp mil pow\w+ pobp esr
        kn: jwtr\w* ten bld lanx; k#: agep np nrc noc bds rmsp; ko: schl eng; cn: dis dear deye hicov
        c#: wagp pincp pernp semp intp retp ssp ssip pap oip povpip hincp fincp grntp valp wkhp; c#: jwmnp""",
    "EU-LFS": r"""
        in: hhnum_person; hn: hhnum hhseqnum qhhnum; w#: coeff coeffy coeffq; on: hhlink hhfath hhmoth hhspou hhlineno
        kn: region country sex marstat national couproft ilostat wstator stapro isco\w* nace\w* na111d mainstat ftpt temp
        kn: countryb degurba_n hhpartnr; ko: hatlev1d hatlevel degurba sizefirm incdecil; k#: age yearesid hhnbpers hhnbch
        c#: hwactual hwusual; o#: refyear refweek refmonth""",
    "ESS": r"""
        in: idno; w#: pspwght dweight pweight anweight; on: essround edition proddate name; kn: cntry region gndr marsts\w*
        kn: ctzcntr brncntr mainact mnactic isco08 nacer2 domicil blgetmg livecntr; k#: agea yrbrn hhmmb eduyrs
        ko: eisced edulvlb
        cn: rlgdnm rlgblg vote prtv\w+ hlthhmp; co: trst\w+ stf\w+ ppl\w+ polintr happy lrscale health hinctnta imwbcnt rlgdgr
        c#: nwspol netustm wkhtot; sn: stratum; un: psu""",
}


def known_columns(names: Iterable[str]) -> dict[str, Known]:
    """Return what the codebook of a survey says of the columns, where the file seems to be of that survey.

    Examples
    --------
    >>> known_columns(["caseid", "v001", "v002", "v005", "v012", "v024"])["v005"]
    ('weight', 'numeric', 'DHS')
    >>> known_columns(["v024", "v025", "q1"])
    {}
    """
    listed = list(names)
    best: dict[str, Known] = {}
    for survey in _CODEBOOKS:
        found = {name: known for name in listed if (known := _looked_up(survey, name)) is not None}
        if len(found) >= max(_LEAST, _LEAST_SHARE * len(listed)) and len(found) > len(best):
            best = found
    return best


def _looked_up(survey: str, name: str) -> Known | None:
    for pattern, role, scale in _patterns(survey):
        if pattern.fullmatch(name.casefold()):
            return role, scale, survey
    return None


@cache
def _patterns(survey: str) -> list[tuple[re.Pattern[str], Role, Scale]]:
    made = []
    for part in re.split(r"[;\n]", _CODEBOOKS[survey]):
        letters, _, names = part.strip().partition(":")
        made += [
            (re.compile(name), cast(Role, _ROLES[letters[0]]), cast(Scale, _SCALES[letters[1]]))
            for name in names.split()
        ]
    return made

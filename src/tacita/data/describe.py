"""Describe a file: facts about each column, and proposals for its scale and role to start a schema from."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tacita.core.arrays import FloatArray, IntArray
from tacita.core.vocabulary import SINGLE_ROLES, Role, Scale
from tacita.data.columns import infer_scale
from tacita.data.microdata import Microdata
from tacita.data.schema import Column, Schema

__all__ = ["ColumnDescription", "Description", "describe"]


_FEW = 30  # a column with at most so many different values is taken for categories
_CODED = 12  # whole numbers with a name like "status" are codes when they have at most so many different values
_ENOUGH = 10  # with fewer records it means nothing that all values differ
_MAX_SIZE = 10  # members that a household may have on average
_MISSING_CODES = [-1, -2, -3, -7, -8, -9, 9]
_MISSING_CODES += [sign * (10**digits - last) for digits in range(2, 9) for last in (1, 2, 3) for sign in (-1, 1)]

# --- words in names, in the languages of Europe; a star leaves an end of the word open -------------------------------

_PLACE = """*region* state county district* *municip* *gemeinde* kommune commune comune provinc* departement canton kanton
    nuts* bundesland city town stadt ort wohnort ville ciudad *postcode* postal zip plz area *country* land pays pais paese
    nation* staats* citizen* occupat* *beruf* ocupac* beroep* zawod isco* nace* industry* branche activity"""
_CATEGORY = """sex gender geschlecht sexe sexo sesso geslacht plec kon kjonn marital* civil familienstand zivilstand
    matrimon* urban rural employment* erwerb* job profess* ethnic* race language sprache langue"""
_ORDER = "educat* *bildung* schul* diplom* educac* istruz* opleiding* wyksztalcenie utbild* utdann* isced* class klasse"
_MEASURE = """age alter edad eta idade leeftijd wiek alder birth* geburt* geboren naiss* nacim* nascit* dob size hhsize
    children kinder enfants hijos figli employees beschaftigte* effectif* founded"""
_WORDS = {
    "identifier": """*name *names prenom nom nome cognome apellido* nombre *naam imie nazwisko *navn *namn *email* *mail
        *phone* *telefon* mobile handy ssn nino nif dni pesel bsn cpr iban passport* *ausweis* *address* *adresse* *strasse""",
    "id": "*(?<!pa)(?<!val)(?<!cov)id ident* kennung",
    "number": "*id *nr no num number nummer numero index uuid key ident* kennung serial record lfd",
    "weight": "weight* *wgt* wt *gewicht* hochrechnung* poids ponder* peso waga vikt vekt",
    "body": "body birth kg height korper geburt corps naissance",
    "stratum": "stratum strata schicht strate estrato strato warstwa",
    "key": f"{_PLACE} {_CATEGORY} {_ORDER} {_MEASURE}",
    "confidential": """*income* *einkommen* *revenu* ingres* renta reddit* inkomen* dochod* inntekt* inkomst* earning* wage
        wages salar* *lohn gehalt* *tax taxes *steuer* impot* imposta* belasting* podatek saving* sparen wealth vermogen*
        debt* schuld* loan* rent miete loyer pension* benefit* asset* health* gesund* sante salud salute gezond* zdrow*
        *diagnos* disease* krank* maladie* illness disab* behinder* icd hiv drug* turnover* *umsatz* chiffre* omzet* *sales
        profit* gewinn* export* invest* energ* expend* ausgaben religio* vote* party wahl* victim* crime* violence""",
    "code": _PLACE,
    "order": f"{_ORDER} health* gesund* sante salud level niveau grade rank satisf* zufried* degree quintile decile score",
    "category": f"{_CATEGORY} type typ kind status group gruppe code category kategorie religio* party vote* victim*",
}
_HOUSEHOLD = "hh|hid|household|haushalts?|hushold|hushall|menage|foyer|hogar|famiglia|family|familie|huishouden"


def _pattern(words: str) -> re.Pattern[str]:
    parts = "|".join(f"(?<![a-z]){word}(?![a-z])" for word in words.split())
    return re.compile(parts.replace("(?<![a-z])*", "").replace("*(?![a-z])", ""))


_LOOKS = {like: _pattern(words) for like, words in _WORDS.items()}
_LOOKS["household"] = re.compile(rf"^[^a-z]*(?:{_HOUSEHOLD})[^a-z]*(?:id|nr|no|num|number|nummer|numero|key)?[^a-z]*$")


def _plain(name: str) -> str:
    """Return a name without capitals and accents: ``HaushaltsNr`` becomes ``haushalts_nr``."""
    split = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)
    bare = unicodedata.normalize("NFKD", split.casefold().replace("ø", "o").replace("ł", "l"))
    return "".join(letter for letter in bare if not unicodedata.combining(letter))


@dataclass(frozen=True, kw_only=True, repr=False)
class ColumnDescription:
    """Facts about one column, and what is proposed for it.

    ``missing`` counts the records without a value and ``user_missing`` those with a declared missing code, none of them
    twice; ``missing_percent`` is both together. ``smallest`` is the size of the smallest category, None where there
    are no categories; ``minimum`` and ``maximum`` are None but for numeric and date columns. ``reason`` says why the
    role is proposed (a declared one is kept), and ``note`` what the user should look at.
    """

    name: str
    storage: str
    scale: Scale
    proposed_scale: Scale
    proposed_role: Role
    reason: str
    distinct: int
    missing: int
    user_missing: int
    missing_percent: float
    smallest: int | None
    minimum: Any
    maximum: Any
    note: str

    def __repr__(self) -> str:
        return f"ColumnDescription('{self.name}': {self.proposed_scale} {self.proposed_role}, {self.reason})"

    def as_plain(self) -> dict[str, Any]:
        """Return everything ready for JSON: dates as text."""
        return {word: x if isinstance(x, int | float | None) else str(x) for word, x in asdict(self).items()}


@dataclass(frozen=True, repr=False)
class Description:
    """What :func:`describe` found: number of records, exact duplicates among them, and the columns."""

    records: int
    duplicates: int
    columns: tuple[ColumnDescription, ...]
    schema: Schema

    def __repr__(self) -> str:
        return f"Description: {self.records} records ({self.duplicates} duplicates), {len(self.columns)} columns"

    def __getitem__(self, name: str) -> ColumnDescription:
        return self.columns[self.schema.names.index(self.schema[name].name)]

    def draft_schema(self) -> Schema:
        """Return the schema with the proposals applied; roles that were declared stay."""
        drafted = []
        for column, found in zip(self.schema, self.columns, strict=True):
            roles = (found.proposed_role,) if column.roles == ("other",) else column.roles
            drafted.append(replace(column, scale=found.proposed_scale, roles=roles))
        return Schema(tuple(drafted))

    def as_plain(self) -> dict[str, Any]:
        """Return everything ready for JSON."""
        columns = [c.as_plain() for c in self.columns]
        return {"records": self.records, "duplicates": self.duplicates, "columns": columns}


def describe(data: Microdata) -> Description:
    """Describe data column by column, and propose a scale and a role for each.

    A proposal rests on the column's name (in English and other languages of Europe), its type and its values. It is a
    start for the user's own judgement: a wrong role costs protection. A suspected missing code is noted, not applied.

    Notes
    -----
    The result shows smallest and largest values: it is for the data owner's eyes. O(n) time for each column.

    Examples
    --------
    >>> from tacita.data.samples import household_survey
    >>> found = describe(Microdata.from_frame(household_survey(500, seed=1).to_arrow()))
    >>> found["income"].proposed_role, found["income"].note
    ('confidential', 'suspected missing code -9: unusually frequent')
    >>> found.draft_schema().household
    'household'
    """
    table, n = data.to_arrow(codes=False), len(data)
    taken: set[Role] = {role for role in SINGLE_ROLES if data.schema.with_role(role)}
    labels, size = np.zeros(n, dtype=np.int64), 1
    columns = []
    for column in data.schema:
        facts = _Facts.of(column, table.column(column.name))
        coded = data.user_missing.get(column.name)
        columns.append(_described(facts, 0 if coded is None else n - coded.null_count, taken))
        taken.add(columns[-1].proposed_role)
        labels, size = _fold(labels, size, facts.codes, facts.distinct)
        if coded is not None:
            codes, values = _encoded(coded)
            labels, size = _fold(labels, size, codes, len(values))
    return Description(n, n - len(pc.unique(pa.array(labels))), tuple(columns), data.schema)


@dataclass(frozen=True)
class _Facts:
    """One column: each record as the number of its value (-1: missing), the different values, how often each occurs."""

    column: Column
    storage: str
    plain_name: str
    n: int
    distinct: int
    codes: IntArray
    values: pa.Array
    counts: IntArray
    numbers: FloatArray | None
    is_text: bool
    is_whole: bool

    @classmethod
    def of(cls, column: Column, array: pa.ChunkedArray) -> _Facts:
        codes, values = _encoded(array)
        kind, name = values.type, _plain(column.name)
        storage = f"dictionary of {kind}" if pa.types.is_dictionary(array.type) else str(kind)
        counts = np.bincount(codes + 1, minlength=len(values) + 1)[1:]
        numeric = len(values) > 0 and infer_scale(kind) == "numeric"
        numbers = np.asarray(values.cast(pa.float64(), safe=False), dtype=np.float64) if numeric else None
        # Missing values make some readers store whole numbers as floats.
        whole = numbers is not None and bool(np.all(np.floor(numbers) == numbers))
        text = pa.types.is_string(kind) or pa.types.is_large_string(kind)
        return cls(column, storage, name, len(codes), len(values), codes, values, counts, numbers, text, whole)

    def looks(self, like: str) -> bool:
        return _LOOKS[like].search(self.plain_name) is not None


def _encoded(array: pa.ChunkedArray | pa.Array) -> tuple[IntArray, pa.Array]:
    """Return each record as the number of its value (-1: missing), and the different values."""
    plain = array.cast(array.type.value_type) if pa.types.is_dictionary(array.type) else array
    whole = plain.combine_chunks() if isinstance(plain, pa.ChunkedArray) else plain
    if pa.types.is_null(whole.type):
        return np.full(len(whole), -1, dtype=np.int64), whole.slice(0, 0)
    encoded = whole.dictionary_encode()
    return encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64), encoded.dictionary


def _fold(labels: IntArray, size: int, codes: IntArray, distinct: int) -> tuple[IntArray, int]:
    """Number the records by what they had so far and a further column; renumber before the numbers overflow."""
    if size * (distinct + 1) >= 2**62:
        labels, different = _encoded(pa.array(labels))
        size = len(different)
    return labels * (distinct + 1) + codes + 1, size * (distinct + 1)


def _described(facts: _Facts, coded: int, taken: set[Role]) -> ColumnDescription:
    absent = facts.n - int(facts.counts.sum())
    role, reason = _role(facts, taken)
    scale = _scale(facts, role)
    is_category = facts.distinct > 0 and (scale in ("nominal", "ordinal") or facts.distinct <= _FEW)
    shown = facts.values if facts.numbers is None else facts.values.filter(pa.array(np.isfinite(facts.numbers)))
    ends = pc.min_max(shown).as_py() if scale in ("numeric", "date") and len(shown) else {"min": None, "max": None}
    return ColumnDescription(
        name=facts.column.name,
        storage=facts.storage,
        scale=facts.column.scale,
        proposed_scale=scale,
        proposed_role=role,
        reason=reason,
        distinct=facts.distinct,
        missing=absent - coded,
        user_missing=coded,
        missing_percent=100 * absent / facts.n if facts.n else 0.0,
        smallest=int(facts.counts.min()) if is_category else None,
        minimum=ends["min"],
        maximum=ends["max"],
        note="; ".join(_notes(facts, role)),
    )


# --- proposals ----------------------------------------------------------------------------------------------------------


def _role(facts: _Facts, taken: set[Role]) -> tuple[Role, str]:
    """Return the role that a column seems to have, and why: what is declared, then its name, then its values."""
    if facts.column.roles != ("other",):
        return facts.column.roles[0], "declared in the schema"
    return (_role_by_name(facts, taken) or _role_by_values(facts)) if facts.distinct else ("other", "no values")


def _role_by_name(facts: _Facts, taken: set[Role]) -> tuple[Role, str] | None:
    numbers = facts.numbers if facts.column.scale == "numeric" else None
    if facts.looks("weight") and not facts.looks("body") and numbers is not None and numbers.min() >= 0:
        return ("other", "a further weight") if "weight" in taken else ("weight", "name, and no negative number")
    if facts.looks("household") and "household" not in taken and _repeats(facts):
        return "household", "name, and repeated numbers"
    if facts.looks("identifier") and not facts.looks("key") and (facts.distinct > 2 or facts.n < _ENOUGH):
        return "identifier", "name"
    by_name = next((role for role in ("stratum", "confidential", "key") if facts.looks(role)), None)
    if facts.looks("number") and by_name != "confidential" and facts.distinct >= max(2, 0.9 * facts.n):
        return "identifier", "name, and (nearly) all values differ"
    if facts.looks("id") and by_name is None and facts.distinct > _FEW:  # of a unit with several records
        return "identifier", "name"
    return (cast(Role, by_name), "name") if by_name and facts.distinct > 1 else None


def _role_by_values(facts: _Facts) -> tuple[Role, str]:
    if _numbers_records(facts):
        return "identifier", "all values differ"
    if facts.distinct == 1:
        return "other", "all values equal"
    if facts.distinct <= _FEW:
        return "key", f"few categories ({facts.distinct})"
    if facts.numbers is not None:
        return "confidential", "numeric with many values"
    if facts.is_text and facts.distinct > facts.n / 2:
        return "identifier", "most texts differ"
    return "key", f"categories or dates ({facts.distinct})"


def _numbers_records(facts: _Facts) -> bool:
    """Whether all values differ and are texts, running numbers, or numbers of equal length as amounts never are."""
    if not facts.distinct == facts.n >= _ENOUGH or facts.numbers is None or not facts.is_whole:
        return facts.distinct == facts.n >= _ENOUGH and facts.is_text
    low, high = facts.numbers.min(), facts.numbers.max()
    return bool(high - low < 2 * facts.n) or len(f"{low:.0f}") == len(f"{high:.0f}") > 5


def _repeats(facts: _Facts) -> bool:
    """Whether every record has a value, and values occur again: side by side, or a few times each."""
    if facts.codes.min() < 0 or facts.distinct == facts.n:
        return False
    runs = 1 + int(np.count_nonzero(np.diff(facts.codes)))
    return runs == facts.distinct or facts.n <= _MAX_SIZE * facts.distinct


def _scale(facts: _Facts, role: Role) -> Scale:
    """Return the scale of the schema, or another one for whole numbers that are codes rather than amounts."""
    scale = facts.column.scale
    if scale != "numeric" or not facts.is_whole or role == "weight":
        return scale
    if role in ("identifier", "household", "cluster") or facts.looks("code"):
        return "nominal"
    if facts.distinct <= _CODED and (facts.looks("order") or facts.looks("category")):
        return "ordinal" if facts.looks("order") else "nominal"
    return scale


def _notes(facts: _Facts, role: Role) -> Iterator[str]:
    if facts.n and not facts.distinct:
        yield "no values"
    if facts.distinct == 1 and facts.counts[0] > 1:
        yield "all values equal"
    if _numbers_records(facts):
        yield "all values different" + (": looks like an identifier" if role == "identifier" else "")
    if facts.is_text and pc.any(pc.match_substring_regex(facts.values, r"^0[0-9]+$")).as_py():
        yield "leading zeros: kept as text"
    if facts.numbers is not None and facts.column.scale == "numeric":
        infinite = int(facts.counts[np.isinf(facts.numbers)].sum())
        if infinite:
            yield f"infinite values: {infinite}"
        yield from _suspects(facts.numbers, facts.counts)


def _suspects(values: FloatArray, counts: IntArray) -> Iterator[str]:
    """Name values such as -9 and 999 that lie far from all others, or that are many where the others are few."""
    usual = ~np.isin(values, _MISSING_CODES) & np.isfinite(values)
    if not usual.any():
        return
    low, high = values[usual].min(), values[usual].max()
    most_below_zero = counts[usual & (values < 0)].max(initial=1)
    for i in np.flatnonzero(np.isin(values, _MISSING_CODES)):
        value, gap = values[i], max(low - values[i], values[i] - high)
        lone = value < 0 <= low and (value <= -7 or high - low > _CODED)
        if lone or gap > max(high - low, 1):
            yield f"suspected missing code {value:.0f}: far from the rest"
        elif value < 0 and counts[i] >= 5 * most_below_zero:
            yield f"suspected missing code {value:.0f}: unusually frequent"

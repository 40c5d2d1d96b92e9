"""Regular expressions of texts that may name a person: addresses, numbers, dates; for small letters without accents."""

from __future__ import annotations

__all__ = ["AT_SIGN", "CARD", "IBAN", "IBAN_LENGTHS", "LONG_DIGITS", "PATTERNS", "SPELLED_MAIL", "YEARS"]

# In RE2 nothing looks ahead or behind, so what must not stand beside a number is taken along.
_L, _R = r"(?:^|[^0-9])", r"(?:$|[^0-9])"
_L_DOT, _R_DOT = r"(?:^|[^0-9.])", r"(?:$|[^0-9.]|\.$)"
_DAY, _MONTH = r"(?:0?[1-9]|[12][0-9]|3[01])", r"(?:0?[1-9]|1[0-2])"
_YEAR = r"(?:19|20)[0-9]{2}"
_BYTE = r"(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"

_MONTHS = (
    "jan(?:uary|uar|vier)?|feb(?:ruary|ruar)?|fevrier|mar(?:ch|z|s|zo|co)?|marz|apr(?:il)?|avril|abril|aprile|may|mai|mayo|maig|maggio|"
    "jun[ei]?|juin|junio|juny|giugno|jul[iy]?|juillet|julio|juliol|luglio|aug(?:ust)?|aout|agosto?|sep(?:t|tember|tembre|tiembre)?|"
    "settembre|setembre|o[ck]t(?:ober|obre|ubre)?|ottobre|nov(?:ember|embre|iembre)?|de[cz](?:ember|embre|iembre)?|dicembre|diciembre|"
    "desembre|januar[iy]?|enero|gener|gennaio|febrero|febrer|febbraio|marc|agost|octubre|novembre"
)
_BIRTH = (
    r"\b(?:born|birthday|birthdate|birth date|dob|d\.o\.b|geboren|geburtsdatum|geburtstag|nacido|nacida|fecha de nacimiento|"
    r"nascut|nascuda|date de naissance|data di nascita)\b"
)

_STREET = (
    "street|st|avenue|ave|av|road|rd|lane|ln|drive|dr|court|ct|boulevard|blvd|way|place|pl|terrace|ter|circle|cir|highway|hwy|"
    "parkway|pkwy|square|sq|trail|trl|loop|crescent|close|mews|alley|turnpike|gardens|grove"
)
_ROMANCE_STREET = (
    r"calle|c/|c\.|carrer|avenida|avda\.?|avinguda|av\.|plaza|plz\.?|placa|pl\.|paseo|passeig|pg\.|ronda|travessera|rambla|camino|rue|"
    r"boulevard|bd|avenue|allee|chemin|impasse|quai|via|viale|piazza|corso|vicolo|largo|rua|travessa|praca|ulica|ul\.|aleja|al\."
)
_GERMANIC_STREET = (
    r"(?:strasse|str\.?|straat|weg|gasse|platz|allee|ring|damm|ufer|laan|gracht|plein|kade|"
    r"gatan|vagen|gade|vej|gata|veien)"
)
_STATES = (
    "al|ak|az|ar|ca|co|ct|de|fl|ga|hi|id|il|in|ia|ks|ky|la|me|md|ma|mi|mn|ms|mo|mt|ne|nv|nh|nj|nm|ny|nc|nd|oh|ok|or|pa|ri|sc|sd|tn|"
    "tx|ut|vt|va|wa|wv|wi|wy|dc"
)

AT_SIGN = r"[a-z0-9._%+'-]+ ?@ ?[a-z0-9-]+(?:\.[a-z0-9-]+)*|[a-z0-9._%+-]+@"
SPELLED_MAIL = (
    r"\b[a-z0-9._-]+ ?(?: at |\(at\)|\[at\]| arroba ) ?[a-z0-9-]+ ?(?: dot | punto | punkt | point |\(dot\)|\[dot\]|\.)"
    r" ?[a-z]{2,}\b|"
    r"\b[a-z0-9]+[._][a-z0-9._]* (?:yahoo|hotmail|gmail|aol|msn|gmx|web|libero|orange|outlook)\.(?:com|de|net|es|fr|it|co)\b"
)

YEARS = rf"\b{_YEAR}\b"
LONG_DIGITS = r"[0-9]{7,}"

PATTERNS: dict[str, tuple[str, ...]] = {
    "telephone": (
        r"\+ ?[1-9][0-9]{0,2}[ ()./-]*[0-9][0-9 ()./-]{5,16}[0-9]",
        _L + r"(?:1[ .-]?)?\(?[2-9][0-9]{2}\)?[ ./-]{1,2}[0-9]{3}[ .-][0-9]{4}" + _R,
        r"\([2-9][0-9]{2}\) ?[0-9]{3}[ .-]?[0-9]{4}",
        r"(?:^|[^0-9-])[2-9][0-9]{2}-[0-9]{4}(?:$|[^0-9-])",
        _L + r"1[ .-]?[2-9][0-9]{9}" + _R,
        _L + r"[2-9][0-9]{2}[2-9][0-9]{6}" + _R,
        _L + r"00[1-9][0-9]{0,2}[ ()./-]?[0-9 ()./-]{6,16}[0-9]",
        _L + r"0[1-9][0-9]{1,4}[ /-]{1,3}[0-9]{2,4}(?:[ -]?[0-9]{2,4}){1,3}" + _R,
        _L + r"0[1-9][0-9]{1,4}[ /-]{1,3}[0-9]{4,9}" + _R,
        _L + r"0[1-9](?:[ .-]?[0-9]{2}){4}" + _R,
        _L + r"[6789][0-9]{2}(?:[ .-]?[0-9]{3}){2}" + _R,
        _L + r"(?:9[0-9] [0-9]{3} [0-9]{2} [0-9]{2}|[6789][0-9]{2}(?: [0-9]{2}){3})" + _R,
        r"\b(?:tel|telf|phone|telephone|telefono?|telefonnummer|mobile|movil|cell|handy|fax)\b"
        r"[^0-9]{0,12}[0-9][0-9 ./-]{5,}[0-9]",
    ),
    "identity number": (
        _L + r"[0-9]{3}[ -][0-9]{2}[ -][0-9]{4}" + _R,
        r"\b(?:ssn|social security)\b[^0-9]{0,12}[0-9]{9}" + _R,
        _L + r"[0-9]{8}[ -]?[a-z](?:$|[^a-z0-9])",
        r"\b[xyz][ -]?[0-9]{7}[ -]?[a-z]\b",
        r"\b[a-z]{6}[0-9]{2}[a-z][0-9]{2}[a-z][0-9]{3}[a-z]\b",
        r"\b[a-ceghj-prstw-z]{2} ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[a-d]\b",
        _L + r"[12] ?[0-9]{2} ?(?:0[1-9]|1[0-2]) ?[0-9]{2} ?[0-9]{3} ?[0-9]{3}(?: ?[0-9]{2})?" + _R,
    ),
    "address": (
        rf"\b[0-9]{{1,5}}[a-z]? +(?:[nsew]\.? +|north +|south +|east +|west +)?(?:[a-z'.-]+ +|[0-9]+(?:st|nd|rd|th) +){{1,3}}"
        rf"(?:{_STREET})(?:\b|\.)",
        r"\b[0-9]{1,4}(?: ?bis| ?ter)?,? +(?:rue|avenue|av|boulevard|bd|place|chemin|impasse|allee|quai|route)\b +[a-z]",
        rf"(?:^|[ ,])(?:{_ROMANCE_STREET}) *(?:[a-z'.-]+ +){{1,5}},? *(?:n[o.]{{0,2}} ?|num\.? ?)?[0-9]{{1,4}}\b",
        rf"(?:^|[ ,])(?:{_ROMANCE_STREET}) *(?:[a-z'.-]+ +){{0,4}}[a-z'.-]+, *(?:n[o.]{{0,2}} ?|num\.? ?)?[0-9]{{1,4}}\b",
        rf"[a-z-]{{3,}} ?{_GERMANIC_STREET} +[0-9]{{1,4}} ?[a-z]?\b",
        r"\bp\.? ?o\.? ?box +[0-9]+|\b(?:postfach|apartado(?: de correos)?|boite postale|casella postale) +[0-9]+",
        r"\b(?:apt|apartment|suite|unit)\.? *#? ?[0-9]+[a-z]?\b.*[a-z]|[a-z].*\b(?:apt|apartment|suite)\.? *#? ?[0-9]+",
    ),
    "postcode": (
        rf"\b(?:{_STATES}),? +[0-9]{{5}}(?:-[0-9]{{4}})?\b",
        r"\b[0-9]{5}-[0-9]{4}\b",
        r"\b(?:zip|zipcode|zip code|postcode|postal code|plz|cap|cp|codigo postal|code postal)\b[: ]+[0-9]{4,5}\b",
        r"(?:^|[ ,])(?:0[1-9]|[1-9][0-9])(?:[0-9]{2}[1-9]|[0-9][1-9]0|[1-9]00)(?:$|[ ,])",
        r"\b[a-z]{1,2}[0-9][0-9a-z]? ?[0-9][abd-hjlnp-uw-z]{2}\b",
        r"\b[abceghj-nprstvxy][0-9][a-z] ?[0-9][a-z][0-9]\b",
        r"\b(?:d|a|ch|f|e|i|b|l|nl)-[0-9]{4,5}\b|\b[1-9][0-9]{3} [a-z]{2}\b",
    ),
    "date of birth": (
        _L + rf"(?:{_DAY}[./-]{_MONTH}|{_MONTH}[./-]{_DAY})[./-](?:{_YEAR}|[0-9]{{2}})" + _R,
        _L + rf"(?:{_DAY} {_MONTH}|{_MONTH} {_DAY}) {_YEAR}" + _R,
        _L + rf"{_YEAR}[./-]{_MONTH}[./-]{_DAY}" + _R,
        rf"{_L}{_DAY}(?:st|nd|rd|th|\.|er)? ?(?:of |de |d')?(?:{_MONTHS})\.?,? (?:of |de |del )?{_YEAR}{_R}",
        rf"\b(?:{_MONTHS})\.? {_DAY}(?:st|nd|rd|th)?,? {_YEAR}{_R}",
        rf"{_BIRTH}.{{0,30}}{_YEAR}{_R}",
        rf"{_BIRTH}.{{0,12}}{_DAY}.{{0,6}}(?:{_MONTHS}|{_MONTH})\b",
    ),
    "IP address": (
        _L_DOT + rf"(?:{_BYTE}\.){{3}}{_BYTE}" + _R_DOT,
        r"\b(?:[0-9a-f]{1,4}:){4,7}[0-9a-f]{1,4}\b|\b(?:[0-9a-f]{1,4}:){1,6}:[0-9a-f]{1,4}\b",
        r"\b(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}\b",
    ),
    "user page": (
        r"[a-z]+://[^/ @]+@",
        r"/~[a-z0-9_]",
        r"\b(?:facebook|myspace|twitter|linkedin|instagram|flickr|xanga|youtube|github|tiktok|pinterest|soundcloud|okcupid|hi5|orkut|"
        r"bebo|friendster)\.com/+(?:in/|user/|profile/|people/|@)?[a-z0-9_.-]",
        r"\b[a-z0-9_-]{2,}\.(?:livejournal|blogspot|tumblr|wordpress|deviantart|typepad|skyrock|tripod|angelfire)\.com\b",
        r"/(?:user|users|profile|profiles|people|member|members|home|homepages)[/=?][a-z0-9_]",
        r"[?&](?:user|username|uid|userid|login|email|mail|name|profile)=[^& ]",
        r"(?:^| )@[a-z0-9_]{3,}",
    ),
}
"""For each reason what may stand in a text; one is enough."""

CARD = r"(?P<card>(?:[0-9][ -]?){12,18}[0-9])"
IBAN = r"(?P<iban>\b[a-z]{2}[0-9]{2}(?: ?[a-z0-9]){11,30})"
IBAN_LENGTHS = {
    "ad": 24, "at": 20, "be": 16, "bg": 22, "ch": 21, "cy": 28, "cz": 24, "de": 22, "dk": 18, "ee": 20, "es": 24, "fi": 18,
    "fr": 27, "gb": 22, "gr": 27, "hr": 21, "hu": 28, "ie": 22, "is": 26, "it": 27, "li": 21, "lt": 20, "lu": 20, "lv": 21,
    "mc": 27, "mt": 31, "nl": 18, "no": 15, "pl": 28, "pt": 25, "ro": 24, "se": 24, "si": 19, "sk": 24, "sm": 27, "tr": 26,
}  # fmt: skip
"""How many letters and digits an account number has, by country."""

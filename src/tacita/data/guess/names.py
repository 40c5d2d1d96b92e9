"""Words in names and labels of columns that tell what a column is, in the languages of Europe."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["looks_like", "plain_name"]

# A star leaves an end of a word open; without one, no letter may stand beside it.

_PLACE = """*region* state county district* *municip* *gemeinde* kommune commune comune provinc* departement canton kanton
    nuts* bundesland city town stadt ort wohnort ville ciudad *postcode* postal zip plz *area puma *country* cntry land pays pais
    paese nation* staats* citizen* birthplace pob"""
_CLASSIFIED = """occ occup* *beruf* ocupac* beroep* zawod isco* soc nace* naics* sic isic industry* branche sector activity
    cpv coicop classification"""
_CATEGORY = """sex gender gndr geschlecht sexe sexo sesso geslacht plec kon kjonn marital* marstat* civil hhcivil familienstand
    zivilstand matrimon* urban rural urbrur degurba employment* empstat* labou?r* ilostat erwerb* job profess* ethnic* etni*
    race language sprache langue relat* relation* kinship kindpers workclass legal_form rechtsform ownership"""
_HOUSING = """roof* wall* water toilet* electric* electcon dwelling* tenure heating floor_mat* sanitation cooking* housing
    fuel dach wand wasser wohnung* car cars vehicle* phone* radio television tv internet"""
_EDUCATION = """educ* *educ *bildung* schul* school* schooling diplom* istruz* opleiding* wyksztalcenie utbild* utdann* isced*
    hatlev* schl degree qualific* edatt* *isced*"""
_AGE = "age agea agep ages age_* *_age alter edad eta idade leeftijd wiek alder ageyoung*"
_BIRTH = "birth birth_* birthyear yearbirth yob dob geburt* geboren naiss* nacim* nascit* born *birth_year *birthdate"
_COUNT = """size *size hhmmb members persons personen children kinder enfants hijos figli kids siblings num* number n nb nof
    no_of anzahl nombre_de rooms bedrooms zimmer hours hour hrs stunden heures *hours days tage jours nights months monate
    weeks visits employees beschaftigte* effectif* headcount los length_of_stay los_* *_los numyoung numold parity eduyrs years
    *years duration tenure_years count* height_cm"""
_AMOUNT = """*income* *einkommen* *revenu* ingres* renta reddit* inkomen* dochod* inntekt* inkomst* earning* wage wages wag*
    salar* *lohn gehalt* *tax taxes *steuer* impot* imposta* belasting* podatek saving* sparen wealth vermogen* debt* schuld*
    loan* rent miete loyer pension* benefit* asset* turnover* *umsatz* chiffre* omzet* *sales profit* gewinn* export* import
    imports invest* energ* expend* expense* ausgaben *cost *costs kosten charge charges price preis value_added amount* betrag
    payment* balance capital* money fee fees premium* gva output consumption spending revenue*"""
_SENSITIVE = """health* gesund* sante salud salute gezond* zdrow* *diagnos* diag* disease* krank* maladie* illness disab*
    behinder* handicap icd* hiv drug* drg procedure* religio* relig rlg* vote* voted party wahl* polit* crime* criminal*
    victim* violence *contracept* pregnan* smok* alcohol bmi outcome* depress* sexual*"""
_OPINION = """trust* trst* satisf* stf* zufried* happ* opinion* attitud* agree* likert lrscale interest* importan* feel*
    worr* polintr ppltrst rating"""
_ORDER = f"""{_EDUCATION} {_OPINION} level niveau grade rank quintile quantile decile *decil *quint class klasse *class band
    bands bracket stage severity health srh genhealth gesund* sante salud agegroup* agegrp* agecat* ageband* sizeclass* size_cl*
    size_class* group_age score degurba triage"""
_GROUPED = "group grp cat category class klasse band bands bracket range interval gruppe groupe clase 5yr 10yr agegroup* agegrp*"
_WORDS = {
    "identifier": """*name *names prenom nom nome cognome apellido* nombre *naam imie nazwisko *navn *namn *email* *mail
        *phone* *telefon* mobile handy ssn nino nif dni pesel bsn cpr iban passport* *ausweis* *address* *adresse* *strasse""",
    "id": "*(?<!pa)(?<!val)(?<!cov)id ident* kennung caseid idno vatno taxno",
    "number": """*id *nr no num number nummer numero index uuid key ident* kennung serial* record lfd seqn caseid idno *_no
        id_* vatno taxno mrn""",
    "weight": """weight* *wt *_weights *weight *wgt* *wght* wt *_wt wts gewicht* *gewicht hochrechnung* poids ponder* peso waga
        vikt vekt coeff coef_exp* fac factor_exp* expansion*""",
    "replicate": "repwt* repwgt* *wgtp[0-9] rep_* replicate* brr* jk[0-9]* bsw*",
    "body": "body birth kg height korper geburt corps naissance birthweight",
    "stratum": "stratum strata *strat strat schicht strate estrato strato warstwa",
    "cluster": "psu ssu cluster* segment enumeration* ea interviewer* primary_sampling* hospital* clinic ward school_id site",
    "line": """line lineno line_no sporder pernum person_no persno pno member_no order_in* hhline *lineno
        line_number person_number relat_no hhmember""",
    "survey_time": """refyear ref_year survey_year refweek refmonth quarter wave round period interview_* int_date int_year
        int_month year_of_survey panel rotation vintage essround edition proddate year jahr annee month monat mois week""",
    "flag": "f_* *_f *flag* imputed *_imp imp_* allocat* *_alloc",
    "relation": "relat* relation* kinship kindpers verwandt* lien parentesco parentela rel_head",
    "marital": "marital* marstat* civil hhcivil familienstand zivilstand matrimon* etat_matrimonial",
    "sex": "sex gender gndr geschlecht sexe sexo sesso geslacht plec kon kjonn",
    "amount": _AMOUNT,
    "age": _AGE,
    "birth": _BIRTH,
    "count": _COUNT,
    "grouped": _GROUPED,
    "opinion": _OPINION,
    "sensitive": _SENSITIVE,
    "key": f"""{_PLACE} {_CLASSIFIED} {_CATEGORY} {_HOUSING} {_EDUCATION} {_AGE} {_BIRTH} *size hhmmb children kinder
        enfants hijos figli employees beschaftigte* effectif* headcount founded employed sizeclass* size_cl* size_class*
        persons members rooms bedrooms numyoung numold num_child* siblings parity admission* discharge* died death""",
    "confidential": f"{_AMOUNT} {_SENSITIVE} {_OPINION} los length_of_stay hours *hours",
    "place": _PLACE,
    "code": f"{_PLACE} {_CLASSIFIED} icd* drg",
    "order": _ORDER,
    "category": f"""{_CATEGORY} {_HOUSING} type typ kind status group gruppe code category kategorie religio* relig party vote*
        victim* flag mode form""",
}
_HOUSEHOLD = """hh hid household households haushalt haushalts hushold hushall menage foyer hogar famiglia family familie
    huishouden hhold serialno hhserial sernum hhseqnum hhnum qhhnum dwelling_unit hhld holding"""


def _pattern(words: str) -> re.Pattern[str]:
    parts = "|".join(f"(?<![a-z]){word}(?![a-z])" for word in words.split())
    return re.compile(parts.replace("(?<![a-z])*", "").replace("*(?![a-z])", ""))


_LOOKS = {like: _pattern(words) for like, words in _WORDS.items()}
_LOOKS["household"] = re.compile(
    rf"^[^a-z]*(?:(?:ori|orig|old|new|id)[^a-z]*)?(?:{'|'.join(_HOUSEHOLD.split())})"
    r"[^a-z]*(?:id|nr|no|num|number|nummer|numero|key|identifier)?[^a-z]*$"
)


def plain_name(name: str) -> str:
    """Return a name without capitals, accents and signs between its words.

    Examples
    --------
    >>> plain_name("HaushaltsNr"), plain_name("Pondération"), plain_name("marital-status")
    ('haushalts_nr', 'ponderation', 'marital_status')
    """
    split = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name.strip())
    bare = unicodedata.normalize("NFKD", split.casefold().replace("ø", "o").replace("ł", "l"))
    letters = "".join(letter for letter in bare if not unicodedata.combining(letter))
    return re.sub(r"[\s./:-]+", "_", letters)


def looks_like(text: str, like: str) -> bool:
    """Whether a plain name has a word of a kind, such as ``"weight"`` or ``"household"``.

    Examples
    --------
    >>> looks_like("ori_hid", "household"), looks_like("hh_income", "household"), looks_like("birth_weight", "body")
    (True, False, True)
    """
    return _LOOKS[like].search(text) is not None

"""Queries of a kind that is known: those that name a person in some way, and those that do not."""

from __future__ import annotations

import random
from collections.abc import Callable

from tacita.data.query_log.persons.person_names import GIVEN_NAMES, ORDINARY_NAMES, SURNAMES

__all__ = ["HARMLESS", "harmless", "planted"]

GIVEN = sorted(GIVEN_NAMES - ORDINARY_NAMES)
LAST = sorted(SURNAMES - ORDINARY_NAMES)
SYLLABLES = (
    "ba",
    "ce",
    "dor",
    "fel",
    "gri",
    "hu",
    "jan",
    "ko",
    "lem",
    "mar",
    "nis",
    "ol",
    "pra",
    "ques",
    "rin",
    "sto",
    "tan",
    "ul",
    "vic",
    "wei",
    "zar",
)
TOWNS = ("boston", "leeds", "girona", "köln", "lyon", "torino", "utrecht", "malmö", "porto", "kraków")

HARMLESS = (
    "cheap flights {town}",
    "hotels in {town}",
    "weather {town}",
    "{town} map",
    "how to cook {food}",
    "{food} recipe",
    "best {food} {town}",
    "windows xp service pack {n}",
    "top {ten} songs 19{nn}",
    "nissan 350z",
    "ipod {n}0gb",
    "{food}",
    "american idol season {n}",
    "mapquest",
    "google",
    "www.google.com",
    "yahoo mail",
    "ebay motors",
    "myspace layouts",
    "used cars {town}",
    "{team} schedule 2006",
    "world cup 2006",
    "movie times",
    "lyrics to hey jude",
    "free clip art",
    "area code 5{nn}",
    "chapter {n} bankruptcy",
    "route 66",
    "{team} vs {team}",
    "symptoms of flu",
    "boeing 747",
    "50 cent",
    "blink 182",
    "9/11",
    "24 season {n}",
    "{nn} inch tv",
    "$500 loan",
    "new york times",
    "nba playoffs 2006",
    "1040 form 2005",
    "mp3 player",
    "public library {town}",
    "{food} calories",
    "world war 2",
    "rose hill",
    "king george",
    "black forest cake",
    "white house",
    "jack in the box",
    "martin luther king jr day",
    "stone age",
    "madonna lyrics",
    "mary poppins",
    "john deere tractors",
    "paris hotels",
    "virginia beach",
    "charlotte airport",
    "jordan shoes",
    "victoria secret",
    "mercedes benz c class",
    "dr pepper",
    "mr coffee",
    "georgia state university",
    "tiffany lamps",
    "carmen opera",
    "st louis cardinals",
    "wendy menu",
    "christian music",
    "angel wings",
    "grace kelly",
    "ruby tuesday",
    "amber alert",
    "dolores park",
    "receta de {food}",
    "wetter {town}",
    "billige flüge {town}",
    "tiempo en {town}",
    "météo {town}",
    "hôtel {town}",
    "letras de canciones",
)
FOODS = ("chicken", "pasta", "lasagna", "salmon", "paella", "risotto", "cheesecake", "tofu")
TEAMS = ("yankees", "lakers", "arsenal", "juventus", "celtics", "mariners")


def harmless(rng: random.Random) -> str:
    """A query that names nobody."""
    chosen = {"town": rng.choice(TOWNS), "food": rng.choice(FOODS), "team": rng.choice(TEAMS)}
    numbers = {"n": rng.randint(1, 9), "nn": rng.randint(10, 99), "ten": rng.choice((10, 40, 100))}
    return rng.choice(HARMLESS).format(**chosen, **numbers)


def planted(rng: random.Random) -> list[tuple[str, str]]:
    """Return one query for each way to name a person, with the reason that must be found."""
    return [(reason, rng.choice(makers)(rng)) for reason, makers in MAKERS.items()]


def _digits(rng: random.Random, count: int, first: str = "123456789") -> str:
    return rng.choice(first) + "".join(rng.choice("0123456789") for _ in range(count - 1))


def _surname(rng: random.Random) -> str:
    return "".join(rng.choice(SYLLABLES) for _ in range(rng.randint(2, 3)))


def _luhn(rng: random.Random) -> str:
    stem = _digits(rng, 15, "45")
    total = sum(sum(divmod(int(digit) * (2 - place % 2), 10)) for place, digit in enumerate(stem))
    whole = stem + str(-total % 10)
    return whole if rng.random() < 0.5 else " ".join(whole[place : place + 4] for place in range(0, 16, 4))


def _iban(rng: random.Random) -> str:
    country, length = rng.choice((("DE", 18), ("ES", 20)))
    account = _digits(rng, length)
    checks = 98 - int(account + "".join(str(ord(letter) - 55) for letter in country) + "00") % 97
    whole = f"{country}{checks:02d}{account}"
    return whole if rng.random() < 0.5 else " ".join(whole[place : place + 4] for place in range(0, len(whole), 4))


def _date(rng: random.Random) -> tuple[int, int, int]:
    return rng.randint(1, 28), rng.randint(1, 12), rng.randint(1930, 2005)


Maker = Callable[[random.Random], str]
MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
MAKERS: dict[str, tuple[Maker, ...]] = {
    "e-mail": (
        lambda r: f"{r.choice(GIVEN)}.{_surname(r)}@example.com",
        lambda r: f"email {_surname(r)}{r.randint(1, 99)}@mail.example.co.uk",
        lambda r: f"{_surname(r)} at gmail dot com",
        lambda r: f"{r.choice(GIVEN)}_{_surname(r)}@yahoo",
    ),
    "telephone": (
        lambda r: f"{_digits(r, 3, '23456789')}-{_digits(r, 3, '23456789')}-{_digits(r, 4)}",
        lambda r: f"({_digits(r, 3, '23456789')}) {_digits(r, 3, '23456789')}-{_digits(r, 4)} reverse lookup",
        lambda r: f"+49 30 {_digits(r, 7)}",
        lambda r: f"+34 93 {_digits(r, 3)} {_digits(r, 2)} {_digits(r, 2)}",
        lambda r: f"0{_digits(r, 3)}/{_digits(r, 6)}",
        lambda r: f"01 {' '.join(_digits(r, 2) for _ in range(4))}",
        lambda r: f"6{_digits(r, 2)} {_digits(r, 3)} {_digits(r, 3)}",
        lambda r: f"who called me {_digits(r, 3, '23456789')}.{_digits(r, 3, '23456789')}.{_digits(r, 4)}",
    ),
    "card": (_luhn, lambda r: f"visa {_luhn(r)} stolen"),
    "account": (_iban, lambda r: f"iban {_iban(r)} bank"),
    "identity number": (
        lambda r: f"{_digits(r, 3, '12345678')}-{_digits(r, 2)}-{_digits(r, 4)}",
        lambda r: f"ssn {_digits(r, 3, '12345678')} {_digits(r, 2)} {_digits(r, 4)}",
        lambda r: f"dni {_digits(r, 8)}{r.choice('TRWAGMYFP')}",
    ),
    "long number": (
        lambda r: f"license {_digits(r, 9)}",
        lambda r: f"{_digits(r, 8)}",
        lambda r: f"account no {_digits(r, 3)} {_digits(r, 3)} {_digits(r, 3)} {_digits(r, 3)}",
    ),
    "address": (
        lambda r: f"{r.randint(1, 9999)} {_surname(r)} {r.choice(('street', 'st', 'Avenue', 'rd', 'lane', 'drive', 'blvd'))}",
        lambda r: f"{r.randint(1, 99)} n. {_surname(r)} {_surname(r)} ave apt {r.randint(1, 20)} {r.choice(TOWNS)}",
        lambda r: f"{_surname(r)}straße {r.randint(1, 99)} {r.choice(TOWNS)}",
        lambda r: f"calle {_surname(r)} {r.randint(1, 99)}",
        lambda r: f"carrer de {_surname(r)}, {r.randint(1, 99)}",
        lambda r: f"{r.randint(1, 99)} rue de {_surname(r)}",
        lambda r: f"via {_surname(r)} {r.randint(1, 99)}",
        lambda r: f"p.o. box {r.randint(10, 9999)}",
    ),
    "postcode": (
        lambda r: f"{r.choice(TOWNS)} ma 0{_digits(r, 4)}",
        lambda r: f"houses {r.choice(('LS1', 'SW1A', 'M13'))} {r.randint(1, 9)}{r.choice(('AB', 'PQ', 'TW'))}",
        lambda r: f"{_digits(r, 4)}{r.randint(1, 9)} {r.choice(TOWNS)}",
        lambda r: f"K{r.randint(1, 9)}A {r.randint(1, 9)}B{r.randint(1, 9)}",
    ),
    "name": (
        lambda r: f"{r.choice(GIVEN)} {r.choice(LAST)}",
        lambda r: f"{r.choice(GIVEN)} {r.choice(LAST)} {r.choice(TOWNS)}",
        lambda r: f"{r.choice(LAST)}, {r.choice(GIVEN)}",
        lambda r: f"{r.choice(GIVEN).upper()} {r.choice('ABCDEFGHJ')}. {r.choice(LAST).upper()}",
        lambda r: f"{r.choice(GIVEN)} {r.choice(GIVEN)} {r.choice(LAST)} obituary",
        lambda r: f"{r.choice(GIVEN)} de la {r.choice(LAST)}",
        lambda r: f"dr {_surname(r)} {_surname(r)}",
        lambda r: f"where does {r.choice(GIVEN)} {r.choice(LAST)}'s wife live",
    ),
    "possible name": (
        lambda r: f"{r.choice(GIVEN)} {_surname(r)}",
        lambda r: f"{r.choice(GIVEN)} {_surname(r)} {r.choice(TOWNS)}",
        lambda r: f"{r.choice(GIVEN)} van {_surname(r)}",
    ),
    "user page": (
        lambda r: f"http://www.example.com/~{_surname(r)}",
        lambda r: f"myspace.com/{_surname(r)}",
        lambda r: f"{_surname(r)}.livejournal.com",
        lambda r: f"ftp://{_surname(r)}@example.org/home",
    ),
    "date of birth": (
        lambda r: "{}/{}/{}".format(*_date(r)),
        lambda r: "{:02d}.{:02d}.{}".format(*_date(r)),
        lambda r: "born {} {} {}".format(MONTHS[_date(r)[1] - 1], *(_date(r)[0::2])),
        lambda r: "{}-{:02d}-{:02d} horoscope".format(*_date(r)[::-1]),
        lambda r: f"geboren {r.randint(1, 28)}. märz {r.randint(1930, 2005)}",
    ),
    "IP address": (
        lambda r: f"{r.randint(1, 255)}.{r.randint(0, 255)}.{r.randint(0, 255)}.{r.randint(1, 255)}",
        lambda r: f"whois {r.randint(1, 255)}.{r.randint(0, 255)}.{r.randint(0, 255)}.{r.randint(1, 255)}",
    ),
}  # fmt: skip
"""For each reason, makers of queries that have it."""

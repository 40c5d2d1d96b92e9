"""Words that say nothing about a topic, in the languages that most queries are written in, and the parts of addresses."""

from __future__ import annotations

from tacita.data.directory.words import words

__all__ = ["STOP_WORDS"]

_BY_LANGUAGE = {
    "addresses": "www http https com html htm php org net",
    "english": (
        "a an and are as at be been but by can could did do does for from had has have he her his how i if in into is it its me "
        "my no not of on or our she so some than that the their them then there these they this those to us was we were what "
        "when where which who whom why will with would you your"
    ),
    "german": (
        "aber als am an auch auf aus bei bin bis da das dass dein dem den der des die du durch ein eine einem einen einer eines "
        "er es für gegen hat haben ich ihr im in ist ja kann kein mein mit nach nicht noch nur ob oder ohne sein sich sie sind "
        "so über um und uns unter vom von vor was wenn wer wie wir wird wo zu zum zur"
    ),
    "french": (
        "au aux avec ce ces cette comme dans de des du elle en est et il ils je la le les leur lui ma mais me mes mon ne nos "
        "notre nous on ou où par pas pour qu que qui sa sans se ses son sont sur ta te tes toi ton tu un une vos votre vous y à"
    ),
    "spanish": (
        "al como con cual de del donde el ella en entre es esta este la las lo los mas me mi muy no nos o para pero por porque "
        "que quien se ser sin sobre son su sus te tu un una unos unas y ya"
    ),
    "italian": (
        "ai al alla alle anche che chi come con da dal dalla de degli dei del della delle di e è gli i il in io la le lo ma mi "
        "nel nella nelle non o per perché più quale questa questo si sono su sul sulla tra un una uno"
    ),
    "portuguese": (
        "ao aos as com como da das de do dos e é em entre essa esse esta este eu foi já mais mas na nas não no nos o os ou para "
        "pela pelo por qual quando que quem se sem seu sua são um uma"
    ),
    "dutch": (
        "aan al als bij dat de den der deze die dit door een en er het hij hoe ik in is je kan maar met mijn naar niet nog of om "
        "ook op over te tot uit van voor waar was wat wie wij zijn zo"
    ),
    "catalan": "a al als amb de del dels el els en és i la les no o per que se un una uns unes",
    "polish": "a ale co czy do i jak jest na nie o od po się są to w z za że",
    "russian": (
        "а без бы в во вы где да для до его ее если же за и из или их к как ко кто мне мой мы на не нет но о об он она они от по "
        "при с со так то ты у что это я"
    ),
    "swedish": "att av den det en ett för han har hon i inte jag med men och om på som till var vi är",
    "danish": "af at de den der det en er et for han har hun i ikke jeg med og om på som til vi",
    "finnish": "ei että hän ja joka kun mikä mutta niin on ovat se tai",
    "hungarian": "a az egy és hogy nem is van",
    "czech": "a ale co do i jak je jsou k na ne o od po pro s se to u v z za že",
    "turkish": "bir bu da de için ile mi ne ve veya",
    "indonesian": "dan dari di ini itu ke untuk yang",
    "romanian": "ca care cu de din este în la nu o pe pentru şi un",
    "greek": "η και με να ο οι για από σε στη στην στο στον τα την της τι το του των",
}

STOP_WORDS = frozenset(word for text in _BY_LANGUAGE.values() for word in words(text))
"""Folded, as :func:`~tacita.data.directory.words.words` gives them."""

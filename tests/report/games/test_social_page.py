"""The page of a social network has its figures in words too, and needs nothing from elsewhere."""

from __future__ import annotations

import re

import pytest

from tacita.games.social.generators import scale_free_network
from tacita.games.social.network import Network
from tacita.games.social.protocols import Reputation, SocialProtocol, TitForTat
from tacita.games.social.social_study import made_sensitivities, study_social
from tacita.report.games.social_page import social_page, trouble_rows


@pytest.mark.parametrize(
    ("protocol", "figures"),
    [(None, 1), (TitForTat(penance=3), 4), pytest.param(Reputation(), 4, marks=pytest.mark.slow)],
)
def test_a_page_for_each_protocol(protocol: SocialProtocol | None, figures: int) -> None:
    study = study_social(scale_free_network(80, 2), made_sensitivities(2, 1), protocol, rounds=6)
    text = social_page(study)
    assert text.count("<svg ") == figures
    assert "selfish, ties: hide: 0.0 % at the end" in text
    assert not re.findall(r'(?:src|href)="(?!#)', text)
    assert social_page(study) == text
    assert len(trouble_rows(study)) == (7 if protocol else 0)
    if isinstance(protocol, TitForTat):
        assert "penance" in text
        assert "The user with most neighbours is told" in text


def test_names_of_users_are_text_on_the_page() -> None:
    network = Network.of_edges([("<script>", "b"), ("b", "c")])
    assert "<script>" not in social_page(study_social(network, made_sensitivities(1, 1), TitForTat(), rounds=3))

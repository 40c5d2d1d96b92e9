"""The settings of residual plots: defaults and limits."""

import pytest

from tacita.core.errors import ParameterError
from tacita.query.residuals.settings import ResidualSettings


def test_the_noise_has_at_least_a_quarter_of_the_variance() -> None:
    settings = ResidualSettings()
    assert settings.sigma**2 + settings.model_sigma**2 >= 0.25
    assert settings.limit == 4
    assert settings.points == 5000


@pytest.mark.parametrize(
    ("name", "value"), [("sigma", -0.1), ("df", 1.0), ("count", 0), ("limit", 0.0), ("winsor", 30.0), ("near", 0)]
)
def test_settings_outside_their_limits_are_refused(name: str, value: float) -> None:
    with pytest.raises(ParameterError, match=f"residuals: '{name}' must be"):
        ResidualSettings.from_plain({name: value})


def test_they_go_through_a_file() -> None:
    settings = ResidualSettings(sigma=0.5, bins=8)
    assert ResidualSettings.from_plain(settings.to_plain()) == settings

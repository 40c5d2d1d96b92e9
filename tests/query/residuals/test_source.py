"""What plots are made of: names of models, scales, noisy residuals."""

import numpy as np
import pytest

from tacita.core.errors import DataError
from tacita.query.models.cases import ModelData, Predictor
from tacita.query.models.terms import ModelSpec
from tacita.query.residuals.settings import ResidualSettings
from tacita.query.residuals.source import model_name
from tests.query.residuals.builders import people, source


def test_a_model_has_one_name_however_it_is_written() -> None:
    one = ModelSpec.of("y", ["a", "b"], [("a", "b")])
    assert model_name(one) == model_name(ModelSpec.of("y", ["b", "a"], [("b", "a")]))
    others = [ModelSpec.of("y", ["a", "b"]), ModelSpec.of("z", ["a", "b"], [("a", "b")])]
    others.append(ModelSpec.of("y", ["a", "b"], [("a", "b")], robust=True))
    assert len({model_name(spec) for spec in [one, *others]}) == 4


def test_residuals_have_the_noise_of_the_settings() -> None:
    made = source(people(4000), ["x", "g"], settings=ResidualSettings(sigma=0.0, model_sigma=0.3))
    noise = made.standardised - made.fit.standardised
    assert abs(noise.std() / 0.3 - 1) < 0.06
    assert abs(np.corrcoef(noise, made.fit.standardised)[0, 1]) < 0.07
    assert np.allclose(made.units * made.fit.standardised, made.fit.residuals)


def test_without_noise_the_residuals_are_the_standardised_ones() -> None:
    made = source(people(), ["x"], settings=ResidualSettings(sigma=0.0, model_sigma=0.0))
    assert np.allclose(made.standardised, made.fit.standardised)


def test_weights_change_the_units_of_a_record() -> None:
    data = people()
    weights = np.random.default_rng(2).uniform(0.5, 3, data.size)
    made = source(ModelData(data.response, data.predictors, weights), ["x"])
    assert np.corrcoef(made.units, weights**-0.5)[0, 1] > 0.99


def test_the_stream_of_a_plot_is_its_own() -> None:
    made = source(people(), ["x"])
    assert made.rng("x").random() == made.rng("x").random()
    assert made.rng("x").random() != made.rng("g").random()


def test_an_exact_fit_is_refused_without_a_value() -> None:
    made = source(people(), ["x"])
    object.__setattr__(made, "fit", _zero(made.fit))
    with pytest.raises(DataError, match="fits exactly"):
        _ = made.noisy


def _zero(fit):  # type: ignore[no-untyped-def]
    from dataclasses import replace

    return replace(fit, residuals=np.zeros_like(fit.residuals), standardised=np.zeros_like(fit.standardised))


def test_a_residual_of_zero_has_the_usual_units() -> None:
    x = np.repeat([0.0, 1.0, 2.0], 20)
    y = np.tile([-1.0, 0.0, 0.0, 1.0], 15)
    made = source(ModelData(y, (Predictor("x", x),)), ["x"])
    assert (made.units > 0).all()

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from tacita.core.errors import DataError, ParameterError
from tacita.core.keyed import Key
from tacita.data.microdata import Microdata
from tacita.release.recipients.copies import FingerprintedCopies, recipient_names
from tacita.release.recipients.plan import plan_fingerprints
from tacita.release.recipients.stored import with_recipients
from tests.release.recipients.material import AMOUNTS, KEY, made_once


def test_a_copy_has_small_marks_and_nothing_else_changes() -> None:
    _, released, copies = made_once()
    copy = copies.copy("Institute 1")
    assert copy.names == released.masked.names
    for name in ("sector", "staff", "weight"):
        assert copy.column(name).equals(released.masked.column(name))
    for column in copies.plan.columns:
        x, y = released.masked.float(column.name), copy.float(column.name)
        assert np.array_equal(np.isnan(x), np.isnan(y))
        assert (y[x == 0] == 0).all()
        assert np.nanmin(y) >= 0
        assert np.nanmax(np.abs(y - x)) <= 0.2 * max(column.sd) + 1
        assert (y != x)[~np.isnan(x)].mean() > 0.5
        assert np.allclose(np.round(y, column.decimals), y, equal_nan=True)
    assert copy.type_of("turnover") == released.masked.type_of("turnover")


def test_marks_add_less_than_a_hundredth_of_the_noise() -> None:
    assert max(made_once()[2].change("Institute 2").values()) < 0.01


def test_the_mean_of_all_copies_is_the_masked_file() -> None:
    """What is left is the chance in the codewords: it falls with the root of their number, and knows nothing of the original."""
    original, released, copies = made_once()
    many = FingerprintedCopies(
        masked=copies.masked, plan=copies.plan, key=KEY, recipients=tuple(f"r{i}" for i in range(400)), release="x"
    )
    for name in ("turnover", "wages"):
        x = released.masked.float(name)
        y = np.mean([many.marked(many.codeword(r))[name] for r in many.recipients], axis=0)
        one = many.marked(many.codeword("r0"))[name]
        left = np.nanstd(y - x)
        assert left < 2.5 * np.nanstd(one - x) / np.sqrt(400) + 0.35  # a step of whole numbers, drawn once for all
    assert len(original) == len(released.masked)


def test_same_key_same_copies_and_other_names_change_nothing() -> None:
    copies = made_once()[2]
    again = with_recipients(copies, ["A", "B"])
    assert again.copy("Institute 7").same_content(copies.copy("Institute 7"))
    other = FingerprintedCopies(
        masked=copies.masked, plan=copies.plan, key=Key.draw(), recipients=copies.recipients, release=copies.release
    )
    assert not other.copy("Institute 7").same_content(copies.copy("Institute 7"))
    elsewhere = FingerprintedCopies(
        masked=copies.masked, plan=copies.plan, key=KEY, recipients=copies.recipients, release="another release"
    )
    assert not np.array_equal(elsewhere.codeword("Institute 7"), copies.codeword("Institute 7"))


def test_too_little_room_is_said_with_the_numbers() -> None:
    _, released, _ = made_once()
    few = released.masked.take(np.arange(150))
    plan = plan_fingerprints(few, {"turnover": 2000.0}, coalition=6)
    copies = FingerprintedCopies(masked=few, plan=plan, key=KEY, recipients=("a", "b"), release="x")
    with pytest.raises(
        DataError, match=r"2 recipients, coalitions of up to 6 .* need \d+ symbols, and its marked cells carry 1\d\d\."
    ):
        copies.check_room(1e-4)
    made_once()[2].check_room(1e-4)


def test_members_of_a_household_share_their_mark() -> None:
    rng = np.random.default_rng(3)
    rent = np.repeat(rng.normal(800, 100, 300).round(2), 3)
    rent[5] = np.nan
    data = Microdata.from_frame(pa.table({"h": np.repeat(np.arange(300), 3), "rent": rent}), household="h")
    plan = plan_fingerprints(data, {"rent": 50.0}, columns=["rent"])
    copies = FingerprintedCopies(masked=data, plan=plan, key=KEY, recipients=("a",), release="x")
    made = copies.copy("a").float("rent").reshape(300, 3)
    assert np.isnan(made[1, 2])
    assert np.nanmax(made, axis=1).tolist() == np.nanmin(made, axis=1).tolist()
    assert (made[:, 0] != data.float("rent").reshape(300, 3)[:, 0]).mean() > 0.9


def test_an_order_of_columns_that_holds_in_every_record_holds_in_every_copy() -> None:
    rng = np.random.default_rng(4)
    gross = np.exp(rng.normal(8, 0.5, 2000)).round()
    net = np.minimum((gross * rng.uniform(0.97, 1.0, 2000)).round(), gross)
    data = Microdata.from_frame(pa.table({"gross": gross, "net": net}))
    plan = plan_fingerprints(data, {"gross": 300.0})
    copies = FingerprintedCopies(masked=data, plan=plan, key=KEY, recipients=("a", "b"), release="x")
    for name in ("a", "b"):
        copy = copies.copy(name)
        assert (copy.float("net") <= copy.float("gross")).all()
        assert (copy.float("gross") != gross).any()


def test_names_of_recipients() -> None:
    assert recipient_names(["a", " b "]) == ("a", "b")
    for bad, message in (
        ([], "1 to 10000 names"),
        (["a", "A"], "recipient 2 occurs twice"),
        (["x" * 201], "recipient 1 must have at most 200"),
        (["a\x00b"], "can be shown"),
        (["ok", "a\u202eb"], "recipient 2"),
    ):
        with pytest.raises(ParameterError, match=message):
            recipient_names(bad)
    with pytest.raises(ParameterError, match="Did you mean 'Institute 3'"):
        made_once()[2].codeword("Institut 3")


def test_a_plan_of_another_file_is_refused_and_nothing_secret_is_shown() -> None:
    copies = made_once()[2]
    with pytest.raises(DataError, match="plan of the fingerprints is that of another file"):
        FingerprintedCopies(
            masked=copies.masked.drop(["wages"]), plan=copies.plan, key=KEY, recipients=("a",), release="x"
        )
    assert "recipients" in repr(copies)
    assert copies.release not in repr(copies)
    assert AMOUNTS[0] not in repr(copies)

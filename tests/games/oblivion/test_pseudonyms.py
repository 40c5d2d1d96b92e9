from __future__ import annotations

import numpy as np
import pytest

from tacita.core.errors import DataError, ParameterError
from tacita.games.oblivion.pseudonyms import PseudonymCertificate, Registrar, Signer, signature_holds


def _rng(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def test_a_certificate_is_the_registrars_and_has_no_name() -> None:
    registrar, other = Registrar(_rng(1)), Registrar(_rng(2))
    holder = registrar.enrol("Ada", _rng(3))
    assert registrar.knows(holder.certificate)
    assert not other.knows(holder.certificate)
    assert not registrar.knows(PseudonymCertificate(Signer(_rng(4)).public, holder.certificate.signature))
    assert "Ada" not in repr(holder) + repr(registrar)


def test_a_name_is_told_for_a_finding_and_a_receipt_alone() -> None:
    registrar, office, liar = Registrar(_rng(1)), Signer(_rng(5)), Signer(_rng(6))
    registrar.trust(office.public)
    ada, ben = registrar.enrol("Ada", _rng(3)), registrar.enrol("Ben", _rng(4))
    who, parts = ada.certificate.pseudonym, ("receipt", "survey", "2026-06-30")
    receipt = ada.signer.sign(*parts), parts
    finding = office.sign("finding", who, receipt[0])
    assert registrar.resolve(who, receipt, finding) == "Ada"
    forged = ben.signer.sign(*parts), parts
    refused = [
        (who, receipt, liar.sign("finding", who, receipt[0])),  # whoever is not the office
        (who, forged, office.sign("finding", who, forged[0])),  # a receipt that Ben signed
        (who, (receipt[0], ("receipt", "another", "2026-06-30")), finding),  # hers, but for other content
        (ben.certificate.pseudonym, receipt, finding),  # hers, against Ben
        (Signer(_rng(9)).public, receipt, finding),  # somebody who never enrolled
        (who, receipt, b""),
    ]
    for pseudonym, signed, found in refused:
        with pytest.raises(DataError, match=r"no name is told|not one of this registrar"):
            registrar.resolve(pseudonym, signed, found)


def test_without_a_trusted_office_no_name_is_told() -> None:
    registrar, office = Registrar(_rng(1)), Signer(_rng(5))
    ada = registrar.enrol("Ada", _rng(3))
    receipt = ada.signer.sign("receipt"), ("receipt",)
    with pytest.raises(DataError, match="no name is told"):
        registrar.resolve(
            ada.certificate.pseudonym, receipt, office.sign("finding", ada.certificate.pseudonym, receipt[0])
        )


def test_signatures_hold_for_their_parts_in_their_order() -> None:
    signer = Signer(_rng(1))
    signed = signer.sign("a", 1, b"\x01")
    assert signature_holds(signer.public, signed, "a", 1, b"\x01")
    assert not signature_holds(signer.public, signed, 1, "a", b"\x01")
    assert not signature_holds(signer.public, signed, "a1", b"\x01")
    assert not signature_holds(b"short", signed, "a", 1, b"\x01")


def test_names_and_keys_that_cannot_be_are_refused() -> None:
    registrar = Registrar(_rng(1))
    with pytest.raises(ParameterError, match="'name'"):
        registrar.enrol("", _rng(2))
    registrar.enrol("Ada", _rng(2))
    with pytest.raises(ParameterError, match="taken"):
        registrar.enrol("Ben", _rng(2))

"""What the sample signs is verified by two programs that had no part in signing it."""

from __future__ import annotations

import base64
import datetime as dt

import pytest
import xmlsec
from cryptography import x509
from cryptography.hazmat.primitives.serialization import Encoding
from lxml import etree
from signxml import DigestAlgorithm, InvalidSignature, SignatureConfiguration, SignatureMethod, XMLVerifier

from lastro.sample.world import Truth, World
from tests.sample.reading import DSIG, NFE, data_of, envelope, parsed, text_of

BROKEN = {"F04", "F05", "S01", "S02", "S03", "S09"}


def _code(row: Truth) -> str:
    return row.fault[:3] if row.role == "fault" else ""


def _sound(world: World) -> list[Truth]:
    return [r for r in world.truth if r.access_key and _code(r) not in BROKEN]


def _certificate(root: etree._Element) -> x509.Certificate:
    found = root.find(f".//{DSIG}X509Certificate")
    assert found is not None
    return x509.load_der_x509_certificate(base64.b64decode(found.text or ""))


def xmlsec_accepts(data: bytes) -> bool:
    root = parsed(data)
    node = root.find(f"{DSIG}Signature")
    assert node is not None
    xmlsec.tree.add_ids(root, ["Id"])
    context = xmlsec.SignatureContext()
    cert = _certificate(root)
    pem = cert.public_bytes(Encoding.PEM)
    context.key = xmlsec.Key.from_memory(pem, xmlsec.KeyFormat.CERT_PEM)
    try:
        context.verify(node)
    except xmlsec.Error:
        return False
    return True


def signxml_accepts(data: bytes) -> bool:
    root = parsed(data)
    cert = _certificate(root)
    verifier = XMLVerifier()
    verifier.excise_empty_xmlns_declarations = True
    settings = SignatureConfiguration(
        signature_methods=frozenset({SignatureMethod.RSA_SHA1}),
        digest_algorithms=frozenset({DigestAlgorithm.SHA1}),
        verification_time=cert.not_valid_before_utc + dt.timedelta(hours=1),
    )
    try:
        verifier.verify(root, x509_cert=cert, id_attribute="Id", expect_config=settings)
    except InvalidSignature:
        return False
    return True


def test_every_sound_note_and_event_verifies_with_xmlsec(world: World) -> None:
    refused = [r.path + r.member for r in _sound(world) if not xmlsec_accepts(envelope(data_of(world, r)))]
    assert refused == []
    assert len(_sound(world)) > 200


def test_a_second_verifier_agrees(world: World) -> None:
    rows = _sound(world)
    plain = [r for r in rows if r.role == "plain"][::3]
    events = [r for r in rows if r.role == "event"]
    near = [r for r in rows if r.role == "near_miss" and r.fault[:3] in ("S01", "S02", "S03", "S09", "N03")]
    refused = [
        r.path + r.member for r in plain + events + near if not signxml_accepts(envelope(data_of(world, r)))
    ]
    assert refused == []


def test_a_wrapper_that_lends_a_namespace_verifies_only_once_cut_out(world: World) -> None:
    row = next(r for r in world.truth if r.fault == "S02-n3")
    whole = parsed(data_of(world, row))
    inner = whole.find(f"{NFE}NFe")
    assert inner is not None
    xmlsec.tree.add_ids(whole, ["Id"])
    context = xmlsec.SignatureContext()
    context.key = xmlsec.Key.from_memory(
        _certificate(whole).public_bytes(Encoding.PEM),
        xmlsec.KeyFormat.CERT_PEM,
    )
    node = inner.find(f"{DSIG}Signature")
    assert node is not None
    with pytest.raises(xmlsec.Error):
        context.verify(node)
    assert xmlsec_accepts(envelope(data_of(world, row)))


def test_spoiled_signatures_do_not_verify(world: World) -> None:
    rows = [r for r in world.truth if _code(r) in ("S02", "S03", "S09")]
    assert len(rows) >= 9
    for row in rows:
        assert not xmlsec_accepts(envelope(data_of(world, row))), row.fault


def test_only_white_space_keeps_the_reformatted_from_verifying(world: World) -> None:
    parser = etree.XMLParser(remove_blank_text=True)
    for row in (r for r in world.truth if _code(r) == "S09"):
        squeezed = etree.tostring(etree.fromstring(envelope(data_of(world, row)), parser))
        assert xmlsec_accepts(squeezed), row.fault


def test_the_protocol_names_the_signed_digest(world: World) -> None:
    for row in _sound(world):
        if row.role == "event" or _code(row) in ("N07", "N08"):
            continue
        root = parsed(data_of(world, row))
        digest = root.find(f".//{DSIG}DigestValue")
        assert digest is not None
        assert text_of(root, "infProt/digVal") == digest.text, row.path


def test_certificates_hold_on_the_authorisation_date_save_where_planted(world: World) -> None:
    for row in _sound(world):
        root = parsed(data_of(world, row))
        received = root.find(f".//{NFE}infProt/{NFE}dhRecbto")
        if received is None:
            continue
        moment = dt.datetime.fromisoformat(received.text or "")
        cert = _certificate(root)
        holds = cert.not_valid_before_utc <= moment <= cert.not_valid_after_utc
        assert holds == (_code(row) != "S06"), row.fault or row.path


def test_leaves_chain_to_the_trusted_root_save_where_planted(world: World) -> None:
    trusted = [
        x509.load_pem_x509_certificate(p.read_bytes()) for p in sorted((world.out / "trust").glob("*.pem"))
    ]
    assert len(trusted) == 3
    for row in _sound(world):
        cert = _certificate(parsed(data_of(world, row)))
        chained = False
        for above in trusted:
            try:
                cert.verify_directly_issued_by(above)
                chained = True
            except Exception:  # the library raises four kinds, all meaning no
                continue
        assert chained == (_code(row) != "S05"), row.fault or row.path

"""What is trusted: certificate authorities that hold today, real or of a test, never both in one store."""

import datetime
from datetime import UTC, date, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID

from lastro import trust
from lastro.cli import main
from lastro.errors import LastroError

TODAY = date(2026, 11, 30)


def certificate(name="Raiz", *, ca=True, start=TODAY, end=TODAY, signer=None):
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])

    def moment(day):
        return datetime.datetime(day.year, day.month, day.day, 12, tzinfo=UTC)

    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(moment(start))
        .not_valid_after(moment(end))
    )
    if ca is not None:
        builder = builder.add_extension(x509.BasicConstraints(ca=ca, path_length=None), critical=True)
    return builder.sign(signer or key, hashes.SHA256())


def pem(*certificates):
    return b"".join(c.public_bytes(Encoding.PEM) for c in certificates)


def add(folder, data, *, kind="real", name="r.pem"):
    return trust.add(folder, name, data, kind=kind, today=TODAY)


def test_pem_and_der_are_trusted_and_the_same_root_once(tmp_path):
    root = certificate()
    der = root.public_bytes(Encoding.DER)
    add(tmp_path, pem(root))
    add(tmp_path, der, name="r.der")
    assert trust.load(tmp_path) == trust.TrustStore((der,), "real")
    assert trust.roots(tmp_path)[0].sha256 == root.fingerprint(hashes.SHA256()).hex()


def test_a_folder_that_is_not_there_trusts_nothing(tmp_path):
    assert trust.load(tmp_path / "nada") == trust.TrustStore()


@pytest.mark.parametrize(
    ("made", "word"),
    [
        ({"end": TODAY - timedelta(days=1), "start": date(2020, 1, 1)}, "expirou"),
        ({"start": TODAY + timedelta(days=1), "end": date(2030, 1, 1)}, "só vale"),
        ({"ca": False}, "CA"),
        ({"ca": None}, "CA"),
        ({"signer": ec.generate_private_key(ec.SECP256R1())}, "alterado"),
    ],
)
def test_what_is_no_root_today_is_refused_with_words(tmp_path, made, word):
    good = certificate("Outra")
    with pytest.raises(LastroError, match=word):
        add(tmp_path, pem(good, certificate(**made)))
    assert trust.roots(tmp_path) == ()


@pytest.mark.parametrize(
    "data", [b"", b"lixo", b"-----BEGIN CERTIFICATE-----\nlixo\n-----END CERTIFICATE-----"]
)
def test_garbage_is_refused_with_words(tmp_path, data):
    with pytest.raises(LastroError, match="não é um certificado"):
        add(tmp_path, data)


def test_a_store_accepts_one_kind_only(tmp_path):
    add(tmp_path, pem(certificate()), kind="test")
    with pytest.raises(LastroError, match="só aceita raízes de teste"):
        add(tmp_path, pem(certificate("Real")), kind="real")
    (tmp_path / "real-x.pem").write_bytes(pem(certificate("Real")))
    with pytest.raises(LastroError, match="juntas"):
        trust.load(tmp_path)


def test_a_given_folder_is_of_a_test_when_one_of_it_says_so(tmp_path):
    (tmp_path / "raiz.pem").write_bytes(pem(certificate("Autoridade de TESTE")))
    (tmp_path / "intermediaria.pem").write_bytes(pem(certificate("Intermediária")))
    assert trust.load(tmp_path).kind == "test"
    assert len(trust.load(tmp_path).certificates) == 2


def test_the_verb_adds_and_lists(tmp_path, capsys):
    file = tmp_path / "raiz.pem"
    file.write_bytes(pem(certificate("Autoridade de TESTE")))
    data: Path = tmp_path / "data"
    for args in (["trust", "list"], ["trust", "add", str(file)], ["trust", "list", "--json"]):
        with pytest.raises(SystemExit) as ended:
            main([*args, "--data", str(data), "--today", "2026-11-30"])
        assert ended.value.code == 0
    told = capsys.readouterr().out
    assert "S05" in told
    assert '"kind": "test"' in told
    with pytest.raises(SystemExit) as ended:
        main(["trust", "add", str(file), "--kind", "real", "--data", str(data), "--today", "2026-11-30"])
    assert ended.value.code == 2

"""Whose hand signs: practice certificates, PKCS#12 files, and what is wrong with either."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from lastro.errors import LastroError
from lastro.ids import is_cnpj
from lastro.signing import Signer, chosen_signer, known_roots, practice_roots, sign, test_signer
from tests.signing.authority import make
from tests.signing.conftest import AT, ENTITY

posix = pytest.mark.skipif(os.name != "posix", reason="modes of files are POSIX")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@posix
def test_keys_are_for_their_owner_only(data: Path, signer: Signer) -> None:
    keys = data / "keys"
    assert mode(keys) == 0o700
    assert {mode(path) for path in keys.iterdir()} == {0o600}
    assert len(list(keys.iterdir())) == 2  # nothing half made stays


def test_the_same_folder_gives_the_same_signer(data: Path, signer: Signer) -> None:
    again = test_signer(data / "keys", cnpj=ENTITY)
    assert again.certificate == signer.certificate
    assert again.chain == signer.chain


def test_each_entity_has_its_own_under_one_root(data: Path, signer: Signer) -> None:
    other = test_signer(data / "keys")
    assert is_cnpj(other.cnpj)
    assert other.cnpj.startswith("ZZ")
    assert other.cnpj != signer.cnpj
    assert other.chain == signer.chain
    assert len(practice_roots(data / "keys")) == 1


def test_two_processes_make_one_root(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from lastro.signing import test_signer\n"
        "print(test_signer(Path(sys.argv[1])).chain[0].serial_number)"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "keys")]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE) for _ in range(2)]
    said = {process.communicate(timeout=120)[0] for process in both}
    assert len(said) == 1
    assert said != {b""}


def test_a_practice_signer_says_what_it_is(signer: Signer) -> None:
    assert signer.is_test
    assert signer.cnpj == ENTITY
    assert "TESTE" in signer.name
    assert "PrivateKey" not in repr(signer)
    assert len(signer.sha256) == 64


def test_a_practice_key_of_another_folder_is_refused(tmp_path: Path, data: Path, signer: Signer) -> None:
    keys = tmp_path / "keys"
    test_signer(keys)
    (keys / f"practice-{ENTITY}.pem").write_bytes((data / "keys" / f"practice-{ENTITY}.pem").read_bytes())
    with pytest.raises(LastroError, match="não é da autoridade de teste"):
        test_signer(keys, cnpj=ENTITY)


def test_a_spoiled_key_is_told(tmp_path: Path) -> None:
    (tmp_path / "practice-root.pem").write_text("nada")
    with pytest.raises(LastroError, match="apague-o"):
        test_signer(tmp_path)


def test_a_folder_where_nobody_signed_has_no_root(tmp_path: Path) -> None:
    assert practice_roots(tmp_path) == ()
    assert known_roots(tmp_path) == ()


def test_the_practice_root_stays_of_a_test_whatever_the_trust_folder_calls_it(
    data: Path, tmp_path: Path
) -> None:
    signer = test_signer(tmp_path / "keys")
    (tmp_path / "trust").mkdir()
    from cryptography.hazmat.primitives.serialization import Encoding

    pem = signer.chain[0].public_bytes(Encoding.PEM)
    (tmp_path / "trust" / "real-x.pem").write_bytes(pem)
    assert [root.kind for root in known_roots(tmp_path)] == ["test"]


# ── PKCS#12 ──────────────────────────────────────────────────────────────────────────────────────────


def test_a_pkcs12_brings_key_certificate_and_those_above(tmp_path: Path) -> None:
    top = make("Raiz Inventada", authority=True)
    path = make("Entidade:" + ENTITY, issuer=top, cnpj=ENTITY).p12(tmp_path / "a.p12", top, password="s3nha")
    signer = Signer.from_pkcs12(path, "s3nha")
    assert (signer.kind, signer.cnpj, signer.name) == ("real", ENTITY, "Entidade")
    assert signer.chain == (top.certificate,)
    assert Signer.from_pkcs12(path, b"s3nha").certificate == signer.certificate


def test_a_certificate_that_calls_itself_a_test_is_one(tmp_path: Path) -> None:
    top = make("Raiz de Teste de Alguém", authority=True)
    path = make("Entidade", issuer=top, cnpj=ENTITY).p12(tmp_path / "a.p12")
    assert Signer.from_pkcs12(path, None).kind == "test"


def test_a_wrong_password_and_no_pkcs12_are_told_without_the_password(tmp_path: Path) -> None:
    path = make("Entidade", cnpj=ENTITY).p12(tmp_path / "a.p12", password="s3nha-certa")
    for password in ("s3nha-errada", "", None):
        with pytest.raises(LastroError, match="senha está errada") as told:
            Signer.from_pkcs12(path, password)
        assert "s3nha" not in str(told.value)
    (tmp_path / "b.p12").write_bytes(b"nada")
    with pytest.raises(LastroError, match="não é um PKCS#12"):
        Signer.from_pkcs12(tmp_path / "b.p12", "x")
    with pytest.raises(LastroError, match="não se pode ler"):
        Signer.from_pkcs12(tmp_path / "c.p12", "x")


def test_the_environment_names_the_signer_and_the_password_is_asked_for(tmp_path: Path) -> None:
    path = make("Entidade", cnpj=ENTITY).p12(tmp_path / "a.p12", password="s3nha")
    asked: list[str] = []

    def ask(question: str) -> str:
        asked.append(question)
        return "s3nha"

    named = {"LASTRO_P12": str(path)}
    signer = chosen_signer(tmp_path, cnpj=ENTITY, ask=ask, environment=named)
    assert signer.kind == "real"
    assert asked == [f"Senha de {path}"]
    known = named | {"LASTRO_P12_PASSWORD": "s3nha"}
    assert chosen_signer(tmp_path, cnpj=ENTITY, ask=ask, environment=known).cnpj == ENTITY
    assert len(asked) == 1
    assert not (tmp_path / "keys").exists()


def test_without_one_named_the_practice_authority_signs(tmp_path: Path) -> None:
    signer = chosen_signer(tmp_path, cnpj=ENTITY, environment={})
    assert signer.is_test
    assert (tmp_path / "keys" / "practice-root.pem").exists()


def test_the_certificate_of_another_company_is_refused(tmp_path: Path) -> None:
    path = make("Outra", cnpj="ZZOUTRA0000100").p12(tmp_path / "a.p12", password="s")
    environment = {"LASTRO_P12": str(path), "LASTRO_P12_PASSWORD": "s"}
    with pytest.raises(LastroError, match="da própria entidade"):
        chosen_signer(tmp_path, cnpj=ENTITY, environment=environment)


# ── signing ──────────────────────────────────────────────────────────────────────────────────────────


def test_a_paper_is_signed_once_only(signed: bytes, signer: Signer) -> None:
    with pytest.raises(LastroError, match="já está assinado"):
        sign(signed, signer=signer, at=AT, reason="de novo")


def test_what_is_no_pdf_is_not_signed(signer: Signer) -> None:
    with pytest.raises(LastroError, match="não pôde ser assinado"):
        sign(b"nada", signer=signer, at=AT, reason="x")


def test_nobody_signs_outside_the_days_of_the_certificate(paper: bytes, tmp_path: Path) -> None:
    leaf = make("Entidade", cnpj=ENTITY, days=("2026-01-01", "2027-03-15"))
    signer = Signer.from_pkcs12(leaf.p12(tmp_path / "a.p12"), None)
    with pytest.raises(LastroError, match="vale de 01/01/2026 a 15/03/2027, e não em 15/03/2027"):
        sign(paper, signer=signer, at=AT, reason="x")


def test_the_library_behind_is_imported_only_to_sign_or_to_check() -> None:
    slow = "[m for m in sys.modules if m in ('pyhanko', 'typst', 'segno', 'asn1crypto')]"
    code = f"import sys, lastro.signing, lastro.papers; print({slow})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout.strip() == "[]"

"""Other people's programs say the same of a signed paper: pyHanko's own command and poppler's pdfsig."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pypdf
import pytest
from cryptography.hazmat.primitives.serialization import Encoding

from lastro.signing import Signer
from tests.papers.test_certificate import words
from tests.papers.test_render import catalog, pdfua_findings
from tests.signing.conftest import ENTITY


@pytest.fixture
def pdfsig(tmp_path: Path) -> Callable[[bytes], str]:
    def run(pdf: bytes) -> str:
        if shutil.which("pdfsig") is None:
            pytest.skip("poppler is not here (Debian: poppler-utils)")
        file = tmp_path / "paper.pdf"
        file.write_bytes(pdf)
        return subprocess.run(
            ["pdfsig", str(file)], capture_output=True, check=False, timeout=120
        ).stdout.decode()

    return run


@pytest.fixture
def pyhanko(tmp_path: Path, signer: Signer) -> Callable[[bytes], tuple[int, str]]:
    program = shutil.which("pyhanko", path=str(Path(sys.executable).parent))
    if program is None:
        pytest.skip("pyHanko's command is not here")
    root = tmp_path / "root.pem"
    root.write_bytes(signer.chain[0].public_bytes(Encoding.PEM))

    def run(pdf: bytes) -> tuple[int, str]:
        file = tmp_path / "paper.pdf"
        file.write_bytes(pdf)
        options = ["--pretty-print", "--trust", str(root), "--trust-replace", "--no-revocation-check"]
        command = [str(program), "sign", "validate", *options, "--validation-time", "claimed", str(file)]
        done = subprocess.run(command, capture_output=True, check=False, timeout=120, cwd=tmp_path)
        return done.returncode, done.stdout.decode() + done.stderr.decode()

    return run


def changed_in_the_middle(pdf: bytes) -> bytes:
    middle = len(pdf) // 3
    return pdf[:middle] + bytes([pdf[middle] ^ 1]) + pdf[middle + 1 :]


def test_pyhanko_judges_it_valid(signed: bytes, pyhanko: Callable[[bytes], tuple[int, str]]) -> None:
    code, said = pyhanko(signed)
    assert code == 0
    assert "The signature is judged VALID" in said
    assert "The signature covers the entire file" in said
    assert "The signer's certificate is trusted" in said
    assert "2027-03-15T10:20:30-04:00" in said


def test_pyhanko_judges_a_changed_one_invalid(
    signed: bytes, pyhanko: Callable[[bytes], tuple[int, str]]
) -> None:
    code, said = pyhanko(changed_in_the_middle(signed))
    assert code != 0
    assert "VALID." not in said.replace("INVALID.", "")


def test_pdfsig_finds_it_valid_and_whole(signed: bytes, pdfsig: Callable[[bytes], str]) -> None:
    said = pdfsig(signed)
    assert "Signature Validation: Signature is Valid." in said
    assert "Total document signed" in said
    assert "ETSI.CAdES.detached" in said
    assert "Aurora Lobeira Inventada (pessoa de TESTE)" in said


def test_pdfsig_finds_a_changed_one_spoiled(signed: bytes, pdfsig: Callable[[bytes], str]) -> None:
    said = pdfsig(changed_in_the_middle(signed))
    assert "Signature is Valid" not in said
    assert re.search(r"Digest Mismatch|Signature is Invalid|does not contain any signatures", said)


def test_pdfsig_sees_what_stands_behind(signed: bytes, pdfsig: Callable[[bytes], str]) -> None:
    said = pdfsig(signed + b"\n% mais alguma coisa\n")
    assert "Not total document signed" in said


def test_signing_adds_behind_and_touches_nothing_before(paper: bytes, signed: bytes) -> None:
    assert signed.startswith(paper)
    assert words(signed) == words(paper)


def test_a_signed_paper_still_has_what_pdf_a_and_pdf_ua_ask(signed: bytes) -> None:
    root = catalog(signed)
    described = root["/Metadata"].get_object().get_data().decode()
    assert re.search(r"pdfaid:part[>=\"]+2", described)
    assert re.search(r"pdfaid:conformance[>=\"]+A", described)
    assert re.search(r"pdfuaid:part[>=\"]+1", described)
    assert root["/Lang"] == "pt-BR"
    form = root["/AcroForm"].get_object()
    assert form["/SigFlags"] == 3
    field = form["/Fields"][0].get_object()
    assert field["/F"] & 4  # printed
    assert not field["/F"] & 2  # not hidden
    assert field["/TU"]
    page = pypdf.PdfReader(io.BytesIO(signed)).pages[0]
    box, sheet = field["/Rect"], page.mediabox
    outside = box[2] <= sheet.left or box[0] >= sheet.right or box[3] <= sheet.bottom or box[1] >= sheet.top
    assert outside, "the field is off the page, where PDF/UA asks nothing of it"


def test_the_checker_of_pdf_ua_finds_nothing_after_signing(signed: bytes, tmp_path: Path) -> None:
    code, said = pdfua_findings(signed, tmp_path)
    assert code == 0, said


def test_the_certificate_bears_the_entity_s_cnpj_where_icp_brasil_writes_it(signer: Signer) -> None:
    der = signer.certificate.public_bytes(Encoding.DER)
    # OID 2.16.76.1.3.3, then the value as the DER of a printable string
    marker = bytes.fromhex("0605604c010303")
    assert ENTITY.encode() in der[der.index(marker) : der.index(marker) + 40]

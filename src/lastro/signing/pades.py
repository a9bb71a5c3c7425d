"""A paper is signed: PAdES baseline (ETSI EN 319 142-1), as a certification that allows no later change."""

from __future__ import annotations

import io
from datetime import datetime
from typing import TYPE_CHECKING, Any

from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from lastro.errors import LastroError
from lastro.signing.keys import Signer, der

if TYPE_CHECKING:
    from pyhanko.sign.signers import SimpleSigner

FIELD = "Assinatura"


def sign(
    pdf: bytes,
    *,
    signer: Signer,
    at: datetime,
    reason: str,
    location: str = "",
    timestamper: Any = None,
) -> bytes:
    """The paper with one signature over all of it, which forbids every later change (DocMDP, level 1).

    `at` is the moment that the signer claims, with its offset; with a `timestamper` (an authority of time
    asked over the network, RFC 3161) it is proved as well. The field is outside the page: what a reader
    sees does not depend on it. Raises LastroError when the certificate does not hold at that moment, or
    when the paper can't be signed (no PDF, or signed already).
    """
    from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
    from pyhanko.pdf_utils.misc import PdfError
    from pyhanko.sign.general import SigningError

    if not signer.holds_on(at):
        begin, end = signer.certificate.not_valid_before_utc, signer.certificate.not_valid_after_utc
        raise LastroError(
            f"O certificado de assinatura vale de {begin:%d/%m/%Y} a {end:%d/%m/%Y}, e não em {at:%d/%m/%Y}; "
            "renove-o ou confira a data."
        )
    hand = _hand(signer, at=at, reason=reason, location=location, timestamper=timestamper)
    try:
        writer = IncrementalPdfFileWriter(io.BytesIO(pdf), strict=True)
        if writer.prev.embedded_signatures:
            raise LastroError("Este PDF já está assinado: um papel se assina uma vez só.")
        out: bytes = hand.sign_pdf(writer).getvalue()
    except (PdfError, SigningError) as wrong:
        raise LastroError(f"O PDF não pôde ser assinado: {wrong}") from wrong
    return out


def _hand(signer: Signer, *, at: datetime, reason: str, location: str, timestamper: Any) -> Any:
    from pyhanko.sign import fields, signers

    class AtMoment(signers.PdfSigner):
        """A signer whose claimed time is handed in: no clock is read."""

        def init_signing_session(self, *args: Any, **rest: Any) -> Any:
            session = super().init_signing_session(*args, **rest)
            session.system_time = at
            return session

    meta = signers.PdfSignatureMetadata(
        field_name=FIELD,
        md_algorithm="sha256",
        name=signer.name,
        reason=reason,
        location=location or None,
        certify=True,
        docmdp_permissions=fields.MDPPerm.NO_CHANGES,
        subfilter=fields.SigSeedSubFilter.PADES,
    )
    # Outside the page and printable: PDF/UA asks nothing of it there, and PDF/A wants the print flag.
    invisible = fields.InvisSigSettings(set_print_flag=True, set_hidden_flag=False, box_out_of_bounds=True)
    place = fields.SigFieldSpec(
        FIELD, invis_sig_settings=invisible, readable_field_name="Assinatura digital do documento"
    )
    return AtMoment(meta, _pyhanko_signer(signer), timestamper=timestamper, new_field_spec=place)


def _pyhanko_signer(signer: Signer) -> SimpleSigner:
    from asn1crypto import keys, x509
    from pyhanko.sign.signers import SimpleSigner
    from pyhanko_certvalidator.registry import SimpleCertificateStore

    raw = signer.key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    above = [x509.Certificate.load(der(c)) for c in signer.chain]
    return SimpleSigner(
        signing_cert=x509.Certificate.load(der(signer.certificate)),
        signing_key=keys.PrivateKeyInfo.load(raw),
        cert_registry=SimpleCertificateStore.from_certs(above),  # type: ignore[no-untyped-call]
    )

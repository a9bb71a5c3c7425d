"""The arithmetic of one signature and the way from its certificate to a root."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from cryptography import x509

from lastro import trust
from lastro.signing import names
from lastro.signing.locate import Place


@dataclass
class Answer:
    """What one signature says and what is wrong with it; `broken` empty means that it holds."""

    broken: list[str] = field(default_factory=list)
    distrust: list[str] = field(default_factory=list)
    certificate: x509.Certificate | None = None
    signed_at: datetime | None = None
    time_proved: bool = False
    locked: bool = False
    reason: str = ""
    root: str = ""
    root_kind: str = ""


def examine(pdf: bytes, place: Place, *, roots: tuple[trust.Root, ...]) -> Answer | None:
    """Judge the signature that covers exactly these bytes; None when they hold none.

    A file is strangers' work: whatever a reader stumbles over is an answer (it does not hold), never a crash.
    """
    with _quiet():
        try:
            embedded = _embedded(pdf, place)
        except Exception:  # see above
            return Answer(broken=["O PDF está danificado: a assinatura não pode ser lida."])
        if embedded is None:
            return None
        answer = Answer()
        try:
            _read(embedded, answer)
            _compute(embedded, answer)
        except Exception:  # see above
            answer.broken.append("A assinatura não pode ser conferida: foi alterada ou está malformada.")
            return answer
        if answer.broken:
            return answer
        try:
            _lead(embedded, answer, roots)
        except Exception:  # see above
            answer.root = answer.root_kind = ""
            answer.distrust.append("O caminho do certificado até uma raiz não pode ser conferido.")
    return answer


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the reader's own complaints about strangers' files out of our log."""
    loggers = [logging.getLogger(name) for name in ("pyhanko", "pyhanko_certvalidator")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)


def _embedded(pdf: bytes, place: Place) -> Any:
    from pyhanko.pdf_utils.reader import PdfFileReader

    reader = PdfFileReader(io.BytesIO(pdf), strict=True)
    for embedded in reader.embedded_signatures:
        if tuple(int(number) for number in embedded.byte_range) == place.byte_range:
            return embedded
    return None


def _read(embedded: Any, answer: Answer) -> None:
    certificate = embedded.signer_cert
    answer.certificate = x509.load_der_x509_certificate(certificate.dump()) if certificate else None
    answer.signed_at = embedded.self_reported_timestamp
    if answer.signed_at is not None and answer.signed_at.tzinfo is None:
        answer.signed_at = None  # a time without its offset is no moment
    answer.reason = str(embedded.sig_object.get("/Reason", ""))
    level = embedded.docmdp_level
    answer.locked = level is not None and level.value == 1


def _compute(embedded: Any, answer: Answer) -> None:
    from pyhanko.sign.validation import validate_pdf_signature
    from pyhanko_certvalidator import ValidationContext

    nobody = ValidationContext(trust_roots=[], allow_fetching=False)
    status = validate_pdf_signature(embedded, signer_validation_context=nobody, skip_diff=True)
    if not status.intact:
        answer.broken.append("O documento foi alterado depois de assinado.")
    elif not status.valid:
        answer.broken.append("O valor da assinatura não confere com o certificado.")
    if status.coverage is None or status.coverage.name != "ENTIRE_FILE":
        answer.broken.append("A assinatura não cobre o documento desde o primeiro byte.")


def _lead(embedded: Any, answer: Answer, roots: tuple[trust.Root, ...]) -> None:
    """Follow the certificate up to a root: a real one first, else one of a test."""
    if answer.signed_at is None:
        answer.distrust.append("A assinatura não diz quando foi feita: o certificado não pode ser julgado.")
        return
    if not roots:
        answer.distrust.append("Nenhuma raiz configurada: não se sabe se quem assinou é quem diz ser.")
        return
    for kind in ("real", "test"):
        status = _status(embedded, answer.signed_at, [root for root in roots if root.kind == kind])
        if status is not None and status.trusted:
            answer.root_kind, answer.root = kind, _top(status)
            stamp = status.timestamp_validity
            answer.time_proved = stamp is not None and bool(stamp.valid and stamp.trusted)
            answer.distrust.append(
                "A raiz é de teste: prova só que o arquivo não mudou."
                if kind == "test"
                else "Revogação não conferida: só com rede se sabe se o certificado foi cancelado."
            )
            return
    answer.distrust.append(_why_not(answer, roots))


def _status(embedded: Any, moment: datetime, roots: list[trust.Root]) -> Any:
    from asn1crypto import x509 as asn1
    from pyhanko.sign.validation import validate_pdf_signature
    from pyhanko_certvalidator import ValidationContext

    anchors = [asn1.Certificate.load(root.der) for root in roots if root.self_signed]
    if not anchors:
        return None
    context = ValidationContext(
        trust_roots=anchors,
        other_certs=[asn1.Certificate.load(root.der) for root in roots if not root.self_signed],
        moment=moment,
        allow_fetching=False,
        revocation_mode="soft-fail",
    )
    return validate_pdf_signature(embedded, signer_validation_context=context, skip_diff=True)


def _top(status: Any) -> str:
    top = x509.load_der_x509_certificate(status.validation_path.trust_anchor.authority.certificate.dump())
    return names.common_name(top)


def _why_not(answer: Answer, roots: tuple[trust.Root, ...]) -> str:
    certificate, moment = answer.certificate, answer.signed_at
    if certificate is not None and moment is not None:
        begin, end = certificate.not_valid_before_utc, certificate.not_valid_after_utc
        if not begin <= moment <= end:
            return f"O certificado vale de {begin:%d/%m/%Y} a {end:%d/%m/%Y}: não na hora declarada."
    number = "à raiz configurada" if len(roots) == 1 else f"a nenhuma das {len(roots)} raízes configuradas"
    return f"O certificado não leva {number}: não se sabe se quem assinou é quem diz ser."

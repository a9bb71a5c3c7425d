"""What a signed paper is worth, offline: whole or not, by whom, under which root, and what stands behind it.

The answer keeps apart what people mix up: that the bytes are those signed, that the signature covers the
whole file, and that one trusts who signed. Nothing is asked over a network: whether a certificate was
revoked is not known here, and the answer says so.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from cryptography import x509

from lastro import trust
from lastro.signing import names
from lastro.signing.arithmetic import Answer, examine
from lastro.signing.locate import Place, behind_in_words, places, traces_of_signature

MOST_BYTES = 100_000_000
_EARLY = timedelta(days=1)


class State(StrEnum):
    """The one word for what a file is worth; only the last three are of a whole and unchanged file."""

    ABSENT = "absent"  # no signature
    UNREADABLE = "unreadable"  # no PDF
    INVALID = "invalid"  # the signature does not hold: changed after signing, or never valid
    EXTENDED = "extended"  # what was signed is whole, but the file goes on behind it
    UNTRUSTED = "untrusted"  # whole, but nothing here vouches for who signed
    TEST = "test"  # whole, and signed under a root of a test: proves nothing to others
    TRUSTED = "trusted"  # whole, and signed under a real root


IN_WORDS = {
    State.ABSENT: "Sem assinatura",
    State.UNREADABLE: "Não é um PDF que se possa ler",
    State.INVALID: "Assinatura inválida",
    State.EXTENDED: "Assinatura íntegra, mas o arquivo tem bytes que ela não cobre",
    State.UNTRUSTED: "Assinatura íntegra, sem confiança em quem assinou",
    State.TEST: "Assinatura íntegra, de teste: sem valor",
    State.TRUSTED: "Assinatura íntegra e confiável",
}


@dataclass(frozen=True)
class Checked:
    """A file, judged. Reasons are sentences in Portuguese; of the signer no CPF is kept."""

    state: State
    reasons: tuple[str, ...]
    intact: bool = False  # the signed bytes are those that were signed, and the value verifies
    covers_all: bool = False  # the signature reaches from the first byte of the file to its last
    bytes_behind: int = 0
    locked: bool = False  # the signer allowed no later change (DocMDP, level 1)
    signer_name: str = ""
    signer_cnpj: str = ""
    certificate_sha256: str = ""
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    signed_at: datetime | None = None  # as the signer claims it
    time_proved: bool = False  # by a time stamp that holds
    reason: str = ""  # as the signer wrote it
    root: str = ""  # the name of the root that it leads to

    @property
    def holds(self) -> bool:
        """Whether the whole file is as it was signed, whoever signed it."""
        return self.state in (State.UNTRUSTED, State.TEST, State.TRUSTED)

    @property
    def in_words(self) -> str:
        return IN_WORDS[self.state]

    def as_json(self) -> dict[str, object]:
        """The same for programs: names as here, moments in ISO 8601 with their offset, None where unknown."""
        plain = {name: getattr(self, name) for name in self.__dataclass_fields__}
        written = {k: v.isoformat() if isinstance(v, datetime) else v for k, v in plain.items()}
        return {
            **written,
            "state": self.state.value,
            "in_words": self.in_words,
            "holds": self.holds,
            "reasons": list(self.reasons),
        }


def verify(pdf: bytes, *, roots: Iterable[trust.Root] = (), at: datetime | None = None) -> Checked:
    """Judge a signed PDF by the roots at hand (`known_roots`), each real or of a test.

    The first signature of the file counts: it is what the issuer signed. The certificate has to hold at the
    moment that the signer claims. `at`, the moment of the check, adds what is known of it: a certificate
    expired since, or a moment of signing that is still to come.
    """
    if b"%PDF-" not in pdf[:1024]:
        return Checked(State.UNREADABLE, ("O arquivo não começa como um PDF.",))
    if len(pdf) > MOST_BYTES:
        return Checked(State.UNREADABLE, (f"O arquivo passa de {MOST_BYTES // 1_000_000} MB.",))
    for place in places(pdf):
        found = _judged(pdf, place, roots=tuple(roots), at=at)
        if found is not None:
            return found
    if traces_of_signature(pdf):
        return Checked(
            State.INVALID,
            ("Há vestígios de uma assinatura, mas nenhuma que se possa conferir: foi alterada.",),
        )
    return Checked(State.ABSENT, ("O PDF não traz assinatura digital.",))


def _judged(
    pdf: bytes, place: Place, *, roots: tuple[trust.Root, ...], at: datetime | None
) -> Checked | None:
    """The judgement of the signature at a place, or None where none stands there.

    The file is read only up to where the signature ends, so that nothing behind it can change what is read.
    """
    answer = examine(pdf[: place.end], place, roots=roots)
    if answer is None:
        return None
    behind = pdf[place.end :]
    reasons = list(answer.broken)
    if not place.closed:
        reasons.append("O espaço reservado à assinatura traz outra coisa além dela.")
    intact = not reasons
    if intact:
        reasons.append("Os bytes assinados são os que foram assinados.")
    if behind:
        reasons.append(behind_in_words(behind))
    reasons += answer.distrust + _about_time(answer, at=at)
    if intact and not answer.locked:
        reasons.append("Quem assinou não proibiu mudanças posteriores.")
    kind = answer.root_kind if not _in_future(answer.signed_at, at) else ""
    return Checked(
        state=_state(intact=intact, behind=bool(behind), kind=kind),
        reasons=tuple(reasons),
        intact=intact,
        covers_all=not behind,
        bytes_behind=len(behind),
        locked=answer.locked,
        signed_at=answer.signed_at,
        time_proved=answer.time_proved,
        reason=answer.reason,
        root=answer.root,
        **_holder(answer.certificate),
    )


def _state(*, intact: bool, behind: bool, kind: str) -> State:
    if not intact:
        return State.INVALID
    if behind:
        return State.EXTENDED
    return {"real": State.TRUSTED, "test": State.TEST}.get(kind, State.UNTRUSTED)


def _holder(certificate: x509.Certificate | None) -> dict[str, Any]:
    if certificate is None:
        return {}
    return {
        "signer_name": names.common_name(certificate),
        "signer_cnpj": names.cnpj(certificate),
        "certificate_sha256": names.fingerprint(certificate),
        "valid_from": certificate.not_valid_before_utc,
        "valid_to": certificate.not_valid_after_utc,
    }


def _in_future(signed_at: datetime | None, at: datetime | None) -> bool:
    return signed_at is not None and at is not None and signed_at > at + _EARLY


def _about_time(answer: Answer, *, at: datetime | None) -> list[str]:
    said = []
    if answer.signed_at is not None and not answer.time_proved:
        said.append("A hora é a que o assinante declarou: não há carimbo do tempo que a prove.")
    if _in_future(answer.signed_at, at):
        said.append("A hora declarada ainda não chegou.")
    if at is not None and answer.certificate is not None and answer.certificate.not_valid_after_utc < at:
        said.append(f"O certificado expirou em {answer.certificate.not_valid_after_utc:%d/%m/%Y}.")
    return said

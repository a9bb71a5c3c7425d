"""Who writes and who signs a note, told by the series in its key (MOC NF-e, field serie; NT 2018.001).

| series | written in | whose number the key carries | who signs |
|---|---|---|---|
| 000-889 | the seller's program | the seller's CNPJ | the seller |
| 890-899 | the tax office's site (procEmi 1) | the tax office's CNPJ, as in `avulsa` | the tax office |
| 900-909 | the tax office's site | the seller's CNPJ | the office (procEmi 1), the seller (2) |
| 910-919 | the tax office's site | the seller's CPF after zeros | the office (1), the person (2) |
| 920-969 | the person's own program | the person's CPF after zeros | the person |

Before layout 4.00 the series 900 to 999 were those of a contingency (SCAN) of any company: there they say
nothing. A file cannot prove that a signer is a tax office: it only says so (`avulsa`), and SEFAZ confirms it.
"""

from __future__ import annotations

from collections.abc import Iterator

from lastro.evidence.papers import Header
from lastro.ids import AccessKey, is_cnpj, is_cpf

_BY_OFFICE = ("890", "899")
_SITE_COMPANY = ("900", "909")
_SITE = ("900", "919")
_PERSON = ("910", "969")
_OWN_PERSON = ("920", "969")


def _within(series: str, span: tuple[str, str]) -> bool:
    return span[0] <= series <= span[1]


def _modern(header: Header) -> bool:
    """Whether the ranges above 899 have their present sense."""
    return header.layout[:1] >= "4"


def issued_by_office(key: AccessKey) -> bool:
    """Whether the tax office issues for the seller, so that the key carries the office's own CNPJ."""
    return _within(key.series, _BY_OFFICE)


def in_key(key: AccessKey, header: Header) -> tuple[str, str]:
    """Which field of the note must stand in the key as its issuer, and what it says."""
    if issued_by_office(key) and header.issuer.zfill(14) != key.issuer:
        return "avulsa/CNPJ", header.substitute_issuer
    return "emit/CNPJ" if len(header.issuer) == 14 else "emit/CPF", header.issuer


def misfits(key: AccessKey, header: Header) -> Iterator[tuple[str, str, str]]:
    """What of the note its series does not allow: field, as written, what the series asks for."""
    process = header.process
    if issued_by_office(key):
        if process in ("0", "3"):
            yield "ide/procEmi", process, f"1 na série {key.series}"
        return
    if not _modern(header):
        return
    company = len(header.issuer) == 14
    if _within(key.series, _PERSON) and company:
        yield "emit/CNPJ", header.issuer, f"CPF na série {key.series}"
    if _within(key.series, _SITE_COMPANY) and header.issuer and not company:
        yield "emit/CPF", "de pessoa", f"CNPJ na série {key.series}"
    if _within(key.series, _SITE) and process in ("0", "3"):
        yield "ide/procEmi", process, f"1 ou 2 na série {key.series}"
    if _within(key.series, _OWN_PERSON) and process in ("1", "2"):
        yield "ide/procEmi", process, f"0 ou 3 na série {key.series}"


def signers(key: AccessKey, header: Header) -> tuple[str, ...]:
    """Who may have signed the note; the issuer always, and where the series says so the office it names."""
    office = header.substitute_issuer
    at_site = _modern(header) and _within(key.series, _SITE) and header.process in ("", "1")
    if office and (issued_by_office(key) or at_site):
        return (header.issuer, office)
    return (header.issuer,)


def owner_named(key: AccessKey) -> str:
    """The CNPJ or CPF that the key names as its issuer, without the zeros before a CPF."""
    number = key.issuer
    person = number.startswith("000") and is_cpf(number[3:])
    if person and (_within(key.series, _PERSON) or not is_cnpj(number)):
        return number[3:]
    return number


def office_may_sign(key: AccessKey) -> bool:
    """Whether the note may be the tax office's work though the key does not name that office."""
    return _within(key.series, _SITE)

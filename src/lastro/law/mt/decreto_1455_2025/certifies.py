"""What the decree says of certificates of recycling: who sells, who buys, until when, and what they bear."""

from __future__ import annotations

from datetime import date

from lastro.lawkit import CertificateTerms, Law

from . import rules

ITEMS = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII")
"""The contents that art. 63 asks for."""

ARTICLES = {
    "certificate": ("art61", "art62", "art63", "art64", "art65"),
    "system": ("art26-II",),
    "buyer": ("art26-II",),
    "once": ("art62", "art62-pu"),
    "mass": ("art61",),
    "material": ("art57",),
    "window": ("art49",),
    "validity": ("art65",),
    "responsibility": ("art64",),
    "proof": ("art55-II",),
}
"""The provisions behind each thing that is asked of a certificate."""


MOVES = frozenset({"sell", "authorise", "issue", "refuse", "withdraw", "retire", "cancel"})
"""What may happen to a certificate: sold once, by the entity (art. 62), used, or cancelled by the agency."""


def certifies(law: Law, *, year: int, on: date) -> CertificateTerms:
    """The terms of a certificate on a year's invoices that is issued on a day."""
    cite = law.norm.cite
    return CertificateTerms(
        title="Certificado de Reciclagem de Embalagens em Geral",
        last_sale=rules.last_purchase_day(law, year=year),
        valid_to=rules.certificate_last_day(law, issued_on=on),
        step=rules.GRAM,
        kind="CRE",
        moves=MOVES | ({"transfer", "split"} if rules.may_be_sold(law, sales=1) else set()),
        resale=rules.may_be_sold(law, sales=1),
        sells=lambda foresees: rules.system_certifies(law, term_foresees=foresees),
        buys=lambda adherent: rules.may_buy(law, adherent=adherent),
        attained=lambda achieved, placed: rules.attained_share(law, achieved=achieved, placed=placed),
        articles={
            **{name: cite(provisions) for name, provisions in ARTICLES.items()},
            **{item: cite((f"art63-{item}",)) for item in ITEMS},
        },
    )

"""What the draft has a system keep: contracts, cooperatives' among them, the manual and the plan."""

from __future__ import annotations

from lastro.lawkit import Law, forms
from lastro.lawkit.contents import Contents


def instrument(law: Law, *, year: int) -> Contents:
    """A private instrument by which the collective model is paid, and a cooperative takes part."""
    return forms.instrument(law.norm.cite(("art15-pu",)), law.norm.cite(("art5-p2-II", "art40")))


def manual(law: Law, *, year: int) -> Contents:
    """The manual by which the system is operated."""
    return forms.manual(law.norm.cite(("art6",)), law.norm.cite(("art6",)))


def system_plan(law: Law, *, year: int) -> Contents:
    """The plan by which the system is operated, published."""
    return forms.system_plan(law.norm.cite(("art6", "art47")))


KEPT = {"instrument": instrument, "operating-manual": manual, "system-plan": system_plan}

"""Lei MT 11.096/2020: the state's register of activities and its environmental inspection fee.

Comes in: facts of an establishment and a quarter. Goes out: the fee, its credits and additions, by article.
"""

from lastro.lawkit.regulation import Norm, Regulation, rules_of

from . import charges, documents, fee, late, order, register, schedules

REGULATION = Regulation(
    norm=Norm.read(__name__),
    rules=rules_of(register) | rules_of(fee) | rules_of(late) | rules_of(order),
    schedules=schedules.SCHEDULES,
    charges=charges.charges,
    documents=documents.DOCUMENTS,
    orders=order.orders,
)

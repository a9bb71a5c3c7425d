"""The ledger: every kilogram enters once, leaves once, and each step is an entry that nobody rewrites.

Comes in: postings on lots, retirements, statements. Goes out: entries, balances, and an audit that recounts
them from nothing. The moves themselves are functions of the database; here stands what needs no database.
"""

from lastro.ledger.moves import LotFacts, Posting, Reason

__all__ = ["LotFacts", "Posting", "Reason"]

"""The custody hub: entities learn that they claim one line, and nobody learns anything else.

What comes in: claims on invoice lines, keys of the people who take part, batches as they arrive.
What goes out: tags, sealed batches, receipts, closings that cannot say two things, meetings, their proofs.
No clock, no database, no network: the day, the draw of random bytes and what is kept are handed in.
"""

"""The whole base on one seed: people, programs and papers over a network that loses, doubles and delays.

Everything that happens is drawn from the seed, the clock is a number, and the base is the real one: the rooms
and the functions of PostgreSQL, in one transaction that is rolled back at the end. A seed that fails fails
again.
"""

"""The black box: companies seal what they placed on the market; sums come out that reveal nobody.

Comes in: sealed rows that one key opens, the verifier's. Goes out: totals by group, signed by the verifier,
equal to the plain ones to the milligram, with every counted row named so that its company finds it.
"""

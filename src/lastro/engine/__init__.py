"""Engines: they map a pure function over many files, in parallel, and keep the order.

Comes in: a function and a stream of items. Goes out: the results, in the items' order, whatever crashed.
"""

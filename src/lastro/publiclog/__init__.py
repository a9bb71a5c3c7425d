"""The public log: every issue, transfer, retirement and cancellation, in a tree that is only added to.

Whoever runs the base cannot change, drop or hide a leaf without that a witness or a monitor holds the proof.
"""

"""From placed mass and law to what is owed, what was proved, and whether it is enough."""

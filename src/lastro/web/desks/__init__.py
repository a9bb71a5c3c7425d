"""One folder-like module for each kind of person: addresses and views; a view parses, calls, renders."""

"""The web application: pages for each person, over the same rooms that the command line calls.

Comes in: requests of people who logged in, and of strangers with a certificate in hand. Goes out: pages in
Portuguese, readable without scripts. A view parses, makes one call, renders: no law and no arithmetic here.
"""

"""An invented year of invoices, with faults planted in it and the truth about each file.

What it is for: demonstrations, tests and trials need notes, and real notes carry real people.
What comes in: a seed and how many ordinary notes are wanted.
What goes out: a folder of signed NF-e, events, a registry, declarations, and `verdade.csv`, which says
what a careful reader has to find in each file. The same seed gives the same bytes.

Nothing here looks at how notes are judged: numbers, digits and signatures are computed anew, so that
the sample and the detectors can disagree.
"""

from lastro.sample.world import World, build_world

__all__ = ["World", "build_world"]

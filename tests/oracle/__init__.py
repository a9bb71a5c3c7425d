"""A second opinion on the law: calculators written from the texts alone, without sight of the rules."""

-- Notes are compared as wholes with those of their day: a load may be on one line of one and on two of another.

CREATE INDEX sold_that_day ON sold (low, high, material, day);

"""The room of deadlines: what somebody has to do by when, on which basis, and what is late.

Comes in: a part, the days on which something happened to it, what it delivered. Goes out: tasks in the order
of their days, for a screen, for a calendar, for a picture of the year. The duties are the norms' own.
"""

from lastro.deadlines.calendar_file import parse
from lastro.deadlines.ics import calendar_text
from lastro.deadlines.picture import picture
from lastro.deadlines.tasks import Asked, Event, Task, notes, tasks

__all__ = ["Asked", "Event", "Task", "calendar_text", "notes", "parse", "picture", "tasks"]

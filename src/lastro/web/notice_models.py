"""What people and programs are told of: notices, who wants to be called, and each call."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, ClassVar

from django.db import models

from lastro.web.models import Person


class Notice(models.Model):
    """Something that a person is told once, here and by e-mail."""

    person: models.ForeignKey[Person, Person] = models.ForeignKey(
        Person, on_delete=models.CASCADE, related_name="notices"
    )
    key: models.CharField[str, str] = models.CharField(max_length=200)
    party: models.CharField[str, str] = models.CharField(max_length=14, default="")
    title: models.CharField[str, str] = models.CharField(max_length=200)
    text: models.CharField[str, str] = models.CharField(max_length=600, default="")
    link: models.CharField[str, str] = models.CharField(max_length=300, default="")
    made_at: models.DateTimeField[datetime, datetime] = models.DateTimeField(auto_now_add=True)
    mailed_at: models.DateTimeField[datetime | None, datetime | None] = models.DateTimeField(null=True)
    read_at: models.DateTimeField[datetime | None, datetime | None] = models.DateTimeField(null=True)
    objects: ClassVar[models.Manager[Notice]] = models.Manager()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["person", "key"], name="web_notice_once")
        ]


class Hook(models.Model):
    """An address of an establishment's program that wants to be called when something happens."""

    person: models.ForeignKey[Person, Person] = models.ForeignKey(
        Person, on_delete=models.CASCADE, related_name="hooks"
    )
    party: models.CharField[str, str] = models.CharField(max_length=14)
    url: models.CharField[str, str] = models.CharField(max_length=300)
    secret: models.CharField[str, str] = models.CharField(max_length=80)
    events: models.JSONField[list[str], list[str]] = models.JSONField(default=list)
    made_at: models.DateTimeField[datetime, datetime] = models.DateTimeField(auto_now_add=True)
    ended_at: models.DateTimeField[datetime | None, datetime | None] = models.DateTimeField(null=True)
    objects: ClassVar[models.Manager[Hook]] = models.Manager()


class Call(models.Model):
    """One message to a hook: sent until it is taken, each time after a longer wait, and given up at last."""

    class State(models.TextChoices):
        WAITING = "waiting", "a enviar"
        TAKEN = "taken", "entregue"
        GIVEN_UP = "given_up", "desistiu"

    hook: models.ForeignKey[Hook, Hook] = models.ForeignKey(
        Hook, on_delete=models.CASCADE, related_name="calls"
    )
    key: models.CharField[str, str] = models.CharField(max_length=200)
    event: models.CharField[str, str] = models.CharField(max_length=40)
    body: models.JSONField[Mapping[str, Any], dict[str, Any]] = models.JSONField(default=dict)
    state: models.CharField[str, str] = models.CharField(
        max_length=10, choices=State.choices, default=State.WAITING
    )
    tries: models.IntegerField[int, int] = models.IntegerField(default=0)
    next_at: models.DateTimeField[datetime, datetime] = models.DateTimeField()
    answered: models.CharField[str, str] = models.CharField(max_length=300, default="")
    made_at: models.DateTimeField[datetime, datetime] = models.DateTimeField(auto_now_add=True)
    objects: ClassVar[models.Manager[Call]] = models.Manager()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["hook", "key"], name="web_call_once")
        ]


class Round(models.Model):
    """A daily round that was made, and the day it was made for."""

    name: models.CharField[str, str] = models.CharField(max_length=40, unique=True)
    on: models.DateField[date, date] = models.DateField()
    objects: ClassVar[models.Manager[Round]] = models.Manager()

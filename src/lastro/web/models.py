"""People, whom they may act for, and the work they asked for: the only rows that the web may change.

What is proved stands in the ledger's own tables, which the web reads and moves through the store alone.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from datetime import date, datetime
from functools import cached_property
from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models

from lastro.web.scopes import ONE_FACTOR, ROLE_LABELS, ROLES, Role, Scope
from lastro.web.translating import said


class PersonManager(BaseUserManager["Person"]):
    """Makes people and finds them by e-mail, whatever the case it is typed in."""

    def create_user(
        self, email: str, *, password: str | None, role: Role, name: str, parties: Any = ()
    ) -> Person:
        """A new person with a role, bound to establishments; without a password until they choose one."""
        person = self.model(email=self.normalize_email(email).lower(), role=role.value, name=name)
        person.set_password(password)
        person.save(using=self._db)
        for party in parties:
            Binding.objects.using(self._db).create(person=person, party=party)
        return person

    def get_by_natural_key(self, username: str | None) -> Person:
        return self.get(email=(username or "").lower())


class Person(AbstractBaseUser):
    """Someone who logs in: an e-mail, a password, one role."""

    email: models.EmailField[str, str] = models.EmailField("e-mail", unique=True)
    name: models.CharField[str, str] = models.CharField("nome", max_length=120)
    role: models.CharField[str, str] = models.CharField("papel", max_length=20)
    is_active: models.BooleanField[bool, bool] = models.BooleanField("ativo", default=True)
    sign_on: models.CharField[str, str] = models.CharField(max_length=64, default="")
    mail_notices: models.BooleanField[bool, bool] = models.BooleanField("avisos por e-mail", default=True)
    language: models.CharField[str, str] = models.CharField(max_length=5, default="")
    created_at: models.DateTimeField[datetime, datetime] = models.DateTimeField(auto_now_add=True)

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects: ClassVar[PersonManager] = PersonManager()

    def is_verified(self) -> bool:
        """Whether the second factor was given in this session; the middleware of django-otp replaces this."""
        return False

    acting: str = ""
    """The establishment that this request acts for; empty before one is known."""

    @property
    def scopes(self) -> frozenset[Scope]:
        """What this person may do for the establishment that they act for now."""
        return self.scopes_at(self.acting)

    def scopes_at(self, party: str) -> frozenset[Scope]:
        """What this person may do for an establishment: by their role, or by what was delegated to them."""
        from lastro.web import delegations

        by_role = ROLES[Role(self.role)] if not party or party in self.bound else frozenset[Scope]()
        return delegations.together(self, party, by_role)

    @property
    def role_label(self) -> str:
        return said(ROLE_LABELS[Role(self.role)])

    @property
    def needs_second_factor(self) -> bool:
        """Whether one is asked for: by every role that can move mass or manage people, and of delegates."""
        return Role(self.role) not in ONE_FACTOR or bool(self.delegations)

    @cached_property
    def has_second_factor(self) -> bool:
        from django_otp import user_has_device

        return bool(user_has_device(self))

    @cached_property
    def bound(self) -> list[str]:
        """The establishments this person is bound to, in order."""
        return list(Binding.objects.filter(person=self).order_by("party").values_list("party", flat=True))

    @cached_property
    def delegations(self) -> list[Delegation]:
        """What others delegated to this person and counts today."""
        from lastro.web import delegations

        return delegations.in_force(self)

    @property
    def parties(self) -> list[str]:
        """The establishments this person may act for, in order: their own first, then by delegation."""
        lent = {one.party for one in self.delegations}
        return [*self.bound, *sorted(lent.difference(self.bound))]

    def __str__(self) -> str:
        return str(self.email)


class Binding(models.Model):
    """That a person may act for an establishment."""

    person: models.ForeignKey[Person, Person] = models.ForeignKey(
        Person, on_delete=models.CASCADE, related_name="bindings"
    )
    party: models.CharField[str, str] = models.CharField("CNPJ", max_length=14)
    objects: ClassVar[models.Manager[Binding]] = models.Manager()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["person", "party"], name="web_binding_once"),
            models.CheckConstraint(
                condition=models.Q(party__regex=r"^[0-9A-Z]{12}[0-9]{2}$"), name="web_binding_cnpj"
            ),
        ]


class Job(models.Model):
    """Work done in the background, with how far it got; see `lastro.web.jobs`."""

    class State(models.TextChoices):
        WAITING = "waiting", "na fila"
        RUNNING = "running", "em andamento"
        DONE = "done", "concluído"
        FAILED = "failed", "não concluído"

    id: models.UUIDField[uuid.UUID, uuid.UUID] = models.UUIDField(
        primary_key=True, default=uuid.uuid4, editable=False
    )
    kind: models.CharField[str, str] = models.CharField(max_length=30)
    party: models.CharField[str, str] = models.CharField(max_length=14)
    person: models.ForeignKey[Person | None, Person | None] = models.ForeignKey(
        Person, null=True, on_delete=models.SET_NULL, related_name="jobs"
    )
    title: models.CharField[str, str] = models.CharField(max_length=200)
    asked: models.JSONField[Mapping[str, Any], dict[str, Any]] = models.JSONField(default=dict)
    state: models.CharField[str, str] = models.CharField(
        max_length=10, choices=State.choices, default=State.WAITING
    )
    done: models.IntegerField[int, int] = models.IntegerField(default=0)
    total: models.IntegerField[int | None, int | None] = models.IntegerField(null=True)
    step: models.CharField[str, str] = models.CharField(max_length=200, default="")
    answer: models.JSONField[Mapping[str, Any], dict[str, Any]] = models.JSONField(default=dict)
    tries: models.IntegerField[int, int] = models.IntegerField(default=0)
    asked_at: models.DateTimeField[datetime, datetime] = models.DateTimeField(auto_now_add=True)
    ended_at: models.DateTimeField[datetime | None, datetime | None] = models.DateTimeField(null=True)
    objects: ClassVar[models.Manager[Job]] = models.Manager()

    @property
    def over(self) -> bool:
        return self.state in (self.State.DONE, self.State.FAILED)


class JobFile(models.Model):
    """A file that a job works on, kept until the job is over: any worker on any machine may take it."""

    job: models.ForeignKey[Job, Job] = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="files")
    name: models.CharField[str, str] = models.CharField(max_length=200)
    body: models.BinaryField[bytes, bytes] = models.BinaryField()
    objects: ClassVar[models.Manager[JobFile]] = models.Manager()


_CNPJ = 14


def at_party(word: str) -> str:
    """The establishment that a key's word names; empty where it names an office."""
    return word if len(word) == _CNPJ else ""


class ApiKey(models.Model):
    """A key by which a program acts for an establishment; see `lastro.web.api.keys`."""

    public: models.CharField[str, str] = models.CharField(max_length=12, unique=True)
    digest: models.CharField[str, str] = models.CharField(max_length=64)
    person: models.ForeignKey[Person, Person] = models.ForeignKey(
        Person, on_delete=models.CASCADE, related_name="keys"
    )
    party: models.CharField[str, str] = models.CharField(max_length=14)
    name: models.CharField[str, str] = models.CharField(max_length=80)
    scopes: models.JSONField[list[str], list[str]] = models.JSONField(default=list)
    made_at: models.DateTimeField[datetime, datetime] = models.DateTimeField(auto_now_add=True)
    expires_on: models.DateField[date, date] = models.DateField()
    last_used_on: models.DateField[date | None, date | None] = models.DateField(null=True)
    revoked_at: models.DateTimeField[datetime | None, datetime | None] = models.DateTimeField(null=True)
    objects: ClassVar[models.Manager[ApiKey]] = models.Manager()

    @property
    def opened(self) -> frozenset[Scope]:
        """What the key opens now: what it was made for, as far as its maker still may."""
        return frozenset(Scope(name) for name in self.scopes) & self.person.scopes_at(at_party(self.party))


class ApiAnswer(models.Model):
    """The first answer to a request that a program named; none yet while it is being done."""

    key: models.ForeignKey[ApiKey, ApiKey] = models.ForeignKey(
        ApiKey, on_delete=models.CASCADE, related_name="answers"
    )
    name: models.CharField[str, str] = models.CharField(max_length=80)
    digest: models.CharField[str, str] = models.CharField(max_length=64)
    status: models.IntegerField[int | None, int | None] = models.IntegerField(null=True)
    body: models.BinaryField[bytes, bytes] = models.BinaryField(default=b"")
    kind: models.CharField[str, str] = models.CharField(max_length=100, default="")
    at: models.DateTimeField[datetime, datetime] = models.DateTimeField(auto_now_add=True)
    objects: ClassVar[models.Manager[ApiAnswer]] = models.Manager()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["key", "name"], name="web_apianswer_once"),
        ]


class Delegation(models.Model):
    """That one person lets another do some of what they may do, for one establishment, until a day.

    See `lastro.web.delegations` for when it counts.
    """

    party: models.CharField[str, str] = models.CharField(max_length=14)
    by: models.ForeignKey[Person, Person] = models.ForeignKey(
        Person, on_delete=models.CASCADE, related_name="given"
    )
    to: models.ForeignKey[Person, Person] = models.ForeignKey(
        Person, on_delete=models.CASCADE, related_name="received"
    )
    scopes: models.JSONField[list[str], list[str]] = models.JSONField(default=list)
    until: models.DateField[date, date] = models.DateField()
    made_at: models.DateTimeField[datetime, datetime] = models.DateTimeField(auto_now_add=True)
    revoked_at: models.DateTimeField[datetime | None, datetime | None] = models.DateTimeField(null=True)
    revoked_by: models.CharField[str, str] = models.CharField(max_length=254, default="")
    objects: ClassVar[models.Manager[Delegation]] = models.Manager()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=models.Q(party__regex=r"^[0-9A-Z]{12}[0-9]{2}$"), name="web_delegation_cnpj"
            ),
        ]


class Trail(models.Model):
    """One thing that somebody did here, or a confidential thing that they opened; rows are only ever added.

    `behalf` is who delegated, where the person acted by delegation; `key` is the API key, where a program
    acted. `origin` is a keyed hash of the address it came from: two acts from one place look alike, and no
    address is kept.
    """

    at: models.DateTimeField[datetime, datetime] = models.DateTimeField(auto_now_add=True)
    person: models.BigIntegerField[int | None, int | None] = models.BigIntegerField(null=True)
    email: models.CharField[str, str] = models.CharField(max_length=254)
    party: models.CharField[str, str] = models.CharField(max_length=14, default="")
    behalf: models.CharField[str, str] = models.CharField(max_length=254, default="")
    key: models.CharField[str, str] = models.CharField(max_length=12, default="")
    act: models.CharField[str, str] = models.CharField(max_length=80)
    kind: models.CharField[str, str] = models.CharField(max_length=20, default="")
    record: models.CharField[str, str] = models.CharField(max_length=200, default="")
    status: models.IntegerField[int, int] = models.IntegerField()
    origin: models.CharField[str, str] = models.CharField(max_length=16, default="")
    objects: ClassVar[models.Manager[Trail]] = models.Manager()

    class Meta:
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["kind", "record"], name="web_trail_record"),
            models.Index(fields=["party", "at"], name="web_trail_party"),
        ]


from lastro.web import notice_models, passkey_models  # noqa: E402, F401  (Django finds models through this module)

"""Passkeys: the second factor that a phone, a computer or a key of hardware keeps."""

from __future__ import annotations

from datetime import datetime
from typing import ClassVar

from django.db import models
from django_otp.models import Device


class Passkey(Device):  # type: ignore[misc]
    """One passkey of a person (WebAuthn, level 2): what it is named, its public key, how often it signed."""

    credential: models.CharField[str, str] = models.CharField(max_length=1400, unique=True)
    public: models.BinaryField[bytes, bytes] = models.BinaryField()
    signed: models.BigIntegerField[int, int] = models.BigIntegerField(default=0)
    made_at: models.DateTimeField[datetime, datetime] = models.DateTimeField(auto_now_add=True)
    used_at: models.DateTimeField[datetime | None, datetime | None] = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = []

"""Notices, the addresses of programs that are called, and each call."""

from typing import Any

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


def _id() -> Any:
    return models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")


def _person(name: str) -> Any:
    return models.ForeignKey(
        on_delete=django.db.models.deletion.CASCADE, related_name=name, to=settings.AUTH_USER_MODEL
    )


class Migration(migrations.Migration):
    dependencies = [("web", "0004_access")]  # noqa: RUF012

    operations = [  # noqa: RUF012
        migrations.AddField(
            "person", "mail_notices", models.BooleanField(default=True, verbose_name="avisos por e-mail")
        ),
        migrations.CreateModel(
            name="Notice",
            fields=[
                ("id", _id()),
                ("key", models.CharField(max_length=200)),
                ("party", models.CharField(default="", max_length=14)),
                ("title", models.CharField(max_length=200)),
                ("text", models.CharField(default="", max_length=600)),
                ("link", models.CharField(default="", max_length=300)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("mailed_at", models.DateTimeField(null=True)),
                ("read_at", models.DateTimeField(null=True)),
                ("person", _person("notices")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=["person", "key"], name="web_notice_once"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Hook",
            fields=[
                ("id", _id()),
                ("party", models.CharField(max_length=14)),
                ("url", models.CharField(max_length=300)),
                ("secret", models.CharField(max_length=80)),
                ("events", models.JSONField(default=list)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("ended_at", models.DateTimeField(null=True)),
                ("person", _person("hooks")),
            ],
        ),
        migrations.CreateModel(
            name="Call",
            fields=[
                ("id", _id()),
                ("key", models.CharField(max_length=200)),
                ("event", models.CharField(max_length=40)),
                ("body", models.JSONField(default=dict)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "a enviar"),
                            ("taken", "entregue"),
                            ("given_up", "desistiu"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("tries", models.IntegerField(default=0)),
                ("next_at", models.DateTimeField()),
                ("answered", models.CharField(default="", max_length=300)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                (
                    "hook",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="calls", to="web.hook"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=["hook", "key"], name="web_call_once")],
            },
        ),
        migrations.CreateModel(
            name="Round",
            fields=[
                ("id", _id()),
                ("name", models.CharField(max_length=40, unique=True)),
                ("on", models.DateField()),
            ],
        ),
    ]

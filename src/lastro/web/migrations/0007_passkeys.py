"""Passkeys, each a second factor of a person."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("web", "0006_sign_on")]  # noqa: RUF012

    operations = [  # noqa: RUF012
        migrations.CreateModel(
            name="Passkey",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=64)),
                ("confirmed", models.BooleanField(default=True)),
                ("credential", models.CharField(max_length=1400, unique=True)),
                ("public", models.BinaryField()),
                ("signed", models.BigIntegerField(default=0)),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("used_at", models.DateTimeField(null=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
    ]

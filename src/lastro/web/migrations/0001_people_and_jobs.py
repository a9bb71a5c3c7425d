"""People, whom they act for, and their work in the background."""

import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    operations = [  # noqa: RUF012
        migrations.CreateModel(
            name="Person",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                ("email", models.EmailField(max_length=254, unique=True, verbose_name="e-mail")),
                ("name", models.CharField(max_length=120, verbose_name="nome")),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("entity_preparer", "Entidade gestora: prepara"),
                            ("entity_authoriser", "Entidade gestora: autoriza"),
                            ("verifier", "Verificador de resultados"),
                            ("company", "Empresa"),
                            ("agency", "Órgão ambiental"),
                            ("admin", "Administração"),
                        ],
                        max_length=20,
                        verbose_name="papel",
                    ),
                ),
                ("is_active", models.BooleanField(default=True, verbose_name="ativo")),
                ("created_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Job",
            fields=[
                (
                    "id",
                    models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False),
                ),
                ("kind", models.CharField(max_length=30)),
                ("party", models.CharField(max_length=14)),
                ("title", models.CharField(max_length=200)),
                ("asked", models.JSONField(default=dict)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "na fila"),
                            ("running", "em andamento"),
                            ("done", "concluído"),
                            ("failed", "não concluído"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("done", models.IntegerField(default=0)),
                ("total", models.IntegerField(null=True)),
                ("step", models.CharField(default="", max_length=200)),
                ("answer", models.JSONField(default=dict)),
                ("tries", models.IntegerField(default=0)),
                ("asked_at", models.DateTimeField(auto_now_add=True)),
                ("ended_at", models.DateTimeField(null=True)),
                (
                    "person",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="jobs",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="JobFile",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=200)),
                ("body", models.BinaryField()),
                (
                    "job",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="files", to="web.job"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Binding",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("party", models.CharField(max_length=14, verbose_name="CNPJ")),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="bindings",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("person", "party"), name="web_binding_once"),
                    models.CheckConstraint(
                        condition=models.Q(("party__regex", "^[0-9A-Z]{12}[0-9]{2}$")),
                        name="web_binding_cnpj",
                    ),
                ],
            },
        ),
    ]

"""The first answer to each named request of a program, so that a repeated one changes nothing."""

import django.db.models.deletion
from django.db import migrations, models

_POLICIES = """
ALTER TABLE lastro.web_apianswer ENABLE ROW LEVEL SECURITY;
CREATE POLICY apianswer_seen ON lastro.web_apianswer
    USING (EXISTS (SELECT FROM lastro.web_apikey k WHERE k.id = key_id));
"""


class Migration(migrations.Migration):
    dependencies = [("web", "0009_company_scopes")]  # noqa: RUF012

    operations = [  # noqa: RUF012
        migrations.CreateModel(
            name="ApiAnswer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=80)),
                ("digest", models.CharField(max_length=64)),
                ("status", models.IntegerField(null=True)),
                ("body", models.BinaryField(default=b"")),
                ("kind", models.CharField(default="", max_length=100)),
                ("at", models.DateTimeField(auto_now_add=True)),
                (
                    "key",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="answers",
                        to="web.apikey",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=["key", "name"], name="web_apianswer_once"),
                ],
            },
        ),
        migrations.RunSQL(_POLICIES, migrations.RunSQL.noop),
    ]

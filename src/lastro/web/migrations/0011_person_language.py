"""The language in which a person chose to read; empty where they chose none."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("web", "0010_api_answers")]  # noqa: RUF012

    operations = [  # noqa: RUF012
        migrations.AddField("person", "language", models.CharField(default="", max_length=5)),
    ]

"""By which name of the provider a person comes in, as a keyed digest."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("web", "0005_notices")]  # noqa: RUF012

    operations = [  # noqa: RUF012
        migrations.AddField("person", "sign_on", models.CharField(default="", max_length=64)),
    ]

"""The roles of the desks that came later: the application says which there are, the column holds a name."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("web", "0001_people_and_jobs")]  # noqa: RUF012

    operations = [  # noqa: RUF012
        migrations.AlterField("person", "role", models.CharField(max_length=20, verbose_name="papel")),
    ]

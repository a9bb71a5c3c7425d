"""Delegations, the trail of what people did, and rows that the database hides from everybody else."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

_POLICIES = """
CREATE FUNCTION lastro.sees_row(party text, person bigint) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT coalesce(current_setting('lastro.sees', true) = '*', false)
        OR coalesce(lastro.sees(party), false) OR coalesce(lastro.sees('p:' || person), false)
$$;
GRANT EXECUTE ON FUNCTION lastro.sees_row TO lastro_app;
COMMENT ON FUNCTION lastro.sees_row IS 'Whether this connection acts for that party or person, or for all.';

ALTER TABLE lastro.web_job ENABLE ROW LEVEL SECURITY;
CREATE POLICY job_seen ON lastro.web_job
    USING (lastro.sees_row(party, CASE WHEN party = '' THEN person_id END));
ALTER TABLE lastro.web_jobfile ENABLE ROW LEVEL SECURITY;
CREATE POLICY jobfile_seen ON lastro.web_jobfile
    USING (EXISTS (SELECT FROM lastro.web_job j WHERE j.id = job_id));

ALTER TABLE lastro.web_apikey ENABLE ROW LEVEL SECURITY;
CREATE POLICY apikey_seen ON lastro.web_apikey USING (lastro.sees_row(party, person_id));

ALTER TABLE lastro.web_binding ENABLE ROW LEVEL SECURITY;
CREATE POLICY binding_read ON lastro.web_binding FOR SELECT USING (lastro.sees_row(party, person_id));
CREATE POLICY binding_add ON lastro.web_binding FOR INSERT WITH CHECK (lastro.sees_row(NULL, NULL));
CREATE POLICY binding_change ON lastro.web_binding FOR UPDATE USING (lastro.sees_row(NULL, NULL));
CREATE POLICY binding_end ON lastro.web_binding FOR DELETE USING (lastro.sees_row(NULL, NULL));

ALTER TABLE lastro.web_delegation ENABLE ROW LEVEL SECURITY;
CREATE POLICY delegation_read ON lastro.web_delegation FOR SELECT USING (lastro.sees_row(party, to_id));
CREATE POLICY delegation_add ON lastro.web_delegation FOR INSERT WITH CHECK (lastro.sees_row(party, NULL));
CREATE POLICY delegation_change ON lastro.web_delegation FOR UPDATE USING (lastro.sees_row(party, to_id));
CREATE POLICY delegation_end ON lastro.web_delegation FOR DELETE USING (lastro.sees_row(NULL, NULL));

SELECT lastro.only_add('lastro.web_trail');
ALTER TABLE lastro.web_trail ENABLE ROW LEVEL SECURITY;
CREATE POLICY trail_read ON lastro.web_trail FOR SELECT USING (lastro.sees_row(party, person));
CREATE POLICY trail_add ON lastro.web_trail FOR INSERT WITH CHECK (lastro.sees_row(party, person));
"""


class Migration(migrations.Migration):
    dependencies = [("web", "0003_api_keys"), ("store", "0013_filings")]  # noqa: RUF012

    operations = [  # noqa: RUF012
        migrations.CreateModel(
            name="Delegation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("party", models.CharField(max_length=14)),
                ("scopes", models.JSONField(default=list)),
                ("until", models.DateField()),
                ("made_at", models.DateTimeField(auto_now_add=True)),
                ("revoked_at", models.DateTimeField(null=True)),
                ("revoked_by", models.CharField(default="", max_length=254)),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="given",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "to",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="received",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("party__regex", "^[0-9A-Z]{12}[0-9]{2}$")),
                        name="web_delegation_cnpj",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Trail",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True)),
                ("person", models.BigIntegerField(null=True)),
                ("email", models.CharField(max_length=254)),
                ("party", models.CharField(default="", max_length=14)),
                ("behalf", models.CharField(default="", max_length=254)),
                ("key", models.CharField(default="", max_length=12)),
                ("act", models.CharField(max_length=80)),
                ("kind", models.CharField(default="", max_length=20)),
                ("record", models.CharField(default="", max_length=200)),
                ("status", models.IntegerField()),
                ("origin", models.CharField(default="", max_length=16)),
            ],
            options={
                "indexes": [
                    models.Index(fields=["kind", "record"], name="web_trail_record"),
                    models.Index(fields=["party", "at"], name="web_trail_party"),
                ],
            },
        ),
        migrations.RunSQL(_POLICIES, migrations.RunSQL.noop),
    ]

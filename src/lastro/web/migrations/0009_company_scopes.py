"""What one right opened is three more now; who was lent it keeps all that it granted."""

from django.db import migrations

_KEEP = """
UPDATE lastro.web_delegation SET scopes = scopes || '["company.join", "company.papers", "fee.file"]'::jsonb
 WHERE scopes @> '["company.declare"]'::jsonb AND NOT scopes @> '["company.join"]'::jsonb;
"""


class Migration(migrations.Migration):
    dependencies = [("web", "0008_hidden_notices")]  # noqa: RUF012

    operations = [migrations.RunSQL(_KEEP, migrations.RunSQL.noop)]  # noqa: RUF012

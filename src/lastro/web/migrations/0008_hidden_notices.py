"""Notices, addresses that are called and their calls are hidden from everybody else too."""

from django.db import migrations

_POLICIES = """
ALTER TABLE lastro.web_notice ENABLE ROW LEVEL SECURITY;
CREATE POLICY notice_seen ON lastro.web_notice USING (lastro.sees_row(NULL, person_id));
ALTER TABLE lastro.web_hook ENABLE ROW LEVEL SECURITY;
CREATE POLICY hook_seen ON lastro.web_hook USING (lastro.sees_row(party, NULL));
ALTER TABLE lastro.web_call ENABLE ROW LEVEL SECURITY;
CREATE POLICY call_seen ON lastro.web_call
    USING (EXISTS (SELECT FROM lastro.web_hook h WHERE h.id = hook_id));
"""


class Migration(migrations.Migration):
    dependencies = [("web", "0007_passkeys")]  # noqa: RUF012

    operations = [migrations.RunSQL(_POLICIES, migrations.RunSQL.noop)]  # noqa: RUF012

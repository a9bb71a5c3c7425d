from lastro.stores.postgres.steps import step

Migration = step("0012_days", after="0011_companies")

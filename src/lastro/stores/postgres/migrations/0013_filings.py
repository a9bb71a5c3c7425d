from lastro.stores.postgres.steps import step

Migration = step("0013_filings", after="0012_days")

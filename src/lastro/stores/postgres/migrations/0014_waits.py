from lastro.stores.postgres.steps import step

Migration = step("0014_waits", after="0013_filings")

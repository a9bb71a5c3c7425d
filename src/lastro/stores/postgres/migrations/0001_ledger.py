from lastro.stores.postgres.steps import step

Migration = step("0001_ledger")

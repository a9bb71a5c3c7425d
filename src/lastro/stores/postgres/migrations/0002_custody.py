from lastro.stores.postgres.steps import step

Migration = step("0002_custody", after="0001_ledger")

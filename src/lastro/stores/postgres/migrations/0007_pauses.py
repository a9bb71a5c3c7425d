from lastro.stores.postgres.steps import step

Migration = step("0007_pauses", after="0006_fetched")

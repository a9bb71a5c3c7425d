from lastro.stores.postgres.steps import step

Migration = step("0006_fetched", after="0005_reports")

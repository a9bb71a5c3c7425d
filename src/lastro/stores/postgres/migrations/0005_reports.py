from lastro.stores.postgres.steps import step

Migration = step("0005_reports", after="0004_certificates")

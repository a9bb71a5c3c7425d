from lastro.stores.postgres.steps import step

Migration = step("0004_certificates", after="0003_registry")

from lastro.stores.postgres.steps import step

Migration = step("0003_registry", after="0002_custody")

from lastro.stores.postgres.steps import step

Migration = step("0021_public_log", after="0020_hub")

from lastro.stores.postgres.steps import step

Migration = step("0020_hub", after="0019_stale_lots")

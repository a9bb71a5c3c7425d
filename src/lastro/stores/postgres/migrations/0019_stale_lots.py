from lastro.stores.postgres.steps import step

Migration = step("0019_stale_lots", after="0018_fall_marks")

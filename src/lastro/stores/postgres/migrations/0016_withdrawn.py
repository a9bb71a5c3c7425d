from lastro.stores.postgres.steps import step

Migration = step("0016_withdrawn", after="0015_slips")

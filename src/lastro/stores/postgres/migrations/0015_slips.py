from lastro.stores.postgres.steps import step

Migration = step("0015_slips", after="0014_waits")

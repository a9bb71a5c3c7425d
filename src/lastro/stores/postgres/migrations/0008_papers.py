from lastro.stores.postgres.steps import step

Migration = step("0008_papers", after="0007_pauses")

from lastro.stores.postgres.steps import step

Migration = step("0009_chain", after="0008_papers")

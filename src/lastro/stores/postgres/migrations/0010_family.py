from lastro.stores.postgres.steps import step

Migration = step("0010_family", after="0009_chain")

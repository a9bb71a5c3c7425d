from lastro.stores.postgres.steps import step

Migration = step("0017_certificate_life", after="0016_withdrawn")

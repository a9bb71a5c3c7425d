from lastro.stores.postgres.steps import step

Migration = step("0011_companies", after="0010_family")

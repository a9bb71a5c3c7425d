from lastro.stores.postgres.steps import step

Migration = step("0018_fall_marks", after="0017_certificate_life")

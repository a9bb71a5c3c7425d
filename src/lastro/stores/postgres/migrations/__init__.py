"""The tables and functions of the store, one numbered step after another.

To add a step: `000N_name.sql` (schema `lastro` is on the search path; call `only_add('table')` on every table
of evidence) and `000N_name.py` with two lines:

    from lastro.stores.postgres.steps import step
    Migration = step("000N_name", after="000M_name")
"""

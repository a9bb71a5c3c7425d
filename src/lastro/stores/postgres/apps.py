"""The Django app that the migrations belong to."""

from django.apps import AppConfig


class StoreConfig(AppConfig):
    """The store, as Django names it."""

    name = "lastro.stores.postgres"
    label = "store"

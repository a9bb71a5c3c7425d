"""The Django app of people, their work in the background, and the pages."""

from __future__ import annotations

from django.apps import AppConfig


class WebConfig(AppConfig):
    """The web application, as Django names it."""

    name = "lastro.web"
    label = "web"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """From the first connection on a database knows whose rows to show; a log-in brings its language."""
        from lastro.web import language, rows

        rows.watch_connections()
        language.watch_log_ins()

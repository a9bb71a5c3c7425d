"""How Django is set up: by values handed in when the program starts, not by a file of settings to edit."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import django
from django.conf import settings

from lastro.errors import LastroError
from lastro.stores.postgres.migrate import django_database
from lastro.web.logs import LOGGING

_HERE = Path(__file__).parent

APPS = (
    "lastro.stores.postgres.apps.StoreConfig",
    "lastro.web.apps.WebConfig",
    "django.contrib.contenttypes",
    "django.contrib.auth",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_otp",
    "django_otp.plugins.otp_totp",
    "axes",
)

MIDDLEWARE = (
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "lastro.web.middleware.closed_pages",
    "lastro.web.language.spoken",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django_otp.middleware.OTPMiddleware",
    "lastro.web.rows.bounded",
    "lastro.web.trail.kept",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "axes.middleware.AxesMiddleware",
    "lastro.web.middleware.forms_lead_back",
    "lastro.web.middleware.readable_requests",
    "lastro.web.errors.SetUpWrong",
    "lastro.web.api.once.answered",
)


@dataclass(frozen=True)
class Site:
    """Where the application stands and how it was asked to run.

    `today` fixes the day (demonstrations, tests); None reads the calendar at each request. `demo` shows the
    second factor's code on the page that asks for it: only for an invented world.
    """

    data: Path
    public_url: str = "http://127.0.0.1:8000"
    hosts: tuple[str, ...] = ()
    today: date | None = None
    demo: bool = False
    secret: str = field(default="", repr=False)


_DEMO = "demonstracao"


def mark_demo(site: Site) -> None:
    """Write into a data folder that it holds a demonstration, and the day that it runs on."""
    (site.data / _DEMO).write_text(site.today.isoformat() if site.today else "", "ascii")


def demo_of(data: Path) -> tuple[bool, date | None]:
    """Whether a data folder holds a demonstration, and the day that it runs on if one is fixed."""
    try:
        said = (data / _DEMO).read_text("ascii").strip()
        return True, date.fromisoformat(said) if said else None
    except FileNotFoundError:
        return False, None
    except ValueError:
        return True, None


def public_url(default: str) -> str:
    """Where people outside reach the pages: LASTRO_PUBLIC_URL, or the local address (decision 20)."""
    return (os.environ.get("LASTRO_PUBLIC_URL") or default).rstrip("/")


def secret_of(data: Path) -> str:
    """The key that signs sessions, made once for a data folder and read by its owner alone."""
    folder = data / "keys"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / "web-secret"
    try:
        fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return path.read_text("ascii").strip()
    with os.fdopen(fd, "w") as out:
        secret = secrets.token_urlsafe(64)
        out.write(secret)
    return secret


def configure(conninfo: str, site: Site) -> None:
    """Set Django up for this process, once; a second call with the same process changes nothing."""
    if not settings.configured:
        settings.configure(**_values(conninfo, site))
        django.setup()


def _values(conninfo: str, site: Site) -> dict[str, Any]:
    address = urlsplit(site.public_url)
    return {
        "LASTRO": site,
        "SECRET_KEY": site.secret or secret_of(site.data),
        "DATABASES": {"default": django_database(conninfo)},
        "INSTALLED_APPS": list(APPS),
        "MIDDLEWARE": list(MIDDLEWARE),
        "ROOT_URLCONF": "lastro.web.urls",
        "ALLOWED_HOSTS": ["127.0.0.1", "localhost", "[::1]", address.hostname or "localhost", *site.hosts],
        "CSRF_TRUSTED_ORIGINS": [site.public_url],
        "TEMPLATES": [_TEMPLATES],
        "DEFAULT_AUTO_FIELD": "django.db.models.BigAutoField",
        "LOGGING": LOGGING,
        "USE_TZ": True,
        "TIME_ZONE": "America/Cuiaba",
        "LANGUAGE_CODE": "pt-br",
        "LANGUAGES": [("pt-br", "Português"), ("en", "English")],
        "FORMAT_MODULE_PATH": "lastro.web.formats",
        "USE_THOUSAND_SEPARATOR": False,
        **_STATIC,
        **_LOG_IN,
        **_uploads(),
        **_mail(os.environ.get("LASTRO_EMAIL_URL", ""), address.hostname or "localhost"),
        **sign_on(os.environ),
        **_transport(secure=address.scheme == "https"),
    }


_TEMPLATES = {
    "BACKEND": "django.template.backends.django.DjangoTemplates",
    "OPTIONS": {
        "context_processors": [
            "django.template.context_processors.request",
            "django.contrib.messages.context_processors.messages",
            "lastro.web.context.everywhere",
        ],
        "builtins": ["lastro.web.tags.shown"],
        "loaders": [
            (
                "lastro.web.translating.Loader",
                [("django.template.loaders.filesystem.Loader", [str(_HERE / "templates")])],
            )
        ],
        "libraries": {"shown": "lastro.web.tags.shown"},
    },
}

_STATIC = {
    "STATIC_URL": "/static/",
    "STATICFILES_DIRS": [str(_HERE / "static")],
    "WHITENOISE_USE_FINDERS": True,
    "WHITENOISE_AUTOREFRESH": False,
    "WHITENOISE_MAX_AGE": 3600,
}

_VALIDATION = "django.contrib.auth.password_validation"

_LOG_IN: dict[str, Any] = {
    "AUTH_USER_MODEL": "web.Person",
    "AUTHENTICATION_BACKENDS": [
        "axes.backends.AxesStandaloneBackend",
        "django.contrib.auth.backends.ModelBackend",
    ],
    "AUTH_PASSWORD_VALIDATORS": [
        {"NAME": f"{_VALIDATION}.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
        {"NAME": f"{_VALIDATION}.CommonPasswordValidator"},
        {"NAME": f"{_VALIDATION}.UserAttributeSimilarityValidator"},
    ],
    "LOGIN_URL": "login",
    "LOGIN_REDIRECT_URL": "home",
    "SESSION_COOKIE_AGE": 8 * 3600,
    "SESSION_COOKIE_NAME": "lastro_sessao",
    "CSRF_COOKIE_NAME": "lastro_csrf",
    "CSRF_COOKIE_HTTPONLY": True,
    "CSRF_FAILURE_VIEW": "lastro.web.errors.csrf",
    "OTP_TOTP_ISSUER": "Lastro",
    "OTP_TOTP_THROTTLE_FACTOR": 1,
    "AXES_FAILURE_LIMIT": 5,
    "AXES_COOLOFF_TIME": 0.25,  # hours
    "AXES_LOCKOUT_PARAMETERS": [["username", "ip_address"]],
    "AXES_LOCKOUT_CALLABLE": "lastro.web.errors.locked_out",
    "AXES_WHITELIST_CALLABLE": "lastro.web.single_sign_on.comes_by_provider",
    "AXES_USERNAME_FORM_FIELD": "username",
    "AXES_RESET_ON_SUCCESS": True,
    "AXES_VERBOSE": False,
    "AXES_ENABLE_ACCESS_FAILURE_LOG": False,
    "AXES_DISABLE_ACCESS_LOG": True,
}


_ENDPOINTS = ("AUTHORIZATION", "TOKEN", "JWKS", "USER")


def sign_on(said: Mapping[str, str]) -> dict[str, Any]:
    """The settings of a provider, from LASTRO_OIDC_…; nothing where none is named.

    ISSUER, CLIENT_ID and CLIENT_SECRET are needed, and the addresses AUTHORIZATION, TOKEN, JWKS and USER.
    Raises LastroError naming what lacks.
    """
    found = {
        name: said.get(f"LASTRO_OIDC_{name}", "")
        for name in ("ISSUER", "CLIENT_ID", "CLIENT_SECRET", *_ENDPOINTS)
    }
    if not any(found.values()):
        return {}
    lacks = [f"LASTRO_OIDC_{name}" for name, value in found.items() if not value]
    if lacks:
        raise LastroError(f"Para entrar por outro provedor falta dizer {', '.join(lacks)}.")
    return {
        "LASTRO_OIDC_ISSUER": found["ISSUER"],
        "LASTRO_OIDC_NAME": said.get("LASTRO_OIDC_NAME", "gov.br"),
        "OIDC_RP_CLIENT_ID": found["CLIENT_ID"],
        "OIDC_RP_CLIENT_SECRET": found["CLIENT_SECRET"],
        "OIDC_OP_AUTHORIZATION_ENDPOINT": found["AUTHORIZATION"],
        "OIDC_OP_TOKEN_ENDPOINT": found["TOKEN"],
        "OIDC_OP_JWKS_ENDPOINT": found["JWKS"],
        "OIDC_OP_USER_ENDPOINT": found["USER"],
        "OIDC_RP_SIGN_ALGO": "RS256",
        "OIDC_RP_SCOPES": "openid email profile",
        "OIDC_USE_PKCE": True,
        "OIDC_TOKEN_USE_BASIC_AUTH": True,
        "OIDC_TIMEOUT": 20,
        "OIDC_AUTHENTICATION_CALLBACK_URL": "single-sign-on-back",
        "LOGIN_REDIRECT_URL_FAILURE": "/entrar/",
        "AUTHENTICATION_BACKENDS": [*_LOG_IN["AUTHENTICATION_BACKENDS"], "lastro.web.single_sign_on.Backend"],
    }


def _mail(url: str, host: str) -> dict[str, Any]:
    """How e-mail leaves: by a server (smtp://user:password@host:port, smtps:// for TLS from the start),
    or onto the worker's own output where none is named.
    """
    sender = {"DEFAULT_FROM_EMAIL": os.environ.get("LASTRO_EMAIL_FROM", f"lastro@{host}")}
    if not url:
        return {"EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend", **sender}
    parts = urlsplit(url)
    if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
        raise LastroError("LASTRO_EMAIL_URL é como smtp://usuario:senha@servidor:587 ou smtps://…:465.")
    return {
        "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": parts.port or (465 if parts.scheme == "smtps" else 587),
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_SSL": parts.scheme == "smtps",
        "EMAIL_USE_TLS": parts.scheme == "smtp",
        "EMAIL_TIMEOUT": 20,
        **sender,
    }


def _uploads() -> dict[str, Any]:
    return {
        "DATA_UPLOAD_MAX_MEMORY_SIZE": 2 * 1024 * 1024,  # forms; files are apart
        "FILE_UPLOAD_MAX_MEMORY_SIZE": 5 * 1024 * 1024,
        "DATA_UPLOAD_MAX_NUMBER_FILES": 200,
        "LASTRO_MOST_UPLOAD_BYTES": 100 * 1024 * 1024,
    }


def _transport(*, secure: bool) -> dict[str, Any]:
    """Where people come over https nothing travels without it."""
    return {
        "SECURE_CONTENT_TYPE_NOSNIFF": True,
        "SECURE_REFERRER_POLICY": "same-origin",
        "SECURE_CROSS_ORIGIN_OPENER_POLICY": "same-origin",
        "X_FRAME_OPTIONS": "DENY",
        "SESSION_COOKIE_HTTPONLY": True,
        "SESSION_COOKIE_SAMESITE": "Lax",
        "SESSION_COOKIE_SECURE": secure,
        "CSRF_COOKIE_SECURE": secure,
        "SECURE_PROXY_SSL_HEADER": ("HTTP_X_FORWARDED_PROTO", "https") if secure else None,
        "SECURE_HSTS_SECONDS": 31_536_000 if secure else 0,
    }

"""All settings, from the environment, safe by default. `make run` sets POTLINE_DEMO=1; nothing else needs a variable.

docs/operations.md lists the variables. Where no database is named, the one started by config.local.servers is used.
"""

from __future__ import annotations

import json
import os
import secrets
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

from psycopg.conninfo import conninfo_to_dict

from config.kit import languages, logs
from config.kit.database import limits_named, read_limits, session_name
from config.kit.problems import MAX_BODY_BYTES

BASE_DIR = Path(__file__).resolve().parent.parent
# Files that Potline keeps: the ledger's seals and exports, and the embedded servers' data.
VAR_DIR = Path(os.environ.get("POTLINE_VAR") or BASE_DIR / "var").resolve()


def _flag(name: str, default: bool = False) -> bool:
    value = os.environ.get(name, "").strip().lower()
    if value in {"1", "true", "yes", "on"}:
        return True
    if value in {"0", "false", "no", "off"}:
        return False
    if value:
        raise ValueError(f"{name} must be 1 or 0, not {value!r}.")
    return default


def _items(name: str, default: str = "") -> list[str]:
    return [item.strip() for item in os.environ.get(name, default).split(",") if item.strip()]


def _held_keys(text: str) -> dict[str, list[bytes]]:
    try:
        found = json.loads(text or "{}")
        return {purpose: [bytes.fromhex(key) for key in keys] for purpose, keys in found.items()}
    except (ValueError, TypeError, AttributeError):
        raise ValueError("POTLINE_KEYS must be what `manage.py hand_out_keys signs` prints.") from None


# Which process this is; config.asgi and config.workers say so before they load this file.
PROCESS = os.environ.get("POTLINE_PROCESS", "command")


def _database(url: str) -> dict[str, Any]:
    parts = {key: str(value) for key, value in conninfo_to_dict(url).items()}
    names = {"NAME": "dbname", "USER": "user", "PASSWORD": "password", "HOST": "host", "PORT": "port"}
    database: dict[str, Any] = {key: parts.pop(part, "") for key, part in names.items()}
    # The statements of config.kit.fastsql.statements are planned once a session. Left to itself PostgreSQL plans some
    # of them with every call, for the values at hand: longer than they run.
    planned_once = f"{parts.pop('options', '')} -c plan_cache_mode=force_generic_plan".strip()
    return database | {"ENGINE": "config.postgresql", "OPTIONS": {**parts, "options": planned_once}}


# DEMO is the casino that `make run` shows: plain HTTP on this machine, documented log-ins, pretty logs. Tests run so.
DEMO = _flag("POTLINE_DEMO", default="PYTEST_VERSION" in os.environ)
DEBUG = _flag("POTLINE_DEBUG")
JSON_LOGS = _flag("POTLINE_JSON_LOGS", default=not DEMO)
LOG_LEVEL = os.environ.get("POTLINE_LOG_LEVEL", "INFO").upper()
LOGGING = logs.configure(json=JSON_LOGS, level=LOG_LEVEL)

# Without a key a command makes one for itself; servers must share one and do not start. `make run` keeps one in var/.
SECRET_KEY_GIVEN = bool(os.environ.get("POTLINE_SECRET_KEY"))
SECRET_KEY = os.environ.get("POTLINE_SECRET_KEY") or secrets.token_urlsafe(64)
SECRET_KEY_FALLBACKS = _items("POTLINE_SECRET_KEY_FALLBACKS")
# By purpose, where a process holds these and not the secret (config.kit.keys).
HELD_KEYS = {} if SECRET_KEY_GIVEN else _held_keys(os.environ.get("POTLINE_KEYS", ""))
ALLOWED_HOSTS = _items("POTLINE_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = _items("POTLINE_ORIGINS")
CSRF_FAILURE_VIEW = "config.kit.errors.csrf_failure"

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "channels",
    "config",  # before pgtrigger: what it patches there is in force when that is ready
    "pgtrigger",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "people",
    "ledger",
    "jackpots",
    "tables",
]

MIDDLEWARE = [
    "config.kit.http.middleware.request_id_middleware",
    "config.kit.languages.language_middleware",
    "config.kit.problems.problem_middleware",
    "django.middleware.security.SecurityMiddleware",
    "config.kit.http.middleware.content_security_policy_middleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "people.log_ins.sessions.LogInMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "config.kit.errors.RefusalMiddleware",
]

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "config" / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "people.pages.page_context.here",
            ],
        },
    }
]

# --- PostgreSQL: the only truth -------------------------------------------------------------------------------
DATABASE_URL = (
    os.environ.get("DATABASE_URL")
    or f"postgresql://potline_owner@/potline?host={quote(f'{BASE_DIR}/var/sockets')}"
)
DATABASES = {"default": _database(DATABASE_URL)}
DATABASE_LIMITS = read_limits(os.environ.get("POTLINE_DATABASE_LIMITS", ""))
# Of the process, given with the connection; config.kit.database sets others where the work at hand asks for them.
if PROCESS != "command":
    _limits = DATABASE_LIMITS[limits_named(PROCESS)]
    DATABASES["default"]["OPTIONS"]["options"] += f" {_limits.as_options()}"
    DATABASES["default"]["OPTIONS"]["application_name"] = session_name(PROCESS, with_secret=SECRET_KEY_GIVEN)
# A pool is opened by the first query of a process, so never before Celery forks (config.celery closes what a
# parent may have opened). Without it, each request opens a connection of its own; a worker keeps one for its jobs.
DATABASE_POOL = _flag("POTLINE_DATABASE_POOL", default=PROCESS in ("web", "signs"))
DATABASE_POOL_SIZE = int(os.environ.get("POTLINE_DATABASE_POOL_SIZE", "24"))
if PROCESS == "worker" and not DATABASE_POOL:
    DATABASES["default"] |= {"CONN_MAX_AGE": 600, "CONN_HEALTH_CHECKS": True}
if DATABASE_POOL:
    DATABASES["default"]["CONN_HEALTH_CHECKS"] = True  # a restart of PostgreSQL fails no request
    DATABASES["default"]["OPTIONS"]["pool"] = {
        "min_size": 1,
        "max_size": DATABASE_POOL_SIZE,
        "timeout": 5,
        "reconnect_timeout": 2,  # then the next request tries anew, instead of minutes later
    }
# Of a web process's sessions two are for what is no request (signs, error pages, /readyz); of the others terminals and
# pages have a part each, so that neither can take all (config.kit.http.admission).
PAGE_SLOTS = (DATABASE_POOL_SIZE - 2) // 3
# Of one token, or of one address apart from terminals, on the average; five times as many at once
# (config.kit.http.admission).
REQUESTS_A_SECOND = int(os.environ.get("POTLINE_REQUESTS_A_SECOND", "100"))
TERMINAL_SLOTS = DATABASE_POOL_SIZE - 2 - PAGE_SLOTS
if PAGE_SLOTS < 1:
    raise ValueError("POTLINE_DATABASE_POOL_SIZE must be 5 or more.")
# Where a process of their own serves the signs (config.asgi_signs), at the same host: web servers send signs there.
SIGNS_PORT = int(os.environ.get("SIGNS_PORT") or "0")
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Redis: wake-ups and meter frames; losing it loses nothing ------------------------------------------------
REDIS_URL = os.environ.get("REDIS_URL") or f"unix://{quote(f'{BASE_DIR}/var/redis-sockets/redis.sock')}"
BROKER_URL = os.environ.get("BROKER_URL", "")  # RabbitMQ or another Redis; empty means REDIS_URL

# --- People ---------------------------------------------------------------------------------------------------
AUTH_USER_MODEL = "people.User"
PASSWORD_HASHERS = [  # scrypt: memory-hard, and a fifth of PBKDF2's time
    "django.contrib.auth.hashers.ScryptPasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "login"
# An idle log-in ends, and one that is used ends with a long shift (people.log_ins.sessions). Both counts are kept in
# the database: a page that refreshes itself must not renew the first.
IDLE_TIME = timedelta(seconds=int(os.environ.get("POTLINE_IDLE_TIMEOUT_S", "1800")))
LOG_IN_LIFETIME = timedelta(seconds=int(os.environ.get("POTLINE_LOG_IN_LIFETIME_S", "43200")))
SESSION_ENGINE = "people.log_ins.session_store"
SESSION_COOKIE_AGE = int(LOG_IN_LIFETIME.total_seconds())
# Step-up (people.log_ins.proof): before these acts, whoever acts has shown within this time that it is them; for those
# of SECOND_FACTOR_FOR by a code. The demo's people have none.
PROOF_ACTS = ("approve", "pay", "close", "rule", "access")
STEP_UP_TIME = timedelta(seconds=int(os.environ.get("POTLINE_STEP_UP_S", "900")))
SECOND_FACTOR_FOR = _items("POTLINE_SECOND_FACTOR_FOR", "" if DEMO else ",".join(PROOF_ACTS))
if not set(SECOND_FACTOR_FOR) <= {*PROOF_ACTS, "none"}:
    raise ValueError(f"POTLINE_SECOND_FACTOR_FOR must name some of {', '.join(PROOF_ACTS)}, or none.")

# The audit trail leaves the database as it happens (people.audit.shipping): a file of JSON lines, and syslog.
AUDIT_FILE = os.environ.get("POTLINE_AUDIT_FILE", "")
AUDIT_SYSLOG = os.environ.get("POTLINE_AUDIT_SYSLOG", "")
if AUDIT_SYSLOG and not AUDIT_SYSLOG.startswith("/") and not AUDIT_SYSLOG.rpartition(":")[2].isdigit():
    raise ValueError(f"POTLINE_AUDIT_SYSLOG must be a path or host:port, not {AUDIT_SYSLOG!r}.")

# --- Pages, static files, HTTPS -------------------------------------------------------------------------------
LANGUAGE_CODE = languages.ENGLISH
LOCALE_PATHS = [BASE_DIR / "config" / "locale"]
LANGUAGES = languages.found_in(LOCALE_PATHS[0])
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"
STATIC_URL = "/static/"
# `manage.py collectstatic` fills it; the demo serves the files from where they are.
STATIC_ROOT = None if DEMO or DEBUG else os.environ.get("POTLINE_STATIC_ROOT", str(BASE_DIR / "staticfiles"))
STATICFILES_DIRS = [BASE_DIR / "config" / "static"]
WHITENOISE_USE_FINDERS = DEMO or DEBUG
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEMO or DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}
HTTPS = _flag("POTLINE_HTTPS", default=not (DEMO or DEBUG))
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^healthz$", r"^readyz$", r"^metrics$"]
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = HTTPS
# Behind a proxy, uvicorn takes address and scheme from it (FORWARDED_ALLOW_IPS); Django sees the real ones.
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
DATA_UPLOAD_MAX_MEMORY_SIZE = (
    MAX_BODY_BYTES  # config.kit.http.admission has refused larger ones before they are read
)
SESSION_COOKIE_HTTPONLY = True

# --- REST -----------------------------------------------------------------------------------------------------
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["rest_framework.authentication.SessionAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["config.kit.rest.JSONParser"],
    "EXCEPTION_HANDLER": "config.kit.rest.exception_handler",
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "COERCE_DECIMAL_TO_STRING": True,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Potline",
    "DESCRIPTION": "Linked progressive jackpots and table games settled by the rulebook.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "REDOC_DIST": "SIDECAR",
    "SCHEMA_PATH_PREFIX": r"/api/v[0-9]",
    "ENUM_NAME_OVERRIDES": {  # fields of the same name with other choices
        "RulingKind": "jackpots.models.Ruling.Kind",
        "SignLanguage": "jackpots.signs.set_up.LANGUAGE_CHOICES",
        "PayMethod": "jackpots.models.Win.Method",
        "SecondThoughtKind": "jackpots.forms.SECOND_THOUGHTS",
        "WinState": "jackpots.models.Win.State",
    },
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "config.api_docs.api_schema.document_problems",
        "config.api_docs.api_schema.document_operations",
    ],
}

# Where urgent alerts go besides the pages: people.alerts.outbox sends them. A webhook is signed by a secret of its own.
ALERT_MAIL_TO = _items("POTLINE_ALERT_MAIL_TO")
ALERT_MAIL_FROM = os.environ.get("POTLINE_ALERT_MAIL_FROM", "potline@localhost")
ALERT_WEBHOOK = os.environ.get("POTLINE_ALERT_WEBHOOK", "")
ALERT_WEBHOOK_SECRET = os.environ.get("POTLINE_ALERT_WEBHOOK_SECRET", "")
ALERT_LINKS = os.environ.get("POTLINE_ALERT_LINKS", "").rstrip("/")
if ALERT_WEBHOOK and (
    len(ALERT_WEBHOOK_SECRET) < 16 or not ALERT_WEBHOOK.startswith(("https://", "http://"))
):
    raise ValueError(
        "POTLINE_ALERT_WEBHOOK must be an http(s) address, and POTLINE_ALERT_WEBHOOK_SECRET at least 16 characters "
        "that its receiver knows too: without them nobody can tell who sent an alert."
    )
_smtp = urlsplit(os.environ.get("POTLINE_SMTP", "smtp://localhost:25"))
EMAIL_HOST, EMAIL_PORT = _smtp.hostname or "localhost", _smtp.port or 25
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = unquote(_smtp.username or ""), unquote(_smtp.password or "")
EMAIL_USE_SSL, EMAIL_USE_TLS = _smtp.scheme == "smtps", _smtp.scheme == "smtp+starttls"
EMAIL_TIMEOUT = 5

"""The tables of people: who is who and what was decided (core), how people get in (log_ins), programs (credentials),
alerts on their way out (deliveries)."""

from people.models.core import (
    Alert,
    AlertAcknowledgement,
    ApprovalRequest,
    AuditRecord,
    Premises,
    Role,
    RoleGrant,
    Sha256Hex,
    Turn,
    User,
    payload_version,
    validate_time_zone,
)
from people.models.credentials import CREDENTIAL_COLUMNS, Credential
from people.models.deliveries import Delivery
from people.models.log_ins import FailedLogIn, Invitation, LogIn, SecondFactor

__all__ = [
    "CREDENTIAL_COLUMNS",
    "Alert",
    "AlertAcknowledgement",
    "ApprovalRequest",
    "AuditRecord",
    "Credential",
    "Delivery",
    "FailedLogIn",
    "Invitation",
    "LogIn",
    "Premises",
    "Role",
    "RoleGrant",
    "SecondFactor",
    "Sha256Hex",
    "Turn",
    "User",
    "payload_version",
    "validate_time_zone",
]

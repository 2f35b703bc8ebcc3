"""What people fill in: about alerts, approvals, their log-in and other people. REST reads by the same forms."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any
from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from config.kit.forms import AS_IT_IS, MAX_REASON, MoneyField, ReasonField, translated
from people.models import ApprovalRequest, Premises, Role
from people.pages.filters import FilterForm
from rules.rulebooks import BOOKS

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


class DecisionForm(forms.Form):
    decision = forms.ChoiceField(
        choices=[("approve", _("Approve")), ("reject", _("Reject"))],
        error_messages={"required": _("Say whether to approve or to reject.")},
    )
    note = forms.CharField(label=_("Note"), required=False, max_length=MAX_REASON)


class AcknowledgeForm(forms.Form):
    note = forms.CharField(
        label=_("What was seen or done"),
        max_length=MAX_REASON,
        error_messages={"required": _("Say what was seen or done about it: that is what stays on record.")},
    )


class ApprovalSearchForm(FilterForm):
    """What to look for among requests for a second person: `who` asked or decided."""

    what = forms.ChoiceField(label=_("What"), required=False)
    who = forms.CharField(label=_("Person"), required=False, max_length=150)
    premises = forms.ModelChoiceField(
        Premises.objects.none(),
        to_field_name="code",
        label=_("Premises"),
        required=False,
        empty_label=_("all of mine"),
    )
    state = forms.ChoiceField(
        label=_("State"),
        required=False,
        choices=translated([("", gettext_noop("any")), *ApprovalRequest.State.choices]),
    )
    before = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1, widget=forms.HiddenInput)

    def __init__(
        self, *args: Any, premises: QuerySet[Premises], actions: Iterable[tuple[str, str]], **given: Any
    ) -> None:
        super().__init__(*args, **given)
        self.fields["premises"].queryset = premises  # type: ignore[attr-defined]
        self.fields["what"].choices = translated([("", gettext_noop("any")), *actions])  # type: ignore[attr-defined]


class AuditSearchForm(FilterForm):
    """What to look for in the audit trail; what is left empty does not narrow."""

    field_order = ("q", "first", "last")
    q = forms.CharField(label=_("Words"), required=False, max_length=200)
    who = forms.CharField(label=_("Person"), required=False, max_length=150)
    act = forms.CharField(
        label=_("Act begins with"),
        required=False,
        max_length=100,
        widget=forms.TextInput(attrs=AS_IT_IS | {"placeholder": "jackpots.", "autocapitalize": "none"}),
    )
    premises = forms.ModelChoiceField(
        Premises.objects.none(),
        to_field_name="code",
        label=_("Premises"),
        required=False,
        empty_label=_("all of mine"),
    )
    subject = forms.CharField(
        label=_("About"),
        required=False,
        max_length=200,
        widget=forms.TextInput(attrs=AS_IT_IS | {"placeholder": "people.user:7", "autocapitalize": "none"}),
    )
    amount = MoneyField(label=_("Amount"), required=False)
    failed = forms.BooleanField(label=_("Failed log-ins only"), required=False)
    before = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1, widget=forms.HiddenInput)

    def __init__(self, *args: Any, premises: QuerySet[Premises], **given: Any) -> None:
        super().__init__(*args, **given)
        self.fields["premises"].queryset = premises  # type: ignore[attr-defined]


class PremisesForm(forms.Form):
    """Where the person works from now on, and the page to go back to."""

    premises = forms.SlugField(max_length=32)
    next = forms.CharField(required=False, max_length=2_000)


# --- Log-ins --------------------------------------------------------------------------------------------------
MAX_PASSWORD = 200
CODE_ATTRS = {"inputmode": "numeric", "autocomplete": "one-time-code", "autocapitalize": "none"}


def _password(label: StrOrPromise, autocomplete: str, **given: Any) -> forms.CharField:
    widget = forms.PasswordInput(attrs={"autocomplete": autocomplete})
    return forms.CharField(label=label, max_length=MAX_PASSWORD, strip=False, widget=widget, **given)


def _code(label: StrOrPromise, **given: Any) -> forms.CharField:
    return forms.CharField(label=label, max_length=12, widget=forms.TextInput(attrs=CODE_ATTRS), **given)


class NextForm(forms.Form):
    """Where to go on to after a log-in."""

    next = forms.CharField(required=False, max_length=2_000)


class LogInForm(forms.Form):
    username = forms.CharField(
        label=_("User name"),
        max_length=150,
        widget=forms.TextInput(
            attrs={"autocomplete": "username", "autocapitalize": "none", "autofocus": True}
        ),
    )
    password = _password(_("Password"), "current-password")
    code = _code(_("Code of your authenticator, if you have set one up"), required=False)


class ConfirmForm(forms.Form):
    """Who is logged in shows again that it is they: by the password, or by a code of the authenticator."""

    password = _password(_("Password"), "current-password", required=False)
    code = _code(_("Or a code of your authenticator"), required=False)
    next = forms.CharField(required=False, max_length=2_000, widget=forms.HiddenInput)


class SetPasswordForm(forms.Form):
    password = _password(_("New password"), "new-password")
    again = _password(_("The same again"), "new-password")

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or {}
        if given.get("password") != given.get("again"):
            self.add_error("again", _("The two are not the same."))
        return given


class ChangePasswordForm(forms.Form):
    old = _password(_("Password until now"), "current-password")
    new = _password(_("New password"), "new-password")
    again = _password(_("The new one again"), "new-password")

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or {}
        if given.get("new") != given.get("again"):
            self.add_error("again", _("The two are not the same."))
        return given


class CodeForm(forms.Form):
    code = _code(_("The six digits that it shows now"))


class LanguageForm(forms.Form):
    """In which language pages speak to the person, of those there are."""

    # Each by its own name.
    language = forms.ChoiceField(label=_("Language"), required=False, widget=forms.Select(attrs=AS_IT_IS))

    def __init__(self, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        self.fields["language"].choices = [("", _("as the browser asks")), *settings.LANGUAGES]  # type: ignore[attr-defined]


# --- An administrator's -----------------------------------------------------------------------------------------
class RoleForm(forms.Form):
    premises = forms.ModelChoiceField(
        Premises.objects.none(), to_field_name="code", label=_("Premises"), empty_label=None
    )
    role = forms.ChoiceField(choices=translated(Role.choices), label=_("Role"))
    reason = ReasonField(missing="Say why: the second person decides on it.")

    def __init__(self, *args: Any, premises: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        self.fields["premises"].queryset = premises  # type: ignore[attr-defined]


class InviteForm(RoleForm):
    """A person and the first role that is asked for."""

    username = forms.CharField(
        label=_("User name"),
        max_length=150,
        widget=forms.TextInput(attrs={"autocapitalize": "none", "autocomplete": "off"}),
    )
    name = forms.CharField(label=_("Name, as it stands in the audit trail and on slips"), max_length=150)
    field_order = ("username", "name", "premises", "role", "reason")


class WhyForm(forms.Form):
    reason = ReasonField()


class TakeRoleForm(WhyForm):
    premises = forms.SlugField(max_length=32)
    role = forms.ChoiceField(choices=translated(Role.choices))


class LogInsForm(forms.Form):
    log_in = forms.IntegerField(required=False, min_value=1)


# --- Premises ---------------------------------------------------------------------------------------------------
class ChangePremisesForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=150)
    currency = forms.CharField(label=_("Currency, as in ISO 4217 (NZD)"), min_length=3, max_length=3)
    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        choices=[(zone, zone) for zone in sorted(available_timezones())],
        widget=forms.Select(attrs=AS_IT_IS),
    )
    rollover_hour = forms.IntegerField(
        label=_("Hour at which a gaming day begins"), min_value=0, max_value=23, initial=6
    )
    rulebook = forms.ChoiceField(
        label=_("Rulebook"),
        required=False,
        choices=[("", _("games of any")), *((code, book.title) for code, book in BOOKS.items())],
        help_text=_("The code of a rulebook; empty: tables may have the games of any."),
    )
    reason = ReasonField()


class NewPremisesForm(ChangePremisesForm):
    code = forms.SlugField(label=_("Code, for addresses and accounts"), max_length=32)
    reason = ReasonField(missing="Say why: the second person decides on it.")
    field_order = ("code", "name", "currency", "time_zone", "rollover_hour", "rulebook", "reason")


class SetUpForm(NewPremisesForm):
    """An empty installation: its first premises and its first two people."""

    reason = None  # type: ignore[assignment]
    set_up_code = forms.CharField(
        label=_("The code that this machine's command prints"),
        max_length=40,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )
    first_username = forms.CharField(label=_("User name of the administrator"), max_length=150)
    first_name = forms.CharField(label=_("Name of the administrator"), max_length=150)
    second_username = forms.CharField(label=_("User name of the second person"), max_length=150)
    second_name = forms.CharField(label=_("Name of the second person"), max_length=150)
    second_role = forms.ChoiceField(
        label=_("What the second person is"),
        choices=translated((role.value, str(role.label)) for role in (Role.ADMINISTRATOR, Role.FINANCE)),
    )
    field_order = ("set_up_code", *NewPremisesForm.field_order[:-1])

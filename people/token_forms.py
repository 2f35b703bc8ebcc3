"""What people fill in about the token of a program, be it a terminal's or a sign's."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from config.kit.forms import InstantField, ReasonField


class RestrictForm(forms.Form):
    networks = forms.CharField(
        label=_("Only from (addresses or networks such as 10.1.0.0/16; empty: anywhere)"),
        required=False,
        max_length=1_000,
    )
    expires_at = InstantField(
        label=_("Until (empty: without end)"),
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
    )


class RenewForm(forms.Form):
    overlap_hours = forms.IntegerField(
        label=_("Hours in which the old token still holds"), min_value=0, max_value=168
    )


class RevokeForm(forms.Form):
    reason = ReasonField()

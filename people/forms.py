"""What people fill in about alerts and approvals; the REST call of the same verb is read by the same form."""

from __future__ import annotations

from django import forms

from config.forms import MAX_REASON


class DecisionForm(forms.Form):
    decision = forms.ChoiceField(
        choices=[("approve", "Approve"), ("reject", "Reject")],
        error_messages={"required": "Say whether to approve or to reject."},
    )
    note = forms.CharField(label="Note", required=False, max_length=MAX_REASON)


class AcknowledgeForm(forms.Form):
    note = forms.CharField(
        label="What was seen or done",
        max_length=MAX_REASON,
        error_messages={"required": "Say what was seen or done about it: that is what stays on record."},
    )


class PremisesForm(forms.Form):
    """Where the person works from now on, and the page to go back to."""

    premises = forms.SlugField(max_length=32)
    next = forms.CharField(required=False, max_length=2_000)

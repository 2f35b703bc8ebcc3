"""What is left to do until the tables of new premises can open, for the administrator's home page."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext, ngettext

from people.models import Premises
from people.premises.first_steps import FirstStep
from tables.chips import cage
from tables.floor.set_up import NEW_TABLE, waiting
from tables.models import Round, Table


def has_played(premises: Premises) -> str:
    return "its tables have played." if Round.objects.filter(table__premises=premises).exists() else ""


def tables_of(premises: Premises) -> FirstStep:
    count, asked = Table.objects.filter(premises=premises).count(), len(waiting(premises, NEW_TABLE))
    about = ngettext("%(count)d table", "%(count)d tables", count) % {"count": count}
    if asked:
        more = gettext("%(count)d that another person has to approve") % {"count": asked}
        about = gettext("%(some)s, and %(more)s") % {"some": about, "more": more}
    return FirstStep(gettext("Set up tables"), f"{about}.", reverse("set-up-floor"), bool(count))


def cage_of(premises: Premises) -> FirstStep:
    """Without money no jackpot is paid out of the cage, and no opener comes from it."""
    about = gettext("It has no money yet: enter what it opens with.")
    done = cage.is_opened(premises)
    if done:
        about = gettext("It has money.")
    elif cage.waiting(premises):
        about = gettext("What it opens with waits for another person's approval.")
    return FirstStep(gettext("Fund the cage"), about, reverse("cage", args=[premises.code]), done)


def terminals_of(premises: Premises) -> FirstStep:
    tables = Table.objects.filter(premises=premises)
    without = tables.exclude(terminals__revoked_at__isnull=True, terminals__isnull=False)
    codes = ", ".join(without.order_by("code").values_list("code", flat=True)[:5])
    about = gettext("Each table has one.")
    if codes:
        about = gettext("None yet for %(tables)s.") % {"tables": codes}
    done = not codes and tables.exists()
    return FirstStep(gettext("Issue terminals"), about, reverse("set-up-floor"), done)

"""What the ledger hands upward at start: append-only tables, navigation, two-person actions."""

from django.utils.translation import gettext_noop

from config.kit.triggers import append_only, sealed
from ledger import console, finding, rights  # noqa: F401
from ledger.books import canon
from ledger.close import closing, dues, reconciliation  # noqa: F401
from ledger.models import Epoch, GamingDay, MonthMove, OpenItem, Step
from ledger.queries import today_since
from ledger.reports import sources  # noqa: F401
from ledger.verify import books, entries, people, put_right, watchdog  # noqa: F401
from people.models import Role
from people.pages import navigation, page_context
from people.premises import premises as people_premises

append_only.register("ledger_account")
sealed.register_class(canon.ENTRIES)
sealed.register(Epoch, "epoch")
sealed.register(MonthMove, "month")
sealed.register(OpenItem, "open item")
sealed.register(Step, "step")
append_only.register("ledger_posting")
append_only.register("ledger_gamingday", may_update=True)
append_only.register("ledger_seal")

DAY_READERS = [Role.FINANCE, Role.AUDITOR, Role.JACKPOT_MANAGER, Role.SUPERVISOR]
BOOK_READERS = [Role.FINANCE, Role.AUDITOR]
navigation.register(
    gettext_noop("Day close"),
    "ledger-days",
    DAY_READERS,
    order=30,
    about=gettext_noop("Gaming days, the checklist of the close, and what was carried over."),
)
navigation.register(
    gettext_noop("Reconciliation"),
    "reconciliation",
    BOOK_READERS,
    order=31,
    about=gettext_noop("Progressives and tables from opening to closing, with every variance named."),
)
navigation.register(
    gettext_noop("Trial balance"),
    "trial-balance",
    BOOK_READERS,
    order=32,
    about=gettext_noop("Every account with its movements."),
)
navigation.register(
    gettext_noop("Journal"),
    "journal",
    BOOK_READERS,
    order=33,
    about=gettext_noop("Search every entry by day, table, jackpot or round."),
)
navigation.register(
    gettext_noop("Exports"),
    "exports",
    BOOK_READERS,
    order=34,
    about=gettext_noop("Files for finance and auditors, with their seal."),
)
navigation.register(
    gettext_noop("Between premises"),
    "dues",
    BOOK_READERS,
    order=35,
    about=gettext_noop("What linked premises owe each other, by pair, and its clearing by two people."),
)
page_context.register_today(today_since)
people_premises.register_use(
    lambda premises: "it has gaming days." if GamingDay.objects.filter(premises=premises).exists() else ""
)

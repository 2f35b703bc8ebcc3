"""The double-entry books: which accounts there are (`chart`), how an entry is written (`journal.post`, `post_many`),
what an account holds (`balances`). Every room that moves money calls `journal`.
"""

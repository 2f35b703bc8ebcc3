"""What all pages share, and Home. The rooms above register their entries here at start.

lists, filters        a list with its filters, its next page and its file (CSV, XLSX)
navigation, console   the menu; Home with what waits and how things stand
references, search    a row that others name has a page and can be found
page_context          person, premises and gaming day of the page
words, documents      the glossary and the documents as pages
"""

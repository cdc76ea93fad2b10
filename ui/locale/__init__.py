"""The message catalogs, one folder a language, and the tools that keep them complete.

`python -m ui.locale update` takes new sentences into the catalogs, `compile` builds what the program reads,
`check` fails if a sentence is missing, untranslated, fuzzy, or names other fields than its English.
"""

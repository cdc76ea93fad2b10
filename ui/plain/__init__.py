"""Plain mode: the whole game by numbered choices and one event a line, for screen readers and poor terminals.

Nothing is ever redrawn, and no control character is written. What a person may do comes from where the
screens have it (`ui.table.situation`, `ui.table.choice`, `ui.table.intent`, `ui.after_deal`), sentences from
`ui.words`. Everything that arrives, lines that are typed and events of the node, stands in one queue
(`dialogue`): so a question that is overtaken by events is asked anew, and an answer never lands elsewhere.
"""

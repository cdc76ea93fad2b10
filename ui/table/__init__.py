"""The card table on the screen: a canvas, the cards on it, and the flow from a key to a move.

Everything but `screen` and `pages` is pure: it takes snapshots and returns pictures or decisions, and knows
no terminal. `ui.app` shows `screen.TableScreen` while a table is being played.
"""

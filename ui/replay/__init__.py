"""A deal that is watched again: a page, its clock, and an app for a file."""

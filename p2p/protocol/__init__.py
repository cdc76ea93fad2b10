"""The protocol, sans-IO: bytes, entries and jobs' results come in, effects go out; no socket, clock, file
or randomness of its own.

From the bottom up: `hashing`, `wire`, `entry`, `proposal`, `deal_terms` are the words; `ledger` is the
verified state of a deal, `judge` judges one entry against it, `deal_steps` takes it over a step, and `deal`
is the machine of one peer; `evidence`, `transcript` and `audit` are for those who were not there. `lobby`,
`table` and `peer` bring people together and drive one deal after another. Nothing is re-exported here, so
that a program that only draws snapshots does not load the cryptography.
"""

"""Peers without a host: the sans-IO protocol (`p2p.protocol`) and what carries it (`p2p.net`)."""

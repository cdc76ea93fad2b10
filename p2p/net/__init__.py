"""What carries the protocol between machines and onto the disk. Nothing is imported here: a command that
needs no network starts without it.

`endpoint` holds the UDP socket and all links; `link` is one QUIC connection with its `hello` and messages
(`link_frames`, `link_heartbeat`, `link_limits`, `link_attempt`, `link_door`, `link_errors`); `quic_socket`,
`quic_tls` and `quic_internals` are what lies below. `discovery` finds peers on the local network, `dialing`
keeps links to them; `interfaces` knows addresses. `store` keeps journal and results, `profile` the identity;
`node` ties all of them to the protocol's core, and `headless` plays without a screen.
"""

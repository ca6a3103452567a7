"""The running house: tables in memory, group commit, leases, recovery, the dealer of virtual shoes, clocks."""

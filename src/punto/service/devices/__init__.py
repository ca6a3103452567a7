"""Card-reading shoes: their line protocol, the port they connect to, and a simulated one."""

"""A house of some tree of Punto, made and served by that tree's own code until the input ends; for `beside.py`.

PYTHONPATH=TREE/src python benchmarks/kept_house.py TREE postgresql 100 7

It prints the port, the process of the service, that of the database, and everybody's token, by table.
"""

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

FREE = {"rate": 1e9, "burst": 10**9, "sockets": 10**6, "connections_by_address": 10**6, "log_level": "error"}
"""Settings under which no limit is met. A tree that does not know one of them leaves it alone."""


def main() -> None:
    tree, kind, tables, patrons = sys.argv[1:]
    sys.path[0] = f"{tree}/benchmarks"
    from service import seed

    from service_process import Service, database  # which the benchmark has put on the path

    with database(kind) as store, TemporaryDirectory() as folder:
        tokens = seed(store.url, int(tables), int(patrons))
        with Service(Path(folder), store.url, **FREE) as up:
            up.start()
            server = 0 if kind == "sqlite" else store._server.get_pid()
            print(json.dumps([up.port, up.pid, server, tokens]), flush=True)
            sys.stdin.read()


if __name__ == "__main__":
    main()

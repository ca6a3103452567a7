"""Makes submissions with two Pythons, and looks whether they are the same but for the page about the environment.

python proofs/pythons.py OTHER [--book commission-insurance]…

OTHER is a Python of another version with the same libraries and this Punto; `make pythons OTHER=…` makes one from the
lock. Every file must have the same bytes but for the manifest, the list of hashes and its signature. Of the manifest
only what it says of Python itself may differ, and of the list only the lines of the manifest.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

BOOKS = ("commission-insurance", "da-hu-ying-xiong")
MANIFEST = {"manifest.html", "manifest.json", "manifest.pdf"}
MAY_DIFFER = MANIFEST | {"SHA256SUMS", "SHA256SUMS.sig"}
GIVEN = ("--issuer", "Example Test House", "--issued", "2026-11-16")


def made(python: str, book: str, folder: Path, key: Path) -> dict[str, bytes]:
    """The files of a submission that one Python makes."""
    command = [python, "-m", "punto", "certify", book, *GIVEN, "--key", str(key), "--pack", str(folder)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def faults(one: dict[str, bytes], other: dict[str, bytes]) -> list[str]:
    """What differs and may not."""
    found = [name for name in sorted({*one, *other} - MAY_DIFFER) if one.get(name) != other.get(name)]
    manifests = [json.loads(each["manifest.json"]) for each in (one, other)]
    for each in manifests:
        del each["environment"]["python"]
    if manifests[0] != manifests[1]:
        found.append("manifest.json, beyond the version of Python")
    listed = [
        [line for line in each["SHA256SUMS"].decode().splitlines() if line.split()[-1] not in MANIFEST]
        for each in (one, other)
    ]
    if listed[0] != listed[1]:
        found.append("SHA256SUMS, beyond the manifest")
    return found


def main() -> int:
    """Make them and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("other", help="another Python")
    parser.add_argument("--book", action="append", default=[])
    asked = parser.parse_args()
    wrong = 0
    with TemporaryDirectory() as folder:
        place = Path(folder)
        key = place / "issuer.key"
        key.write_bytes(bytes(range(32)))
        for book in asked.book or BOOKS:
            one = made(sys.executable, book, place / f"{book}-one", key)
            other = made(asked.other, book, place / f"{book}-other", key)
            differ = [name for name in sorted(one) if one[name] != other.get(name)]
            found = faults(one, other)
            wrong += len(found)
            print(f"{book}: {len(one)} files; {', '.join(differ)} differ; {', '.join(found) or 'nothing'} that may not")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())

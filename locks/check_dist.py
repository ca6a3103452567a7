"""Tries what was built into a folder: `python locks/check_dist.py dist [URL]`.

The wheel holds every file of the package and every scenario; the source archive builds the same wheel; installed into
an environment of its own, at the versions that the lock pins, the command shows a book and plays stories of it. Where
the address of the project is given, its metadata begin their addresses with it; else they have none.
"""

import subprocess
import sys
import tarfile
import tempfile
import zipfile
from email.parser import HeaderParser
from pathlib import Path

ROOT = Path(__file__).parent.parent


def wanted() -> set[str]:
    """The names in the wheel of everything that git has in the package and of the scenarios."""
    listed = subprocess.run(
        ["git", "ls-files", "src/punto", "scenarios"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    return {each.removeprefix("src/") if each.startswith("src/") else f"punto/{each}" for each in listed}


def versions() -> str:
    """The versions that the lock pins, as constraints."""
    lock = (ROOT / "locks/run.txt").read_text()
    return "".join(f"{line.split(' ')[0]}\n" for line in lock.splitlines() if "==" in line and line[0].isalpha())


def addresses(wheel: Path) -> list[str]:
    """The addresses of the project that the metadata of a wheel name."""
    with zipfile.ZipFile(wheel) as archive:
        [name] = (each for each in archive.namelist() if each.endswith(".dist-info/METADATA"))
        told = HeaderParser().parsestr(archive.read(name).decode())
    return [line.partition(", ")[2] for line in told.get_all("Project-URL", [])]


def check(folder: Path, home: str = "") -> None:
    """Stop with a sentence at the first thing that is wrong."""
    [wheel], [source] = folder.glob("*.whl"), folder.glob("*.tar.gz")
    named = addresses(wheel)
    if bool(named) != bool(home) or not all(each.startswith(home) for each in named):
        sys.exit(f"The wheel names {named or 'no address'}, and the address of the project is {home or 'not given'}.")
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    if names != wanted():
        sys.exit(f"The wheel lacks or has too much: {sorted(names ^ wanted())[:10]}")
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        with tarfile.open(source) as archive:
            archive.extractall(work, filter="data")
        [tree] = work.iterdir()
        subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel"], cwd=tree, check=True)
        [again] = (tree / "dist").glob("*.whl")
        if again.read_bytes() != wheel.read_bytes():
            sys.exit("The source archive builds another wheel.")
        subprocess.run([sys.executable, "-m", "venv", str(work / "venv")], check=True)
        (work / "versions.txt").write_text(versions())
        pip = [str(work / "venv/bin/python"), "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
        subprocess.run([*pip, "-c", str(work / "versions.txt"), str(wheel)], check=True)
        punto = str(work / "venv/bin/punto")
        subprocess.run([punto, "--version"], check=True)
        subprocess.run([punto, "show", "wu-song"], check=True, stdout=subprocess.DEVNULL)
        [stories] = (work / "venv/lib").glob("python*/site-packages/punto/scenarios/wu-song")
        subprocess.run([punto, "scenario", "run", str(stories)], check=True, stdout=subprocess.DEVNULL)
    told = "" if home else " They name no address of the project: make dist URL=https://example.org/punto does."
    print(f"{wheel.name} and {source.name} are good.{told}")


if __name__ == "__main__":
    check(Path(sys.argv[1]), *sys.argv[2:])

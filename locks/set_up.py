"""Makes the environment that the Makefile works in, and tells how far it is: `python3 locks/set_up.py .venv run`.

Any Python runs this, also one that is too old for Punto: then it says so, and leaves nothing half-made behind.
"""

import shutil
import subprocess
import sys
from pathlib import Path

FIRST, LAST = (3, 11), (3, 13)
STARTS = ("Collecting ", "Requirement already satisfied: ")
EVERY = 20
"""Where nobody watches a terminal, a line for so many packages."""


def make(folder):
    """Make the environment, unless it is there; one that was not finished is made anew."""
    if (folder / "made.stamp").exists() or (folder / "run.stamp").exists():
        return
    if not FIRST <= sys.version_info[:2] <= LAST:
        told = "{}.{} to {}.{}".format(*FIRST, *LAST)
        mine = "{}.{}".format(*sys.version_info)
        sys.exit(f"Punto needs Python {told}, and this is {mine}: make PYTHON=/path/to/python3.13")
    shutil.rmtree(folder, ignore_errors=True)
    print(f"Making an environment in {folder} …", flush=True)
    done = subprocess.run([sys.executable, "-m", "venv", str(folder)], capture_output=True, text=True)
    if done.returncode:
        shutil.rmtree(folder, ignore_errors=True)
        said = done.stdout + done.stderr
        sys.exit(f"No environment could be made (on Debian: apt-get install python3-venv).\n{said}")
    (folder / "made.stamp").touch()


def pip(folder, *arguments):
    """Install something; what pip says is shown only if it fails."""
    command = [str(folder / "bin/python"), "-m", "pip", "--disable-pip-version-check", "--no-input", "install"]
    watched, begun, said = sys.stdout.isatty(), 0, []
    command += ["--progress-bar", "off", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as running:
        for line in running.stdout:
            said.append(line)
            begun += line.startswith(STARTS)
            if line.startswith(STARTS) and watched:
                package = line.replace("Requirement already satisfied:", "Collecting").split()[1].split("==")[0]
                print(f"\r\033[K  {begun}  {package}", end="", flush=True)
            elif line.startswith(STARTS) and begun % EVERY == 0:
                print(f"  {begun}", flush=True)
    if watched:
        print("\r\033[K", end="", flush=True)
    if running.returncode:
        sys.exit("".join(said[-20:]))


def set_up(folder, lock):
    """The environment, what the lock pins, and Punto itself."""
    make(folder)
    pins = Path(__file__).parent / f"{lock}.txt"
    print("Installing at most {} packages …".format(pins.read_text().count("==")), flush=True)
    pip(folder, "--require-hashes", "-r", str(pins))
    if lock == "run":
        pip(folder, "--no-deps", "--no-build-isolation", "-e", str(Path(__file__).parent.parent))
    (folder / f"{lock}.stamp").touch()


if __name__ == "__main__":
    try:
        set_up(Path(sys.argv[1]), sys.argv[2])
    except KeyboardInterrupt:
        # Whoever pressed Ctrl-C stopped make, too: an error of make's about it would tell them nothing.
        print("\nStopped. The same command goes on from here.")

"""Makes the environment that the Makefile works in, and tells how far it is: `python3 locks/set_up.py .venv run`.

Any Python from 3.6 on runs this. One that is too old for Punto says so, and leaves nothing half-made behind.
"""

import shutil
import subprocess
import sys
import threading
from contextlib import contextmanager
from pathlib import Path

FIRST, LAST = (3, 11), (3, 13)
STARTS = ("Collecting ", "Processing ", "Requirement already satisfied: ")
"""What pip says of every package: that it comes from an index, from a file, or is there already."""
UNPACKS = "Installing collected packages: "
EVERY = 20
"""Where nobody watches a terminal, a line for so many packages."""
LOOKS = 0.2
"""So many seconds apart it is counted how many packages are there already, while pip says nothing."""


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


class Progress:
    """How far an installation is: one line that changes in a terminal, else a line for every twenty packages."""

    def __init__(self):
        self._watched, self._told = sys.stdout.isatty(), 0

    def begin(self, sentence):
        """Say what happens now, and count from nothing."""
        self.over()
        print(sentence, flush=True)
        self._told = 0

    def tell(self, number, what=""):
        """So many packages are done."""
        if self._watched:
            print(f"\r\033[K  {number}  {what}", end="", flush=True)
        elif number // EVERY > self._told // EVERY:
            print(f"  {number}", flush=True)
        self._told = number

    def over(self):
        """Leave an empty line to whoever writes next."""
        if self._watched:
            print("\r\033[K", end="", flush=True)


@contextmanager
def counting(folder, progress):
    """Tell how many packages have come, while pip puts one after the other into its place and says nothing."""
    over = threading.Event()

    def there():
        return len(list(folder.glob("lib/python3*/site-packages/*.dist-info")))

    def look(before):
        while not over.wait(LOOKS):
            progress.tell(max(0, there() - before))

    looking = threading.Thread(target=look, args=[there()])
    looking.start()
    try:
        yield
    finally:
        over.set()
        looking.join()


def pip(folder, *arguments):
    """Install something; what pip says is shown only if it fails."""
    command = [str(folder / "bin/python"), "-m", "pip", "--disable-pip-version-check", "--no-input", "install"]
    progress, begun, said = Progress(), 0, []
    # What is used is compiled when it is first imported: to compile all of it here would take longer than the rest.
    command += ["--progress-bar", "off", "--no-compile", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as running:
        for line in running.stdout:
            said.append(line)
            if line.startswith(STARTS):
                begun += 1
                named = line.replace("Requirement already satisfied:", "Collecting").split()[1]
                progress.tell(begun, named.split("/")[-1].split("==")[0].split("-")[0])
            elif line.startswith(UNPACKS):
                if begun:
                    progress.begin("Installing {} of them …".format(line.count(",") + 1))
                with counting(folder, progress):
                    said.extend(running.stdout)
    progress.over()
    if running.returncode:
        sys.exit("".join(said[-20:]))


def set_up(folder, lock):
    """The environment, what the lock pins, and Punto itself."""
    make(folder)
    pins = Path(__file__).parent / f"{lock}.txt"
    print("Fetching at most {} packages …".format(pins.read_text().count("==")), flush=True)
    pip(folder, "--require-hashes", "-r", str(pins))
    if lock == "run":
        print("Installing Punto itself …", flush=True)
        pip(folder, "--no-deps", "--no-build-isolation", "-e", str(Path(__file__).parent.parent))
    (folder / f"{lock}.stamp").touch()


if __name__ == "__main__":
    try:
        set_up(Path(sys.argv[1]), sys.argv[2])
    except KeyboardInterrupt:
        # Whoever pressed Ctrl-C stopped make, too: an error of make's about it would tell them nothing.
        print("\nStopped. The same command goes on from here.")

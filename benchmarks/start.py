"""How long `punto --help` and `import punto` take, beside a bare Python and one that imports Typer."""

import subprocess
import sys
import time


def best(*command: str) -> float:
    times = []
    for _ in range(7):
        start = time.perf_counter()
        subprocess.run(command, capture_output=True, check=True)
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    answer = best(sys.executable, "-m", "punto", "--help")
    bare = best(sys.executable, "-c", "pass")
    typer = best(sys.executable, "-c", "import typer")
    library = best(sys.executable, "-c", "import punto")
    print(f"import punto: {1000 * (library - bare):.0f} ms more than a bare python (goal 60)")
    print(f"punto --help: {answer:.2f} s (goal 0.30)")
    print(f"  beside it, a bare python {bare:.2f} s, importing Typer {typer:.2f} s; ratio {answer / typer:.1f}")


if __name__ == "__main__":
    main()

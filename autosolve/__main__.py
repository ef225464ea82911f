"""Owns ``python -m autosolve`` and the ``autosolve`` command: it starts the command line and nothing else."""

import sys


def main() -> None:
    """Runs the command line and ends the process with its exit code."""
    from autosolve.cli.main import run_command

    sys.exit(run_command(sys.argv[1:]))


if __name__ == "__main__":
    main()

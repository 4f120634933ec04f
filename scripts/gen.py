#!/usr/bin/env python3
"""Generate SystemVerilog packages, C headers and docs tables from tables/.

    scripts/gen.py common OUTDIR             C headers and docs that do not depend on a configuration
    scripts/gen.py config NAME OUTDIR        packages and config.json of tables/config/NAME.toml; NAME.toml: of a file elsewhere
    scripts/gen.py list                      names of the configurations

Bad input ends with one line that names the file, the line or key, the fault and the remedy, and status 1; nothing is written then.
A file is rewritten only if its content changes, so that nothing is rebuilt without need.
scripts/generate/exports.py lists the files.
"""
import argparse
import pathlib
import sys

from generate import config, exports
from generate.reading import TableError
from generate.tables import Tables

ROOT = pathlib.Path(__file__).resolve().parent.parent


def emit(path, text):
    """Write text to path if that changes it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def generate(arguments):
    tables = Tables(arguments.tables)
    if arguments.command == "list":
        print("\n".join(config.names(tables)))
        return
    files = exports.common(tables) if arguments.command == "common" else exports.of_config(tables, arguments.name)
    for name, text in files.items():
        emit(arguments.out / name, text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=pathlib.Path, default=ROOT / "tables", help="folder that holds the tables (default: %(default)s)")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("common", help="C headers and docs").add_argument("out", type=pathlib.Path)
    one = commands.add_parser("config", help="packages of one configuration")
    one.add_argument("name")
    one.add_argument("out", type=pathlib.Path)
    commands.add_parser("list", help="names of the configurations")
    try:
        generate(parser.parse_args())
    except TableError as error:
        print(f"gen.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

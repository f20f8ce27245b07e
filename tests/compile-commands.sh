#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# compile_commands.json is valid, has an entry for each .c of src/, and its commands compile.
#
# usage: compile-commands.sh     from a built tree
set -u
[ -f Makefile ] || { echo "no Makefile here"; exit 77; }
command -v python3 >/dev/null || { echo "no python3 here"; exit 77; }
top=$(cd "$(dirname "$0")/.." && pwd)
# One that was here before stays.
[ -f compile_commands.json ] || trap 'rm -f compile_commands.json' EXIT
unset MAKEFLAGS MAKELEVEL
${MAKE:-make} -s compile_commands.json || exit 1
python3 -B - "$top" <<'END'
import json, os, shlex, subprocess, sys

top = sys.argv[1]
entries = {entry["file"]: entry for entry in json.load(open("compile_commands.json"))}
sources = [os.path.join(folder, name) for folder, _, names in os.walk(os.path.join(top, "src"))
           for name in names if name.endswith(".c")]
failed = not sources
for source in sources:
    if source not in entries:
        print(source + ": no entry")
        failed = True
# One with the flags of all files, one with those of curses.
for name in "src/base/text.c", "src/term/tty.c":
    entry = entries[os.path.join(top, name)]
    command = shlex.split(entry["command"]) + ["-fsyntax-only"]
    if subprocess.call(command, cwd=entry["directory"]):
        print(name + ": its command fails")
        failed = True
sys.exit(failed)
END

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each number in a sentence of findings, of the verdict, of a comparison and of a gate is true:
# tests/sentences.py computes it again, and knows all forms of sentences.
# usage: sentences.sh [FILE|FOLDER...]      these recordings instead of data and tests/input
set -u
FLAMETTY=${FLAMETTY:-$PWD/flametty}
[ -x "$FLAMETTY" ] || { echo "no program: $FLAMETTY"; exit 99; }
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
top=$(cd "$(dirname "$0")/.." && pwd)
[ $# -gt 0 ] || set -- "$top/data" "$top/tests/input"
exec python3 -B "$top/tests/sentences.py" "$FLAMETTY" "$@"

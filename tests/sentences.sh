#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each number in a sentence of findings, of the verdict, of a comparison and of a gate is true:
# tests/sentences.py computes it again, and knows all forms of sentences.
# usage: sentences.sh [FILE|FOLDER...]      these recordings instead of data and tests/input
. "$(dirname "$0")/lib.sh"
needs python3
[ $# -gt 0 ] || set -- "$top/data" "$top/tests/input"
exec python3 -B "$top/tests/sentences.py" "$FLAMETTY" "$@"

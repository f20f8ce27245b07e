#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# After each `!` the call of what the finding names is selected: tests/walk.py.
# usage: walk.sh [FILE|FOLDER...]      these recordings instead of data
. "$(dirname "$0")/lib.sh"
needs python3
[ $# -gt 0 ] || set -- "$top/data"
exec python3 -B "$top/tests/walk.py" "$FLAMETTY" "$@"

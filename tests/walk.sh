#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# After each `!` the call of what the finding names is selected: tests/walk.py.
# usage: walk.sh [FILE|FOLDER...]      these recordings instead of data
set -u
FLAMETTY=${FLAMETTY:-$PWD/flametty}
[ -x "$FLAMETTY" ] || { echo "no program: $FLAMETTY"; exit 99; }
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
top=$(cd "$(dirname "$0")/.." && pwd)
[ $# -gt 0 ] || set -- "$top/data"
exec python3 -B "$top/tests/walk.py" "$FLAMETTY" "$@"

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Every output is valid in its format, for hostile inputs, too: tests/valid.py parses all of them.
# usage: valid.sh [FILE|FOLDER...]      these files instead of tests/input and its own hostile ones
set -u
FLAMETTY=${FLAMETTY:-$PWD/flametty}
[ -x "$FLAMETTY" ] || { echo "no program: $FLAMETTY"; exit 99; }
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
exec python3 "$(dirname "$0")/valid.py" "$FLAMETTY" "$@"

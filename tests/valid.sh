#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Every output is valid in its format, for hostile inputs, too: tests/valid.py parses all of them.
# usage: valid.sh [FILE|FOLDER...]      these files instead of tests/input and its own hostile ones
. "$(dirname "$0")/lib.sh"
needs python3
exec python3 "$(dirname "$0")/valid.py" "$FLAMETTY" "$@"

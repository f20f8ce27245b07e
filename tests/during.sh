#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Reports with --during have the times that tests/during.py computes from the events of the file.
set -u
FLAMETTY=${FLAMETTY:-$PWD/flametty}
[ -x "$FLAMETTY" ] || { echo "no program: $FLAMETTY"; exit 99; }
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
top=$(cd "$(dirname "$0")/.." && pwd)
exec python3 -B "$top/tests/during.py" "$FLAMETTY" "$top/tests/input/served.json"

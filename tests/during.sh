#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Reports with --during have the times that tests/during.py computes from the events of the file.
. "$(dirname "$0")/lib.sh"
needs python3
exec python3 -B "$top/tests/during.py" "$FLAMETTY" "$top/tests/input/served.json"

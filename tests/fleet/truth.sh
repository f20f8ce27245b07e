#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What is planted in simulated fleets is what `flametty fleet` names: see truth.py. Without arguments
# and ALL_CASES, 5 fleets of each kind instead of 20.
set -u
FLAMETTY=${FLAMETTY:-$PWD/flametty}
[ -x "$FLAMETTY" ] || { echo "no program: $FLAMETTY"; exit 99; }
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
top=$(cd "$(dirname "$0")/../.." && pwd)
[ $# -gt 0 ] || [ -n "${ALL_CASES:-}" ] || set -- 1 5
exec python3 -B "$top/tests/fleet/truth.py" "$FLAMETTY" "$@"

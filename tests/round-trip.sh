#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A CPU profile that was exported as a trace, a .cpuprofile or a profile of pprof has the same figures: tests/round_trip.py.
# usage: round-trip.sh [FILE|FOLDER...]      these instead of tests/input and data
set -u
FLAMETTY=${FLAMETTY:-$PWD/flametty}
[ -x "$FLAMETTY" ] || { echo "no program: $FLAMETTY"; exit 99; }
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
top=$(cd "$(dirname "$0")/.." && pwd)
[ $# -gt 0 ] || set -- "$top/tests/input" "$top/data/http-server" "$top/data/self-profile"
exec python3 -B "$top/tests/round_trip.py" "$FLAMETTY" "$@"

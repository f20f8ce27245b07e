#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A CPU profile that was exported as a trace, a .cpuprofile or a profile of pprof has the same figures: tests/round_trip.py.
# usage: round-trip.sh [FILE|FOLDER...]      these instead of tests/input and data
. "$(dirname "$0")/lib.sh"
needs python3
[ $# -gt 0 ] || set -- "$top/tests/input" "$top/data/http-server" "$top/data/self-profile"
exec python3 -B "$top/tests/round_trip.py" "$FLAMETTY" "$@"

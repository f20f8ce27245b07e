#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Calls of the system and allocations fail, one at a time: tests/faults.py.
#
# usage: faults.sh [--all] [--part I/N] [WORD]     as faults.py has them
# NODE: the node that is recorded, that of PATH by default. Where processes are not recorded, it is left out.
set -u
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
. "$(dirname "$0")/preload.sh"
build_library fail_call.c
build_library fail_alloc.c memory
[ "${RECORDS_PROCESSES:-yes}" = yes ] || NODE=none
export NODE="${NODE:-}"
python3 -B "$top/tests/faults.py" --program "$program" --library "$all/fail.so:$all/memory.so" --top "$top" "$@"

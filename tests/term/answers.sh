#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Answers of a slow terminal: tests/term/answers.py on a terminal of tests/term/terminal.py.
set -u
FLAMETTY=${FLAMETTY:-$PWD/flametty}
[ -x "$FLAMETTY" ] || { echo "no program: $FLAMETTY"; exit 99; }
command -v python3 >/dev/null || { echo "no python3"; exit 77; }
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/flametty.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
cp "$top"/data/http-server/*.cpuprofile "$work/shop.cpuprofile" || exit 99
LC_ALL=C.UTF-8 python3 -B "$top/tests/term/answers.py" "$FLAMETTY" "$work/shop.cpuprofile" "$work"

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Descriptions of terminfo: tests/term/entries.py on terminals of tests/term/terminal.py.
set -u
FLAMETTY=${FLAMETTY:-$PWD/flametty}
[ -x "$FLAMETTY" ] || { echo "no program: $FLAMETTY"; exit 99; }
for tool in python3 tput infocmp; do
	command -v $tool >/dev/null || { echo "no $tool"; exit 77; }
done
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/flametty.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
cp "$top"/data/http-server/*.cpuprofile "$work/shop.cpuprofile" || exit 99
LC_ALL=C.UTF-8 python3 -B "$top/tests/term/entries.py" "$FLAMETTY" "$work/shop.cpuprofile" "$work"

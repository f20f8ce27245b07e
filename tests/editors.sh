#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# `report --format=grep` as editors read it: each line is an entry with a file, a line and a column,
# for every recording of the tests; and where vim is installed, its quickfix list has them all.
. "$(dirname "$0")/lib.sh"
cd "$top" || exit 99
use_work

for file in tests/input/*.cpuprofile data/worker-threads data/http-server; do
	"$FLAMETTY" report --format=grep "$file" 2>"$work/errors" >>"$work/list" ||
		[ -s "$work/errors" ] || bad "$file: fails without a message"
done
n=$(wc -l <"$work/list")
[ "$n" -gt 100 ] || bad "only $n entries"
wrong=$(LC_ALL=C grep -v -c -E '^[^[:cntrl:]]+:[1-9][0-9]*:[1-9][0-9]*: [^[:cntrl:]]+$' "$work/list")
[ "$wrong" = 0 ] || bad "$wrong of $n lines are no entries"
if command -v vim >/dev/null; then
	vim -N -es -u NONE -i NONE -q "$work/list" -c "redir! > $work/seen" \
		-c 'echo len(filter(getqflist(), "v:val.valid && v:val.lnum && v:val.col"))' \
		-c 'redir END' -c 'qa!' </dev/null >/dev/null 2>&1
	[ "$(tr -dc 0-9 <"$work/seen")" = "$n" ] || bad "vim has $(cat "$work/seen") of $n entries"
fi
exit $failed

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A profile from standard input leaves the keyboard to the chart.
. "$(dirname "$0")/lib.sh"

open 120 40
for command in 'cat "$profile" | "$FLAMETTY" -' '"$FLAMETTY" - <"$profile"' 'gzip -c "$profile" | "$FLAMETTY" -'; do
	run "$command"'; echo "status $?"'
	wait_for "$piped_chart"
	keys '?'
	wait_for "$help"
	keys q
	wait_gone "$help"
	keys q
	wait_for 'status 0'
	check_sane
	run clear
	wait_gone 'status 0'
done

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each way to quit leaves the shell and its terminal as they were.
. "$(dirname "$0")/lib.sh"

open 120 40
for quit in q Q C-c "Z Z"; do
	view
	[ "$(tells alternate_on)" = 1 ] || fail "not on the alternate screen"
	# shellcheck disable=SC2086
	keys $quit
	wait_for 'status 0'
	check_sane
	run clear
	wait_gone 'status 0'
done

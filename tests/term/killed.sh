#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A signal that ends the program leaves the terminal as it was.
. "$(dirname "$0")/lib.sh"

open 100 30
for signal in TERM HUP INT QUIT; do
	rm -f "$work/pid"
	run 'sh -c '\''echo $$ >"$work/pid"; exec "$FLAMETTY" "$profile"'\'''
	wait_for "$chart"
	kill -s $signal "$(cat "$work/pid")"
	wait_gone "$chart"
	check_sane
	run clear
	wait_gone 'echo is on'
done

# While the program is stopped, the shell has the terminal.
run 'sh -c '\''echo $$ >"$work/pid"; exec "$FLAMETTY" "$profile"'\'''
wait_for "$chart"
keys C-z
check_sane
kill -s TERM "$(cat "$work/pid")"
kill -s CONT "$(cat "$work/pid")"
# The shell notices the end of the job when it reads the next line.
wait_until '! kill -0 "$(cat "$work/pid")" 2>/dev/null || { keys Enter; false; }' 'the end of the program'
check_sane

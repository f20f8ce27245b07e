#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A recursion of 60,000 levels: Esc and C-c end the opening of all its callers, at any depth.
. "$(dirname "$0")/lib.sh"

deep=$work/deep.cpuprofile
awk -v n=60000 'BEGIN {
	printf "{\"nodes\":["
	for (i = 1; i <= n; i++)
		printf "%s{\"id\":%d,\"callFrame\":{\"functionName\":\"a\",\"url\":\"a.js\"}%s}",
			(i > 1 ? "," : ""), i, (i < n ? ",\"children\":[" i + 1 "]" : "")
	printf "],\"startTime\":0,\"samples\":["
	for (i = 1; i <= n; i++)
		printf "%s%d", (i > 1 ? "," : ""), i
	printf "],\"timeDeltas\":["
	for (i = 1; i <= n; i++)
		printf "%s1", (i > 1 ? "," : "")
	printf "]}\n"
}' >"$deep"

chart=deep.cpuprofile
open 120 40
view '"$work/deep.cpuprofile"'
wait_for 'Enter zoom'
keys Tab E
wait_for 'Esc stops it'
keys Escape
wait_for 'stopped'
keys E
wait_for 'Esc stops it'
keys C-c
wait_for 'status 0'
check_sane

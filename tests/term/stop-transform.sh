#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A transform of 200,000 calls: keys are read while it is computed, and Esc ends it. Without Esc it
# is shown.
. "$(dirname "$0")/lib.sh"

large=$work/large.cpuprofile
awk -v n=200000 -v samples=1000000 'BEGIN {
	printf "{\"nodes\":["
	for (i = 1; i <= n; i++) {
		printf "%s{\"id\":%d,\"callFrame\":{\"functionName\":\"f%d\",\"url\":\"a.js\"}",
			(i > 1 ? "," : ""), i, i % 999
		if (2 * i <= n)
			printf ",\"children\":[%d%s]", 2 * i, (2 * i < n ? "," 2 * i + 1 : "")
		printf "}"
	}
	printf "],\"startTime\":0,\"samples\":["
	for (i = 1; i <= samples; i++)
		printf "%s%d", (i > 1 ? "," : ""), 1 + i * 7919 % n
	printf "],\"timeDeltas\":["
	for (i = 1; i <= samples; i++)
		printf "%s10", (i > 1 ? "," : "")
	printf "]}\n"
}' >"$large"

chart=large.cpuprofile
open 120 40
view '"$work/large.cpuprofile"'
wait_for '1 000 000 samples every'
keys x r Escape
wait_for 'stopped'
wait_gone 'fold recursion'
keys x r x i Escape
wait_for 'stopped'
keys x r x i
wait_for 'fold recursion · drop idle'
keys u
wait_gone 'drop idle'
keys q
wait_for 'status 0'
check_sane

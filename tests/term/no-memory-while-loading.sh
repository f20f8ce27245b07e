#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# When the memory is not enough for the whole file, the preview that is on the screen stays.
case ${HARDENING:-} in *sanitizers*) echo "SKIP: sanitizers need more memory than they are asked for"; exit 77 ;; esac
. "$(dirname "$0")/lib.sh"

# The arguments of events take time, but no memory: the first preview is there long before the events
# that do not fit.
awk 'BEGIN {
	for (text = "0123456789"; length(text) < 100000; text = text text)
		;
	printf "["
	for (i = 0; i < 1500000; i++) {
		printf "%s{\"ph\":\"X\",\"name\":\"work%d\",\"pid\":1,\"tid\":%d,\"ts\":%d,\"dur\":%d", (i ? "," : ""), i % 50000, 1 + i % 3, i * 5, 1 + i % 11
		if (i >= 30000 && i < 31000)
			printf ",\"args\":{\"text\":\"%s\"}", text
		print "}"
	}
	printf "]"
}' >"$work/large.json"

open 100 30
# A preview takes a moment; on a busy machine loading may have failed before the first one.
n=0
while :; do
	n=$((n + 1))
	run "clear; \"\$FLAMETTY\" --max-memory=60M \"\$work/large.json\"; echo \"$n: status \$?\""
	wait_until 'screen | grep -q -e "only the beginning" -e "^$n: status"' 'the end of loading' 60
	screen | grep -q "^$n: status" || break
	[ $n -lt 5 ] || fail "no preview in $n attempts"
done
wait_for 'of memory'
keys 6
wait_for 'Top-down'
wait_for 'only the beginning'
keys Q
wait_until 'screen | grep -q "^$n: status 1"' 'exit status 1'
wait_for 'large.json: '
wait_for 'max-memory=SIZE'
check_sane

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Keys work while a large file is being loaded, on every preview of it as on the whole.
. "$(dirname "$0")/lib.sh"

awk 'BEGIN {
	printf "["
	for (i = 0; i < 400000; i++)
		printf "%s{\"ph\":\"X\",\"name\":\"work%d\",\"cat\":\"t\",\"pid\":1,\"tid\":%d,\"ts\":%d,\"dur\":%d}\n", (i ? "," : ""), i % 50, 1 + i % 3, i * 5, 1 + i % 11
	printf "]"
}' >"$work/large.json"

open 100 30
run 'clear; "$FLAMETTY" "$work/large.json"; echo "status $?"'
wait_for large.json 60
# Not Escape: it would end the loading.
n=0
while [ $n -lt 8 ]; do
	keys w d 5 j 6 l 7 Tab s a 8 k 0 / w o r k 1 Enter n
	n=$((n + 1))
done
wait_gone "$loading" 120
keys / w o r k 4 9 Enter
wait_for '/work49/' 60
# q would only close the pane, which has the focus.
keys Q
wait_until 'screen | grep -q "^status 0"' 'exit status 0'
check_sane

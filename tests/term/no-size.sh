#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A terminal that does not tell its size (0 rows, 0 columns) has that of LINES and COLUMNS, or else
# 24 rows of 80 columns.
. "$(dirname "$0")/lib.sh"

# start ENVIRONMENT: the chart, on a terminal whose size is not known.
start() {
	run "stty rows 0 columns 0; env $1 \"\$FLAMETTY\" \"\$profile\"; echo \"status \$?\""
	wait_for "$chart"
	wait_steady
}

# has_size ROWS COLS: the last row and one of the last four columns have a character, and none is beyond them.
has_size() {
	rows=$(screen | awk 'NF { last = NR } END { print last }')
	[ "$rows" -eq "$1" ] || fail "$rows rows instead of $1"
	screen | grep -q ".\{$(($2 - 3))\}" || fail "less than $2 columns"
	screen | grep -q -x ".\{$2\}..*" && fail "more than $2 columns"
	return 0
}

leave() {
	keys q
	wait_for 'status 0'
	run clear
	wait_gone 'status 0'
}

open 120 40
start 'LINES=15 COLUMNS=60'
has_size 15 60
press j
has_size 15 60
leave

for environment in '-u LINES -u COLUMNS' 'LINES=0 COLUMNS=-5' 'LINES=12x COLUMNS=wide'; do
	start "$environment"
	has_size 24 80
	leave
done

# The terminal tells its size meanwhile.
start 'LINES=15 COLUMNS=60'
resize 100 30
wait_until 'test "$(screen | awk "NF { last = NR } END { print last }")" = 30' '30 rows'
keys q
wait_for 'status 0'
check_sane

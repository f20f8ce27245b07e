#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# src/record/requests.cjs by itself, with the test runner of Node.js: what it records of servers, calls,
# waits and jobs, its bounds, and that nothing of it is left in the program. Then that the lines of C
# that the makefile makes of it are the script, and that it keeps to the sizes of the sources.
#
# usage: tests/requests.sh [TEST...]
#        TEST: files of tests/requests. NODES: programs of Node.js, one after another; the one in PATH
#        by default. ROUNDS: how often a recording begins and ends under load, 20 by default.
set -u
[ "${RECORDS_PROCESSES:-yes}" = yes ] || { echo "RECORDS_PROCESSES is no"; exit 77; }
nodes=${NODES:-$(command -v node)} || { echo "node is missing"; exit 77; }
lines=$PWD/requests_lines.h
cd "$(dirname "$0")/.." || exit 99
[ $# -gt 0 ] || set -- tests/requests/*.test.mjs
unset NODE_OPTIONS NODE_V8_COVERAGE
status=0 n_runs=0
script=src/record/requests.cjs

found=$(expand $script | awk 'length > 100 { print FNR ": " length " columns" }
	END { if (NR > 1000) print NR " lines" }' | sed "s,^,$script: ,")
[ -z "$found" ] || { echo "$found"; status=1; }

for node in $nodes; do
	version=$("$node" -p 'process.versions.node') || { echo "$node does not run"; exit 99; }
	case $version in
	[0-9].* | 1[0-7].* | 18.[0-6].*) echo "Node.js $version is too old"; continue ;;
	esac
	n_runs=$((n_runs + 1))
	echo "Node.js $version"
	"$node" --test "$@" || status=1
	# The comments are left out, so the two are compared as they run.
	[ ! -f "$lines" ] || "$node" tests/requests/same.mjs "$lines" || status=1
done
[ $n_runs -gt 0 ] || [ $status != 0 ] || exit 77
exit $status

#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Small inputs that would cost much: an answer comes in bounded time and memory, and a limit says what
# it left out. The limits of time and memory here are far above what the answers need.
. "$(dirname "$0")/lib.sh"
use_work
LC_ALL=C
export LC_ALL
SECONDS_MOST=60

failed=0

# fail TEXT: the rule of that name does not hold.
fail() {
	echo "FAILED: $*"
	head -5 "$work/stderr" | cut -c1-300 | sed 's/^/    /'
	failed=1
}

# answer STATUS ARGUMENT...: run the program; its output is in $work/stdout and $work/stderr.
answer() {
	wanted=$1
	shift
	(ulimit -t "$SECONDS_MOST"; exec "$FLAMETTY" "$@") >"$work/stdout" 2>"$work/stderr" </dev/null
	status=$?
	[ "$status" = "$wanted" ] || fail "$*: exit status $status"
}

# said TEXT: the program has said it on standard error.
said() {
	grep -q -F -e "$1" "$work/stderr" || fail "expected: $1"
}

# silent: the program has said nothing.
silent() {
	[ -s "$work/stderr" ] && fail "expected no message"
}

# ---- stacks of many rows ----

awk 'BEGIN { for (i = 0; i < 30000; i++) printf "f%d;", i; print "g 5" }' >"$work/deep.folded"
for format in svg html 'svg --merged'; do
	# shellcheck disable=SC2086
	answer 0 export -f $format "$work/deep.folded"
	said 'of the picture, 22 001 rows deeper than 8 000 are left out'
	grep -q '22 001 rows deeper than 8 000 are left out' "$work/stdout" ||
		fail "$format: the picture does not say what it leaves out"
done
awk 'BEGIN {
	print "["
	for (i = 0; i < 9000; i++)
		printf "%s{\"ph\":\"X\",\"pid\":1,\"tid\":%d,\"ts\":%d,\"dur\":9,\"name\":\"n\"}\n",
			i ? "," : "", i + 1, i
	print "]"
}' >"$work/lanes.json"
answer 0 export -f svg "$work/lanes.json"
said 'of the picture, 1 000 lanes are left out'
grep -q '1 000 lanes are left out' "$work/stdout" || fail 'the picture does not say what it leaves out'

# ---- covers of all slices, again and again ----

awk 'BEGIN {
	print "["
	for (i = 0; i < 20000; i++)
		printf "%s{\"ph\":\"X\",\"pid\":1,\"tid\":1,\"ts\":%d,\"dur\":9,\"name\":\"n%d\"}\n",
			i ? "," : "", i * 10, i % 7
	for (i = 0; i < 20000; i++)
		print ",{\"ph\":\"M\",\"pid\":1,\"tid\":1,\"name\":\"thread_no_self_time\",\"ts\":0,\"dur\":200000}"
	print "]"
}' >"$work/covers.json"
answer 0 report --top=1 "$work/covers.json"
silent

# ---- many busy stretches, all wanted ----

awk 'BEGIN {
	n = 1000000
	print "{\"nodes\":[{\"id\":1,\"callFrame\":{\"functionName\":\"(root)\"},\"children\":[2,3]},"
	print "{\"id\":2,\"callFrame\":{\"functionName\":\"(idle)\"}},"
	print "{\"id\":3,\"callFrame\":{\"functionName\":\"f\",\"url\":\"/a.js\"}}],\"startTime\":0,\"samples\":["
	for (i = 0; i < n; i++)
		printf "%s%d", i ? "," : "", i % 2 + 2
	print "],\"timeDeltas\":["
	for (i = 0; i < n; i++)
		printf "%s%d", i ? "," : "", i % 2 ? 400000 : 20000 + i * 7919 % 100003
	print "]}"
}' >"$work/stretches.cpuprofile"
answer 0 report --format=csv --table=busy --top=1000000 "$work/stretches.cpuprofile"
silent
[ "$(wc -l <"$work/stdout")" -gt 400000 ] || fail 'not all stretches are there'

# ---- trees of many different calls ----

awk 'BEGIN {
	for (i = 0; i < 200; i++) {
		for (k = 0; k < 3000; k++)
			printf "f%d_%d;", i, k
		print "g" i " 1"
	}
}' >"$work/calls.folded"
answer 0 export -f html "$work/calls.folded"
[ "$(grep -c '^<details' "$work/stdout")" -gt 2000 ] || fail 'the page has no tree'

# ---- outputs with whole stacks ----

# A call below each call of a chain: the stacks have the square of the bytes of the file.
awk 'BEGIN {
	print "["
	for (i = 0; i < 9000; i++)
		printf "%s{\"ph\":\"B\",\"pid\":1,\"tid\":1,\"ts\":%d,\"name\":\"a_name_of_%d\"}\n",
			i ? "," : "", i * 10, i
	print "]"
}' >"$work/chain.json"
for command in 'export -f folded' 'export -f csv --table=stacks' 'report -f csv --table=stacks'; do
	# shellcheck disable=SC2086
	answer 1 $command "$work/chain.json"
	said 'longer than 171 MB, because the stacks have many rows; --max-output=SIZE allows more, 0 any'
done
answer 1 export -f folded --max-output=1M "$work/chain.json"
said 'longer than 1.00 MB'
answer 1 export -f pprof --max-output=1M "$work/chain.json"
said 'longer than 1.00 MB'
answer 1 export -f folded -o "$work/file" "$work/chain.json"
[ -e "$work/file" ] && fail 'a file that is too long is left behind'
answer 0 export -f trace "$work/chain.json"
silent
answer 2 export --max-output=much "$work/chain.json"
said "--max-output wants a size like 6G or 800M, or 0, not 'much'"

# ---- many lanes, each with functions of its own ----

awk 'BEGIN {
	for (i = 0; i < 6000; i++)
		printf "node %d 1.%06d: 10 cycles:\n\t  1 f%d (x)\n\n", i + 1, i, i
}' >"$work/threads.perf"
answer 0 report "$work/threads.perf"
if grep -q '^findings' "$work/stdout"; then
	grep -q 'these are of the 200 busiest lanes; 5 800 less busy ones were not looked at' "$work/stdout" ||
		fail 'the report does not say which lanes its findings are of'
fi
answer 0 report -f json "$work/threads.perf"
grep -q '"findings_lanes_left_out": 5800' "$work/stdout" || fail 'JSON does not say it'

# ---- windows of zstd ----

if "$FLAMETTY" --version | grep -q zstd; then
	printf '\050\265\057\375\000\220\021\000\000{}' >"$work/large.zst"
	answer 1 report "$work/large.zst"
	said 'zstd data with a window above 128 MiB'
	answer 1 report --max-memory=4G "$work/large.zst"
	grep -q 'zstd data' "$work/stderr" && fail '--max-memory does not permit the window'
fi

# ---- spans that are left out are counted, not found ----

awk 'BEGIN {
	for (i = 0; i < 20000; i++) {
		for (k = 0; k < (i % 2 ? 0 : 2000); k++)
			printf "f;"
		print "g" i " 1"
	}
}' | gzip -1 >"$work/spans.folded.gz"
answer 0 report -f json --with=spans --max-rows=10 "$work/spans.folded.gz"
grep -q '"spans_left_out": 20019990' "$work/stdout" || fail 'spans are left out, but not counted'

if [ $failed = 0 ]; then echo 'costs: all rules hold'; fi
exit $failed
